"""Every address of the service: league's pages, the pages that show or take hands (games), accounts, health."""

from django.contrib.auth import views as auth_views
from django.urls import include, path

from config import health
from league.forms import SignInForm

handler400 = "league.views.pages.bad_request"
handler403 = "league.views.pages.forbidden"
handler404 = "league.views.pages.not_found"
handler500 = "league.views.pages.server_error"

urlpatterns = [
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("accounts/login/", auth_views.LoginView.as_view(authentication_form=SignInForm), name="login"),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("accounts/password/", auth_views.PasswordChangeView.as_view(), name="password_change"),
    path("accounts/password/done/", auth_views.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("", include("games.urls")),
    path("", include("league.urls")),
]
