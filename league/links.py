"""Addresses that let in whoever has them: a player's own page, a sign-up, the hall screen.

They are signed instead of stored. The address is a public id and a MAC over it and a generation number that stands in
the row: 128 bits that nobody guesses, nothing in the database that opens anything, and the organiser may print or show
the same code again whenever it is needed. Counting the generation up ends every address given out before.
"""

import base64
import hmac

from django.conf import settings
from django.utils.crypto import salted_hmac

from league.models import Entry, SignUp, Tournament

BYTES = 16
MOST_ENDED = 20  # links of a player that are told apart from forged ones


def _token(kind: str, key: str, generation: int, secret: str | bytes | None = None) -> str:
    mac = salted_hmac(f"league.links.{kind}", f"{key}:{generation}", secret=secret, algorithm="sha256").digest()
    return f"{key}-{base64.urlsafe_b64encode(mac[:BYTES]).decode().rstrip('=')}"


def _matches(token: str, kind: str, key: str, generation: int) -> bool:
    """Also for addresses that were made under a secret key that is being replaced."""
    given = token.encode(errors="replace")
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(_token(kind, key, generation, one).encode(), given) for one in secrets)


def _key(token: str) -> str:
    """The public id that a token claims; empty for what cannot be one."""
    key, dash, _mac = token.partition("-")
    return key if dash and key.isascii() and key.isalnum() and len(key) <= 12 else ""


def player_token(entry: Entry) -> str:
    return _token("player", entry.public_id, entry.link_generation)


def player_of(token: str) -> Entry | None:
    """The entry whose own link this is; None for a forged one and for one that was ended."""
    found = Entry.objects.select_related("tournament", "player").filter(public_id=_key(token)).first()
    return found if found and _matches(token, "player", found.public_id, found.link_generation) else None


def ended_player_of(token: str) -> Entry | None:
    """The entry whose own link this was once, before the organiser ended it."""
    found = Entry.objects.select_related("tournament").filter(public_id=_key(token)).first()
    if found is None:
        return None
    before = range(1, found.link_generation)[-MOST_ENDED:]
    return found if any(_matches(token, "player", found.public_id, one) for one in before) else None


def sign_up_token(sign_up: SignUp) -> str:
    return _token("sign-up", sign_up.public_id, sign_up.link_generation)


def sign_up_of(token: str) -> SignUp | None:
    found = SignUp.objects.select_related("tournament", "entry__player").filter(public_id=_key(token)).first()
    return found if found and _matches(token, "sign-up", found.public_id, found.link_generation) else None


def screen_token(tournament: Tournament) -> str:
    return _token("screen", str(tournament.pk), tournament.screen_generation)


def screen_of(token: str) -> Tournament | None:
    key = _key(token)
    found = Tournament.objects.filter(pk=int(key)).first() if key.isdecimal() else None
    return found if found and _matches(token, "screen", key, found.screen_generation) else None
