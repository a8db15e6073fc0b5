"""Pages of an account: name, e-mail, closing it."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.forms import AddEmailForm
from allauth.account.models import EmailAddress
from allauth.account.views import EmailView, PasswordResetFromKeyView
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import own_tournaments
from league.accounts import in_words as account_journal
from league.accounts.close import close_account, heir_of
from league.accounts.forms import NameForm
from league.accounts.tokens import revoke_tokens_of
from league.clubs.clubs import heirs_of
from league.lib.errors import Refused
from league.models import AccountLogEntry, User

MOST_DELETED = 20  # listed, latest first


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": request.user.name})
    if form.is_valid():
        form.save(request.user)
        messages.success(request, _("Name saved."))
        return redirect("account")
    kinds = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    of_tournaments = request.user.log.filter(action=AccountLogEntry.DELETE_TOURNAMENT)
    deleted = of_tournaments.select_related("by")[:MOST_DELETED]
    context = {
        "form": form,
        "second_step": kinds - {Authenticator.Type.RECOVERY_CODES},
        "deleted": [(row, account_journal.in_words(row), account_journal.details(row)) for row in deleted],
        "ended_early": own_tournaments(request.user).filter(ended_early=True)[:MOST_DELETED],
    }
    return render(request, "account/account.html", context, status=422 if form.errors else 200)


@reauthentication_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest) -> HttpResponse:
    """Confirm first: it can't be undone."""
    assert isinstance(request.user, User)
    problem = ""
    if request.method == "POST":
        try:
            close_account(user=request.user)
        except Refused as refused:
            problem = str(refused)
        else:
            logout(request)
            messages.success(request, _("Your account is closed."))
            return redirect("home")
    owned = [(tournament, heir_of(tournament)) for tournament in own_tournaments(request.user)]
    clubs = [(club, next(iter(heirs_of(club)), None)) for club in request.user.clubs.order_by("name")]
    context = {"owned": owned, "clubs": clubs, "error_message": problem}
    return render(request, "account/close.html", context, status=409 if problem else 200)


def _pending_address(user: User) -> EmailAddress | None:
    """Return the new address, until its link is opened."""
    return EmailAddress.objects.filter(user=user, verified=False).exclude(email=user.email).last()


class ChangeEmailForm(AddEmailForm):
    def save(self, request: HttpRequest) -> EmailAddress:
        assert isinstance(self.user, User)
        if before := _pending_address(self.user):
            before.delete()
        return EmailAddress.objects.add_email(request, self.user, self.cleaned_data["email"], confirm=True)


class ChangeEmailView(EmailView):
    """Change the only address of an account, after verification.

    If the current one is unverified, allauth would drop it before the new one is verified.
    """

    form_class = ChangeEmailForm

    def get_context_data(self, **kwargs: Any) -> Any:
        assert isinstance(self.request.user, User)
        current = EmailAddress.objects.get_for_user(self.request.user, self.request.user.email)
        return super().get_context_data(**kwargs, current=current, pending=_pending_address(self.request.user))  # type: ignore[no-untyped-call]

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Do nothing: only the e-mailed link changes the sign-in address."""


change_email = ChangeEmailView.as_view()


class NewPasswordView(PasswordResetFromKeyView):
    """Set a new password by e-mailed link, verify the address, and revoke all API tokens.

    This shuts out anyone who knew the old password, such as a stranger who signed up with this address.
    """

    def form_valid(self, form: Any) -> Any:
        if settings.MAIL_GOES_OUT:
            for address in EmailAddress.objects.filter(user=self.reset_user, email=self.reset_user.email):
                address.set_verified()
        if revoke_tokens_of(self.reset_user):
            messages.info(self.request, _("Your API tokens were revoked. Create new ones for your programs."))
        return super().form_valid(form)


new_password = NewPasswordView.as_view()
