"""Seats the tables of a round anew that have not started, with those who came since; not where all is drawn ahead.

What was played is not touched. The draw depends on the event's seed and on how often this was done, so a preview shows
the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.db import transaction
from django.utils.translation import gettext as _

from league.formats import NotPossible
from league.formats.race import HEAD_TO_HEAD
from league.formats.seating import golfers
from league.ledger.field import field_of
from league.ledger.locks import lock_tournament, tell_tables
from league.ledger.progress import hands_of_round, started_tables
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.log.write import note
from league.models import Entry, LogEntry, Round, Seat, Table, Tournament, User
from league.rounds.draw import draw_seed, rounds_before, wishes

DRAWN_ANEW = ("redraw-tables", "take-seating")


@dataclass(frozen=True)
class Fresh:
    """What can be seated anew: the tables of a round without a hand, by number, and who is to sit there.

    players: those still in who sit there or nowhere, in the order of the list. table_count: how many tables they need.
    last_two: nobody else is in.
    """

    played: Round
    tables: tuple[Table, ...]
    players: tuple[str, ...]
    table_count: int
    last_two: bool

    @property
    def numbers(self) -> list[int]:
        """The numbers of the tables to seat: existing ones, then new ones after the last of the round."""
        existing = [table.number for table in self.tables]
        last = max(self.played.tables.values_list("number", flat=True), default=0)
        return (existing + [last + more for more in range(1, self.table_count + 1)])[: self.table_count]


def fresh_tables(tournament: Tournament) -> Fresh:
    """The fresh tables of the round that is played, else of the draft. Raises `Refused` where there are none."""
    stage = tournament.stage
    if stage.drawn_ahead:
        raise Refused("format", _("All rounds are seated already. Swap two seats instead."))
    if stage.groups > 1:
        raise Refused("format", _("Each group is drawn by itself. Swap two seats instead."))
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    played = tournament.rounds.living().exclude(state=Round.State.CLOSED).order_by("number").first()
    if played is None:
        raise Refused("round", _("No round is open. Who is in now is seated when the next one is drawn."))
    if stage.plays.in_tree:
        raise Refused("format", _("Seeds and results decide the meetings."))
    if stage.plays.advances and played.number > stage.rounds_before + 1:
        raise Refused("format", _("Who sits where follows from the results. Swap two seats instead."))
    if stage.plays.by_points:
        sentence = _("Who sits where follows from the points. Swap two seats instead, or wait for the next round.")
        raise Refused("format", sentence)
    tables = list(played.tables.exclude(state=Table.State.VOID).exclude(hands_wanted=0).order_by("number"))
    started_keys = started_tables(tables)
    fresh = tuple(table for table in tables if table.pk not in started_keys)
    if not fresh:
        message = _("Every table of round %(number)d has started. Who has no seat plays from the next round on.")
        raise Refused("started", message % {"number": played.number})
    field = field_of(tournament, stage)
    if field.beside:
        raise Refused("format", _("Each ladder is drawn by itself. Swap two seats instead."))
    seats = Seat.objects.filter(round=played)
    elsewhere = set(seats.exclude(table__in=fresh).values_list("entry__public_id", flat=True))
    players = tuple(entry for entry in field.players if entry not in elsewhere)
    if len(players) < HEAD_TO_HEAD:
        raise Refused(
            "players",
            _("Fewer than two players could be seated: the others who are in sit at tables that have started."),
        )
    last_two = field.race is not None and len(field.players) == HEAD_TO_HEAD
    table_count = golfers.count_tables(len(players), stage.table_size)
    return Fresh(played, fresh, players, table_count, last_two)


@transaction.atomic
def reseat_not_started(*, tournament: Tournament, by: User | None, reason: str) -> Round:
    """Draw the tables of the round that have no hand anew, with those who came since. Raises `Refused`."""
    tournament = lock_tournament(tournament.pk)
    fresh = _lock_fresh_tables(tournament)
    seed = seed_of(fresh)
    try:
        tables = golfers.next_round(fresh.players, fresh.table_count, **arguments(fresh), seed=seed)
    except NotPossible as exc:
        raise Refused("wishes", translate(exc.sentence)) from exc
    _seat_anew(fresh, tables)
    _note(fresh, by, action="redraw-tables", reason=reason, seed=seed)
    return fresh.played


@transaction.atomic
def take_seating(
    *, tournament: Tournament, versions: dict[str, int], seating: Sequence[Sequence[str]], by: User | None, reason: str
) -> Round:
    """Seat the tables as a search proposes, if neither the tables nor those who are to sit there have changed since.

    versions: the `seating_version` of each table by its id, from the search. Raises `Conflict("changed")`.
    """
    tournament = lock_tournament(tournament.pk)
    fresh = _lock_fresh_tables(tournament)
    if versions != versions_of(fresh):
        raise Conflict("changed", _("Some of these tables have started, or others sit there now. Search once more."))
    if sorted(fresh.players) != sorted(player for table in seating for player in table):
        raise Conflict("changed", _("Somebody came or left since. Search once more."))
    _seat_anew(fresh, seating)
    _note(fresh, by, action="take-seating", reason=reason, seed="")
    return fresh.played


def versions_of(fresh: Fresh) -> dict[str, int]:
    return {str(table.pk): table.seating_version for table in fresh.tables}


def seed_of(fresh: Fresh) -> str:
    """The seed of a draw, another one each time that the tables of a round are drawn anew."""
    rows = LogEntry.objects.filter(tournament=fresh.played.tournament, action__in=DRAWN_ANEW)
    times = rows.filter(round=fresh.played.number).count()
    return f"{draw_seed(fresh.played.stage)}/again {times + 1}"


class Arguments(TypedDict):
    past: list[list[list[str]]]
    fixed: dict[str, int]
    apart: list[tuple[str, str]]


def arguments(fresh: Fresh) -> Arguments:
    """Arguments of `golfers.next_round` and `better_rounds`: who met whom, and wishes that these tables can fulfil."""
    tournament = fresh.played.tournament
    fixed, apart = wishes(tournament)
    at = {number: index for index, number in enumerate(fresh.numbers)}
    return {
        "past": rounds_before(
            tournament, fresh.played.stage, fresh.players, fresh.table_count, before=fresh.played.number
        ),
        "fixed": {player: at[number] for player, number in fixed.items() if number in at},
        "apart": apart,
    }


def seats_now(fresh: Fresh) -> list[list[str]]:
    """The public ids of those who sit at these tables now, table by table."""
    seats = Seat.objects.filter(table__in=fresh.tables).order_by("table__number", "number")
    by_table: dict[int | None, list[str]] = {}
    for table, entry in seats.values_list("table_id", "entry__public_id"):
        by_table.setdefault(table, []).append(entry)
    return list(by_table.values())


def _lock_fresh_tables(tournament: Tournament) -> Fresh:
    """The fresh tables. The round's tables are locked first, so that a hand that is being recorded is seen."""
    played = tournament.rounds.living().exclude(state=Round.State.CLOSED).order_by("number").first()
    if played is not None:
        list(Table.objects.select_for_update().filter(round=played).order_by("pk").values_list("pk"))
    return fresh_tables(tournament)


