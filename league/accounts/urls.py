"""Addresses under /accounts/: our pages, and the served views of django-allauth under its names."""

from allauth.account import views as accounts
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.urls import path, re_path

from league.accounts import token_views
from league.accounts.views import account, change_email, close, new_password

urlpatterns = [
    path("", account, name="account"),
    path("close/", close, name="close_account"),
    path("tokens/", token_views.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke_token"),
    path("login/", accounts.login, name="account_login"),
    path("logout/", accounts.logout, name="account_logout"),
    path("signup/", accounts.signup, name="account_signup"),
    path("inactive/", accounts.account_inactive, name="account_inactive"),
    path("reauthenticate/", accounts.reauthenticate, name="account_reauthenticate"),
    path("email/", change_email, name="account_email"),
    path("confirm-email/", accounts.email_verification_sent, name="account_email_verification_sent"),
    path("confirm-email/<str:key>/", accounts.confirm_email, name="account_confirm_email"),
    path("password/change/", accounts.password_change, name="account_change_password"),
    path("password/set/", accounts.password_set, name="account_set_password"),
    path("password/reset/", accounts.password_reset, name="account_reset_password"),
    path("password/reset/done/", accounts.password_reset_done, name="account_reset_password_done"),
    path(
        "password/reset/key/done/",
        accounts.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(  # allauth's e-mail has this dash
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        new_password,
        name="account_reset_password_from_key",
    ),
    # second step
    path("2fa/", mfa.index, name="mfa_index"),
    path("2fa/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path("2fa/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("2fa/totp/activate/", totp.activate_totp, name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("2fa/recovery-codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("2fa/recovery-codes/generate/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("2fa/recovery-codes/download/", recovery_codes.download_recovery_codes, name="mfa_download_recovery_codes"),
    path("2fa/passkeys/", webauthn.list_webauthn, name="mfa_list_webauthn"),
    path("2fa/passkeys/add/", webauthn.add_webauthn, name="mfa_add_webauthn"),
    path("2fa/passkeys/login/", webauthn.login_webauthn, name="mfa_login_webauthn"),
    path("2fa/passkeys/reauthenticate/", webauthn.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("2fa/passkeys/<int:pk>/edit/", webauthn.edit_webauthn, name="mfa_edit_webauthn"),
    path("2fa/passkeys/<int:pk>/remove/", webauthn.remove_webauthn, name="mfa_remove_webauthn"),
]
