"""The times of an online table: how long a player has, and when a bot moves. Rows store them; the sweeper acts."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from games.models import Deal, OnlineSettings
from games.online.play.places import ABSENT
from games.online.play.pulse import time_down
from games.online.play.replay import Played

_whim = secrets.SystemRandom()
# Seconds of a bot's move, so people can follow; longer while a player can be caught, so people come first.
BOT_TAKES = (0.9, 1.8)
BOT_WAITS_FOR_CATCH = (3.2, 4.2)


def waits_until(settings: OnlineSettings, now: datetime, *, first: bool) -> datetime:
    """Return the time until which a sealed deck waits for its players."""
    return now + timedelta(seconds=settings.no_show_seconds if first else settings.between_seconds)


def set_clock(
    deal: Deal, played: Played, settings: OnlineSettings, now: datetime, *, new_decision: bool = True
) -> None:
    """Set whose turn the clock counts, and until when. Does not save. `new_decision`: the last move was an answer."""
    public = played.hand.public
    if played.hand.over:
        deal.turn = deal.asked_at = deal.due_at = deal.bot_at = None
        return
    place = deal.places[public.turn]
    has_time = deal.due_at is not None  # bots have none, and a returning player needs one
    if new_decision or deal.turn != public.turn or has_time == bool(place["bot"]):
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
    """Charge a player's reserve for time beyond the move's; the move is already counted. Does not save."""
    if deal.turn is None or deal.asked_at is None:
        return
    place = deal.places[deal.turn]
    used = now - deal.asked_at - timedelta(seconds=settings.move_seconds)
    if used > timedelta() and not place["bot"]:
        used -= time_down(deal.asked_at, now)
        remember(place, deal.moves_made)
        place["bank"] = max(0, place["bank"] - max(0, round(used.total_seconds() * 1000)))


# An undo restores reserve and misses. `place` is an item of `Deal.places`.


def remember(place: dict[str, Any], number: int) -> None:
    """Store reserve and misses as they are before move `number` changes them."""
    before = place.setdefault("before", [])
    if not before or before[-1][0] != number:
        before.append([number, place["bank"], place["misses"]])


def give_back(place: dict[str, Any], moves: int) -> None:
    """Restore reserve and misses as they were after this number of moves."""
    before = place.get("before", [])
    later = [item for item in before if item[0] > moves]
    if later:
        _number, place["bank"], place["misses"] = later[0]
        place["before"] = before[: -len(later)]


def mark_back(place: dict[str, Any]) -> None:
    """Give the seat back to a player, the same or another; earlier misses don't count against them."""
    before = [[number, bank, 0] for number, bank, _misses in place.get("before", [])]
    place.update(bot="", misses=0, before=before)
