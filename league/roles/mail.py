"""Invitation e-mails."""

from django.core.mail import send_mail
from django.utils.translation import gettext as _

from league.lib.names import without_links
from league.lib.wall_time import when
from league.models import ClubInvitation, Invitation, User

MOST = 100  # characters of a name in an e-mail


def send_invitation(invitation: Invitation | ClubInvitation, link: str, by: User) -> bool:
    """E-mail an invitation with its link. Return whether the mail server accepted it."""
    if isinstance(invitation, ClubInvitation):
        subject, first = _to_club(invitation, by)
        zone, time_zone = invitation.club.zone, invitation.club.time_zone
    else:
        subject, first = _to_tournament(invitation, by)
        zone, time_zone = invitation.tournament.zone, invitation.tournament.time_zone
    until = {"until": f"{invitation.expires_at.astimezone(zone):%Y-%m-%d %H:%M}", "zone": time_zone}
    last = _("It works once, until %(until)s (%(zone)s). If you weren’t expecting this e-mail, ignore it.") % until
    try:
        sent = send_mail(subject, "\n\n".join([*first, link, last]) + "\n", None, [invitation.email])
    except OSError:  # every error of smtplib is one
        return False
    return sent == 1


def _to_tournament(invitation: Invitation, by: User) -> tuple[str, list[str]]:
    """Return the subject and the lines above the link."""
    tournament = invitation.tournament
    about = {
        "who": without_links(by.name or _("An organiser"), MOST),
        "tournament": without_links(tournament.name, MOST),
        "role": invitation.get_kind_display(),
        "when": when(tournament),
    }
    lines = [_("%(who)s invites you to “%(tournament)s”, %(when)s, as: %(role)s.") % about]
    if invitation.entry:
        lines.append(_("You play as %(player)s.") % {"player": without_links(invitation.entry.name, MOST)})
    lines.append(_("Open this link to accept:"))
    return _("Your invitation to “%(tournament)s”") % about, lines


def _to_club(invitation: ClubInvitation, by: User) -> tuple[str, list[str]]:
    """Return the subject and the lines above the link, for a role or a member."""
    about = {
        "who": without_links(by.name or _("An organiser"), MOST),
        "club": without_links(invitation.club.name, MOST),
        "role": invitation.get_kind_display(),
        "player": without_links(invitation.player.name, MOST) if invitation.player else "",
    }
    if invitation.player:
        first = _("%(who)s invites you to connect your account with “%(player)s” in the club “%(club)s”.")
        second = _("Open this link to see all your tournaments on one page:")
    else:
        first = _("%(who)s invites you to the club “%(club)s”, as: %(role)s.")
        second = _("Open this link to accept:")
    return _("Your invitation to “%(club)s”") % about, [first % about, second]
