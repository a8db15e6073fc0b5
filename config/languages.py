"""The language of an answer: the cookie's, which the switch on every page sets, else the browser's."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language


class LanguageMiddleware(LocaleMiddleware):
    """Django's middleware tells caches of the header Accept-Language, but not of the cookie, which comes before it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        patch_vary_headers(response, ("Cookie",))
        return response


# Everybody who is signed out gets the same kept pages (league/pages/cached_page.py), so their switch cannot hold the
# token of one browser. A foreign site that sends this form only changes the language of a page.
switch = csrf_exempt(set_language)
