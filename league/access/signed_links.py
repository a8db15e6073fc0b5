"""Addresses that let in whoever has them: a player's page, a sign-up, a scorer's tables, the hall screen, a calendar.

They are signed instead of stored. The address is a public id and a MAC over it and a generation number that stands in
the row: nobody can guess the 128 bits, nothing in the database opens anything, and the organiser can print or show the
same code again at any time. Counting the generation up ends every address given out before.
"""

import base64
import hmac
import re
from typing import Any

from django.conf import settings
from django.db.models import Manager, Q
from django.utils.crypto import salted_hmac

from league.models import Club, ClubLogEntry, Entry, LogEntry, Player, ScorerLink, SignUp, Tournament, User

BYTES = 16
END_CALENDAR = "end-calendar"  # the row in a log that ends an account's addresses of calendars there
Of = Club | Tournament | Player  # what an account has a calendar of
MOST_ENDED = 20  # earlier addresses that are told apart from forged ones
# A casual table gives out no links, so a link to one opens nothing. Its host would see the cards of the others.
OF_EVENTS = ~Q(tournament__kind=Tournament.Kind.CASUAL)


def _token(kind: str, key: str, generation: int, secret: str | bytes | None = None) -> str:
    mac = salted_hmac(
        f"league.access.signed_links.{kind}", f"{key}:{generation}", secret=secret, algorithm="sha256"
    ).digest()
    return f"{key}-{base64.urlsafe_b64encode(mac[:BYTES]).decode().rstrip('=')}"


def _matches(token: str, kind: str, key: str, generation: int) -> bool:
    """Whether a token is right, also under a secret key that is being replaced."""
    token_bytes = token.encode(errors="replace")
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(_token(kind, key, generation, secret).encode(), token_bytes) for secret in secrets)


def _matches_earlier(token: str, kind: str, key: str, generation: int) -> bool:
    """Whether a token was right in an earlier generation."""
    return any(_matches(token, kind, key, earlier) for earlier in range(1, generation)[-MOST_ENDED:])


def _key(token: str) -> str:
    """The public id that a token claims; empty for what cannot be one."""
    key, dash, _mac = token.partition("-")
    return key if dash and key.isascii() and key.isalnum() and len(key) <= 24 else ""


def player_token(entry: Entry) -> str:
    return _token("player", entry.public_id, entry.link_generation)


def player_of(token: str) -> Entry | None:
    """The entry whose own link this is; None for a link that is forged or was ended."""
    entry = Entry.objects.select_related("tournament", "player").filter(OF_EVENTS, public_id=_key(token)).first()
    return entry if entry and _matches(token, "player", entry.public_id, entry.link_generation) else None


def ended_player_of(token: str) -> Entry | None:
    """The entry whose own link this was before the organiser ended it."""
    entry = Entry.objects.select_related("tournament").filter(OF_EVENTS, public_id=_key(token)).first()
    return entry if entry and _matches_earlier(token, "player", entry.public_id, entry.link_generation) else None


def sign_up_token(sign_up: SignUp) -> str:
    return _token("sign-up", sign_up.public_id, sign_up.link_generation)


def sign_up_of(token: str) -> SignUp | None:
    sign_up = (
        SignUp.objects.select_related("tournament", "entry__player").filter(OF_EVENTS, public_id=_key(token)).first()
    )
    return sign_up if sign_up and _matches(token, "sign-up", sign_up.public_id, sign_up.link_generation) else None


def scorer_token(link: ScorerLink) -> str:
    return _token("scorer", str(link.pk), link.generation)


def scorer_link_of(token: str) -> ScorerLink | None:
    link = _scorer_link(token)
    return link if link and _matches(token, "scorer", str(link.pk), link.generation) else None


def ended_scorer_link_of(token: str) -> ScorerLink | None:
    """The link whose address this was before the organiser ended it."""
    link = _scorer_link(token)
    return link if link and _matches_earlier(token, "scorer", str(link.pk), link.generation) else None


def _scorer_link(token: str) -> ScorerLink | None:
    key = _key(token)
    links = ScorerLink.objects.select_related("tournament")
    return links.filter(OF_EVENTS, pk=key).first() if re.fullmatch("[0-9]{1,18}", key) else None


def screen_token(tournament: Tournament) -> str:
    return _token("screen", str(tournament.pk), tournament.screen_generation)


def screen_of(token: str) -> Tournament | None:
    key = _key(token)
    events = Tournament.objects.exclude(kind=Tournament.Kind.CASUAL)
    tournament = events.filter(pk=int(key)).first() if key.isdecimal() else None
    return tournament if tournament and _matches(token, "screen", key, tournament.screen_generation) else None


def entry_calendar_token(entry: Entry) -> str:
    """The token for the evenings of whoever has this own link. It opens nothing else and ends with that link."""
    return _token("calendar", entry.public_id, entry.link_generation)


def entry_with_calendar(token: str) -> Entry | None:
    entry = Entry.objects.select_related("tournament", "player").filter(OF_EVENTS, public_id=_key(token)).first()
    return entry if entry and _matches(token, "calendar", entry.public_id, entry.link_generation) else None


_CALENDARS: dict[str, Manager[Any]] = {"c": Club.objects, "t": Tournament.objects, "m": Player.objects}


def account_calendar_token(user: User, of: Of) -> str:
    """The token for what an account may see of a club or tournament, or for the evenings of its own member."""
    return _token("calendar", f"{_letter(of)}{of.pk}u{user.pk}", _count_ended_calendars(user, of) + 1)


def account_with_calendar(token: str) -> tuple[User, Of] | None:
    """The account and what the calendar is of; None for an address that is forged or was ended."""
    claimed = re.fullmatch(r"([ctm])([0-9]{1,10})u([0-9]{1,10})", _key(token))
    if claimed is None:
        return None
    letter, key, account = claimed.groups()
    user = User.objects.filter(pk=account, is_active=True).first()
    of: Of | None = _CALENDARS[letter].filter(pk=key).first()
    if user is None or of is None:
        return None
    return (user, of) if _matches(token, "calendar", claimed[0], _count_ended_calendars(user, of) + 1) else None


def _letter(of: Of) -> str:
    return "c" if isinstance(of, Club) else "t" if isinstance(of, Tournament) else "m"


def _count_ended_calendars(user: User, of: Of) -> int:
    """How many of its addresses an account has ended there; those of a club and of its own member end together."""
    if isinstance(of, Tournament):
        return LogEntry.objects.filter(tournament=of, action=END_CALENDAR, by=user).count()
    club = of if isinstance(of, Club) else of.club
    return ClubLogEntry.objects.filter(club=club, action=END_CALENDAR, by=user).count()


def reminders_token(sign_up: SignUp) -> str:
    """The token for the page on which somebody declines reminders."""
    return _token("reminders", sign_up.public_id, sign_up.link_generation)


def reminders_of(token: str) -> SignUp | None:
    sign_up = SignUp.objects.select_related("tournament").filter(OF_EVENTS, public_id=_key(token)).first()
    return sign_up if sign_up and _matches(token, "reminders", sign_up.public_id, sign_up.link_generation) else None
