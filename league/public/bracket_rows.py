"""Build bracket columns from rounds, for the page and the print: seats, points, departures."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from league.formats.bracket import SeatedRound
from league.formats.race import ACTIVE, HEAD_TO_HEAD, OUT, State
from league.ledger.progress import COMPLETE, ENDED, STOPPED, TableNow, tables_now
from league.ledger.progression import SECOND
from league.lib.csv import Row
from league.models import Round, Table
from league.public.ladder_rows import columns_of_ladders
from league.public.pictures.bracket import Column, Person, Side, TableOfRound, with_sources
from league.public.pictures.table_plan import tables_drawn
from league.public.tree_rows import columns_of_double, columns_of_tree
from league.standings import read as ledger
from league.standings.read import Ledger
from league.standings.round_figures import round_figures


def columns_of(rounds: Sequence[Round], rows: Iterable[Row], book: Ledger) -> list[Column]:
    """Return a column for each round, with the origin of each player. rows: rows of seating.csv for at least these
    rounds.

    book: ledger of the current stage; ledgers of other stages are read here.
    """
    seated: dict[int, list[Row]] = {round_.number: [] for round_ in rounds}
    for row in rows:
        if row["round"] in seated:
            seated[row["round"]].append(row)
    tables: dict[int, dict[int, Table]] = {}
    for table in Table.objects.filter(round__in=rounds).exclude(state=Table.State.VOID):
        tables.setdefault(table.round_id, {})[table.number] = table
    columns, nodes = [], []
    for stage, of_rounds in groupby(rounds, key=lambda round_: round_.stage):
        of_stage = list(of_rounds)
        of_book = book if book.stage == stage else ledger.read(book.tournament, stage=stage)
        if stage.plays.in_tree:
            both_sides = stage.plays.forgives(stage.values)
            columns += (columns_of_double if both_sides else columns_of_tree)(of_stage, seated, tables, of_book)
        elif stage.plays.advances:
            columns += columns_of_ladders(of_stage, seated, tables, of_book)
        else:
            figures = round_figures(of_book)
            columns += [
                _column(played, seated[played.number], tables[played.pk], of_book, figures) for played in of_stage
            ]
        nodes += stage.plays.bracket([_seated(seated[played.number], played, tables[played.pk]) for played in of_stage])
    return with_sources(columns, nodes)


def _column(
    played: Round,
    rows: Sequence[Row],
    tables: Mapping[int, Table],
    book: Ledger,
    figures: dict[tuple[int, str], Row],
) -> Column:
    drawn = tables_drawn(rows)
    if book.stage.plays.adds_up and not book.stage.has_partners:
        now = {table.table.number: table for table in tables_now(played)} if played.is_open else {}
        results = [_table_of_points(book, played, table["number"], table["seats"], figures, now) for table in drawn]
    elif book.race is None:
        results = [_table_of_sides(played, tables[table["number"]], table["seats"], figures) for table in drawn]
    else:
        state = book.race.state_at(played.number)
        now = {table.table.number: table for table in tables_now(played, book.race)} if played.is_open else {}
        results = [_table_of_singles(played, table["number"], table["seats"], state, now) for table in drawn]
    is_final = len(drawn) == 1 and book.race is not None and len(drawn[0]["seats"]) == HEAD_TO_HEAD
    byes = tuple(_person(row) for row in rows if row["table"] == "bye")
    final = _("Head to head") if is_final else ""
    return Column(
        played.number,
        tuple(results),
        byes,
        draft=played.state == Round.State.DRAFT,
        final=final,
        stage=played.stage.number,
    )


def _seated(rows: Sequence[Row], played: Round, tables: Mapping[int, Table]) -> SeatedRound:
    entries: dict[int, list[str]] = {}
    for row in rows:
        if row["table"] != "bye":
            entries.setdefault(row["table"], []).append(row["player_id"])
    byes = [row["player_id"] for row in rows if row["table"] == "bye"]
    second = [number for number, table in tables.items() if table.ladder == SECOND]
    return SeatedRound(played.number, entries, byes, second)


def _person(row: Row) -> Person:
    return Person(row["player_id"], row["player"])


def _table_of_singles(
    played: Round, number: int, seats: Sequence[Row], state: State, now: Mapping[int, TableNow]
) -> TableOfRound:
    """Return a race table with total points as of the round, lowest first. Players who left in this round come last."""
    lines = {row["player_id"]: state.lines[row["player_id"]] for row in seats if row["player_id"] in state.lines}
    gone = {player for player, line in lines.items() if line.departure and line.departure.round == played.number}
    order = sorted(seats, key=lambda row: lines[row["player_id"]].rank if row["player_id"] in lines else 0)
    sides = []
    for row in order:
        line = lines.get(row["player_id"])
        status = ""
        if line and row["player_id"] in gone and line.status != ACTIVE:
            status = _("eliminated") if line.status == OUT else _("left")
        sides.append(Side((_person(row),), line.total if line else None, status))
    return TableOfRound(number, tuple(sides), _progress_of(played, now.get(number)))


def _progress_of(played: Round, now: TableNow | None) -> str:
    """Return the state of a table in an open round, in a few words."""
    if now is None:
        return ""
    if now.state == ENDED:
        return _("Ended")
    if now.state == STOPPED:
        return _("Stopped")
    if now.state == COMPLETE and now.hands_wanted is None:
        return _("Game over")
    if now.hands_wanted is not None:
        return _("%(hands)d of %(wanted)d hands") % {"hands": now.played, "wanted": now.hands_wanted}
    return _("hand %(number)d") % {"number": now.played + 1}


def _table_of_points(
    book: Ledger,
    played: Round,
    number: int,
    seats: Sequence[Row],
    figures: dict[tuple[int, str], Row],
    now: Mapping[int, TableNow],
) -> TableOfRound:
    """Return a table of a points race, best points of the round first."""
    sides = []
    for row in seats:
        of_row = figures[played.number, row["player_id"]]
        points = of_row["total"] - of_row["adjustments"] if of_row["hands_played"] else None
        sides.append(Side((_person(row),), points))
    sides.sort(key=lambda side: (side.points is None, (side.points or 0) * (1 if book.stage.lowest_wins else -1)))
    return TableOfRound(number, tuple(sides), _progress_of(played, now.get(number)))


def _table_of_sides(
    played: Round, table: Table, seats: Sequence[Row], figures: dict[tuple[int, str], Row]
) -> TableOfRound:
    sides: list[list[Row]] = []
    for row in seats:
        side = next((side for side in sides if side[0]["partner_id"] == row["player_id"]), None)
        if side is None:
            sides.append([row])
        else:
            side.append(row)
    hands = 0
    results = []
    for side in sides:
        of_side = figures[played.number, side[0]["player_id"]]
        hands = max(hands, of_side["hands_played"])
        points = of_side["total"] - of_side["adjustments"] if of_side["hands_played"] else None
        results.append(
            Side(tuple(dict.fromkeys(_person(row) for row in side)), points)
        )  # dict.fromkeys: name a team once
    if table.state == Table.State.PLAYING:
        progress = _("%(hands)d of %(wanted)d hands") % {"hands": hands, "wanted": table.hands_wanted}
    elif table.state == Table.State.CONFIRMED or played.state == Round.State.DRAFT:
        progress = ""
    else:
        progress = table.get_state_display()
    return TableOfRound(table.number, tuple(results), progress)