def _seat_anew(fresh: Fresh, seating: Sequence[Sequence[str]]) -> None:
    played = fresh.played
    hands = None if fresh.last_two else hands_of_round(played)
    here = list(fresh.tables[: fresh.table_count])
    new = fresh.numbers[len(here) :]
    here += Table.objects.bulk_create(played.new_table(number, hands) for number in new)
    entries = {entry.public_id: entry for entry in Entry.objects.filter(public_id__in=fresh.players)}
    before = Seat.objects.filter(table__in=fresh.tables)
    substitutes = dict(before.values_list("entry__public_id", "substitute"))
    before.delete()
    Seat.objects.bulk_create(
        Seat(round=played, table=table, number=number, entry=entries[player], substitute_id=substitutes.get(player))
        for table, players in zip(here, seating, strict=True)
        for number, player in enumerate(players)
    )
    played.tables.filter(pk__in=[table.pk for table in here]).update(hands_wanted=hands)
    played.tables.filter(pk__in=[table.pk for table in fresh.tables[fresh.table_count :]]).update(
        state=Table.State.VOID
    )
    tell_tables(table.pk for table in fresh.tables)


def _note(fresh: Fresh, by: User | None, *, action: str, reason: str, seed: str) -> None:
    note(
        tournament=fresh.played.tournament,
        by=by,
        action=action,
        round_number=fresh.played.number,
        new={"players": len(fresh.players), "tables": fresh.numbers} | ({"seed": seed} if seed else {}),
        reason=reason.strip()[:200],
    )
