"""How an invitation reaches a person, by a link or a mail, and what the inviting account is told."""

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
    """What became of a form that invites: the answer to send, or else the page to show again.

    invitation, link: the link to show, this once. status, retry_after: of the page, whose form says what is wrong;
    seconds to wait, 0 for none.
    """

    answer: HttpResponse | None = None
    invitation: AnyInvitation | None = None
    link: str = ""
    status: int = 200
    retry_after: int = 0


def invite_by_form(
    request: HttpRequest, form: Form, *, page: str, make: Callable[[], tuple[AnyInvitation, str]]
) -> Outcome:
    """Make the invitation of a form that was sent, and mail it if it has an address and this service sends mail.

    page: the path of the page with the form. make: makes the invitation and returns it with its secret.
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
        form.add_error(None, _("The mail server does not answer. Try again, or leave the address empty for a link."))
        return Outcome(status=503)
    limits.count_sender(by)
    limits.count_recipient(invitation.email, typed=True, now=timezone.now())
    messages.success(request, _("The invitation is on its way to %(email)s.") % {"email": invitation.email})
    return Outcome(answer=redirect(page))


def _sent_already() -> str:
    """Return the message for an invitation whose form was sent twice."""
    return _("This invitation was already made. A link appears only once: make a new invitation if you have lost it.")


def _check_mail(request: HttpRequest, form: Form) -> None:
    """Raise `Refused` if this account may not send a mail, or if the address had enough of them today."""
    email = form.cleaned_data["email"]
    if not email or not settings.MAIL_GOES_OUT:
        return
    limits.check_sender(organiser_of(request))
    if limits.is_full(email, typed=True, now=timezone.now()):
        raise Refused("too-many-mails", limits.why_full(), fields={"email": [limits.why_full()]})


def _too_many_mails(request: HttpRequest, form: Form) -> int:
    """Return the seconds to wait, with an error in the form, if an account sends too many mails; else 0."""
    by = organiser_of(request)
    if not form.cleaned_data["email"]:
        return 0
    wait = wait_after("invitation-mail", str(by.pk), MAILS_A_MINUTE) or 0
    if wait:
        form.add_error(
            None, _("That were many mails in a minute. Wait a little, or leave the address empty for a link.")
        )
    return wait
