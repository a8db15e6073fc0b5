"""The rounds as columns of the bracket, for its page and its print: who sat where, their points, who left."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

from django.utils.translation import gettext as _

from league.formats.bracket import SeatedRound
from league.formats.race import ACTIVE, HEAD_TO_HEAD, OUT, State
from league.formats.seating.golfers import table_sizes
from league.ledger.heats import SECOND
from league.ledger.progress import COMPLETE, ENDED, STOPPED, TableNow, tables_now
from league.lib.csv import Row
from league.models import Round, Table
from league.public import tables as exports
from league.public.bracket import Column, Person, Side, TableOfRound, with_sources
from league.public.table_plan import tables_drawn
from league.standings import read as ledger
from league.standings.read import Ledger


def columns_of(rounds: Sequence[Round], rows: Iterable[Row], book: Ledger) -> list[Column]:
    """The rounds with everybody's seat and points, and where they come from. rows: of seating.csv for these or more.

    book: of the stage that is played; those of other stages are read.
    """
    figures_of: dict[int, tuple[Ledger, dict[tuple[int, str], Row]]] = {}
    seated: dict[int, list[Row]] = {round_.number: [] for round_ in rounds}
    for row in rows:
        if row["round"] in seated:
            seated[row["round"]].append(row)
    tables: dict[int, dict[int, Table]] = {}
    for table in Table.objects.filter(round__in=rounds).exclude(state=Table.State.VOID):
        tables.setdefault(table.round_id, {})[table.number] = table
    columns, nodes = [], []
    for round_ in rounds:
        if round_.stage_id not in figures_of:
            book = book if book.stage.pk == round_.stage_id else ledger.read(book.tournament, stage=round_.stage)
            figures_of[round_.stage_id] = book, exports.round_figures(book)
        book, figures = figures_of[round_.stage_id]
        of_round = seated[round_.number]
        byes = tuple(_person(row) for row in of_round if row["table"] == "bye")
        drawn = tables_drawn(of_round)
        if book.stage.plays.adds_up:
            now = {table.table.number: table for table in tables_now(round_)} if round_.is_open else {}
            out = _out_in(book, round_)
            results = [
                _table_of_points(book, round_, tables[round_.pk][table["number"]], table["seats"], figures, now, out)
                for table in drawn
            ]
        elif book.race is None:
            results = [
                _table_of_sides(round_, tables[round_.pk][table["number"]], table["seats"], figures) for table in drawn
            ]
        else:
            state = book.race.state_at(round_.number)
            now = {table.table.number: table for table in tables_now(round_, book.race)} if round_.is_open else {}
            results = [_table_of_singles(round_, table["number"], table["seats"], state, now) for table in drawn]
        final = ""
        if book.heats is not None and sum(at.ladder != SECOND for at in tables[round_.pk].values()) == 1:
            final = _("Final")
        elif len(drawn) == 1 and book.race is not None and len(drawn[0]["seats"]) == HEAD_TO_HEAD:
            final = _("Head to head")
        columns.append(Column(round_.number, tuple(results), byes, round_.state == Round.State.DRAFT, final))
    for stage in dict.fromkeys(round_.stage for round_ in rounds):
        nodes += stage.plays.bracket(
            [_seated(seated[played.number], played) for played in rounds if played.stage == stage]
        )
    return [*with_sources(columns, nodes), *_to_come(rounds, book)]


def _to_come(rounds: Sequence[Round], book: Ledger) -> list[Column]:
    """The rounds on the way to the final of heats that are not drawn yet: their tables, with nobody there."""
    if book.heats is None or not rounds or rounds[-1].number < book.planned:
        return []
    drawn = sum(played.stage_id == book.stage.pk and played.state == Round.State.DRAFT for played in rounds)
    state, found = book.heats.state, []
    ladders = zip_longest(state.to_come[drawn:], state.beside_to_come[drawn:])
    for number, rungs in enumerate(ladders, rounds[-1].number + 1):
        sizes = [size for rung in rungs if rung for size in table_sizes(rung.players, rung.tables)]
        tables = tuple(
            TableOfRound(table, tuple(Side((Person(f"{number}-{table}-{seat}", "–"),), None) for seat in range(size)))
            for table, size in enumerate(sizes, 1)
        )
        first = rungs[0]
        found.append(Column(number, tables, final=_("Final") if first and not first.best else "", to_come=True))
    return found


def _seated(rows: Sequence[Row], played: Round) -> SeatedRound:
    tables: dict[int, list[str]] = {}
    for row in rows:
        if row["table"] != "bye":
            tables.setdefault(row["table"], []).append(row["player_id"])
    return SeatedRound(played.number, tables, [row["player_id"] for row in rows if row["table"] == "bye"])


def _person(row: Row) -> Person:
    return Person(row["player_id"], row["player"])


def _table_of_singles(
    played: Round, number: int, seats: Sequence[Row], state: State, now: Mapping[int, TableNow]
) -> TableOfRound:
    """A table of a race: everybody's total as of the round, the lowest first; those who left in the round come last."""
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
    """Where a table of an open round stands, in as few words as possible."""
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


def _out_in(book: Ledger, played: Round) -> set[str]:
    """Who went out in a round of heats; in the final there are places."""
    if book.heats is None or played.state != Round.State.CLOSED:
        return set()
    return {
        entry for entry, line in book.heats.state.lines.items() if line.round == played.number and line.status == OUT
    }


def _table_of_points(
    book: Ledger,
    played: Round,
    table: Table,
    seats: Sequence[Row],
    figures: dict[tuple[int, str], Row],
    now: Mapping[int, TableNow],
    out: Collection[str],
) -> TableOfRound:
    """A table of a points race or of heats: everybody's points of the round, the best first; `out` play on no more."""
    places = (
        {entry: line.place or 0 for entry, line in book.heats.state_at(played.number).lines.items()}
        if book.heats
        else {}
    )
    seats = sorted(seats, key=lambda row: places.get(row["player_id"], 0))
    sides = []
    for row in seats:
        of_row = figures[played.number, row["player_id"]]
        points = of_row["total"] - of_row["adjustments"] if of_row["hands_played"] else None
        sides.append(Side((_person(row),), points, _("eliminated") if row["player_id"] in out else ""))
    sides.sort(key=lambda side: (side.points is None, (side.points or 0) * (1 if book.stage.lowest_wins else -1)))
    progress = _progress_of(played, now.get(table.number))
    if not progress and table.ladder == SECOND:
        progress = _("Second ladder")
    return TableOfRound(table.number, tuple(sides), progress)


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
        results.append(Side(tuple(dict.fromkeys(_person(row) for row in side)), points))  # a team is named once
    if table.state == Table.State.PLAYING:
        progress = _("%(hands)d of %(wanted)d hands") % {"hands": hands, "wanted": table.hands_wanted}
    elif table.state == Table.State.CONFIRMED or played.state == Round.State.DRAFT:
        progress = ""
    else:
        progress = table.get_state_display()
    return TableOfRound(table.number, tuple(results), progress)
