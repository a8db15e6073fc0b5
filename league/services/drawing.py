"""Who sits where: drawing rounds, and taking back a draw that nobody has seen."""

import hashlib
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.errors import Conflict, Refused
from league.formats import FORMATS, NotPossible, challenge, pairs
from league.formats.race import HEAD_TO_HEAD
from league.models import Deadline, Entry, KeptApart, Round, Seat, Stage, Table, Tournament, User
from league.models.tournament import seats_by_table
from league.race_ledger import RaceLedger, read_race
from league.seating.fixed import at_fixed_tables
from league.services.locks import lock_tournament
from league.services.log import note
from league.wall_time import in_log
from league.words import translated


def draw_order(stage: Stage, entries: Sequence[Entry]) -> list[Entry]:
    """The entries as they are numbered in the schedule: in the order of the list, or shuffled by the stage's seed.

    The shuffle sorts by sha256(seed + ":" + player_id), so anybody can repeat it.
    """
    if not stage.order_seed:
        return sorted(entries, key=lambda entry: (entry.number, entry.pk))

    def shuffled(entry: Entry) -> str:
        return hashlib.sha256(f"{stage.order_seed}:{entry.public_id}".encode()).hexdigest()

    return sorted(entries, key=shuffled)


@transaction.atomic
def draw(*, tournament: Tournament, by: User | None) -> None:
    """Seat as a draft what can be seated before the start. Nothing is public yet; drawing again replaces the draft."""
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stages.get()
    if stage.started_at is not None:
        raise Conflict("started", _("Round 1 has been published; its seating stands."))
    drop_draft(tournament, by)
    draw_rounds(tournament, stage, by)


