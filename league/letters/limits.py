"""Who may send mail, and how much of it.

Where mail goes out, only an account with a verified address has mails sent in its name. One address gets at most
`MOST_TO_AN_ADDRESS` in a day. Mails that its owner agreed to are counted apart from mails to an address that was only
typed, so a stranger who types an address cannot use up the notices of its owner. One account has at most
`MOST_FROM_AN_ACCOUNT` sent to typed addresses: a club of 60 gets its invitations and its links on one day.
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
    """Return whether mails may go out in the name of an account. Where no mail goes out there is nothing to misuse."""
    return not settings.MAIL_GOES_OUT or user.has_verified_address


def mails_go_out(tournament: Tournament) -> bool:
    """Return whether people who sign up for a tournament get mail: there is a mail server, and the owner may use it."""
    return bool(settings.MAIL_GOES_OUT) and tournament.owner.has_verified_address


def check_sender(user: User | None, *, mails: int = 1) -> None:
    """Raise `Refused` if an account may not have so many mails sent to addresses that were typed."""
    if user is None or not settings.MAIL_GOES_OUT:
        return
    if not may_send(user):
        sentence = _("Verify your own e-mail address first: then this service sends mail for you. Look under Account.")
        raise Refused("not-verified", sentence)
    if user.sent_mails.filter(at__gt=timezone.now() - DAY).count() + mails > MOST_FROM_AN_ACCOUNT:
        sentence = _("An account sends at most %(most)d mails in a day. Give people their link or code instead.")
        raise Refused("too-many-mails", sentence % {"most": MOST_FROM_AN_ACCOUNT})


def count_sender(user: User | None, *, mails: int = 1) -> None:
    if user is not None:
        SentMail.objects.bulk_create(SentMail(sender=user) for _mail in range(mails))


def is_full(address: str, *, typed: bool, now: datetime) -> bool:
    """Return whether an address had all its mails of a day. `typed`: its owner has not confirmed it."""
    mails = SentMail.objects.filter(recipient=_digest(address), typed=typed, at__gt=now - DAY)
    return mails.count() >= MOST_TO_AN_ADDRESS


def count_recipient(address: str, *, typed: bool, now: datetime) -> None:
    SentMail.objects.filter(at__lte=now - DAY).delete()
    SentMail.objects.create(recipient=_digest(address), typed=typed, at=now)


def why_full() -> str:
    return _("This address had %(most)d mails in a day. No more go there until tomorrow.") % {
        "most": MOST_TO_AN_ADDRESS
    }


def _digest(address: str) -> str:
    """Return what is stored of an address: enough to count its mails, and not the address."""
    return salted_hmac("league.letters.limits", address.strip().lower(), algorithm="sha256").hexdigest()[:32]
