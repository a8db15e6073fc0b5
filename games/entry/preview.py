"""The score of a hand before it is saved, also while it is incomplete."""

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

# Refusals that no further entry can lift.
ALREADY_IMPOSSIBLE = {"two-winners", "winner-not-named", "too-many-copies", "too-many-cards", "cannot-be-worth"}


@dataclass(frozen=True)
class Preview:
    """`judged`: complete and possible. `problem`: impossible. Otherwise `missing` lists the players still to enter.

    `counts` is False if time was up. If everyone plays alone, `effect` is the change to the totals entered.
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
    """Return the score of a form for hand `number`; None until it has a value for `went_out`.

    `hand` is the hand to be replaced, `race` the ledger of a Challenge UNO.
    """
    if not form.is_bound:
        form = ReportForm(form.initial or None, seats=form.seats)
    if not form.is_bound or "went_out" in form.errors:
        return None
    if not form.counts:
        return Preview(counts=False)
    if len(form.seats) < table.round.stage.plays.fewest_dealt_in:  # a player has left since then
        return None
    errors = [sentence for seat in form.by_number for sentence in form.errors_of(seat)]
    if errors:
        return Preview(problem=errors[0])
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
    """Return the engine's result for this hand without saving it. `was` are the scores before a correction.

    `seats` are dealt in, `race` is the ledger of a Challenge UNO.
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
    """Return the scores as if the missing seats held nothing, unless the entered ones are impossible already."""
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
    """Return the effect for the entered seats; whether the game ends is not known yet."""
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
    """Return whether the cards left at a seat matter."""
    stage, number = table.round.stage, seat.number or 0
    for_nobody = does_not_count(number, scoring=stage.scoring, went_out=went_out, teams=stage.has_partners)
    return number != went_out and not for_nobody


def _fill_missing(table: Table, by_seat: dict[int, SeatReport], missing: Sequence[Seat]) -> list[SeatReport]:
    """Return the reports, with one unused card as a placeholder for each missing seat."""
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
    """The effect of a hand on a player who plays alone. `was` is set if a correction changes the points.

    `tone`: `gone` if eliminated, `close` if in danger.
    """

    name: str
    points: int
    won: bool
    total: str
    tone: str = ""
    was: int | None = None


@dataclass(frozen=True)
class SideLine:
    """The score of partners. `so_far`: seats still to enter may add to it."""

    names: str
    score: int
    won: bool
    so_far: bool
    was: int | None = None


@dataclass(frozen=True)
class PreviewText:
    """A preview in words: the scores, a `problem`, or a `hint`.

    `caught` is filled if everyone plays alone, and `after` tells what ends with the hand. `still` lists the players
    still to enter.
    """

    hint: str = ""
    problem: str = ""
    caught: tuple[CatchLine, ...] = ()
    after: str = ""
    sides: tuple[SideLine, ...] = ()
    still: str = ""


def text_of_form(table: Table, number: int, form: ReportForm, race: RaceLedger | None = None) -> PreviewText:
    """Return the preview in words for hand `number` on a form."""
    return text_of(preview_of_form(table, number, form, race=race), hint_of(table, len(form.seats), race))


def text_of(preview: Preview | None, hint: str) -> PreviewText:
    """Return a preview in words; `hint` if the form has no value for `went_out`."""
    if preview is None:
        return PreviewText(hint=hint)
    if not preview.counts:
        return PreviewText(hint=_("Time was up: no one scores."))
    if preview.problem:
        return PreviewText(problem=preview.problem)
    effect = preview.effect
    still = ""
    if preview.missing:
        still = _("Still to enter: %(people)s.") % {"people": names(preview.missing)}
    elif preview.blocked:
        still = _("No one went out")
    return PreviewText(
        caught=tuple(_catch_line(catch) for catch in effect.catches) if effect else (),
        after=effect.after if effect else "",
        sides=() if effect else _side_lines(preview.sides, so_far=bool(preview.missing)),
        still=still,
    )


def hint_of(table: Table, dealt_in: int, race: RaceLedger | None = None) -> str:
    """Return the text in place of the scores; with too few players left, the reason why the table is over.

    waiting.js uses it as well, for the next hand of an offline phone.
    """
    if dealt_in < table.round.stage.plays.fewest_dealt_in:
        over = why_over(table, [], table_now(table, race), seats_of(table), race)
        if over:
            return over
    return _("Choose who went out to see the scores.")


def _catch_line(catch: race_game.Catch | points_game.Catch) -> CatchLine:
    total, tone = _total_in_words(catch)
    was = None if catch.was == catch.points else catch.was
    return CatchLine(catch.name, catch.points, catch.won, total, tone, was)


def _total_in_words(catch: race_game.Catch | points_game.Catch) -> tuple[str, str]:
    """Return the total after the hand with its consequence, and its tone."""
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
