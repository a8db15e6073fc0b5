"""More: what is needed once in a while, each with a sentence on what it is for."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import tournament_for
from league.access.rights import Can
from league.access.session_links import players_in
from league.calendar import views as calendar
from league.pages.downloads import has_mark
from league.pages.tournament_page import render_page


class Row(NamedTuple):
    name: str
    title: str
    about: str


@require_safe
def more(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, players=players_in(request))
    rows = [
        (Can.PRINT, Row("codes", _("Codes"), _("For tables, players, screen and sign-up: to scan, print and send"))),
        (Can.PRINT, Row("prints", _("Prints"), _("Seating, score slips, standings and place cards on paper"))),
        (Can.SHOW, Row("hall_screen", _("Screen"), _("Seats, standings and the clock on the wall of the hall"))),
        (Can.INVITE, Row("people", _("Helpers"), _("Who enters hands, checks players in or runs it with you"))),
        (
            Can.RUN,
            Row("settings", _("Settings"), _("Name, day, rules, who sees it; calling it off, ending it, deleting it")),
        ),
        (Can.RUN, Row("stages", _("Stages"), _("Groups, what is played after them, and who goes on"))),
        (Can.SEE_LOG, Row("log", _("Log"), _("Everything that was done, by whom and when"))),
        (Can.RUN, Row("jobs", _("Export"), _("All tables in one file, and what the service computes"))),
    ]
    tables = [
        ("standings_csv", _("Standings")),
        ("seating_csv", _("Seating")),
        ("hands_csv", _("Hands")),
        ("rounds_csv", _("Rounds")),
        ("adjustments_csv", _("Adjustments")),
        ("events_csv", _("Who came and went")),
        ("fairness_csv", _("Who met whom")),
    ]
    context: dict[str, Any] = {
        "calendar": calendar.of_tournament(request, access),
        "rows": [row for right, row in rows if access.may(right)],
        "tables": tables,
        "has_mark": has_mark(request),
    }
    return render_page(request, access, "league/public/more.html", page="more", title=_("More"), **context)
