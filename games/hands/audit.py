"""Compare hands with the log: the reported values, and whether a hand was voided."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from games.models import Hand
from league.log.audit import differences, pairs, places
from league.log.chain import Fault
from league.log.results import LoggedResults, Slot
from league.models import Tournament

# Keys that the log adds to a seat of a hand (games.hands.judge.in_words).
WHO = ("player_id", "entry", "played_by")


def compare_hands(tournament: Tournament, logged: LoggedResults) -> Iterator[Fault]:
    place, rows = places(tournament), defaultdict[Slot, list[Hand]](list)
    for row in Hand.objects.filter(table__round__tournament=tournament).select_related("table").order_by("pk"):
        rows[Slot(place[row.table.round_id], row.table.number, row.number)].append(row)
    for pair in pairs(logged.hands, rows, "a hand"):
        if isinstance(pair, Fault):
            yield pair
            continue
        slot, hand, row = pair
        seats = [{key: value for key, value in seat.items() if key not in WHO} for seat in hand.seats]
        row_fields = {
            "went_out": row.went_out,
            "seats": row.seats,
            "source": row.source,
            "recorded_at": row.recorded_at,
        }
        row_fields |= {"counts": row.counts}
        log_fields: dict[str, Any] = {"went_out": hand.went_out, "seats": seats, "counts": hand.counts}
        if hand.recorded_at:
            log_fields |= {"source": hand.source, "recorded_at": hand.recorded_at}
        yield from differences(slot, hand.number, row_fields, log_fields)
        voided = {"voided": hand.over is not None}
        yield from differences(slot, hand.over or hand.number, {"voided": row.voided_at is not None}, voided)
