"""The lower half of a table's page: recorded hands with their actions, and totals."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.defaultfilters import capfirst
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.parts import Link
from games.entry.table_state import TableState, totals_of
from games.hands import points_game, race_game
from games.hands.seats import one_a_side
from games.models import Dispute, Hand
from league.ledger.progress import target_of_round
from league.lib.translate import label_text
from league.models import HandScore, Table


@dataclass(frozen=True)
class HandLine:
    """A recorded hand. `by_url` leads to its replay.

    `undo`, `correct`, `withdraw` and `dispute` are addresses, empty if the viewer may not use them.
    """

    number: int
    title: str
    result: str
    by: str
    by_url: str
    is_checked: bool
    objections: tuple[str, ...]
    undo: str = ""
    correct: str = ""
    withdraw: str = ""
    dispute: str = ""


@dataclass(frozen=True)
class HandsIn:
    """The recorded hands, the latest first. `agree` is the address to confirm them, if the viewer may."""

    title: str
    lines: tuple[HandLine, ...]
    swapped: Link | None
    agree: str
    version: int


def hands_in_of(state: TableState, *, has_form: bool) -> HandsIn | None:
    """Return the recorded hands, or None if there are none."""
    lines = sheet.hand_lines(state.table, state.hands, state.race)
    if not lines:
        return None
    access, table = state.access, state.table
    day = reverse("manage", args=[access.tournament.slug]) + f"?round={table.round.number}#seats-as-played"
    may_swap = access.corrects and not access.link and not access.tournament.is_final
    return HandsIn(
        title=_("Earlier hands") if has_form else _("Hands"),
        lines=tuple(_line(state, line) for line in lines),
        swapped=Link(_("Fix swapped seats"), day) if may_swap and table.mode != Table.Mode.ONLINE else None,
        agree=reverse("agree", args=[table.pk]) if state.sides and state.sides.may_confirm else "",
        version=table.version,
    )


def _line(state: TableState, line: sheet.ShownHand) -> HandLine:
    hand = line.hand
    if line.went_out:
        title = _("%(name)s went out") % {"name": line.went_out}
    else:
        title = _("No one went out") if hand.counts else _("Time was up: it doesn’t count")
    by, by_url = hand.who, ""
    if hand.player:
        by = _("Reported by %(name)s") % {"name": hand.player}
    elif hand.source == HandScore.Source.ENGINE:
        by_url = reverse("played_hand", args=[state.table.pk, hand.number])
    undo, correct, withdraw, dispute = _actions(state, hand)
    return HandLine(
        number=hand.number,
        title=title,
        result=f"{capfirst(line.result)}.",
        by=by,
        by_url=by_url,
        is_checked=hand.checked,
        objections=tuple(_objection_in_words(each) for each in state.objections.get(hand.pk, ())),
        undo=undo,
        correct=correct,
        withdraw=withdraw,
        dispute=dispute,
    )


def _objection_in_words(dispute: Dispute) -> str:
    words = {"name": dispute.player}
    text = _("Disputed by %(name)s") % words
    return label_text(text, dispute.reason) if dispute.reason else text


def _actions(state: TableState, hand: Hand) -> tuple[str, str, str, str]:
    """Return the addresses to undo, correct, withdraw and dispute a hand."""
    if state.access.tournament.is_final:
        return "", "", "", ""
    undo = reverse("void_hand", args=[hand.pk]) if hand == state.latest else ""
    correct = reverse("correct_hand", args=[hand.pk]) if state.access.corrects else ""
    if state.sides is None or not state.sides.may_dispute:
        return undo, correct, "", ""
    for dispute in state.objections.get(hand.pk, ()):
        if dispute.player == state.access.entry:
            return undo, correct, reverse("withdraw_dispute", args=[dispute.pk]), ""
    return undo, correct, "", reverse("dispute_hand", args=[hand.pk])


@dataclass(frozen=True)
class TotalRow:
    """A player's total. `left` is the number of points to the target, None once the player or the game is out."""

    name: str
    points: int
    left: int | None
    gone: str
    in_danger: bool = False


@dataclass(frozen=True)
class Totals:
    """The totals of a table where everyone plays alone. `left` is the title of the third column, if there is one."""

    title: str
    target: str
    who: str
    left: str
    rows: tuple[TotalRow, ...]
    note: str = ""


def totals_at(state: TableState) -> Totals | None:
    sides = one_a_side(state.everyone)
    totals: Sequence[race_game.Total | points_game.Total] = totals_of(state.table, sides, state.race)
    if not totals:
        return None
    rows = tuple(_total_row(total) for total in totals)
    if state.race:
        target = _("Eliminated at %(target)s") % {"target": state.race.settings.target}
        return Totals(_("Points"), target, _("Player"), _("To spare"), rows)
    goal = target_of_round(state.table.round)
    level = state.is_open and points_game.is_level(state.table)
    return Totals(
        title=_("This game") if goal else _("This round"),
        target=_("Ends at %(target)s") % {"target": goal} if goal else "",
        who=_(state.table.round.stage.plays.entry_name),
        left=_("To go") if goal else "",
        rows=rows,
        note=_("Tied: play one more hand.") if level else "",
    )


def _total_row(total: race_game.Total | points_game.Total) -> TotalRow:
    if isinstance(total, race_game.Total):
        left = None if total.gone else total.spare
        return TotalRow(total.name, total.points, left, total.gone, in_danger=total.in_danger)
    return TotalRow(total.name, total.points, total.spare, total.gone)
