"""Addresses that let in whoever has them: a player's page, a sign-up, a scorer's tables, the hall screen, a calendar.

They are signed instead of stored. The address is a public id and a MAC over it and a generation number that stands in
the row: 128 bits that nobody guesses, nothing in the database that opens anything, and the organiser may print or show
the same code again whenever it is needed. Counting the generation up ends every address given out before.
"""

import base64
import hmac
import re
from typing import Any

from django.conf import settings
from django.db.models import Manager
from django.utils.crypto import salted_hmac

from league.models import Club, ClubLogEntry, Entry, LogEntry, Player, ScorerLink, SignUp, Tournament, User

BYTES = 16
END_CALENDAR = "end-calendar"  # the row in a log that ends an account's addresses of calendars there
Of = Club | Tournament | Player  # what an account has a calendar of
MOST_ENDED = 20  # addresses from before that are told apart from forged ones


def _token(kind: str, key: str, generation: int, secret: str | bytes | None = None) -> str:
    mac = salted_hmac(
        f"league.access.signed_links.{kind}", f"{key}:{generation}", secret=secret, algorithm="sha256"
    ).digest()
    return f"{key}-{base64.urlsafe_b64encode(mac[:BYTES]).decode().rstrip('=')}"


def _matches(token: str, kind: str, key: str, generation: int) -> bool:
    """Also for addresses that were made under a secret key that is being replaced."""
    given = token.encode(errors="replace")
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(_token(kind, key, generation, one).encode(), given) for one in secrets)


def _ended(token: str, kind: str, key: str, generation: int) -> bool:
    """Whether it was one once, before this generation."""
    return any(_matches(token, kind, key, one) for one in range(1, generation)[-MOST_ENDED:])


def _key(token: str) -> str:
    """The public id that a token claims; empty for what cannot be one."""
    key, dash, _mac = token.partition("-")
    return key if dash and key.isascii() and key.isalnum() and len(key) <= 24 else ""


def player_token(entry: Entry) -> str:
    return _token("player", entry.public_id, entry.link_generation)


def player_of(token: str) -> Entry | None:
    """The entry whose own link this is; None for a forged one and for one that was ended."""
    found = Entry.objects.select_related("tournament", "player").filter(public_id=_key(token)).first()
    return found if found and _matches(token, "player", found.public_id, found.link_generation) else None


def ended_player_of(token: str) -> Entry | None:
    """The entry whose own link this was once, before the organiser ended it."""
    found = Entry.objects.select_related("tournament").filter(public_id=_key(token)).first()
    return found if found and _ended(token, "player", found.public_id, found.link_generation) else None


def sign_up_token(sign_up: SignUp) -> str:
    return _token("sign-up", sign_up.public_id, sign_up.link_generation)


def sign_up_of(token: str) -> SignUp | None:
    found = SignUp.objects.select_related("tournament", "entry__player").filter(public_id=_key(token)).first()
    return found if found and _matches(token, "sign-up", found.public_id, found.link_generation) else None


def scorer_token(link: ScorerLink) -> str:
    return _token("scorer", str(link.pk), link.generation)


def scorer_link_of(token: str) -> ScorerLink | None:
    found = _scorer_link(token)
    return found if found and _matches(token, "scorer", str(found.pk), found.generation) else None


def ended_scorer_link_of(token: str) -> ScorerLink | None:
    """The link whose address this was once, before the organiser ended it."""
    found = _scorer_link(token)
    return found if found and _ended(token, "scorer", str(found.pk), found.generation) else None


def _scorer_link(token: str) -> ScorerLink | None:
    key = _key(token)
    links = ScorerLink.objects.select_related("tournament")
    return links.filter(pk=key).first() if re.fullmatch("[0-9]{1,18}", key) else None


def screen_token(tournament: Tournament) -> str:
    return _token("screen", str(tournament.pk), tournament.screen_generation)


def screen_of(token: str) -> Tournament | None:
    key = _key(token)
    found = Tournament.objects.filter(pk=int(key)).first() if key.isdecimal() else None
    return found if found and _matches(token, "screen", key, found.screen_generation) else None


def entry_calendar_token(entry: Entry) -> str:
    """Of the evenings of whose own link it is. It opens nothing else, and ends with that link."""
    return _token("calendar", entry.public_id, entry.link_generation)


def entry_with_calendar(token: str) -> Entry | None:
    found = Entry.objects.select_related("tournament", "player").filter(public_id=_key(token)).first()
    return found if found and _matches(token, "calendar", found.public_id, found.link_generation) else None


_CALENDARS: dict[str, Manager[Any]] = {"c": Club.objects, "t": Tournament.objects, "m": Player.objects}


def account_calendar_token(user: User, of: Of) -> str:
    """Of what an account may see of a club or a tournament, or of the evenings of the member who it is."""
    return _token("calendar", f"{_letter(of)}{of.pk}u{user.pk}", _calendars_ended(user, of) + 1)


def account_with_calendar(token: str) -> tuple[User, Of] | None:
    """Whose address it is, and of what; None for a forged one and for one that was ended."""
    claimed = re.fullmatch(r"([ctm])([0-9]{1,10})u([0-9]{1,10})", _key(token))
    if claimed is None:
        return None
    letter, key, account = claimed.groups()
    user = User.objects.filter(pk=account, is_active=True).first()
    of: Of | None = _CALENDARS[letter].filter(pk=key).first()
    if user is None or of is None:
        return None
    return (user, of) if _matches(token, "calendar", claimed[0], _calendars_ended(user, of) + 1) else None


def _letter(of: Of) -> str:
    return "c" if isinstance(of, Club) else "t" if isinstance(of, Tournament) else "m"


def _calendars_ended(user: User, of: Of) -> int:
    """How many of its addresses an account has ended there. That of a club and of oneself in it end together."""
    if isinstance(of, Tournament):
        return LogEntry.objects.filter(tournament=of, action=END_CALENDAR, by=user).count()
    club = of if isinstance(of, Club) else of.club
    return ClubLogEntry.objects.filter(club=club, action=END_CALENDAR, by=user).count()


def reminders_token(sign_up: SignUp) -> str:
    """Where somebody says that they want no reminders."""
    return _token("reminders", sign_up.public_id, sign_up.link_generation)


def reminders_of(token: str) -> SignUp | None:
    found = SignUp.objects.select_related("tournament").filter(public_id=_key(token)).first()
    return found if found and _matches(token, "reminders", found.public_id, found.link_generation) else None
