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

# Where a QR code would lead nowhere but to the phone that reads it.
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")


def _tabs(access: Access, stage: Stage) -> list[tuple[str, str]]:
    """(URL name, label); the organiser's in the order of an evening, the public's by what people look for."""
    tournament = access.tournament
    has_odds = tournament.state == Tournament.State.RUNNING and tournament.shows_odds and not tournament.is_called_off
    if not access.records:
        return [
            *([("check_in", _("Check-in"))] if access.checks_in else []),
            ("tournament", _("Now")),
            *([("sign_up", _("Sign up"))] if takes_sign_ups(access.tournament) else []),
            ("seating", _("Seating")),
            *([("race", _("Race"))] if not stage.drawn_ahead else []),
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
    race: list[tuple[str, str, Can | None]] = [("race", _("Race"), None)] if not stage.drawn_ahead else []
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
    # On a phone the first four or five are in sight: those of the time before the start, or those of the evening.
    planned = access.tournament.state == Tournament.State.PLANNED
    tabs = [("tournament", _("Overview"), None), *(before + during if planned else during + before), *always]
    return [(name, label) for name, label, right in tabs if right is None or access.may(right)]


def takes_sign_ups(tournament: Tournament) -> bool:
    """Whether there is a sign-up page that is worth looking at: not once it has started."""
    planned = tournament.state == Tournament.State.PLANNED
    return planned and SignUpPage.objects.filter(tournament=tournament).exists()


def summary(access: Access, stage: Stage | None = None, players: int | None = None, rounds: int | None = None) -> str:
    """What is played, in a line of markup: “Individual pairs, 8 players, 7 rounds. Classic”.

    The edition leads to its rules. Counts what the caller did not.
    """
    stage = stage or access.tournament.stages.get()
    if players is None:
        players = access.tournament.entries.exclude(status=Entry.Status.STANDIN).count()
    rounds = access.tournament.rounds.living().count() if rounds is None else rounds
    played = what_is_played(stage, players, rounds)
    if stage.edition not in EDITIONS:
        return f"{played}. {stage.edition}"
    rules = reverse("rules_of", args=[stage.edition])
    return format_html('{}. <a href="{}">{}</a>', played, rules, _(EDITIONS[stage.edition].name))


def posted(request: HttpRequest) -> QueryDict | None:
    """The data for a form: None, an unbound form, unless the page was posted; an empty body is an answer too."""
    return request.POST if request.method == "POST" else None


def organiser_of(request: HttpRequest) -> User:
    """Who is signed in, for the log. For views that loaded their object with a role; a stranger has none."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user


def this_machine(request: HttpRequest) -> str:
    """The host by which the request came, where no other device finds it; else empty."""
    host = request.get_host()
    return host if host.rpartition(":")[0] in THIS_MACHINE or host in THIS_MACHINE else ""


def _plays(request: HttpRequest, access: Access) -> bool:
    """Whether this browser, or this account, is somebody who plays here."""
    if access.entry or access.roles & {PLAYER_LINK, Role.Kind.PLAYER}:
        return True
    held = players_in(request)
    return bool(held) and bool(entries_held(request.user, access.tournament, held))


def render_page(
    request: HttpRequest, access: Access, template: str, *, page: str, title: str, status: int = 200, **context: Any
) -> HttpResponse:
    """A page under the tournament's head. `page` is the URL name of its tab; a `stage` given is not read again."""
    slug = access.tournament.slug
    stage = context.get("stage") or access.tournament.stages.get()
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
