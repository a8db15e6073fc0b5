"""Progress of a round's tables, and the players dealt in: computed, never stored."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from league import hooks
from league.access import Access
from league.formats import challenge, points
from league.formats.challenge import COMPLETE, ENDED, PLAYING, STOPPED
from league.formats.points import Game
from league.formats.protocol import Hands
from league.ledger.race import RaceLedger, race_so_far, read_race
from league.models import Entry, HandScore, Round, Seat, Table, Tournament

__all__ = [
    "COMPLETE",
    "ENDED",
    "PLAYING",
    "STOPPED",
    "AtTable",
    "TableNow",
    "closed_early",
    "counts_a_hand",
    "dealt_in",
    "decided_tables",
    "game_at",
    "game_with",
    "hands_are_in_order",
    "hands_in",
    "hands_of_round",
    "missing_tables",
    "race_before",
    "race_of",
    "read_table",
    "started_tables",
    "table_now",
    "tables_now",
    "tables_of_open",
    "target_of_round",
    "to_be_dealt_in",
    "to_switch",
    "values_of_round",
]

FEWEST_AT_A_TABLE = 2
"""Of people who play each for themselves: with fewer a table has ended."""


@dataclass(frozen=True)
class TableNow:
    """A table of a round. `played` counts recorded hands, also those that don't count. `hands_wanted` None is
    open-ended.

    `state`: PLAYING has hands left, COMPLETE has none or a finished game, ENDED has one player left, STOPPED ended
    because only two players of the event are left.
    """

    table: Table
    played: int
    hands_wanted: int | None
    state: str


@dataclass(frozen=True)
class AtTable:
    """The stored data of one table: seats, and the scores of its hands as `Hands`.

    A hand's recorder reads it once, under the table's lock.
    """

    seats: Sequence[Seat]
    hands: Hands

    def with_hand(self, hand: int, scores: Mapping[str, int]) -> "AtTable":
        """Return the state with this hand added; without scores if its time was up."""
        return replace(self, hands={**self.hands, hand: scores})


def read_table(table: Table) -> AtTable:
    """Read a table in two queries."""
    return AtTable(_seats_of(table), _scores([table]).get(table.pk, {}))


def values_of_round(played: Round) -> dict[str, int | None]:
    """Return the stage's settings at the time the round was published."""
    values, published = played.stage.values, played.published_at
    if published is not None:
        for amendment in reversed(played.stage.amendments):  # latest first
            if amendment["field"] in values and datetime.fromisoformat(amendment["at"]) > published:
                values[amendment["field"]] = amendment["old"]
    return values


def hands_of_round(played: Round) -> int | None:
    """Return the number of hands a table when the round was published; None if open-ended."""
    return played.stage.plays.hands(values_of_round(played))


def target_of_round(played: Round) -> int | None:
    """Return the target of a table's game; None without one."""
    return played.stage.plays.game_target(values_of_round(played))


def hands_are_in_order(played: Round) -> bool:
    """Return whether each hand needs the one before it, which decides the players or the end."""
    return played.stage.eliminates or played.stage.plays.ends_early(values_of_round(played))


def closed_early(table: Table) -> bool:
    """Return whether a table was closed before all hands of its round."""
    hands = hands_of_round(table.round)
    return table.hands_wanted is not None and (hands is None or table.hands_wanted < hands)


def race_of(played: Round) -> RaceLedger | None:
    return read_race(played.tournament, played.stage) if played.stage.eliminates else None


def race_before(played: Round) -> RaceLedger | None:
    """Like `race_of`, cached and extended; only for callers that have written nothing since the last log row."""
    return race_so_far(played.tournament, played.stage) if played.stage.eliminates else None


def tables_now(played: Round, race: RaceLedger | None = None, *, stopped: bool = False) -> list[TableNow]:
    """Return the round's tables by number, without void ones. `race` if read already.

    `stopped`: as if time were up, which matters only for open-ended rounds.
    """
    tables = list(played.tables.exclude(state=Table.State.VOID).order_by("number"))
    race = race or race_of(played)
    return _without_race(played, tables) if race is None else _in_race(played, tables, race, stopped=stopped)


def tables_of_open(rounds: Iterable[Round]) -> dict[tuple[int, int], TableNow]:
    """Return the tables of open rounds, by round and table number."""
    is_open = [played for played in rounds if played.is_open]
    return {(played.number, now.table.number): now for played in is_open for now in tables_now(played)}


