"""The only writer of the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.viewer import Attribution
from league.formats.race import HEAD_TO_HEAD
from league.formats.race import Hand as RaceHand
from league.ledger.locks import lock_tables
from league.ledger.progress import PLAYING, STOPPED, AtTable, race_of, table_now, tables_now
from league.ledger.race import RaceLedger, moment_of
from league.lib.errors import Conflict
from league.log.write import note, note_at_table, player_in_log
from league.models import Adjustment, Deadline, Entry, HandScore, Player, Round, Table, Tournament, User

MOST_POINTS = 10_000  # above any real hand; catches typing errors of two digits


@dataclass(frozen=True)
class SeatScore:
    """One seat's scored line of a hand."""

    seat: int
    entry: Entry
    partner: Entry | None
    went_out: bool
    cards_left: int | None
    points_left: int | None
    points_for: int
    points_against: int
    score: int
    played_by: Player | None = None


@dataclass(frozen=True)
class ScoredHand:
    """A hand for the ledger. `counted_at`: its first recording, also for a correction."""

    number: int
    lines: Sequence[SeatScore]
    source: str
    recorded_at: datetime
    counted_at: datetime


def post_score(
    *,
    table: Table,
    hand: ScoredHand,
    confirms: bool = True,
    disputed: bool = False,
    race: RaceLedger | None = None,
    before: AtTable | None = None,
) -> tuple[int, ...]:
    """Write one hand into the ledger and update table and round. The caller holds the table's lock.

    `disputed`: the table has an open dispute. `race` and `before`: race and table before this hand, if read already.
    Return the numbers of other tables that this hand stops, because it leaves two players in the event.
    """
    HandScore.objects.bulk_create(
        HandScore(
            table=table,
            hand=hand.number,
            game=1,
            seat=line.seat,
            entry=line.entry,
            partner=line.partner,
            went_out=line.went_out,
            cards_left=line.cards_left,
            points_left=line.points_left,
            points_for=line.points_for,
            points_against=line.points_against,
            score=line.score,
            source=hand.source,
            recorded_at=hand.recorded_at,
            counted_at=hand.counted_at,
            played_by=line.played_by,
        )
        for line in hand.lines
    )
    points = {line.entry.public_id: line.score for line in hand.lines}
    if race is not None:
        moment = moment_of(hand.counted_at)
        race_hand = RaceHand(table.round.number, table.number, hand.number, moment, points)
        race = race.with_hands({(table.pk, hand.number): race_hand})
    else:
        race = race_of(table.round)
    known = before and before.with_hand(hand.number, points)
    settle(table=table, confirms=confirms, disputed=disputed, race=race, known=known)
    return _stopped_by(table, hand.number, race) if race else ()


def close_without_scores(
    *,
    table: Table,
    hand: int,
    seats: Sequence[int],
    confirms: bool,
    disputed: bool,
    before: AtTable | None = None,
) -> None:
    """Close the slot of a hand that doesn't count; `seats` were dealt in. The caller holds the table's lock.

    `before` as for `post_score`.
    """
    table.not_counted[str(hand)] = list(seats)
    table.save(update_fields=["not_counted"])
    settle(table=table, confirms=confirms, disputed=disputed, known=before and before.with_hand(hand, {}))


def _stopped_by(table: Table, hand: int, race: RaceLedger) -> tuple[int, ...]:
    """Return the round's other tables that were playing and are stopped by this hand."""
    if len(race.state.still_in) != HEAD_TO_HEAD:
        return ()
    slot = table.round.number, table.number, hand
    before = replace(
        race,
        hands=tuple(
            race_hand for race_hand in race.hands if (race_hand.round, race_hand.table, race_hand.number) != slot
        ),
    )
    playing = {line.table.number for line in tables_now(table.round, before) if line.state == PLAYING}
    now = {line.table.number for line in tables_now(table.round, race) if line.state == STOPPED}
    return tuple(sorted(playing & now - {table.number}))


def void_score(*, table: Table, hand: int, disputed: bool = False, settles: bool = True) -> None:
    """Void a hand's ledger rows. The caller holds the table's lock.

    `settles` False: a replacement follows at once and settles the table.
    """
    HandScore.objects.filter(table=table, hand=hand).living().update(voided_at=timezone.now())
    if table.not_counted.pop(str(hand), None) is not None:
        table.save(update_fields=["not_counted"])
    if settles:
        settle(table=table, confirms=False, disputed=disputed)


def void_scores(played: Round) -> None:
    """Void all hands of a round. The caller holds its tables' locks and sets their states."""
    HandScore.objects.filter(table__round=played).living().update(voided_at=timezone.now())
    played.tables.update(not_counted={})


