"""The mail with which somebody is invited."""

from django.core.mail import send_mail
from django.utils.translation import gettext as _

from league.models import Invitation, User
from league.templatetags.wild import when


def send_invitation(invitation: Invitation, link: str, by: User) -> bool:
    """Whether the mail server took it. The link is in the mail alone."""
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
    subject = _("Your invitation to “%(tournament)s”") % about
    try:
        sent = send_mail(subject, "\n\n".join(line for line in lines if line) + "\n", None, [invitation.email])
    except OSError:  # every error of smtplib is one
        return False
    return sent == 1