def decided_tables(lines: Iterable[TableNow]) -> frozenset[int]:
    """Return the numbers of finished tables, without disputed ones."""
    return frozenset(
        now.table.number for now in lines if now.state != PLAYING and now.table.state != Table.State.DISPUTED
    )


def _in_race(played: Round, tables: Sequence[Table], race: RaceLedger, *, stopped: bool = False) -> list[TableNow]:
    counts = {pk: len(hands) for pk, hands in hands_in(tables).items()}
    seated: dict[int, set[str]] = {table.number: set() for table in tables}
    seats = Seat.objects.filter(table__in=tables).values_list("table__number", "entry__public_id")
    for number, entry in seats:
        seated[number].add(entry)
    return _progress_in_race(played, tables, race, counts, seated, stopped=stopped)


def _progress_in_race(
    played: Round,
    tables: Sequence[Table],
    race: RaceLedger,
    counts: Mapping[int, int],
    seated: Mapping[int, Collection[str]],
    *,
    stopped: bool = False,
) -> list[TableNow]:
    """Return the progress in a Challenge UNO. `counts`: {table id: recorded hands}. `seated`: public ids by table."""
    # The race has only the hands that count.
    limits = {
        table.number: None if table.hands_wanted is None else table.hands_wanted - len(table.not_counted)
        for table in tables
    }
    progress = challenge.progress(
        race.settings, race.state, played.number, seated, race.hands, limits=limits, stopped=stopped
    )
    states = {row.table: row.state for row in progress}
    return [TableNow(table, counts[table.pk], table.hands_wanted, states[table.number]) for table in tables]


def _without_race(played: Round, tables: Sequence[Table]) -> list[TableNow]:
    """Return the progress: a table has hands left until all are recorded, its game is over, or too few players are
    left."""
    seated: Counter[int | None] = Counter()
    if not played.stage.drawn_ahead:
        # A team counts once, whichever member sits there.
        seats = Seat.objects.filter(table__in=tables, member=0).exclude(entry__status=Entry.Status.DROPPED)
        seated.update(seats.values_list("table_id", flat=True))
    return _progress(played, tables, _scores(tables), seated)


def _progress(
    played: Round, tables: Sequence[Table], hands: Mapping[int, Hands], seated: Mapping[int | None, int]
) -> list[TableNow]:
    """Return the progress. `hands` by table id. `seated`: players left at each table, unless rounds are drawn ahead."""
    plays, values = played.stage.plays, values_of_round(played)
    too_late = plays.in_tree and played.state == Round.State.CLOSED  # for another hand to break a tie
    lines = []
    for table in tables:
        in_hand = hands.get(table.pk, {})
        closed = len(in_hand)
        all_in = table.hands_wanted is not None and closed >= table.hands_wanted
        state = PLAYING
        if all_in or too_late or plays.over_in(in_hand, values) is not None:
            state = COMPLETE
        elif not plays.drawn_ahead and seated.get(table.pk, 0) < FEWEST_AT_A_TABLE:
            state = ENDED
        lines.append(TableNow(table, closed, table.hands_wanted, state))
    return lines


def hands_in(tables: Iterable[Table]) -> dict[int, dict[int, list[int]]]:
    """Return {table id: {hand: seats dealt in}} of all recorded hands, counted or not, both ascending."""
    by_table = {table.pk: {int(hand): seats for hand, seats in table.not_counted.items()} for table in tables}
    rows = HandScore.objects.living().filter(table__in=by_table)
    for table_id, hand, seat in rows.order_by("hand", "seat").values_list("table_id", "hand", "seat"):
        by_table[table_id].setdefault(hand, []).append(seat)
    return {table_id: dict(sorted(hands.items())) for table_id, hands in by_table.items()}


def counts_a_hand(tournament: Tournament) -> bool:
    """Return whether the tournament has a living hand."""
    return HandScore.objects.living().filter(table__round__tournament=tournament).exists()


def begun_tables(tables: Sequence[Table]) -> set[int]:
    """Return the ids of tables with a recorded hand, counted or not."""
    scores = HandScore.objects.living().filter(table__in=tables)
    not_counted = {table.pk for table in tables if table.not_counted}
    return not_counted | set(scores.order_by().values_list("table_id", flat=True).distinct())


def started_tables(tables: Sequence[Table]) -> set[int]:
    """Return the ids of tables with a hand recorded or in play."""
    return begun_tables(tables) | hooks.games.tables_in_play(tables)


