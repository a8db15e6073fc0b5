"""What every page of a tournament shares: its head, its tabs, its CSV link."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rules import EDITIONS
from league.access import Access
from league.models import Stage, User
from league.roles import Can


def _tabs(access: Access) -> list[tuple[str, str]]:
    """(URL name, label); the organiser's in the order of an evening, the public's by what people look for."""
    if not access.records:
        return [
            ("tournament", _("Now")),
            ("seating", _("Seating")),
            ("standings", _("Standings")),
            ("bracket", _("Bracket")),
            ("hands", _("Hands")),
            ("players", _("Players")),
            ("fairness", _("Fairness")),
        ]
    tabs: list[tuple[str, str, Can | None]] = [
        ("tournament", _("Overview"), None),
        ("players", _("Players"), None),
        ("rounds", _("Rounds"), Can.SEE_DRAFTS),
        ("hands", _("Results"), None),
        ("seating", _("Seating"), None),
        ("standings", _("Standings"), None),
        ("bracket", _("Bracket"), None),
        ("fairness", _("Fairness"), None),
        ("prints", _("Prints"), Can.PRINT),
        ("adjustments", _("Adjustments"), Can.CORRECT),
        ("settings", _("Settings"), Can.RUN),
        ("people", _("People"), Can.INVITE),
        ("jobs", _("Jobs"), Can.RUN),
        ("log", _("Log"), Can.SEE_LOG),
    ]
    return [(name, label) for name, label, right in tabs if right is None or access.may(right)]


def summary(access: Access, stage: Stage | None = None, players: int | None = None, rounds: int | None = None) -> str:
    """What is played, in a line of markup: “Individual pairs, 8 players, 7 rounds. Classic”.

    The edition leads to its rules. Counts what the caller did not.
    """
    stage = stage or access.tournament.stages.get()
    players = access.tournament.entries.count() if players is None else players
    rounds = access.tournament.rounds.living().count() if rounds is None else rounds
    parts = [_("Individual pairs")]
    if players:
        parts.append(ngettext("%(count)d player", "%(count)d players", players) % {"count": players})
    if rounds:
        parts.append(ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds})
    if stage.edition not in EDITIONS:
        return f"{', '.join(parts)}. {stage.edition}"
    rules = reverse("rules_of", args=[stage.edition])
    return format_html('{}. <a href="{}">{}</a>', ", ".join(parts), rules, EDITIONS[stage.edition].name)


def posted(request: HttpRequest) -> QueryDict | None:
    """The data for a form: None, an unbound form, unless the page was posted; an empty body is an answer too."""
    return request.POST if request.method == "POST" else None


def organiser_of(request: HttpRequest) -> User:
    """Who is signed in, for the log. For views that loaded their object with a role; a stranger has none."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user


def render_page(
    request: HttpRequest, access: Access, template: str, *, page: str, title: str, status: int = 200, **context: Any
) -> HttpResponse:
    """A page under the tournament's head. `page` is the URL name of its tab."""
    slug = access.tournament.slug
    tabs = [{"key": name, "label": label, "url": reverse(name, args=[slug])} for name, label in _tabs(access)]
    context |= {
        "access": access,
        "tournament": access.tournament,
        "organises": access.organises,
        "page": page,
        "page_title": title,
        "tabs": tabs,
    }
    if "summary" not in context:
        context["summary"] = summary(access)
    return render(request, template, context, status=status)
