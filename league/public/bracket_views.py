"""The page with the picture of the rounds: who sat where, where they went from there, who is out."""

import math
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import tournament_for
from league.access.session_links import players_in
from league.live import stream as live
from league.models import Round
from league.pages.asked import asked_number, current_round
from league.pages.kept import kept
from league.pages.tournament_page import render_page
from league.public import bracket as picture
from league.public import tables as exports
from league.public.bracket_rows import columns_of
from league.public.tables import Wanted
from league.standings import read as ledger

COLUMNS = 12  # rounds that the bracket shows at a time


@require_safe
@kept("from")
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Rounds as columns of tables; a long tournament is shown some rounds at a time."""
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.rounds().select_related("stage").order_by("number"))
    windows = _windows([round_.number for round_ in rounds])
    current = current_round(rounds)
    from_round = asked_number(request, "from") or (current.number if current else 0)
    window = next((window for window in reversed(windows) if window[0] <= from_round), windows[0] if windows else [])
    drawn_rounds = [round_ for round_ in rounds if round_.number in window]
    players = list(access.tournament.entries.select_related("player").order_by("number", "id"))
    way_of = next((entry for entry in players if entry.public_id == request.GET.get("player")), None)
    book = ledger.read(access.tournament)
    rows = exports.seating_rows(access.tournament, Wanted(everything=access.sees_drafts))
    columns = columns_of(drawn_rounds, rows, book)
    drawn = picture.draw(columns, way_of.public_id if way_of else None)
    absences = picture.find_missed(columns)
    newest = next((placed.end for placed in drawn.columns if current and placed.column.number == current.number), None)
    context: dict[str, Any] = {
        "live_version": version,
        "windows": [{"start": window[0], "last": window[-1]} for window in windows],
        "start": window[0] if window else None,
        # Each column has the people who sit again in it, with the round in which they sat last.
        "columns": [
            (column, [(absence.person, columns[absence.before].number) for absence in absences if absence.after == at])
            for at, column in enumerate(columns)
        ],
        "picture": drawn,
        "newest": newest,
        "printable": any(round_.state != Round.State.DRAFT for round_ in rounds),
        "box": picture.BOX,
        "players": players,
        "way_of": way_of,
        "target": book.race.settings.target if book.race else None,
        "partners": book.stage.has_partners,
        "advances": book.stage.plays.advances,
    }  # fmt: skip
    return render_page(
        request, access, "league/public/bracket.html", page="bracket", title=_("Round by round"), **context
    )


def _windows(numbers: Sequence[int]) -> list[Sequence[int]]:
    """The rounds in runs of about the same length, none longer than a picture has room for."""
    runs = math.ceil(len(numbers) / COLUMNS)
    length = math.ceil(len(numbers) / runs) if runs else 0
    return [numbers[start : start + length] for start in range(0, len(numbers), length or 1)]
