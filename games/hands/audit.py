"""Hands as they were reported, compared with what the log tells: what was typed, and whether it was taken back."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from games.models import Hand
from league.log.audit import different, pairs, places
from league.log.chain import Fault
from league.log.results import Slot, Told
from league.models import Tournament

# What the log adds to a seat of a hand (games.hands.judge.in_words).
WHO = ("player_id", "entry", "played_by")


def hands_as_told(tournament: Tournament, told: Told) -> Iterator[Fault]:
    place, there = places(tournament), defaultdict[Slot, list[Hand]](list)
    for row in Hand.objects.filter(table__round__tournament=tournament).select_related("table").order_by("pk"):
        there[Slot(place[row.table.round_id], row.table.number, row.number)].append(row)
    for found in pairs(told.hands, there, "a hand"):
        if isinstance(found, Fault):
            yield found
            continue
        slot, hand, row = found
        seats = [{key: value for key, value in seat.items() if key not in WHO} for seat in hand.seats]
        said = {"went_out": row.went_out, "seats": row.seats, "source": row.source, "recorded_at": row.recorded_at}
        said |= {"counts": row.counts}
        wanted: dict[str, Any] = {"went_out": hand.went_out, "seats": seats, "counts": hand.counts}
        if hand.recorded_at:
            wanted |= {"source": hand.source, "recorded_at": hand.recorded_at}
        yield from different(slot, hand.number, said, wanted)
        voided = {"voided": hand.over is not None}
        yield from different(slot, hand.over or hand.number, {"voided": row.voided_at is not None}, voided)
