"""How an invitation reaches a person, by a link or a mail, and what the inviting account is told."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from league.lib.rate_limits import wait_after
from league.models import ClubInvitation, Invitation
from league.pages.answers import MAILS_A_MINUTE
from league.pages.tournament_page import organiser_of
from league.roles.club_roles import revoke_club_invitation
from league.roles.mail import send_club_invitation, send_invitation
from league.roles.tournament_roles import revoke_invitation


def link_of(request: HttpRequest, secret: str) -> str:
    return request.build_absolute_uri(reverse("join", args=[secret]))


def too_many_mails(request: HttpRequest, form: Form) -> int:
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


def mail_invitation(request: HttpRequest, invitation: Invitation | ClubInvitation, link: str, form: Form) -> bool:
    """Send an invitation. If no mail server takes it, revoke it and say so in the form."""
    by = organiser_of(request)
    if isinstance(invitation, ClubInvitation):
        sent = send_club_invitation(invitation, link, by)
    else:
        sent = send_invitation(invitation, link, by)
    if sent:
        messages.success(request, _("The invitation is on its way to %(email)s.") % {"email": invitation.email})
        return True
    if isinstance(invitation, ClubInvitation):
        revoke_club_invitation(invitation=invitation, by=by)
    else:
        revoke_invitation(invitation=invitation, by=by)
    form.add_error(None, _("The mail server does not answer. Try again, or leave the address empty for a link."))
    return False