def settle(
    *,
    table: Table,
    confirms: bool,
    disputed: bool,
    race: RaceLedger | None = None,
    known: AtTable | None = None,
) -> None:
    """Raise the table's version and set the states that follow from its hands. The caller holds the table's lock.

    An organiser's entry is confirmed at once; the last hand of a scorer or player leaves the table reported. `race` and
    `known`: race and table, if read since the write.
    """
    before = table.state
    now = table_now(table, race, known)
    if disputed:
        table.state = Table.State.DISPUTED
    elif now.state != PLAYING:
        table.state = Table.State.CONFIRMED if confirms else Table.State.REPORTED
    else:
        table.state = Table.State.PLAYING if now.played else Table.State.SCHEDULED
    table.version += 1
    table.save(update_fields=["state", "version"])
    if Table.State.REPORTED in (before, table.state):  # only this state has a deadline
        _set_clock(table)
    if table.round.state == Round.State.PUBLISHED:
        # Use a condition, not a lock on the round: two tables may record first hands concurrently.
        Round.objects.filter(pk=table.round_id, state=Round.State.PUBLISHED).update(state=Round.State.RUNNING)


def settle_tables(tournament: Tournament) -> None:
    """Set the states of a Challenge UNO's open tables after points or target changed the field.

    The caller holds the tournament's lock and has written no log row yet.
    """
    opened = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    played = opened.select_related("stage", "tournament").first()
    if played is None or not played.stage.eliminates:
        return
    lock_tables(played.tables.values_list("pk", flat=True))
    race = race_of(played)
    for now in tables_now(played, race):
        is_over = now.table.state in (Table.State.REPORTED, Table.State.CONFIRMED)
        # A table stopped by another keeps its state, since `record_hand` locks only its own; so do disputed ones.
        if now.table.state == Table.State.DISPUTED or now.state == STOPPED or is_over == (now.state != PLAYING):
            continue
        now.table.round = played
        settle(table=now.table, confirms=True, disputed=False, race=race)


def _set_clock(table: Table) -> None:
    """Cancel the table's deadlines; a newly reported table gets one for its automatic confirmation.

    Every writer of these rows, also the scheduler, holds the table's lock, so none waits for another.
    """
    clocks = Deadline.objects.pending().filter(table=table, kind=Deadline.Kind.CONFIRM)
    clocks.update(state=Deadline.State.CANCELLED)
    tournament = table.round.tournament
    if table.state == Table.State.REPORTED and tournament.confirm_after is not None:
        now = timezone.now()
        Deadline.objects.create(
            kind=Deadline.Kind.CONFIRM,
            tournament=tournament,
            round=table.round,
            table=table,
            due_at=now + timedelta(minutes=tournament.confirm_after),
            created_at=now,
        )


@transaction.atomic
def confirm_table(*, table_id: int, version: int | None, by: User | None, player: Entry | None = None) -> None:
    """Confirm a reported table. `version` is the table's version that the caller saw.

    Does nothing if confirmed. games.hands.disputes, which knows the author, checks a `player`.
    """
    Table.objects.select_for_update().only("pk").get(pk=table_id)
    table = Table.objects.select_related("round__tournament").get(pk=table_id)
    if table.state == Table.State.CONFIRMED:
        return
    if table.state == Table.State.DISPUTED:
        raise Conflict("disputed", _("This table has an open dispute. Decide it to confirm the table."))
    if table.state != Table.State.REPORTED or version != table.version:
        raise Conflict("version", _("This table has changed since. Check it and try again."))
    _confirm(table)
    note_at_table(table=table, by=Attribution(by, player=player), action="confirm")


def confirm_by_itself(*, table: Table, minutes: int) -> None:
    """Confirm a table after its time for objections. The caller holds the locks of tournament and table."""
    if table.state != Table.State.REPORTED or table.round.tournament.is_final:
        return
    _confirm(table)
    note_at_table(table=table, by=None, action="confirm-by-itself", new={"minutes": minutes})


def _confirm(table: Table) -> None:
    table.state = Table.State.CONFIRMED
    table.version += 1
    table.save(update_fields=["state", "version"])
    _set_clock(table)


def note_byes(tournament: Tournament, by: User | None, since: datetime) -> None:
    """Log the points of byes in rounds where they changed in this transaction, which began at `since`."""
    byes = Adjustment.objects.filter(entry__tournament=tournament, kind=Adjustment.Kind.BYE)
    changed = byes.filter(Q(recorded_at__gte=since) | Q(voided_at__gte=since))
    for played in tournament.rounds.living().filter(pk__in=changed.values("round")).order_by("number"):
        living = (
            byes.filter(round=played, voided_at=None).select_related("entry__player").order_by("entry__number", "pk")
        )
        new = [{**player_in_log(bye.entry), "points": bye.points} for bye in living]
        note(tournament=tournament, by=by, action="bye-points", round_number=played.number, new=new)
