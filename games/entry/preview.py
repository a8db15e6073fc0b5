"""What a hand would score, before it is saved, and in words: also while some of it is still to be typed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from engine import cards
from engine.paper import SeatReport
from engine.scoring import does_not_count, score_hand
from games.entry.forms import ReportForm
from games.entry.sheet import Side, edition_of, scores_of, sides
from games.entry.table_state import why_over
from games.hands import points_game, race_game
from games.hands.judge import HandInput, HandRefused, Judged, judge
from games.hands.seats import person, seats_of
from games.models import Hand
from league.ledger.progress import table_now
from league.ledger.race import RaceLedger
from league.lib.translate import figure, names
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
    """The scores of what stands on a form for hand `number`, typed or filled in; None until it says who went out.

    `hand` is the one that it would replace, `race` the ledger of a Challenge UNO.
    """
    if not form.is_bound:
        form = ReportForm(form.initial or None, seats=form.seats)
    if not form.is_bound or "went_out" in form.errors:
        return None
    if not form.counts:
        return Preview(counts=False)
    if len(form.seats) < table.round.stage.plays.fewest_dealt_in:  # somebody has left meanwhile
        return None
    beside = [sentence for seat in form.by_number for sentence in form.errors_of(seat)]
    if beside:
        return Preview(problem=beside[0])
    return preview_of(
        table,
        form.seats,
        hand=form.hand_input(number),
        was=scores_of(table, hand) or None if hand else None,
        race=race,
    )


def preview_of(
    table: Table,
    seats: Sequence[Seat],
    *,
    hand: HandInput,
    was: Sequence[int] | None = None,
    race: RaceLedger | None = None,
) -> Preview:
    """The engine's view of this hand. Changes nothing; `was` are the scores before a correction.

    `seats` are those that are dealt in, `race` the ledger of a Challenge UNO.
    """
    went_out, blocked = hand.went_out, hand.went_out is None
    try:
        judged = judge(table=table, seats=seats, hand=hand)
    except HandRefused as refused:
        if refused.code not in ("missing", "points-missing"):
            return Preview(problem=str(refused), blocked=blocked)
        return _preview_so_far(table, seats, hand, race)
    scores = judged.scores.scores
    return Preview(
        tuple(sides(table, seats, scores, went_out, was)),
        judged,
        blocked=blocked,
        effect=_effect(table, hand.number, seats, scores, went_out, race, was),
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
    hand: HandInput,
    race: RaceLedger | None,
) -> Preview:
    """The scores if those who are still to be entered held nothing, unless what is entered is impossible already."""
    went_out = hand.went_out
    complete = (report for report in hand.reports if report.cards is not None or report.points_left is not None)
    by_seat = {report.seat: report for report in complete}
    missing = [seat for seat in seats if seat.number not in by_seat and _counts(table, seat, went_out)]
    try:
        judge(table=table, seats=seats, hand=replace(hand, reports=_fill_missing(table, by_seat, missing)))
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
        effect=_effect_so_far(table, seats, missing, hand.number, scores, went_out, race),
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
    for_nobody = does_not_count(number, scoring=stage.scoring, went_out=went_out, teams=stage.has_partners)
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


@dataclass(frozen=True)
class CatchLine:
    """What a hand does to one who plays alone. `was`: the points before a correction, if they were others.

    `tone`: `gone` who is eliminated, `close` who is in danger.
    """

    name: str
    points: int
    won: bool
    total: str
    tone: str = ""
    was: int | None = None


@dataclass(frozen=True)
class SideLine:
    """What partners score together. `so_far`: more may come from seats that are still to be entered."""

    names: str
    score: int
    won: bool
    so_far: bool
    was: int | None = None


@dataclass(frozen=True)
class PreviewText:
    """The typed hand's scores, ready to show; or `problem`, or `hint` where there are none.

    `caught` where everybody plays alone, with `after`: what is over with the hand. `still` says who is to be entered.
    """

    hint: str = ""
    problem: str = ""
    caught: tuple[CatchLine, ...] = ()
    after: str = ""
    sides: tuple[SideLine, ...] = ()
    still: str = ""


def text_of_form(table: Table, number: int, form: ReportForm, race: RaceLedger | None = None) -> PreviewText:
    """The words of what stands on a form for hand `number`."""
    return text_of(preview_of_form(table, number, form, race=race), hint_of(table, len(form.seats), race))


def text_of(preview: Preview | None, hint: str) -> PreviewText:
    """The words of a preview; `hint` for a form that does not say yet who went out."""
    if preview is None:
        return PreviewText(hint=hint)
    if not preview.counts:
        return PreviewText(hint=_("Time was up: nobody scores, and the table is done with this hand."))
    if preview.problem:
        return PreviewText(problem=preview.problem)
    effect = preview.effect
    still = ""
    if preview.missing:
        still = _("Still to enter: %(people)s.") % {"people": names(preview.missing)}
    elif preview.blocked:
        still = _("Nobody went out.")
    return PreviewText(
        caught=tuple(_catch_line(catch) for catch in effect.catches) if effect else (),
        after=effect.after if effect else "",
        sides=() if effect else _side_lines(preview.sides, so_far=bool(preview.missing)),
        still=still,
    )


def hint_of(table: Table, dealt_in: int, race: RaceLedger | None = None) -> str:
    """What stands in place of the scores until the form says who went out: at a table that too few are left at, why it
    is over. waiting.js shows it too, for the next hand of a phone without a network."""
    if dealt_in < table.round.stage.plays.fewest_dealt_in:
        over = why_over(table, [], table_now(table, race), seats_of(table), race)
        if over:
            return over
    return _("Say who went out; then the scores appear here.")


def _catch_line(catch: race_game.Catch | points_game.Catch) -> CatchLine:
    total, tone = _total_in_words(catch)
    was = None if catch.was == catch.points else catch.was
    return CatchLine(catch.name, catch.points, catch.won, total, tone, was)


def _total_in_words(catch: race_game.Catch | points_game.Catch) -> tuple[str, str]:
    """The total with the hand and what follows from it, and its tone."""
    if catch.total is None:
        return _("does not count"), ""
    words = {"total": figure(catch.total)}
    if isinstance(catch, points_game.Catch):
        return (_("total %(total)s, the game is over") if catch.reaches else _("total %(total)s")) % words, ""
    if catch.out:
        return _("total %(total)s, eliminated") % words, "gone"
    tone = "close" if catch.in_danger else ""
    if catch.stays:
        return _("total %(total)s, the lowest: stays in") % words, tone
    if catch.in_danger:
        return _("total %(total)s, in danger") % words, tone
    return _("total %(total)s") % words, tone


def _side_lines(sides: Sequence[Side], *, so_far: bool) -> tuple[SideLine, ...]:
    return tuple(
        SideLine(
            names(side.names), side.score, side.won, so_far and side.won, None if side.was == side.score else side.was
        )
        for side in sides
    )
