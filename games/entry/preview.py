"""What a hand would score, before it is saved: also while some of it is still to be typed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine import cards
from engine.paper import SeatReport
from engine.scoring import counts_for_nobody, score_hand
from games.entry.forms import ReportForm
from games.entry.sheet import Side, edition_of, scores_of, sides
from games.hands import points_game, race_game
from games.hands.judge import HandRefused, Judged, judge
from games.hands.seats import person
from games.models import Hand
from league.ledger.race import RaceLedger
from league.models import Seat, Table

# The refusals that stand whatever the seats hold that are still to be entered.
ALREADY_IMPOSSIBLE = {"two-winners", "winner-not-named", "too-many-copies", "too-many-cards", "cannot-be-worth"}


@dataclass(frozen=True)
class Preview:
    """`judged`: complete and possible; `problem`: impossible; else `missing` says who is to come.

    `counts`: False where time was up, so that nobody scores. Where everybody plays alone, `effect` is what the hand
    does to the totals of those who are entered.
    """

    sides: tuple[Side, ...] = ()
    judged: Judged | None = None
    problem: str = ""
    missing: tuple[str, ...] = ()
    blocked: bool = False
    counts: bool = True
    effect: race_game.Effect | points_game.Effect | None = None


def preview_of_form(
    table: Table, number: int, form: ReportForm, hand: Hand | None = None, race: RaceLedger | None = None
) -> Preview | None:
    """The scores of what stands on a form for hand `number`; None until the form says who went out.

    `hand` is the one that it would replace, `race` the ledger of a Challenge UNO.
    """
    if not form.is_bound or "went_out" in form.errors:
        return None
    if not form.counts:
        return Preview(counts=False)
    if len(form.seats) < table.round.stage.plays.fewest_dealt_in:  # somebody has left meanwhile
        return None
    beside = [sentence for row in form.rows() for sentence in row["errors"]]
    if beside:
        return Preview(problem=beside[0])
    return preview_of(
        table,
        form.seats,
        hand=number,
        went_out=form.cleaned_data["went_out"],
        reports=form.reports(),
        was=scores_of(table, hand) or None if hand else None,
        race=race,
    )


def preview_of(
    table: Table,
    seats: Sequence[Seat],
    *,
    hand: int,
    went_out: int | None,
    reports: Sequence[SeatReport],
    was: Sequence[int] | None = None,
    race: RaceLedger | None = None,
) -> Preview:
    """The engine's view of this hand. Changes nothing; `was` are the scores before a correction.

    `seats` are those that are dealt in, `race` the ledger of a Challenge UNO.
    """
    blocked = went_out is None
    try:
        judged = judge(table=table, seats=seats, went_out=went_out, reports=reports)
    except HandRefused as refused:
        if refused.code not in ("missing", "points-missing"):
            return Preview(problem=str(refused), blocked=blocked)
        return _preview_so_far(table, seats, hand, went_out, reports, race)
    scores = judged.scores.scores
    return Preview(
        tuple(sides(table, seats, scores, went_out, was)),
        judged,
        blocked=blocked,
        effect=_effect(table, hand, seats, scores, went_out, race, was),
    )


def _effect(
    table: Table,
    hand: int,
    seats: Sequence[Seat],
    scores: Sequence[int],
    went_out: int | None,
    race: RaceLedger | None,
    was: Sequence[int] | None = None,
) -> race_game.Effect | points_game.Effect | None:
    if race is not None:
        return race_game.effect(table, hand, seats, scores, went_out, race, was)
    return points_game.effect(table, hand, seats, scores, went_out, was)


def _preview_so_far(
    table: Table,
    seats: Sequence[Seat],
    hand: int,
    went_out: int | None,
    reports: Sequence[SeatReport],
    race: RaceLedger | None,
) -> Preview:
    """The scores if those who are still to be entered held nothing, unless what is entered is impossible already."""
    by_seat = {report.seat: report for report in reports if report.cards is not None or report.points_left is not None}
    missing = [seat for seat in seats if seat.number not in by_seat and _counts(table, seat, went_out)]
    try:
        judge(table=table, seats=seats, went_out=went_out, reports=_fill_missing(table, by_seat, missing))
    except HandRefused as refused:
        if refused.code in ALREADY_IMPOSSIBLE:
            return Preview(problem=str(refused), blocked=went_out is None)
    points = [_points(by_seat.get(seat.number or 0)) for seat in seats]
    at = next((at for at, seat in enumerate(seats) if seat.number == went_out), None)
    scores = score_hand(table.round.stage.scoring, points, at, table.round.stage.has_partners).scores
    return Preview(
        tuple(sides(table, seats, scores, went_out)),
        missing=tuple(person(seat) for seat in missing),
        blocked=went_out is None,
        effect=_effect_so_far(table, seats, missing, hand, scores, went_out, race),
    )


def _effect_so_far(
    table: Table,
    seats: Sequence[Seat],
    missing: Sequence[Seat],
    hand: int,
    scores: Sequence[int],
    went_out: int | None,
    race: RaceLedger | None,
) -> race_game.Effect | points_game.Effect | None:
    """The effect on those who are entered; it is not known yet what is over after the hand."""
    effect = _effect(table, hand, seats, scores, went_out, race)
    if effect is None:
        return None
    entered = [at for at, seat in enumerate(seats) if seat not in missing]
    if isinstance(effect, race_game.Effect):
        return race_game.Effect(tuple(effect.catches[at] for at in entered))
    if table.round.stage.has_teams:
        return points_game.Effect(effect.catches)
    return points_game.Effect(tuple(effect.catches[at] for at in entered))


def _counts(table: Table, seat: Seat, went_out: int | None) -> bool:
    """Whether the cards that somebody is left with matter."""
    stage, number = table.round.stage, seat.number or 0
    for_nobody = counts_for_nobody(number, scoring=stage.scoring, went_out=went_out, teams=stage.has_partners)
    return number != went_out and not for_nobody


def _fill_missing(table: Table, by_seat: dict[int, SeatReport], missing: Sequence[Seat]) -> list[SeatReport]:
    """The reports; whoever is still to be entered gets one card that nobody holds."""
    entered = Counter(card for report in by_seat.values() for card in report.cards or ())
    rest = (Counter(edition_of(table).deck) - entered).elements()
    placeholders = (SeatReport(seat.number or 0, (card,)) for seat, card in zip(missing, rest, strict=False))
    return [*by_seat.values(), *placeholders]


def _points(report: SeatReport | None) -> int:
    if report is None:
        return 0
    return cards.points_of(report.cards) if report.cards is not None else report.points_left or 0