def _scores(tables: Sequence[Table]) -> dict[int, dict[int, dict[str, int]]]:
    """Return {table id: {hand: {player_id: score}}}; no scores if time was up."""
    by_table: dict[int, dict[int, dict[str, int]]] = {
        table.pk: {int(hand): {} for hand in table.not_counted} for table in tables
    }
    rows = HandScore.objects.living().filter(table__in=tables)
    for table_id, hand, player, score in rows.values_list("table_id", "hand", "entry__public_id", "score"):
        by_table.setdefault(table_id, {}).setdefault(hand, {})[player] = score
    return by_table


def game_at(table: Table, hands: Hands | None = None) -> Game | None:
    """Return the points at a table and whether they decide it; None unless points add up. `hands` if read already."""
    if not table.round.stage.plays.adds_up:
        return None
    return game_with(table.round, _scores([table]).get(table.pk, {}) if hands is None else hands)


def game_with(played: Round, hands: Hands) -> Game:
    """Return the same for a table of a round with these hands."""
    plays, values = played.stage.plays, values_of_round(played)
    last = plays.over_in(hands, values)
    return Game(points.totals_of(hands, last), last, plays.is_level(hands, values))


def table_now(table: Table, race: RaceLedger | None = None, known: AtTable | None = None) -> TableNow:
    """Return a table's progress. `race` and `known` if read already."""
    race = race or race_of(table.round)
    if known is not None:
        [now] = _table_of(table, race, known)
    else:
        [now] = _without_race(table.round, [table]) if race is None else _in_race(table.round, [table], race)
    return now


def _table_of(table: Table, race: RaceLedger | None, known: AtTable) -> list[TableNow]:
    if race is not None:
        seated = {table.number: {seat.entry.public_id for seat in known.seats}}
        return _progress_in_race(table.round, [table], race, {table.pk: len(known.hands)}, seated)
    plays_on = sum(seat.member == 0 and seat.entry.status != Entry.Status.DROPPED for seat in known.seats)
    return _progress(table.round, [table], {table.pk: known.hands}, {table.pk: plays_on})


def missing_tables(played: Round) -> tuple[tuple[Table, int], ...]:
    """Return the round's tables with hands left, each with its number of recorded hands.

    In an open-ended round, only the table of the last two keeps it open.
    """
    stopped = played.stage.eliminates and hands_of_round(played) is None
    return tuple((now.table, now.played) for now in tables_now(played, stopped=stopped) if now.state == PLAYING)


def dealt_in(table: Table, hand: int, race: RaceLedger | None = None) -> list[Seat]:
    """Return the seats dealt in for a hand: those of that time if it is recorded, otherwise current players.

    A recorded hand has its seats in its rows, since seats may change later; a hand that doesn't count stores only their
    numbers.
    """
    scores = HandScore.objects.living().filter(table=table, hand=hand)
    rows = list(scores.select_related("entry__player", "played_by").order_by("seat"))
    if rows:
        return [
            Seat(round=table.round, table=table, number=row.seat, entry=row.entry, substitute=row.played_by)
            for row in rows
        ]
    if (then := table.not_counted.get(str(hand))) is not None:
        return [seat for seat in _seats_of(table) if seat.number in then]
    return to_be_dealt_in(table, race)


def to_be_dealt_in(table: Table, race: RaceLedger | None = None, seats: Sequence[Seat] | None = None) -> list[Seat]:
    """Return the seats dealt in for a hand not recorded yet. `race` and `seats` if read already."""
    seats = _seats_of(table) if seats is None else seats
    if not table.round.stage.eliminates:
        stands_in = table.round.stage.drawn_ahead  # a player who leaves has handed over the seat
        return [seat for seat in seats if stands_in or seat.entry.status != Entry.Status.DROPPED]
    race = race or race_of(table.round)
    still_in = set(race.state.still_in) if race else set()
    return [seat for seat in seats if seat.entry.public_id in still_in]


def _seats_of(table: Table) -> list[Seat]:
    seats = list(table.seats.select_related("entry__player", "substitute").order_by("number"))
    for seat in seats:
        seat.round = table.round
    return seats


def to_switch(access: Access, played: Round) -> set[int]:
    """Return the ids of unstarted tables that the viewer may switch between online and paper."""
    tournament = access.tournament
    event = tournament.kind == Tournament.Kind.EVENT and not tournament.is_final
    if not event or not access.corrects or played.state == Round.State.CLOSED:
        return set()
    tables = list(played.tables.exclude(state=Table.State.VOID))
    keys = {table.pk for table in tables}
    return keys if played.state == Round.State.DRAFT else keys - started_tables(tables)
