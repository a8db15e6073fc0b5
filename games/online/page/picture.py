"""One viewer's data of an online table. Only this module builds it, from `engine.view.view_for`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from engine.view import view_for
from games.models import Deal, OnlineSettings
from games.online.play.places import Place, names_of, place_of, places_of
from games.online.play.presence import lost_since
from games.online.play.replay import Played, replay
from league.models import Entry

Picture = dict[str, Any]


def picture(deal: Deal, viewer: Entry | None, settings: OnlineSettings) -> Picture:
    """Return a deal for one of its players, or for a spectator (None), in JSON types. Seats are the engine's.

    {"deal", "number", "state", "commitment", "dealer", "teams", "version", "opening", "paused", "you", "places":
    [{"seat", "player_id", "name", "bot", "ready", "promised", "opened", "again", "bank_ms", "connected", "lost_at"}],
    "misses_left", "decision", "windows", "clock", "hand", "timed_out"}; the last five exist only after the deal.

    - "opening": all players are ready, and committed browsers must reveal their shares.
    - "first_deal", if the dealer of hand 1 was drawn: {"by", "draws": rounds of [seat of the table, card]}.
    - "connected": null if unknown (games/online/play/presence.py); "lost_at": the start of the silence.
    - "timed_out": the log lines at which timed-out moves begin.
    - "misses_left": moves the viewer may still miss before a bot takes over; null for a spectator.

    Until the hand is over, a spectator sees it `settings.spectator_delay` moves late, with "bank_ms" null.
    """
    places = places_of(deal)
    me = place_of(places, viewer)
    # Read all players at once, so the next viewer's answer is cached.
    people = [] if deal.state == Deal.State.OVER else [place.entry.plays_as for place in places if not place.is_bot]
    lost = lost_since(people)
    if me is not None:
        lost.pop(me.entry.plays_as, None)
    late = me is None and deal.state == Deal.State.PLAYING and settings.spectator_delay > 0
    parts: Picture = {
        "deal": deal.pk,
        "number": deal.number,
        "state": deal.state,
        "commitment": deal.commitment,
        "dealer": deal.dealer,
        "teams": deal.rules["teams"],
        "opening": deal.state == Deal.State.WAITING and deal.opening,
        "paused": bool(deal.paused_at or deal.table.round.tournament.paused_at),
        "pause_reason": deal.pause_reason or deal.table.round.tournament.pause_reason,
        "you": me.at if me else None,
        "misses_left": settings.misses - me.data["misses"] if me else None,
        "places": [_place(place, lost) | ({"bank_ms": None} if late else {}) for place in places],
    }
    if (first := deal.table.first_deal) is not None and deal.number == 1:
        parts["first_deal"] = {"by": first["by"], "draws": first["draws"]}
    if deal.state == Deal.State.WAITING:
        return parts | {"clock": {"due_at": _moment(deal.due_at)}}
    if deal.dealt_at is None:
        return parts
    played = replay(deal, names_of(places), but_last=settings.spectator_delay if late else 0)
    seen = hand_as_seen(played, me.at if me else None)
    seen["timed_out"] = _timed_out(places, seen["hand"]["lines"])
    return parts | seen | ({} if late else {"clock": _clock(deal, settings)})


def hand_as_seen(played: Played, seat: int | None) -> Picture:
    """Return the hand, and the moves that this viewer's commands would answer."""
    windows = {str(at): number for at, number in played.windows.items()}
    return {
        "version": played.moves,
        "decision": played.decision,
        "windows": windows,
        "hand": view_for(played.hand, seat),
    }


def _timed_out(places: Sequence[Place], lines: int) -> list[int]:
    """Return where missed moves begin among the first `lines` of the log."""
    return sorted(line for place in places for line in place.data.get("timed_out", ()) if line < lines)


def _place(place: Place, lost: Mapping[str, datetime | None]) -> dict[str, Any]:
    at = lost.get(place.entry.plays_as)
    return {
        "seat": place.seat.number,
        "player_id": place.entry.public_id,
        "name": place.name,
        "bot": place.bot,
        "is_bot": place.is_bot,
        "ready": place.data["ready"],
        "promised": place.data.get("promised"),
        "opened": place.data["entropy"] is not None,
        "again": "again" in place.data,
        "bank_ms": place.data["bank"],
        "connected": at is None if place.entry.plays_as in lost else None,
        "lost_at": _moment(at),
    }


def _clock(deal: Deal, settings: OnlineSettings) -> dict[str, Any]:
    """Return whose time runs, and until when. A bot's turn has no times."""
    return {
        "turn": deal.turn,
        "asked_at": _moment(deal.asked_at),
        "due_at": _moment(deal.due_at),
        "move_seconds": settings.move_seconds,
        "now": _moment(timezone.now()),
    }


def _moment(at: Any) -> str | None:
    return at.isoformat() if at else None
