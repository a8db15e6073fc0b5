"""Re-seat the tables of a round that haven't started, including late entries; not for rounds drawn ahead.

Started tables aren't touched. The draw depends on the event's seed and the number of re-draws, so a preview shows the
result.
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
    """The tables of a round without a hand, and the players to seat there.

    `players`: current players at these tables or without a seat, in order of the list. `table_count`: number of tables
    they need. `last_two`: no other players are left.
    """

    played: Round
    tables: tuple[Table, ...]
    players: tuple[str, ...]
    table_count: int
    last_two: bool

    @property
    def numbers(self) -> list[int]:
        """Return the numbers of the tables to seat: existing ones, then new ones after the round's last."""
        existing = [table.number for table in self.tables]
        last = max(self.played.tables.values_list("number", flat=True), default=0)
        return (existing + [last + more for more in range(1, self.table_count + 1)])[: self.table_count]


def fresh_tables(tournament: Tournament) -> Fresh:
    """Return the tables without a hand in the open round, or in the draft. Raises `Refused` if there are none."""
    stage = tournament.stage
    if stage.drawn_ahead:
        raise Refused("format", _("All rounds are already drawn. Swap two seats instead."))
    if stage.groups > 1:
        raise Refused("format", _("Each group has its own draw. Swap two seats instead."))
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    played = tournament.rounds.living().exclude(state=Round.State.CLOSED).order_by("number").first()
    if played is None:
        raise Refused("round", _("No round is open. Draw the next round instead."))
    if stage.plays.in_tree:
        raise Refused("format", _("Seeds and results decide the meetings."))
    if stage.plays.advances and played.number > stage.rounds_before + 1:
        raise Refused("format", _("The results decide the seats. Swap two seats instead."))
    if stage.plays.by_points:
        sentence = _("The results decide the seats. Swap two seats instead.")
        raise Refused("format", sentence)
    tables = list(played.tables.exclude(state=Table.State.VOID).exclude(hands_wanted=0).order_by("number"))
    started_keys = started_tables(tables)
    fresh = tuple(table for table in tables if table.pk not in started_keys)
    if not fresh:
        message = _("Every table of round %(number)d has started. New players play from the next round.")
        raise Refused("started", message % {"number": played.number})
    field = field_of(tournament, stage)
    if field.second_ladder:
        raise Refused("format", _("The second ladder has its own draw. Swap two seats instead."))
    seats = Seat.objects.filter(round=played)
    elsewhere = set(seats.exclude(table__in=fresh).values_list("entry__public_id", flat=True))
    players = tuple(entry for entry in field.players if entry not in elsewhere)
    if len(players) < HEAD_TO_HEAD:
        raise Refused(
            "players",
            _("Fewer than two players could be seated. The others sit at tables that have started."),
        )
    last_two = field.race is not None and len(field.players) == HEAD_TO_HEAD
    table_count = golfers.count_tables(len(players), stage.table_size)
    return Fresh(played, fresh, players, table_count, last_two)


@transaction.atomic
def reseat_not_started(*, tournament: Tournament, by: User | None, reason: str) -> Round:
    """Draw the tables without a hand again, with late entries. Raises `Refused`."""
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
    """Seat the tables as a search proposes, if neither tables nor players have changed since.

    `versions`: {table id: `seating_version`} from the search. Raises `Conflict("changed")`.
    """
    tournament = lock_tournament(tournament.pk)
    fresh = _lock_fresh_tables(tournament)
    if versions != versions_of(fresh):
        raise Conflict("changed", _("These tables changed since. Search again."))
    if sorted(fresh.players) != sorted(player for table in seating for player in table):
        raise Conflict("changed", _("These tables changed since. Search again."))
    _seat_anew(fresh, seating)
    _note(fresh, by, action="take-seating", reason=reason, seed="")
    return fresh.played


def versions_of(fresh: Fresh) -> dict[str, int]:
    return {str(table.pk): table.seating_version for table in fresh.tables}


def seed_of(fresh: Fresh) -> str:
    """Return the seed of a draw; it changes with every re-draw of the round's tables."""
    rows = LogEntry.objects.filter(tournament=fresh.played.tournament, action__in=DRAWN_ANEW)
    times = rows.filter(round=fresh.played.number).count()
    return f"{draw_seed(fresh.played.stage)}/again {times + 1}"


class Arguments(TypedDict):
    past: list[list[list[str]]]
    fixed: dict[str, int]
    apart: list[tuple[str, str]]


def arguments(fresh: Fresh) -> Arguments:
    """Return arguments of `golfers.next_round` and `better_rounds`: past meetings, and requests they can meet."""
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
    """Return the public ids of the current players, table by table."""
    seats = Seat.objects.filter(table__in=fresh.tables).order_by("table__number", "number")
    by_table: dict[int | None, list[str]] = {}
    for table, entry in seats.values_list("table_id", "entry__public_id"):
        by_table.setdefault(table, []).append(entry)
    return list(by_table.values())


def _lock_fresh_tables(tournament: Tournament) -> Fresh:
    """Lock the round's tables, so that a hand being recorded is seen, and return the fresh ones."""
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
