"""Deliver invitations, by link or e-mail, and report the result."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.letters import limits
from league.lib.errors import Refused
from league.lib.rate_limits import wait_after
from league.pages.answers import MAILS_A_MINUTE
from league.pages.form_key import creating_once
from league.pages.tournament_page import organiser_of
from league.roles.mail import send_invitation
from league.roles.roles import AnyInvitation, revoke_invitation


@dataclass(frozen=True)
class Outcome:
    """Result of an invitation form: the response to send, or else the page to show again.

    invitation, link: the link, shown only once. status, retry_after: of the page with its form errors; seconds to wait,
    0 for none.
    """

    answer: HttpResponse | None = None
    invitation: AnyInvitation | None = None
    link: str = ""
    status: int = 200
    retry_after: int = 0


def invite_by_form(
    request: HttpRequest, form: Form, *, page: str, make: Callable[[], tuple[AnyInvitation, str]]
) -> Outcome:
    """Create the invitation of a posted form, and e-mail it if it has an address and the service sends mail.

    page: path of the form's page. make: creates the invitation and returns it with its secret.
    """
    if not form.is_valid():
        return Outcome(status=422)
    if wait := _too_many_mails(request, form):
        return Outcome(status=429, retry_after=wait)
    try:
        _check_mail(request, form)
        with creating_once(request, page, again=_sent_already()) as earlier:
            if earlier is not None:
                return Outcome(answer=earlier)
            invitation, secret = make()
    except Refused as refused:
        form.add_error(None, str(refused))
        return Outcome(status=refused.status)
    link = request.build_absolute_uri(reverse("join", args=[secret]))
    if not (invitation.email and settings.MAIL_GOES_OUT):
        return Outcome(invitation=invitation, link=link)
    by = organiser_of(request)
    if not send_invitation(invitation, link, by):
        revoke_invitation(invitation=invitation, by=by)
        form.add_error(None, _("The mail server doesn’t answer. Try again, or leave the address empty to get a link."))
        return Outcome(status=503)
    limits.count_sender(by)
    limits.count_recipient(invitation.email, typed=True, now=timezone.now())
    messages.success(request, _("Invitation sent to %(email)s.") % {"email": invitation.email})
    return Outcome(answer=redirect(page))


def _sent_already() -> str:
    """Return the message for a form sent twice."""
    return _("This invitation already exists. Its link appears only once: create a new one if you lost it.")


def _check_mail(request: HttpRequest, form: Form) -> None:
    """Raise `Refused` if the account may send no mail, or the address has had its daily limit."""
    email = form.cleaned_data["email"]
    if not email or not settings.MAIL_GOES_OUT:
        return
    limits.check_sender(organiser_of(request))
    if limits.is_full(email, typed=True, now=timezone.now()):
        raise Refused("too-many-mails", limits.why_full(), fields={"email": [limits.why_full()]})


def _too_many_mails(request: HttpRequest, form: Form) -> int:
    """Return the seconds to wait, with a form error, if the account sends too many e-mails; else 0."""
    by = organiser_of(request)
    if not form.cleaned_data["email"]:
        return 0
    wait = wait_after("invitation-mail", str(by.pk), MAILS_A_MINUTE) or 0
    if wait:
        form.add_error(
            None, _("Too many e-mails in a minute. Try again shortly, or leave the address empty to get a link.")
        )
    return wait
