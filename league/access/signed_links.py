"""Addresses that grant access to their holder: players, member cards, sign-ups, scorer tables, screens, calendars.

They are signed, not stored: a public id, and a MAC over it and the row's generation number. The 128 bits can't be
guessed, a leaked database opens nothing, and the same code can be shown again. Raising the generation replaces all
earlier addresses.
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
END_CALENDAR = "end-calendar"  # log action that replaces an account's calendar addresses
Of = Club | Tournament | Player  # subject of an account's calendar
MOST_ENDED = 20  # earlier generations that are recognised
# Casual tables have no links: their host would see the other players' cards.
OF_EVENTS = ~Q(tournament__kind=Tournament.Kind.CASUAL)


def _token(kind: str, key: str, generation: int, secret: str | bytes | None = None) -> str:
    mac = salted_hmac(
        f"league.access.signed_links.{kind}", f"{key}:{generation}", secret=secret, algorithm="sha256"
    ).digest()
    return f"{key}-{base64.urlsafe_b64encode(mac[:BYTES]).decode().rstrip('=')}"


def _matches(token: str, kind: str, key: str, generation: int) -> bool:
    """Return whether a token is valid, also under a secret key being replaced."""
    token_bytes = token.encode(errors="replace")
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(_token(kind, key, generation, secret).encode(), token_bytes) for secret in secrets)


def _matches_earlier(token: str, kind: str, key: str, generation: int) -> bool:
    """Return whether a token was valid in an earlier generation."""
    return any(_matches(token, kind, key, earlier) for earlier in range(1, generation)[-MOST_ENDED:])


def _key(token: str) -> str:
    """Return the public id in a token; empty if malformed."""
    key, dash, _mac = token.partition("-")
    return key if dash and key.isascii() and key.isalnum() and len(key) <= 24 else ""


def player_token(entry: Entry) -> str:
    return _token("player", entry.public_id, entry.link_generation)


def player_of(token: str) -> Entry | None:
    """Return the entry of a player link; None if forged or replaced."""
    entry = Entry.objects.select_related("tournament", "player").filter(OF_EVENTS, public_id=_key(token)).first()
    return entry if entry and _matches(token, "player", entry.public_id, entry.link_generation) else None


def ended_player_of(token: str) -> Entry | None:
    """Return the entry of a replaced player link."""
    entry = Entry.objects.select_related("tournament").filter(OF_EVENTS, public_id=_key(token)).first()
    return entry if entry and _matches_earlier(token, "player", entry.public_id, entry.link_generation) else None


def card_token(member: Player) -> str:
    """Return the token of a member's card. Each club has its own."""
    return _token(_card_kind(member), member.public_id, member.card_generation)


def member_with_card(token: str) -> Player | None:
    """Return the member of a card; None if forged or renewed, or if the member left, was merged or erased."""
    member = _member(token)
    if member is None or not member.card_generation:
        return None
    return member if _matches(token, _card_kind(member), member.public_id, member.card_generation) else None


def member_with_ended_card(token: str) -> Player | None:
    """Return the member of a renewed card."""
    member = _member(token)
    if member is None:
        return None
    return member if _matches_earlier(token, _card_kind(member), member.public_id, member.card_generation) else None


def _member(token: str) -> Player | None:
    members = Player.objects.select_related("club").filter(merged_into=None, erased_at=None, team=None)
    return members.filter(public_id=_key(token)).exclude(club=None).first()


def _card_kind(member: Player) -> str:
    return f"card.{member.club_id}"


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
    """Return the scorer link of a revoked address."""
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
    events = Tournament.objects.exclude(kind=Tournament.Kind.CASUAL).select_related("announcement")
    tournament = events.filter(pk=int(key)).first() if key.isdecimal() else None
    return tournament if tournament and _matches(token, "screen", key, tournament.screen_generation) else None


def entry_calendar_token(entry: Entry) -> str:
    """Return the token for a player's calendar. It opens nothing else, and is replaced with the player's link."""
    return _token("calendar", entry.public_id, entry.link_generation)


def entry_with_calendar(token: str) -> Entry | None:
    entry = Entry.objects.select_related("tournament", "player").filter(OF_EVENTS, public_id=_key(token)).first()
    return entry if entry and _matches(token, "calendar", entry.public_id, entry.link_generation) else None


_CALENDARS: dict[str, Manager[Any]] = {"c": Club.objects, "t": Tournament.objects, "m": Player.objects}


def account_calendar_token(user: User, of: Of) -> str:
    """Return the token for an account's calendar of a club, a tournament or its own member."""
    return _token("calendar", f"{_letter(of)}{of.pk}u{user.pk}", _count_ended_calendars(user, of) + 1)


def account_with_calendar(token: str) -> tuple[User, Of] | None:
    """Return account and subject of a calendar; None if forged or replaced."""
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
    """Return how often an account has replaced its address there. A club's and its own member's count together."""
    if isinstance(of, Tournament):
        return LogEntry.objects.filter(tournament=of, action=END_CALENDAR, by=user).count()
    club = of if isinstance(of, Club) else of.club
    return ClubLogEntry.objects.filter(club=club, action=END_CALENDAR, by=user).count()


def reminders_token(sign_up: SignUp) -> str:
    """Return the token for the page that declines reminders."""
    return _token("reminders", sign_up.public_id, sign_up.link_generation)


def reminders_of(token: str) -> SignUp | None:
    sign_up = SignUp.objects.select_related("tournament").filter(OF_EVENTS, public_id=_key(token)).first()
    return sign_up if sign_up and _matches(token, "reminders", sign_up.public_id, sign_up.link_generation) else None
