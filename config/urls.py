"""All addresses of the service: league, games, accounts, health."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from config import health, languages, metrics

handler400 = "config.unavailable.bad_request"
handler403 = "league.pages.answers.forbidden"
handler404 = "league.pages.answers.not_found"
handler429 = "league.pages.answers.too_many"  # django-allauth's
handler500 = "config.unavailable.server_error"

pages: list[URLPattern | URLResolver] = [
    path("healthz", health.alive, name="healthz"),
    path("", include("games.urls")),  # first: online tables get many requests a second
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("i18n/setlang/", languages.switch, name="set_language"),
    path("accounts/", include("league.accounts.urls")),
    path("api/", include("games.api_urls")),
    path("api/", include("league.api_urls")),
    path("", include("league.urls")),
]

urlpatterns = pages
if settings.BASE_PATH != "/":  # the proxy passes the full path; health checks may come without one
    urlpatterns = [
        path(settings.BASE_PATH.lstrip("/"), include(pages)),
        path("healthz", health.alive),
        path("readyz", health.ready),
        path("metrics", metrics.metrics),
        path("", RedirectView.as_view(pattern_name="home")),
    ]
