"""What every page of a tournament shares: its head, its tabs, its CSV link."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from engine.rules import EDITIONS
from league.access import Access, club_of, entries_held
from league.access.rights import PLAYER_LINK, Can
from league.access.session_links import players_in
from league.ledger.in_words import what_is_played
from league.models import Entry, Role, SignUpPage, Stage, Tournament, User

# Hosts that on a phone lead only to the phone itself, so that a QR code of them is useless.
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")


def _tabs(access: Access, stage: Stage) -> list[tuple[str, str]]:
    """(URL name, label); organisers' tabs in the order of an evening, public ones by what people look for."""
    tournament = access.tournament
    has_odds = tournament.state == Tournament.State.RUNNING and tournament.shows_odds and not tournament.is_called_off
    if not access.records:
        return [
            *([("check_in", _("Check-in"))] if access.checks_in else []),
            ("tournament", _("Now")),
            *([("sign_up", _("Sign up"))] if takes_sign_ups(access.tournament) else []),
            ("seating", _("Seating")),
            *([("race", _("Race"))] if stage.plays.race_page else []),
            ("standings", _("Standings")),
            *([("odds", _("Odds"))] if has_odds else []),
            ("bracket", _("Bracket")),
            ("hands", _("Hands")),
            ("players", _("Teams") if stage.has_teams else _("Players")),
            ("fairness", _("Fairness")),
            *([("hall_screen", _("Screen"))] if access.may(Can.SHOW) else []),
        ]
    before: list[tuple[str, str, Can | None]] = [
        ("players", _("Teams") if stage.has_teams else _("Players"), None),
        ("sign_up_settings", _("Sign-up"), Can.RUN),
        ("check_in", _("Check-in"), Can.CHECK_IN),
    ]
    race: list[tuple[str, str, Can | None]] = [("race", _("Race"), None)] if stage.plays.race_page else []
    odds: list[tuple[str, str, Can | None]] = [("odds", _("Odds"), None)] if has_odds else []
    during: list[tuple[str, str, Can | None]] = [
        ("hands", _("Results"), None),
        ("seating", _("Seating"), None),
        *race,
        ("standings", _("Standings"), None),
        ("rounds", _("Rounds"), Can.SEE_DRAFTS),
        ("day", _("The day"), Can.CORRECT),
        ("prints", _("Prints"), Can.PRINT),
        ("hall_screen", _("Screen"), Can.SHOW),
        ("bracket", _("Bracket"), None),
        *odds,
    ]
    always: list[tuple[str, str, Can | None]] = [
        ("adjustments", _("Adjustments"), Can.CORRECT),
        ("fairness", _("Fairness"), None),
        ("settings", _("Settings"), Can.RUN),
        ("people", _("People"), Can.INVITE),
        ("jobs", _("Jobs"), Can.RUN),
        ("log", _("Log"), Can.SEE_LOG),
    ]
    # A phone shows the first four or five: before the start those of that time, later those of the evening.
    planned = access.tournament.state == Tournament.State.PLANNED
    tabs = [("tournament", _("Overview"), None), *(before + during if planned else during + before), *always]
    return [(name, label) for name, label, right in tabs if right is None or access.may(right)]


def takes_sign_ups(tournament: Tournament) -> bool:
    """Whether the tournament has a sign-up page and has not started."""
    planned = tournament.state == Tournament.State.PLANNED
    return planned and SignUpPage.objects.filter(tournament=tournament).exists()


def summary(access: Access, stage: Stage | None = None, players: int | None = None, rounds: int | None = None) -> str:
    """What is played, in a line of markup: “Individual pairs, 8 players, 7 rounds. Classic”.

    The edition links to its rules. Counts players and rounds that the caller did not.
    """
    stage = stage or access.tournament.stage
    if players is None:
        players = access.tournament.entries.exclude(status=Entry.Status.STANDIN).count()
    rounds = access.tournament.rounds.living().count() if rounds is None else rounds
    played = what_is_played(stage, players, rounds)
    if stage.edition not in EDITIONS:
        return f"{played}. {stage.edition}"
    rules = reverse("rules_of", args=[stage.edition])
    return format_html('{}. <a href="{}">{}</a>', played, rules, _(EDITIONS[stage.edition].name))


def posted_data(request: HttpRequest) -> QueryDict | None:
    """The data for a form; None, for an unbound form, unless the page was posted. An empty body is data too."""
    return request.POST if request.method == "POST" else None


def organiser_of(request: HttpRequest) -> User:
    """The signed-in account, for the log. For views that loaded their object with a role, which no stranger has."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user


def this_machine(request: HttpRequest) -> str:
    """The host of the request if no other device finds it, else empty."""
    host = request.get_host()
    return host if host.rpartition(":")[0] in THIS_MACHINE or host in THIS_MACHINE else ""


def _plays(request: HttpRequest, access: Access) -> bool:
    """Whether this browser or account is somebody who plays here."""
    if access.entry or access.roles & {PLAYER_LINK, Role.Kind.PLAYER}:
        return True
    players = players_in(request)
    return bool(players) and bool(entries_held(request.user, access.tournament, players))


def render_page(
    request: HttpRequest, access: Access, template: str, *, page: str, title: str, status: int = 200, **context: Any
) -> HttpResponse:
    """A page with the tournament's head and tabs. `page` is the URL name of its tab; with a `stage` it reads none."""
    slug = access.tournament.slug
    stage = context.get("stage") or access.tournament.stage
    pages = _tabs(access, stage)
    if plays := _plays(request, access):
        pages.insert(len(pages) if access.records else 0, ("my_table", _("My table")))
    tabs = [{"key": name, "label": label, "url": reverse(name, args=[slug])} for name, label in pages]
    context |= {
        "access": access,
        "tournament": access.tournament,
        "organises": access.organises,
        "plays": plays,
        "has_teams": stage.has_teams,
        "of_club": club_of(access.tournament.club_id, request.user),
        "page": page,
        "page_title": title,
        "tabs": tabs,
    }
    if "summary" not in context:
        context["summary"] = summary(access, stage)
    return render(request, template, context, status=status)
