"""The times of an online table: how long a player has, and when a bot moves. Rows keep them; the sweeper acts."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from games.models import Deal, OnlineSettings
from games.online.play.places import ABSENT
from games.online.play.pulse import time_down
from games.online.play.replay import Played

_whim = secrets.SystemRandom()
# Seconds that a bot takes, so that people can follow; longer while somebody can be caught, so that people are first.
BOT_TAKES = (0.9, 1.8)
BOT_WAITS_FOR_CATCH = (3.2, 4.2)


def waits_until(settings: OnlineSettings, now: datetime, *, first: bool) -> datetime:
    """The time until which a sealed deck waits for its players."""
    return now + timedelta(seconds=settings.no_show_seconds if first else settings.between_seconds)


def set_clock(deal: Deal, played: Played, settings: OnlineSettings, now: datetime, *, asked_anew: bool = True) -> None:
    """Set who is waited for from now on, and until when. Does not save. `asked_anew`: the last move was an answer."""
    public = played.hand.public
    if played.hand.over:
        deal.turn = deal.asked_at = deal.due_at = deal.bot_at = None
        return
    place = deal.places[public.turn]
    has_time = deal.due_at is not None  # a bot has none, and a person who is back needs one
    if asked_anew or deal.turn != public.turn or has_time == bool(place["bot"]):
        deal.turn, deal.asked_at = public.turn, now
        seconds = settings.move_seconds + place["bank"] / 1000
        deal.due_at = None if place["bot"] else now + timedelta(seconds=seconds)
    deal.bot_at = _bot_at(deal, played, now)


def _bot_at(deal: Deal, played: Played, now: datetime) -> datetime | None:
    bots = [at for at, place in enumerate(deal.places) if place["bot"]]
    may_catch = played.windows and any(deal.places[at]["bot"] != ABSENT for at in bots)
    if deal.turn not in bots and not may_catch:
        return None
    shortest, longest = BOT_WAITS_FOR_CATCH if played.windows else BOT_TAKES
    return now + timedelta(seconds=_whim.uniform(shortest, longest))


def charge(deal: Deal, settings: OnlineSettings, now: datetime) -> None:
    """Charge a player's bank for time beyond that of a move; the move is counted already. Does not save."""
    if deal.turn is None or deal.asked_at is None:
        return
    place = deal.places[deal.turn]
    used = now - deal.asked_at - timedelta(seconds=settings.move_seconds)
    if used > timedelta() and not place["bot"]:
        used -= time_down(deal.asked_at, now)
        remember(place, deal.moves_made)
        place["bank"] = max(0, place["bank"] - max(0, round(used.total_seconds() * 1000)))


# Bank and misses can be taken back with moves. `place` is an item of `Deal.places`.


def remember(place: dict[str, Any], number: int) -> None:
    """Keep bank and misses as they are before move `number` changes them."""
    before = place.setdefault("before", [])
    if not before or before[-1][0] != number:
        before.append([number, place["bank"], place["misses"]])


def give_back(place: dict[str, Any], moves: int) -> None:
    """Set bank and misses back to what they were after so many moves."""
    before = place.get("before", [])
    later = [item for item in before if item[0] > moves]
    if later:
        _number, place["bank"], place["misses"] = later[0]
        place["before"] = before[: -len(later)]


def mark_back(place: dict[str, Any]) -> None:
    """Let a person play here again, the same one or another; earlier misses do not count against them."""
    before = [[number, bank, 0] for number, bank, _misses in place.get("before", [])]
    place.update(bot="", misses=0, before=before)
