"""Language of a response: from the cookie, set by the switch on every page, else from the browser."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language


class LanguageMiddleware(LocaleMiddleware):
    """Add the cookie to Vary: Django adds only Accept-Language, which the cookie overrides."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        patch_vary_headers(response, ("Cookie",))
        return response


# All signed-out visitors share cached pages (league/pages/cached_page.py), so the switch can't contain a browser's
# token. A foreign site that sends this form only changes a page's language.
switch = csrf_exempt(set_language)
