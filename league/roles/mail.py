"""The mails that invite somebody."""

from collections.abc import Iterable

from django.core.mail import send_mail
from django.utils.translation import gettext as _

from league.lib.wall_time import when
from league.models import ClubInvitation, Invitation, User


def send_invitation(invitation: Invitation, link: str, by: User) -> bool:
    """Mail an invitation; only the mail has the link. Returns whether the mail server took it."""
    tournament = invitation.tournament
    about = {
        "who": " ".join(str(by).split()),
        "tournament": " ".join(tournament.name.split()),
        "role": invitation.get_kind_display(),
        "player": invitation.entry.player.name if invitation.entry else "",
        "when": when(tournament),
        "link": link,
        "until": f"{invitation.expires_at.astimezone(tournament.zone):%Y-%m-%d %H:%M}",
        "zone": tournament.time_zone,
    }
    lines = [
        _("%(who)s invites you to “%(tournament)s”, %(when)s, as: %(role)s.") % about,
        _("You play as %(player)s.") % about if invitation.entry else "",
        _("Open this link to see what that means, and accept it there:") % about,
        link,
        _("It works once, until %(until)s (%(zone)s). If you do not know what this is about, do nothing.") % about,
    ]
    return _send(_("Your invitation to “%(tournament)s”") % about, lines, invitation.email)


def send_club_invitation(invitation: ClubInvitation, link: str, by: User) -> bool:
    """Mail an invitation to a club: to a role, or to claim one of its members."""
    club = invitation.club
    about = {
        "who": " ".join(str(by).split()),
        "club": " ".join(club.name.split()),
        "role": invitation.get_kind_display(),
        "player": invitation.player.name if invitation.player else "",
        "until": f"{invitation.expires_at.astimezone(club.zone):%Y-%m-%d %H:%M}",
        "zone": club.time_zone,
    }
    if invitation.player:
        first = _("%(who)s keeps “%(player)s” as a member of the club “%(club)s”, and says that this is you.")
        second = _("Open this link to connect it with an account of yours: your evenings then stand on one page.")
    else:
        first = _("%(who)s invites you to the club “%(club)s”, as: %(role)s.")
        second = _("Open this link to see what that means, and accept it there:")
    lines = [
        first % about,
        second,
        link,
        _("It works once, until %(until)s (%(zone)s). If you do not know what this is about, do nothing.") % about,
    ]
    return _send(_("Your invitation to “%(club)s”") % about, lines, invitation.email)


def _send(subject: str, lines: Iterable[str], to: str) -> bool:
    try:
        sent = send_mail(subject, "\n\n".join(line for line in lines if line) + "\n", None, [to])
    except OSError:  # every error of smtplib is one
        return False
    return sent == 1