def draw_rounds(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """The whole schedule, or the next round where it hangs on who is still in. The caller holds the lock.

    Raises `Refused` where it cannot be seated.
    """
    try:
        if FORMATS[stage.format].DRAWN_AHEAD:
            _draw_schedule(tournament, stage, by)
        else:
            draw_next(tournament, stage, by)
    except NotPossible as exc:
        why = translated(exc.sentence)
        raise Refused("players", why, fields={"players": [why]}) from exc


def _draw_schedule(tournament: Tournament, stage: Stage, by: User | None) -> None:
    entries = draw_order(stage, list(tournament.entries.filter(status=Entry.Status.ACTIVE)))
    seating = pairs.plan(len(entries), stage.rounds_wanted, stage.cycles)
    rounds = Round.objects.bulk_create(
        Round(tournament=tournament, stage=stage, number=number) for number in range(1, len(seating) + 1)
    )
    fixed = {entry: entry.fixed_table for entry in entries if entry.fixed_table is not None}
    for one, plan in zip(rounds, seating, strict=True):
        # Tables and seats of all rounds are small enough to be made round by round.
        tables = at_fixed_tables([[entries[who] for who in table] for table in plan.tables], fixed)
        seat_round(one, tables, [entries[who] for who in plan.byes])
    note(
        tournament=tournament,
        by=by,
        action="draw",
        new={"rounds": len(rounds), "players": len(entries), "order_seed": stage.order_seed or None},
    )


def seat_round(
    one: Round, tables: Sequence[Sequence[Entry]], byes: Sequence[Entry] = (), *, hands: int | None = -1
) -> list[Table]:
    """The tables and seats of a round that has none. hands: to play at each table; -1: as many as the stage has."""
    wanted = one.stage.hands_per_round if hands == -1 else hands
    made = Table.objects.bulk_create(
        Table(round=one, number=number, mode=one.tournament.mode_of(number), hands_wanted=wanted)
        for number in range(1, len(tables) + 1)
    )
    seats = [
        Seat(round=one, table=table, number=seat, entry=entry)
        for table, seated in zip(made, tables, strict=True)
        for seat, entry in enumerate(seated)
    ]
    Seat.objects.bulk_create([*seats, *(Seat(round=one, entry=entry) for entry in byes)])
    return made


def draw_next(tournament: Tournament, stage: Stage, by: User | None) -> Round:
    """Draw the next round of a Challenge UNO as a draft. The caller holds the lock. Raises NotPossible."""
    race = read_race(tournament, stage)
    seating = next_seating(tournament, stage, race)
    number = (tournament.rounds.living().aggregate(last=Max("number"))["last"] or 0) + 1
    entries = {entry.public_id: entry for entry in tournament.entries.all()}
    drawn = Round.objects.create(tournament=tournament, stage=stage, number=number)
    last_two = len(seating) == 1 and len(seating[0]) == HEAD_TO_HEAD
    seat_round(
        drawn,
        [[entries[player] for player in table] for table in seating],
        hands=None if last_two else stage.hands_per_round,
    )
    players = sum(map(len, seating))
    new = {"players": players, "tables": len(seating), "seed": draw_seed(stage)}
    note(tournament=tournament, by=by, action="draw-next", round_number=number, new=new)
    return drawn


def next_seating(tournament: Tournament, stage: Stage, race: RaceLedger) -> list[list[str]]:
    """Who would sit where in the next round, table by table in the order of seats. Raises NotPossible."""
    fixed, apart = wishes(tournament)
    return challenge.next_round(
        race.settings, race.state, past_rounds(tournament), seed=draw_seed(stage), fixed=fixed, apart=apart
    )


def draw_seed(stage: Stage) -> str:
    """What a Challenge UNO is drawn by, the same in all its rounds; told, so that anybody can repeat the draw."""
    return stage.order_seed or stage.lot_seed


def past_rounds(tournament: Tournament, before: int | None = None) -> list[list[list[str]]]:
    """The living rounds that were published, or those of them before a number: their tables, each by seat."""
    rounds: dict[int, list[list[str]]] = {}
    played = tournament.rounds.shown().order_by("number")
    if before is not None:
        played = played.filter(number__lt=before)
    seats = Seat.objects.filter(round__in=played).select_related("round", "table", "entry")
    of_table = seats_by_table(seats)
    for seated in sorted(of_table.values(), key=lambda seated: seated[0].table.number if seated[0].table else 0):
        rounds.setdefault(seated[0].round.number, []).append([seat.entry.public_id for seat in seated])
    return [tables for _number, tables in sorted(rounds.items())]


def wishes(tournament: Tournament) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Fixed tables by player, and who must not meet."""
    fixed = tournament.entries.exclude(fixed_table=None).values_list("public_id", "fixed_table")
    apart = KeptApart.objects.filter(one__tournament=tournament).values_list("one__public_id", "other__public_id")
    return {player: table for player, table in fixed if table is not None}, list(apart)


def drop_draft(tournament: Tournament, by: User | None) -> None:
    """Forget a seating that nobody has seen, and take back the times at which it was to be published.

    The caller holds the lock; published rounds are never touched.
    """
    drafts = Round.objects.filter(tournament=tournament, state=Round.State.DRAFT, stage__started_at=None)
    forget_drafts(tournament, list(drafts), by)


def forget_drafts(tournament: Tournament, drafts: Sequence[Round], by: User | None) -> None:
    """Take these drafts away, and the times at which they were to be published. The caller holds the lock."""
    times = Deadline.objects.pending().filter(round__in=drafts)
    for set_time in times.select_related("round").order_by("due_at"):
        note(
            tournament=tournament,
            by=by,
            action="cancel-time",
            round_number=set_time.round.number if set_time.round else None,
            old=in_log(set_time.due_at, tournament.time_zone),
        )
    times.update(state=Deadline.State.CANCELLED)
    Deadline.objects.filter(round__in=drafts).update(round=None)
    Round.objects.filter(pk__in=[one.pk for one in drafts], state=Round.State.DRAFT).delete()


@transaction.atomic
def undo_draw(*, tournament: Tournament, by: User | None) -> None:
    tournament = lock_tournament(tournament.pk)
    if tournament.stages.get().started_at is not None:
        raise Conflict("started", _("Round 1 has been published; its seating stands."))
    if tournament.rounds.exists():
        drop_draft(tournament, by)
        note(tournament=tournament, by=by, action="undo-draw")
