"""The head and the navigation that all pages of a tournament share."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from engine.rules import EDITIONS
from league import hooks
from league.access import Access, club_of, entries_held
from league.access.rights import PLAYER_LINK
from league.access.session_links import visitor_of
from league.ledger.entered import playing_in
from league.ledger.in_words import what_is_played
from league.models import Role, Stage, Table, Tournament, User
from league.pages import places
from league.pages.people_at import opens_sheets, people_at

# On a phone these hosts mean the phone itself, so a QR code of them is useless.
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")


def summary(access: Access, stage: Stage | None = None, players: int | None = None, rounds: int | None = None) -> str:
    """Return the format in one line of markup: “Individual pairs, 8 players, 7 rounds. Classic”.

    The edition links to its rules. Counts players and rounds unless they are given.
    """
    stage = stage or access.tournament.stage_shown
    if players is None:
        players = playing_in(stage).count()
    if rounds is None:
        rounds = access.tournament.rounds.living().filter(stage__number__lte=stage.number).count()
    played = what_is_played(stage, players, rounds, _tables_today(access.tournament, stage))
    if stage.edition not in EDITIONS:
        return f"{played}. {stage.edition}"
    rules = reverse("rules_of", args=[stage.edition])
    return format_html('{}. <a href="{}">{}</a>', played, rules, _(EDITIONS[stage.edition].name))


def _tables_today(tournament: Tournament, stage: Stage) -> int:
    """Return the number of tables in the newest round; 0 for formats where it follows from the players."""
    plays = stage.plays
    if tournament.state != Tournament.State.RUNNING or stage.drawn_ahead or plays.eliminates or plays.advances:
        return 0
    newest = tournament.rounds.shown().filter(stage=stage).order_by("-number").first()
    return newest.tables.exclude(state=Table.State.VOID).count() if newest else 0


def posted_data(request: HttpRequest) -> QueryDict | None:
    """Return the form data; None unless the page was posted. An empty body is data too."""
    return request.POST if request.method == "POST" else None


def organiser_of(request: HttpRequest) -> User:
    """Return the signed-in account, for the log. Use it in views that require a role."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user


def this_machine(request: HttpRequest) -> str:
    """Return the host of the request if other devices can't reach it, otherwise empty."""
    host = request.get_host()
    return host if host.rpartition(":")[0] in THIS_MACHINE or host in THIS_MACHINE else ""


def plays_here(request: HttpRequest, access: Access) -> bool:
    """Return whether this browser or account plays here."""
    if access.entry or access.roles & {PLAYER_LINK, Role.Kind.PLAYER}:
        return True
    visitor = visitor_of(request)
    return bool(visitor.players) and bool(entries_held(visitor, access.tournament))


def render_page(
    request: HttpRequest, access: Access, template: str, *, page: str, title: str, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page with the tournament's head. page: name of its URL.

    A `stage` in the context saves a query, and so does `needs_you`, the number of items in the viewer's inbox.
    """
    stage = context.get("stage") or access.tournament.stage_shown
    plays = plays_here(request, access)
    needs_you = context.pop("needs_you") if "needs_you" in context else hooks.count_inbox(access)
    club = club_of(access.tournament.club_id, request.user)
    context |= {
        "access": access,
        "tournament": access.tournament,
        "organises": access.organises,
        "plays": plays,
        "has_teams": stage.has_teams,
        "of_club": club,
        # The head names the club in front of the place: “Café Ludo. Lyon”, not “Café Ludo. Café Ludo, Lyon”.
        "place": access.tournament.place.removeprefix(club.name if club else "").lstrip(", "),
        "page": page,
        "page_title": title,
        "nav": places.of_tournament(access, stage, page, plays=plays, count=needs_you),
        "people_at": people_at(access),
        "opens_sheets": opens_sheets(access),
    }
    if "summary" not in context:
        context["summary"] = summary(access, stage)
    return render(request, template, context, status=status)
