"""What a viewer may know of a hand, built from nothing else; JSON's types throughout.

The one place that decides who sees what: pages, streams, exports and the API show a hand by `view_for` and `event_for`.
"""

from typing import Any

from engine.legal import playable
from engine.log import as_object
from engine.state import ANSWER, OVER, Event, Hand


def view_for(hand: Hand, seat: int | None, since: int = 0) -> dict[str, Any]:
    """Return the hand as a seat sees it, or as a spectator (None) does: what lies open, and the seat's own cards.

    `events` are the log's lines from line `since` on, as `event_for` tells them, and `lines` is how many there are by
    now: passed as `since` next time, it brings only what came after it. `aimed` is there while an answer is awaited,
    `turns_left` is a number when the hand is nearly blocked (PLAY-8). The last event of a hand that is over names the
    seed and the deck. Raises ValueError for a seat or a line that does not exist.
    """
    public = hand.public
    if seat is not None and not 0 <= seat < public.players:
        raise ValueError(f"There is no seat {seat}.")
    if not 0 <= since <= len(hand.log):
        raise ValueError(f"The log has no line {since}; it has {len(hand.log)}.")
    view: dict[str, Any] = {
        "edition": public.rules.edition.key,
        "scoring": public.rules.scoring,
        "teams": public.rules.teams,
        "options": sorted(public.rules.options),
        "players": list(public.names),
        "dealer": public.dealer,
        "step": public.step,
        "turn": public.turn if public.step != OVER else None,
        "direction": public.direction,
        "color": public.color,
        "discard": list(public.discard),
        "pile": public.pile,
        "counts": list(public.counts),
        "uno": list(public.uno),
        "passes": public.passes,
        "turns_left": public.turns_left,
        "lines": len(hand.log),
        "events": [event_for(event, seat) for event in hand.log[since:]],
    }
    if public.step == ANSWER:
        view |= {"aimed": {"card": public.aimed, "by": public.asker, "stake": public.stake}}
    if seat is not None:
        cards = hand.cards[seat]
        drawn = hand.drawn if seat == public.turn else None
        view |= {"seat": seat, "cards": list(cards), "drawn": drawn}
        view["playable"] = playable(public, cards, drawn) if seat == public.turn else []
    return view


def event_for(event: Event, seat: int | None) -> dict[str, Any]:
    """Return a line of the log for one viewer: hidden cards appear only as a number.

    A seat sees the cards that it was dealt, drew or was shown. Every viewer sees cards shown to all, and no one the
    order of the draw pile.
    """
    kind = event[0]
    if kind == "deal" and event[1] != seat:
        return {"type": kind, "seat": event[1], "count": len(event[2])}
    if kind == "draw" and event[1] != seat:
        return {"type": kind, "seat": event[1], "count": len(event[2]), "reason": event[3]}
    if kind == "show" and event[2] not in ("all", seat) and event[1] != seat:
        return {"type": kind, "seat": event[1], "to": event[2], "count": len(event[3]), "reason": event[4]}
    if kind == "reshuffle":
        return {"type": kind, "count": len(event[1])}
    return as_object(event)
