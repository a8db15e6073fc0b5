"""Draw rounds, and delete unpublished draws."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.formats import NotPossible, groups
from league.formats.protocol import Draw, Seating
from league.formats.seating import golfers
from league.formats.seating.fixed_tables import at_fixed_tables
from league.ledger.entered import entries_in, members_in, seeds_in
from league.ledger.field import Field, field_of
from league.ledger.lineups import Lineups, lineups_of
from league.ledger.locks import lock_tournament
from league.ledger.progress import FEWEST_AT_A_TABLE
from league.ledger.progression import SECOND
from league.lib.errors import Conflict, Refused
from league.lib.names import fold
from league.lib.translate import translate
from league.lib.wall_time import in_log
from league.log.write import note
from league.models import (
    Deadline,
    Entry,
    KeptApart,
    Round,
    Seat,
    Stage,
    StageEntry,
    Table,
    Tournament,
    User,
    seats_by_table,
)
from league.rounds.seeding import BY_RATING, figures_of, log_of, pots
from league.standings import read as ledger


def draw_order(stage: Stage, entries: Sequence[Entry], figures: Mapping[str, int] | None = None) -> list[Entry]:
    """Return the entries in the order of the schedule: by list, shuffled, or the strongest first.

    The shuffle sorts by sha256(the stage's seed + ":" + player_id), so anyone can repeat it. `figures` are the ratings,
    if read already (`seeding.figures_of`).
    """
    if not stage.order_seed:
        return sorted(entries, key=lambda entry: (entry.number, entry.pk))
    if stage.order_seed == BY_RATING:
        ratings = figures_of(stage, entries) if figures is None else figures
        return sorted(entries, key=lambda entry: (-ratings.get(entry.public_id, 0), entry.number, entry.pk))

    def shuffled(entry: Entry) -> str:
        return hashlib.sha256(f"{stage.order_seed}:{entry.public_id}".encode()).hexdigest()

    return sorted(entries, key=shuffled)


@transaction.atomic
def draw(*, tournament: Tournament, by: User | None) -> None:
    """Draw all rounds that can be drawn before the start, as drafts that replace earlier ones."""
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    if tournament.has_begun:
        raise Conflict("started", _("Round 1 is already published."))
    drop_draft(tournament, by)
    draw_rounds(tournament, stage, by)


def draw_rounds(tournament: Tournament, stage: Stage, by: User | None) -> None:
    """Draw the whole schedule, or the next round if it depends on results. The caller holds the lock.

    Raises `Refused` if no seating is possible.
    """
    try:
        if stage.drawn_ahead:
            _draw_schedule(tournament, stage, by)
        else:
            draw_next(tournament, stage, by)
    except NotPossible as exc:
        why = translate(exc.sentence)
        raise Refused("players", why, fields={"players": [why]}) from exc


def _draw_schedule(tournament: Tournament, stage: Stage, by: User | None) -> None:
    active = list(entries_in(stage).filter(status=Entry.Status.ACTIVE))
    figures = figures_of(stage, active)
    by_group = _groups_of(stage, active, figures)
    entries = [entry for group in by_group for entry in group]
    schedule = groups.schedule(stage.plays, [len(group) for group in by_group], stage.values)
    seating = places_of(schedule, entries, of_teams=stage.has_teams)
    rounds = Round.objects.bulk_create(
        Round(tournament=tournament, stage=stage, number=stage.rounds_before + number)
        for number in range(1, len(seating) + 1)
    )
    seat_rounds((drawn, order_tables(tables), byes) for drawn, (tables, byes) in zip(rounds, seating, strict=True))
    note(
        tournament=tournament,
        by=by,
        action="draw",
        new={"rounds": len(rounds), "players": len(entries), "order_seed": stage.order_seed or None} | log_of(figures),
    )


def _groups_of(stage: Stage, active: Sequence[Entry], figures: Mapping[str, int] | None = None) -> list[list[Entry]]:
    """Return the groups in order of the draw: from the cut, or dealt again before the start."""
    if stage.takes is None:
        by_group = groups.deal(draw_order(stage, active, figures), stage.groups)
        if stage.groups > 1:
            enter_stage(stage, by_group)
        return by_group
    members = members_in(stage)
    active = sorted(active, key=lambda entry: members[entry.public_id].order)
    return [
        [entry for entry in active if members[entry.public_id].group == group] for group in range(1, stage.groups + 1)
    ]


def enter_stage(stage: Stage, by_group: Sequence[Sequence[Entry]], second_ladder: Sequence[Entry] = ()) -> None:
    """Enter the players of a stage by group, and those of its second ladder; earlier members are deleted."""
    stage.members.all().delete()
    seeded = [(entry, number, 1) for number, group in enumerate(by_group, 1) for entry in group]
    seeded += [(entry, 1, SECOND) for entry in second_ladder]
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, order=order, group=group, ladder=ladder)
        for order, (entry, group, ladder) in enumerate(seeded, 1)
    )


def enter_seeds(tournament: Tournament, stage: Stage) -> None:
    """Write down the seeds of a tree for those who are there, until its first round is published. A cut has done so."""
    if not stage.plays.in_tree or stage.takes is not None or stage.started_at is not None:
        return
    active = {entry.public_id: entry for entry in entries_in(stage).filter(status=Entry.Status.ACTIVE)}
    order = [entry.public_id for entry in draw_order(stage, list(active.values()))]
    _fixed, apart = wishes(tournament)
    together = [*apart, *clubmates(tournament)]
    enter_stage(stage, [[active[entry] for entry in stage.plays.seeds(order, together, seed=draw_seed(stage))]])


class Place(NamedTuple):
    """A seat's occupant. `member` is 0 or 1 in a team. `player` is the id of the person, None for the entry itself."""

    entry: Entry
    member: int = 0
    player: int | None = None


RoundOfPlaces = tuple[list[list[Place]], list[Entry]]
"""(tables by seat, entries that sit out)"""


def places_of(rounds: Iterable[Seating], entries: Sequence[Entry], *, of_teams: bool) -> list[RoundOfPlaces]:
    """Return rounds of entries 0, 1, ... with their players; for teams with both players."""
    lineups = (
        {key: [player.pk for player in players] for key, players in lineups_of(entries).items()} if of_teams else {}
    )

    def place(number: int, member: int) -> Place:
        entry = entries[number]
        return Place(entry, member, lineups[entry.pk][member] if of_teams else None)

    return [
        ([[place(*at) for at in table] for table in seating.tables], [entries[number] for number in seating.byes])
        for seating in rounds
    ]


def place_of(key: str, entries: Mapping[str, Entry], lineups: Lineups) -> Place:
    """Return the place for a public id; “.1” marks the second player of a team. `lineups` are those of teams."""
    public_id, _dot, member = key.partition(".")
    entry, at = entries[public_id], int(member or 0)
    players = lineups.get(entry.pk, ())
    return Place(entry, at, players[at].pk if players else None)


def order_tables(tables: Sequence[Sequence[Place]]) -> list[Sequence[Place]]:
    """Return the tables in an order that puts entries with a fixed table there."""
    numbers = {place: place.entry.fixed_table for table in tables for place in table}
    return at_fixed_tables(tables, {place: number for place, number in numbers.items() if number is not None})


def seat_rounds(
    seating: Iterable[tuple[Round, Sequence[Sequence[Place]], Sequence[Entry]]], *, hands: int | None = -1
) -> None:
    """Create the tables and seats of rounds. `hands` a table; -1: as many as the stage has."""
    seating = list(seating)
    new_tables = iter(
        Table.objects.bulk_create(
            drawn.new_table(number, drawn.stage.hands_per_round if hands == -1 else hands)
            for drawn, tables, _byes in seating
            for number in range(1, len(tables) + 1)
        )
    )
    seats: list[Seat] = []
    for drawn, tables, byes in seating:
        for seated, table in zip(tables, new_tables, strict=False):  # the next round's tables follow
            seats += (
                Seat(round=drawn, table=table, number=seat, entry=entry, member=member, substitute_id=player)
                for seat, (entry, member, player) in enumerate(seated)
            )
        seats += (Seat(round=drawn, entry=entry) for entry in byes)
    Seat.objects.bulk_create(seats)


def draw_next(tournament: Tournament, stage: Stage, by: User | None) -> Round:
    """Draw the next round as a draft, for those who are in now. The caller holds the lock. Raises NotPossible."""
    if stage.groups > 1 and stage.started_at is None:
        active = list(entries_in(stage).filter(status=Entry.Status.ACTIVE))
        _groups_of(stage, active)
    enter_seeds(tournament, stage)
    field = field_of(tournament, stage)
    seating = next_seating(tournament, stage, field)
    number = (tournament.rounds.living().aggregate(last=Max("number"))["last"] or 0) + 1
    entries = {entry.public_id: entry for entry in tournament.entries.all()}
    lineups = lineups_of(entries.values()) if stage.has_teams else {}
    drawn = Round.objects.create(tournament=tournament, stage=stage, number=number)
    seat_rounds(
        [
            (
                drawn,
                [[place_of(key, entries, lineups) for key in table] for table in seating],
                [entries[player] for player in sitting_out(seating, field)],
            )
        ],
        hands=None if stage.plays.is_final(seating) else stage.hands_per_round,
    )
    mark_ladders(drawn, seating, field)
    note(
        tournament=tournament,
        by=by,
        action="draw-next",
        round_number=number,
        new=drawing_in_log(drawn, seating, results_of(tournament, stage, field)),
    )
    return drawn


def mark_ladders(drawn: Round, seating: Sequence[Sequence[str]], field: Field) -> None:
    """Mark tables of the second ladder and players with one loss in a newly drawn round."""
    second = [number for number, table in enumerate(seating, start=1) if not set(field.second_ladder).isdisjoint(table)]
    drawn.tables.filter(number__in=second).update(ladder=SECOND)
    drawn.seats.filter(entry__public_id__in=field.lost).update(has_lost=True)


def drawing_in_log(drawn: Round, seating: Sequence[Sequence[str]], results: str) -> dict[str, Any]:
    """Return the log content of a round drawn on its own. `results` as in `results_of`."""
    players = {key.partition(".")[0] for table in seating for key in table}
    new: dict[str, Any] = {"players": len(players), "tables": len(seating), "seed": draw_seed(drawn.stage)}
    if results:
        new["results"] = results
    if drawn.number > 1:
        return new
    entries = drawn.tournament.entries.filter(public_id__in=players)
    return new | log_of(figures_of(drawn.stage, list(entries)))


def results_of(tournament: Tournament, stage: Stage, field: Field) -> str:
    """Return a digest of the results that a draw depends on; empty if they decide only the field."""
    if stage.plays.by_points:
        scores = _scores(tournament, stage)
        decides: list[Any] = [[player, scores.get(player, 0)] for player in sorted(field.players)]
    elif field.seeded:
        decides = [*field.players, *field.second_ladder]
    else:
        return ""
    return hashlib.sha256(json.dumps(decides).encode()).hexdigest()[:16]


def next_seating(tournament: Tournament, stage: Stage, field: Field) -> list[list[str]]:
    """Return the next round's seating, table by table in order of seats, as `place_of` reads it.

    Raises NotPossible.
    """
    fixed, apart = wishes(tournament)
    race = field.race.state if field.race else None
    by_points = stage.plays.by_points
    scores, byes = (_scores(tournament, stage), _byes(stage)) if by_points else ({}, {})
    number = stage.rounds.shown().count() + 1 if by_points else 0
    free = field.waiting or _sit_out_first(stage, field)

    def drawn(players: Sequence[str], fixed: Mapping[str, int]) -> list[list[str]]:
        past = rounds_before(tournament, stage, players)
        wanted = Draw(
            players,
            past,
            draw_seed(stage),
            fixed,
            apart,
            race,
            seeded=field.seeded,
            second_ladder=field.second_ladder,
            rounds=field.rounds,
            scores=scores,
            byes=byes,
            number=number,
            seeds=seeds_in(stage),
            pairs=field.pairs,
        )
        tables = stage.plays.draw(wanted, stage.values)
        places = map(stage.plays.places, tables)
        return [[f"{entry}.{member}" if member else entry for entry, member in table] for table in places]

    if not field.groups:
        return drawn([player for player in field.players if player not in free], fixed)
    tables = [table for group in field.groups if len(group) >= FEWEST_AT_A_TABLE for table in drawn(group, {})]
    return [list(table) for table in at_fixed_tables(tables, fixed)]


def _sit_out_first(stage: Stage, field: Field) -> Collection[str]:
    """Return the byes of a stage's first round, if byes make the next round even."""
    if not stage.values.get("byes") or stage.rounds.shown().exists():
        return ()
    order = [player for player in field.players if player not in field.second_ladder]
    if stage.takes is None:
        listed = entries_in(stage).filter(public_id__in=order)
        order = [entry.public_id for entry in draw_order(stage, list(listed))]
    return stage.plays.sits_out(order, stage.values)


def sitting_out(seating: Sequence[Sequence[str]], field: Field) -> list[str]:
    """Return the players in the field without a table."""
    seated = {player for table in seating for player in table}
    return [player for player in field.players if player not in seated]


def _scores(tournament: Tournament, stage: Stage) -> dict[str, int]:
    """Return each player's points in a stage; more is better."""
    sign = -1 if stage.lowest_wins else 1
    return {line.entrant.id: sign * line.total for line in ledger.read(tournament, stage=stage).standings()}


def _byes(stage: Stage) -> dict[str, int]:
    """Return each player's number of byes in a stage."""
    seats = Seat.objects.filter(round__in=stage.rounds.shown(), table=None)
    return Counter(seats.values_list("entry__public_id", flat=True))


def draw_seed(stage: Stage) -> str:
    """Return the seed of rounds drawn one by one. It is public, so that anyone can repeat a draw."""
    return stage.lot_seed if stage.order_seed == BY_RATING else stage.order_seed or stage.lot_seed


def rounds_before(
    tournament: Tournament, stage: Stage, players: Sequence[str], tables: int | None = None, before: int | None = None
) -> list[list[list[str]]]:
    """Return the earlier rounds (`past_rounds`), so that players rarely meet again.

    Before a first round by rating these are its pots, as if players of one pot had met. So each table gets one of each.
    `tables` is their number, if it isn't the usual one for these players.
    """
    past = past_rounds(stage, before)
    if past or stage.order_seed != BY_RATING:
        return past
    tables = tables or golfers.count_tables(len(players), stage.table_size)
    strongest_first = draw_order(stage, list(tournament.entries.filter(public_id__in=players)))
    return [[list(pot) for pot in pots([entry.public_id for entry in strongest_first], tables)]]


def past_rounds(stage: Stage, before: int | None = None) -> list[list[list[str]]]:
    """Return the stage's published rounds, or only those before a number: tables by seat, each team once.

    After a cut they include earlier stages, so that players who met there meet late.
    """
    rounds: dict[int, list[list[str]]] = {}
    played = stage.rounds.shown() if stage.takes is None else Round.objects.shown().filter(
        tournament=stage.tournament_id, stage__number__lte=stage.number
    )  # fmt: skip
    played = played.order_by("number")
    if before is not None:
        played = played.filter(number__lt=before)
    seats = Seat.objects.filter(round__in=played, member=0).select_related("round", "table", "entry")
    by_table = seats_by_table(seats)
    for seated in sorted(by_table.values(), key=lambda seated: seated[0].table.number if seated[0].table else 0):
        rounds.setdefault(seated[0].round.number, []).append([seat.entry.public_id for seat in seated])
    return [tables for _number, tables in sorted(rounds.items())]


def wishes(tournament: Tournament) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return fixed tables by player, and pairs who must not meet."""
    fixed = tournament.entries.exclude(fixed_table=None).values_list("public_id", "fixed_table")
    apart = KeptApart.objects.filter(one__tournament=tournament).values_list("one__public_id", "other__public_id")
    return {player: table for player, table in fixed if table is not None}, list(apart)


def clubmates(tournament: Tournament) -> list[set[str]]:
    """Return the present players of each club; empty if all are from one club, or from none."""
    clubs: dict[str, set[str]] = {}
    active = tournament.entries.filter(status=Entry.Status.ACTIVE)
    for player, club in active.values_list("public_id", "player__club_name"):
        clubs.setdefault(fold(club).strip(), set()).add(player)
    return [of_club for club, of_club in clubs.items() if club and len(of_club) > 1] if len(clubs) > 1 else []


def drop_draft(tournament: Tournament, by: User | None) -> None:
    """Delete drafts from before the start, their groups and their publishing times.

    The caller holds the lock; published rounds are never touched.
    """
    StageEntry.objects.filter(stage__tournament=tournament, stage__started_at=None, stage__takes=None).delete()
    drafts = Round.objects.filter(tournament=tournament, state=Round.State.DRAFT, stage__started_at=None)
    forget_drafts(tournament, list(drafts), by)


def forget_drafts(tournament: Tournament, drafts: Sequence[Round], by: User | None) -> None:
    """Delete these drafts and their publishing times. The caller holds the lock."""
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
    Round.objects.filter(pk__in=[draft.pk for draft in drafts], state=Round.State.DRAFT).delete()


@transaction.atomic
def undo_draw(*, tournament: Tournament, by: User | None) -> None:
    tournament = lock_tournament(tournament.pk)
    if tournament.has_begun:
        raise Conflict("started", _("Round 1 is already published."))
    if tournament.rounds.exists():
        drop_draft(tournament, by)
        note(tournament=tournament, by=by, action="undo-draw")
