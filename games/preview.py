"""What a hand would score, before it is saved: also while some of it is still to be typed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine import cards
from engine.paper import SeatReport
from engine.scoring import counts_for_nobody, score_hand
from games.services import HandRefused, Judged, judge
from games.sheet import Side, edition_of, sides
from league.models import Seat, Table

# What is impossible already, whatever the seats that are still to be entered hold.
ALREADY_IMPOSSIBLE = {"two-winners", "winner-not-named", "too-many-copies", "too-many-cards", "cannot-be-worth"}


@dataclass(frozen=True)
class Preview:
    """`judged`: complete and possible; `problem`: impossible; else `missing` says who is to come."""

    sides: tuple[Side, ...] = ()
    judged: Judged | None = None
    problem: str = ""
    missing: tuple[str, ...] = ()
    blocked: bool = False


def look(
    table: Table,
    seats: Sequence[Seat],
    *,
    went_out: int | None,
    reports: Sequence[SeatReport],
    was: Sequence[int] | None = None,
) -> Preview:
    """What the engine says to this hand. Changes nothing; `was` are the scores before a correction."""
    blocked = went_out is None
    try:
        judged = judge(table=table, seats=seats, went_out=went_out, reports=reports)
    except HandRefused as refused:
        if refused.code not in ("missing", "points-missing"):
            return Preview(problem=str(refused), blocked=blocked)
    else:
        return Preview(tuple(sides(table, seats, judged.scores.scores, went_out, was)), judged, blocked=blocked)
    return _so_far(table, seats, went_out, reports)


def _so_far(table: Table, seats: Sequence[Seat], went_out: int | None, reports: Sequence[SeatReport]) -> Preview:
    """The scores if those who are still to be entered held nothing, unless what is entered is impossible already."""
    stage = table.round.stage
    teams = stage.has_partners
    by_seat = {one.seat: one for one in reports if one.cards is not None or one.points_left is not None}
    missing = [
        seat
        for seat in range(len(seats))
        if seat not in by_seat
        and seat != went_out
        and not counts_for_nobody(seat, scoring=stage.scoring, went_out=went_out, teams=teams)
    ]
    try:
        judge(table=table, seats=seats, went_out=went_out, reports=_filled(table, by_seat, missing))
    except HandRefused as refused:
        if refused.code in ALREADY_IMPOSSIBLE:
            return Preview(problem=str(refused), blocked=went_out is None)
    points = [_points(by_seat.get(seat)) for seat in range(len(seats))]
    scores = score_hand(stage.scoring, points, went_out, teams).scores
    return Preview(
        tuple(sides(table, seats, scores, went_out)),
        missing=tuple(seats[seat].entry.player.name for seat in missing),
        blocked=went_out is None,
    )


def _filled(table: Table, by_seat: dict[int, SeatReport], missing: Sequence[int]) -> list[SeatReport]:
    """The reports, with one card that nobody holds for everybody who is still to be entered."""
    entered = Counter(card for one in by_seat.values() for card in one.cards or ())
    rest = (Counter(edition_of(table).deck) - entered).elements()
    return [*by_seat.values(), *(SeatReport(seat, (card,)) for seat, card in zip(missing, rest, strict=False))]


def _points(report: SeatReport | None) -> int:
    if report is None:
        return 0
    return cards.points_of(report.cards) if report.cards is not None else report.points_left or 0
