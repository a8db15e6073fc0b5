"""Correct a hand of an earlier round, and repair the seats of the open round.

Seats may depend on eliminations, so each correction includes one of three repairs, in the same transaction.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hands.correct import correct_hand
from games.hands.judge import HandInput
from games.models import Dispute, Hand
from league.access.viewer import Attribution
from league.formats.race import State
from league.ledger.locks import lock_tables, lock_tournament
from league.ledger.race import race_so_far, read_race
from league.ledger.scores import settle
from league.lib.errors import Conflict, Refused
from league.models import Round, Stage, Table, Tournament, User
from league.rounds.cut import decides_seats, take_back_early
from league.rounds.draw import forget_drafts
from league.rounds.redraw import drafts_of, redraw_next
from league.rounds.reseat import reseat_not_started
from league.rounds.undo import round_to_undo, take_back_round

KEEP, RESEAT, UNDO = REPAIRS = ("keep", "reseat", "undo")
OPEN = (Round.State.PUBLISHED, Round.State.RUNNING)


@dataclass(frozen=True)
class Correction:
    """A typed hand that replaces another."""

    hand_id: int
    version: int | None
    hand: HandInput
    reason: str
    by: Attribution

    def save(self, repair: str = KEEP) -> Hand:
        return repair_hand(**vars(self), repair=repair)


@transaction.atomic
def repair_hand(
    *,
    hand_id: int,
    version: int | None,
    hand: HandInput,
    reason: str,
    repair: str,
    by: Attribution,
) -> Hand:
    """Correct a hand and repair the seats of the open round.

    * keep: seats stay; reinstated players play from the next drawn round.
    * reseat: tables without a hand are drawn again with the current field, if results don't decide the seats.
    * undo: the round becomes a newly drawn draft, and its hands are voided.

    Each of them draws an unpublished draft again if the field changed. An unchanged hand changes nothing. Raises
    `Refused("repair")` for an unknown repair, `Conflict("repair")` for one that doesn't apply, and the refusals of
    `correct_hand`.
    """
    table = Table.objects.select_related("round__stage").get(hands__pk=hand_id)
    tournament = lock_tournament(table.round.tournament_id)
    repairable = lock_for_repair(tournament, table.round, [table.pk], repair)
    new_hand = correct_hand(
        hand_id=hand_id,
        version=version,
        hand=hand,
        reason=reason,
        by=by,
        repair=repair if repairable.open_round is not None else "",
    )
    if new_hand.pk != hand_id:
        # Use the stage read under the locks, because the rules may have changed.
        repair_after(repairable, new_hand.table.round.stage, repair, reason, by.user)
    return new_hand


@dataclass(frozen=True)
class Repairable:
    """The state before a correction. `open_round`: the round whose seats may be repaired. `before`: None if no one is
    eliminated."""

    tournament: Tournament
    open_round: Round | None
    before: State | None


def lock_for_repair(tournament: Tournament, played: Round, tables: Collection[int], repair: str) -> Repairable:
    """Lock what a correction at these tables may change. The caller holds the tournament's lock.

    Raises `Refused("repair")` for an unknown repair, `Conflict("repair")` if seats don't depend on results.
    """
    if repair not in REPAIRS:
        raise Refused("repair", _("Choose a repair: keep, reseat or undo."))
    decides = decides_seats(played.stage)
    if not decides and repair != KEEP:
        raise Conflict("repair", _("This result doesn’t affect the seating. Choose keep."))
    before = race_so_far(tournament, played.stage).state if played.stage.plays.eliminates else None
    if not decides:
        return Repairable(tournament, None, before)
    # A correction in the open round can also change eliminations at its other tables.
    open_ones = tournament.rounds.filter(state__in=OPEN)
    lock_tables(Table.objects.filter(Q(round__in=open_ones) | Q(pk__in=tables)).values_list("pk", flat=True))
    return Repairable(tournament, open_after(tournament, played), before)


def repair_after(repairable: Repairable, stage: Stage, repair: str, reason: str, by: User | None) -> None:
    """Repair the seats after the correction of a hand of `stage`. Raises `Conflict("repair")`."""
    tournament, plays = repairable.tournament, stage.plays
    if not (decides_seats(stage) or plays.by_points):
        return
    try:
        _repair_seats(tournament, stage, repairable.open_round, repair, reason, by)
    except Refused as exc:
        raise Conflict("repair", str(exc)) from exc
    take_back_early(tournament, stage, by)
    if repairable.before is not None:
        _follow_field(tournament, stage, repairable.before, by)
    elif plays.seats_by_results or plays.by_points:
        _redraw_unseen(tournament, stage, by)


def can_undo(stage: Stage, open_round: Round) -> bool:
    """Return whether undoing the open round can apply a stage's results: it is in that stage, or the first after its
    cut."""
    if open_round.stage_id == stage.pk:
        return True
    follows = open_round.stage.number == stage.number + 1
    return follows and not open_round.stage.rounds.shown().filter(number__lt=open_round.number).exists()


def _repair_seats(
    tournament: Tournament, stage: Stage, open_round: Round | None, repair: str, reason: str, by: User | None
) -> None:
    """Repair the seats. `stage` is that of the corrected hand."""
    if repair == KEEP:
        return
    if open_round is None:
        message = _("No later round is open. Correct the hand and keep the seating.")
        raise Conflict("repair", message)
    if repair == UNDO and not can_undo(stage, open_round):
        raise Conflict("repair", _("The cut is final since later rounds were played. Keep the seating."))
    if repair == RESEAT:
        if open_round.stage_id != stage.pk:
            raise Conflict("repair", _("The results decide the seats. Keep the seating, or undo the round."))
        if not open_round.stage.eliminates:
            raise Conflict("repair", _("The results decide the seats. Keep the seating, or undo the round."))
        reseat_not_started(tournament=tournament, by=by, reason=reason)
    else:
        undo_round(tournament=tournament, round_number=open_round.number, reason=reason, by=by)


def _follow_field(tournament: Tournament, stage: Stage, before: State, by: User | None) -> None:
    """Settle the open tables of players whose status changed, and draw an unpublished draft again."""
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
    """Draw an unpublished draft again if the field changed."""
    try:
        redraw_next(tournament, stage, by)
    except Refused:  # a request can't be met: drop the draft, so that drawing is the next step
        forget_drafts(tournament, drafts_of(tournament), by)


def open_after(tournament: Tournament, played: Round) -> Round | None:
    """Return the open round if it is later than this one."""
    return tournament.rounds.filter(state__in=OPEN, number__gt=played.number).order_by("-number").first()


@transaction.atomic
def undo_round(
    *, tournament: Tournament, round_number: int, reason: str = "", by: User | None, only_unplayed: bool = False
) -> Round | None:
    """Undo the latest published round, open or closed, and return its new draft.

    Its hands are voided. Return None if a Challenge UNO has no further round, or if seating requests can't be met.
    Raises `Conflict("closed")`, `Refused` for another round, and with `only_unplayed` `Conflict("played")` if it has
    hands.
    """
    tournament = lock_tournament(tournament.pk)
    played = round_to_undo(tournament, round_number)
    if only_unplayed and Hand.objects.living().filter(table__round=played).exists():
        raise Conflict("played", _("Round %(number)d has recorded hands.") % {"number": played.number})
    now = timezone.now()
    Dispute.objects.filter(hand__table__round=played, state=Dispute.State.OPEN).update(
        state=Dispute.State.OTHER, decided_at=now, decided_by=by
    )
    hands = Hand.objects.living().filter(table__round=played)
    voided = hands.update(voided_at=now, voided_by=by, void_reason=reason.strip()[:200])
    return take_back_round(tournament=tournament, played=played, hands=voided, reason=reason, by=by)
