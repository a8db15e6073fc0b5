"""The picture of the rounds: who sat where, who went where from there, who is out."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league import bracket as picture
from league import exports, ledger, live
from league.access import Access, tournament_for
from league.exports import Row, Wanted
from league.formats.race import ACTIVE, HEAD_TO_HEAD, OUT, State
from league.held import players_in
from league.models import Round, Table
from league.plans import tables_drawn
from league.progress import ENDED, STOPPED, TableNow, tables_now
from league.views.page import render_page
from league.views.public import asked_number, current_round

COLUMNS = 12  # rounds that the bracket shows at a time


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Rounds as columns of tables; of a long tournament some rounds at a time."""
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.rounds().select_related("stage").order_by("number"))
    windows = _windows([one.number for one in rounds])
    current = current_round(rounds)
    asked = asked_number(request, "from") or (current.number if current else 0)
    window = next((window for window in reversed(windows) if window[0] <= asked), windows[0] if windows else [])
    shown = [one for one in rounds if one.number in window]
    players = list(access.tournament.entries.select_related("player").order_by("number", "id"))
    way_of = next((entry for entry in players if entry.public_id == request.GET.get("player")), None)
    book = ledger.read(access.tournament)
    columns = _columns(access, shown, book)
    context: dict[str, Any] = {
        "live_version": version,
        "windows": [{"start": window[0], "last": window[-1]} for window in windows],
        "start": window[0] if window else None,
        "columns": columns,
        "picture": picture.draw(columns, way_of.public_id if way_of else None),
        "box": picture.BOX,
        "players": players,
        "way_of": way_of,
        "target": book.race.settings.target if book.race else None,
    }  # fmt: skip
    return render_page(request, access, "league/bracket.html", page="bracket", title=_("Bracket"), **context)


def _windows(numbers: Sequence[int]) -> list[Sequence[int]]:
    """The rounds in runs of about the same length, none longer than fits a picture."""
    runs = math.ceil(len(numbers) / COLUMNS)
    length = math.ceil(len(numbers) / runs) if runs else 0
    return [numbers[start : start + length] for start in range(0, len(numbers), length or 1)]


def _columns(access: Access, rounds: Sequence[Round], book: ledger.Ledger) -> list[picture.Column]:
    """The rounds, from the rows of rounds.csv: who sits where and what they made."""
    numbers = {one.number for one in rounds}
    rows = [
        row
        for row in exports.seating_rows(access.tournament, Wanted(everything=access.sees_drafts))
        if row["round"] in numbers
    ]
    figures = exports.round_figures(book)
    tables: dict[int, dict[int, Table]] = {}
    for table in Table.objects.filter(round__in=rounds).exclude(state=Table.State.VOID):
        tables.setdefault(table.round_id, {})[table.number] = table
    columns = []
    for one in rounds:
        of_round = [row for row in rows if row["round"] == one.number]
        byes = tuple(_person(row) for row in of_round if row["table"] == "bye")
        drawn = tables_drawn(of_round)
        if book.race is None:
            made = [_of_sides(one, tables[one.pk][table["number"]], table["seats"], figures) for table in drawn]
        else:
            state = book.race.state_at(one.number)
            now = {table.table.number: table for table in tables_now(one, book.race)} if one.is_open else {}
            made = [_of_singles(one, table["number"], table["seats"], state, now) for table in drawn]
        is_final = book.race is not None and len(drawn) == 1 and len(drawn[0]["seats"]) == HEAD_TO_HEAD
        columns.append(picture.Column(one.number, tuple(made), byes, one.state == Round.State.DRAFT, is_final))
    return columns


def _person(row: Row) -> picture.Person:
    return picture.Person(row["player_id"], row["player"])


def _of_singles(
    played: Round, number: int, seats: Sequence[Row], state: State, now: Mapping[int, TableNow]
) -> picture.TableOfRound:
    """A table of a race: everybody's total as of the round, the lowest first, those who left in it last."""
    lines = {row["player_id"]: state.lines[row["player_id"]] for row in seats if row["player_id"] in state.lines}
    gone = {player for player, line in lines.items() if line.left and line.left.round == played.number}
    order = sorted(seats, key=lambda row: lines[row["player_id"]].rank if row["player_id"] in lines else 0)
    sides = []
    for row in order:
        line = lines.get(row["player_id"])
        left = ""
        if line and row["player_id"] in gone and line.status != ACTIVE:
            left = _("out") if line.status == OUT else _("left")
        sides.append(picture.Side((_person(row),), line.total if line else None, left))
    return picture.TableOfRound(number, tuple(sides), _said(played, now.get(number)))


def _said(played: Round, now: TableNow | None) -> str:
    """Where a table of an open round stands, as short as it can be said."""
    if now is None:
        return ""
    if now.state == ENDED:
        return _("Ended")
    if now.state == STOPPED:
        return _("Stopped")
    if now.wanted is not None:
        return _("%(hands)d of %(wanted)d hands") % {"hands": now.played, "wanted": now.wanted}
    return _("hand %(number)d") % {"number": now.played + 1}


def _of_sides(
    played: Round, table: Table, seats: Sequence[Row], figures: dict[tuple[int, str], Row]
) -> picture.TableOfRound:
    sides: list[list[Row]] = []
    for row in seats:
        side = next((side for side in sides if side[0]["partner_id"] == row["player_id"]), None)
        if side is None:
            sides.append([row])
        else:
            side.append(row)
    hands = 0
    made = []
    for side in sides:
        of_side = figures[played.number, side[0]["player_id"]]
        hands = max(hands, of_side["hands_played"])
        points = of_side["total"] - of_side["adjustments"] if of_side["hands_played"] else None
        made.append(picture.Side(tuple(_person(row) for row in side), points))
    if table.state == Table.State.PLAYING:
        said = _("%(hands)d of %(wanted)d hands") % {"hands": hands, "wanted": table.hands_wanted}
    elif table.state == Table.State.CONFIRMED or played.state == Round.State.DRAFT:
        said = ""
    else:
        said = table.get_state_display()
    return picture.TableOfRound(table.number, tuple(made), said)
