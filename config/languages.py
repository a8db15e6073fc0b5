"""Which language a request is answered in: the cookie's, which the switch on every page sets, else the browser's."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language


class LanguageMiddleware(LocaleMiddleware):
    """Django's, which tells caches of the header Accept-Language, but not of the cookie that comes before it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        patch_vary_headers(response, ("Cookie",))
        return response


# Pages are kept for all who are signed out alike (league/standings/page_cache.py), so the switch on them cannot hold a
# token that is one browser's. A foreign site that sends this form turns a page into another language, and that is all.
switch = csrf_exempt(set_language)
