"""Corrects a hand of an earlier round: who sits in the open round may depend on who was out by it.

So a correction comes with one of three named repairs, in one transaction with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.paper import SeatReport
from games.hands.correct import correct_hand
from games.hands.undo_round import undo_round
from games.models import Hand
from league.formats.race import State
from league.ledger.locks import lock_tables, lock_tournament
from league.ledger.race import race_so_far, read_race
from league.ledger.scores import settle
from league.lib.errors import Conflict, Refused
from league.models import HandScore, Round, Stage, Table, Tournament, User
from league.rounds.cut import decides_seats, take_back_early
from league.rounds.draw import forget_drafts
from league.rounds.redraw import drafts_of, redraw_next
from league.rounds.reseat import reseat_not_started

KEEP, RESEAT, UNDO = REPAIRS = ("keep", "reseat", "undo")
OPEN = (Round.State.PUBLISHED, Round.State.RUNNING)


@dataclass(frozen=True)
class Correction:
    """A hand that replaces another, as it was typed."""

    hand_id: int
    version: int | None
    went_out: int | None
    reports: Sequence[SeatReport]
    reason: str
    by: User | None
    source: str = HandScore.Source.ORGANISER

    def save(self, repair: str = KEEP) -> Hand:
        return repair_hand(**vars(self), repair=repair)


@transaction.atomic
def repair_hand(
    *,
    hand_id: int,
    version: int | None,
    went_out: int | None,
    reports: Sequence[SeatReport],
    reason: str,
    repair: str,
    by: User | None,
    source: str = HandScore.Source.ORGANISER,
) -> Hand:
    """Correct a hand, and do to the seats of the open round what the repair says.

    keep: nobody moves; players who are in again play from the next round drawn. reseat: its tables without a hand are
    drawn again with those who are in now. undo: it goes back to a draft drawn anew, and its hands are voided. With any
    of them, a round that nobody has seen yet is drawn again if others are in now. Where
    only some go on from a round there is no reseating.
    A hand that was like this already changes nothing. Raises `Refused("repair")` for an unknown repair,
    `Conflict("repair")` for one that does not apply, and what `correct_hand` raises.
    """
    hand = Hand.objects.select_related("table__round__stage").get(pk=hand_id)
    played = hand.table.round
    if repair not in REPAIRS:
        raise Refused("repair", _("Choose how the seats are repaired: keep, reseat or undo."))
    tournament = lock_tournament(played.tournament_id)
    plays, decides = played.stage.plays, decides_seats(played.stage)
    if not decides and repair != KEEP:
        raise Conflict("repair", _("Who sits where does not hang on this result, so there is nothing to repair."))
    open_round = _lock_open_round(tournament, hand.table) if decides else None
    before = race_so_far(tournament, played.stage).state if plays.eliminates else None
    new_hand = correct_hand(
        hand_id=hand_id,
        version=version,
        went_out=went_out,
        reports=reports,
        reason=reason,
        by=by,
        source=source,
        repair=repair if open_round is not None else "",
    )
    if new_hand.pk == hand_id or not (decides or plays.by_points):
        return new_hand
    try:
        _repair_seats(tournament, played.stage, open_round, repair, reason, by)
    except Refused as exc:
        raise Conflict("repair", str(exc)) from exc
    # Its stage was read under the locks: the rules may have changed since `played` was.
    stage = new_hand.table.round.stage
    take_back_early(tournament, stage, by)
    if before is not None:
        _follow_field(tournament, stage, before, by)
    elif plays.seats_by_results or plays.by_points:
        _redraw_unseen(tournament, stage, by)
    return new_hand


def can_undo(stage: Stage, open_round: Round) -> bool:
    """Whether undoing the open round lets those sit there who should by a stage's results: in the stage itself, or in
    the first round after its cut."""
    if open_round.stage_id == stage.pk:
        return True
    follows = open_round.stage.number == stage.number + 1
    return follows and not open_round.stage.rounds.shown().filter(number__lt=open_round.number).exists()


def _repair_seats(
    tournament: Tournament, stage: Stage, open_round: Round | None, repair: str, reason: str, by: User | None
) -> None:
    """stage: that of the corrected hand."""
    if repair == KEEP:
        return
    if open_round is None:
        message = _("No later round is open, so there are no seats to repair. Correct the hand and keep the seating.")
        raise Conflict("repair", message)
    if repair == UNDO and not can_undo(stage, open_round):
        raise Conflict("repair", _("The cut stands, since more was played. Correct the hand and keep the seating."))
    if repair == RESEAT:
        if open_round.stage_id != stage.pk:
            raise Conflict("repair", _("Who sits there follows from the cut: keep the seating, or undo the round."))
        if not open_round.stage.eliminates:
            raise Conflict("repair", _("Who sits where follows from the results: keep the seating, or undo the round."))
        reseat_not_started(tournament=tournament, by=by, reason=reason)
    else:
        undo_round(tournament=tournament, round_number=open_round.number, reason=reason, by=by)


def _follow_field(tournament: Tournament, stage: Stage, before: State, by: User | None) -> None:
    """Adapt the open tables of those who come in or go out, and a round that nobody has seen."""
    after = read_race(tournament, stage)
    turned = [
        entry
        for entry, line in after.state.lines.items()
        if entry in before.lines and line.status != before.lines[entry].status
    ]
    open_ones = Table.objects.filter(round__tournament=tournament, seats__entry__public_id__in=turned)
    open_ones = open_ones.filter(round__state__in=OPEN).exclude(state=Table.State.VOID)
    for table in open_ones.select_related("round__stage", "round__tournament").distinct().order_by("pk"):
        reported = table.state == Table.State.REPORTED
        settle(table=table, confirms=not reported, disputed=table.state == Table.State.DISPUTED, race=after)
    _redraw_unseen(tournament, stage, by)


def _redraw_unseen(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """A round that nobody has seen is drawn again if others are in now."""
    try:
        redraw_next(tournament, stage, by)
    except Refused:  # a wish cannot be met: then drawing is the next step, and says so
        forget_drafts(tournament, drafts_of(tournament), by)


def open_after(tournament: Tournament, played: Round) -> Round | None:
    """The open round, if it is later than this one."""
    return tournament.rounds.filter(state__in=OPEN, number__gt=played.number).order_by("-number").first()


def _lock_open_round(tournament: Tournament, table: Table) -> Round | None:
    """The round whose seats may be repaired, if it is later than the hand's.

    Locks the hand's table and those of the open round: a correction in that round can also change who was out at its
    other tables.
    """
    open_ones = tournament.rounds.filter(state__in=OPEN)
    lock_tables(Table.objects.filter(Q(round__in=open_ones) | Q(pk=table.pk)).values_list("pk", flat=True))
    return open_after(tournament, table.round)
