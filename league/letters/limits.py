"""Limit who may send e-mail, and how much.

If the service sends mail, only accounts with a verified address may send. An address gets at most `MOST_TO_AN_ADDRESS`
a day; confirmed and merely typed addresses count separately, so strangers can't use up the owner's e-mails. An account
sends at most `MOST_FROM_AN_ACCOUNT` to typed addresses: enough for a club of 60 to send invitations and links in a day.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.lib.errors import Refused
from league.models import SentMail, Tournament, User

DAY = timedelta(days=1)
MOST_TO_AN_ADDRESS = 12
MOST_FROM_AN_ACCOUNT = 200


def may_send(user: User) -> bool:
    """Return whether the account may send e-mail. Always true if the service sends none."""
    return not settings.MAIL_GOES_OUT or user.has_verified_address


def mails_go_out(tournament: Tournament) -> bool:
    """Return whether people who sign up get e-mail: the service sends mail, and the owner may send."""
    return bool(settings.MAIL_GOES_OUT) and tournament.owner.has_verified_address


def check_sender(user: User | None, *, mails: int = 1) -> None:
    """Raise `Refused` if the account may not send this number of e-mails to typed addresses."""
    if user is None or not settings.MAIL_GOES_OUT:
        return
    if not may_send(user):
        sentence = _("Verify your e-mail address first, under Account. Then you can send e-mails.")
        raise Refused("not-verified", sentence)
    if user.sent_mails.filter(at__gt=timezone.now() - DAY).count() + mails > MOST_FROM_AN_ACCOUNT:
        sentence = _("You can send at most %(most)d e-mails a day. Share links or codes instead.")
        raise Refused("too-many-mails", sentence % {"most": MOST_FROM_AN_ACCOUNT})


def count_sender(user: User | None, *, mails: int = 1) -> None:
    if user is not None:
        SentMail.objects.bulk_create(SentMail(sender=user) for _mail in range(mails))


def is_full(address: str, *, typed: bool, now: datetime) -> bool:
    """Return whether an address has had its daily e-mails. typed: its owner hasn't confirmed it."""
    mails = SentMail.objects.filter(recipient=_digest(address), typed=typed, at__gt=now - DAY)
    return mails.count() >= MOST_TO_AN_ADDRESS


def count_recipient(address: str, *, typed: bool, now: datetime) -> None:
    SentMail.objects.filter(at__lte=now - DAY).delete()
    SentMail.objects.create(recipient=_digest(address), typed=typed, at=now)


def why_full() -> str:
    return _("This address got %(most)d e-mails today. Try again tomorrow.") % {"most": MOST_TO_AN_ADDRESS}


def _digest(address: str) -> str:
    """Return a hash of an address, to count e-mails without storing the address."""
    return salted_hmac("league.letters.limits", address.strip().lower(), algorithm="sha256").hexdigest()[:32]
