"""Serve the More page, and a tournament's tables as CSV files."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import Access, entry_for, tournament_for
from league.access.rights import Can
from league.access.session_links import visitor_of
from league.calendar import views as calendar
from league.log.search import LogFilter
from league.pages.downloads import download, file_name
from league.pages.links import Link
from league.pages.tournament_page import render_page
from league.public import snapshots
from league.public.tables import EXPORTS, Wanted


class Entry(NamedTuple):
    """An entry of More with its pages. If it has one page, the whole line links there."""

    title: str
    about: str
    pages: Sequence[Link]


def _entries(access: Access) -> list[Entry]:
    """Return the entries with at least one page that the viewer may open."""

    def pages(*wanted: tuple[Can, str, str]) -> list[Link]:
        slug = access.tournament.slug
        return [Link(label, reverse(name, args=[slug])) for right, name, label in wanted if access.may(right)]

    entries = [
        Entry(_("Announce"), _("On every page and screen"), pages((Can.CORRECT, "announce", _("Announce")))),
        Entry(
            _("Hand out"),
            "",
            pages(
                (Can.PRINT, "codes", _("QR codes")),
                (Can.PRINT, "prints", _("Print")),
                (Can.SHOW, "hall_screen", _("Screen")),
            ),
        ),
        Entry(_("Helpers"), "", pages((Can.INVITE, "people", _("Helpers")))),
        Entry(
            _("Settings"),
            "",
            pages((Can.RUN, "settings", _("Settings")), (Can.RUN, "stages", _("Stages"))),
        ),
        Entry(_("Log"), _("Who did what, and when"), pages((Can.SEE_LOG, "log", _("Log")))),
        Entry(_("Export"), _("All data in one file"), pages((Can.RUN, "jobs", _("Export")))),
        Entry(
            _("Repeat this tournament"),
            _("Once or every week"),
            pages((Can.RUN, "series", _("Repeat this tournament"))),
        ),
    ]
    return [entry for entry in entries if entry.pages]


@require_safe
def more(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    tables = [
        ("standings_csv", _("Standings")),
        ("seating_csv", _("Seating")),
        ("hands_csv", _("Hands")),
        ("rounds_csv", _("Rounds")),
        ("adjustments_csv", _("Points adjustments")),
        ("events_csv", _("Joined and left")),
        ("fairness_csv", _("Who played whom")),
    ]
    context: dict[str, Any] = {
        "calendar": calendar.of_tournament(request, access),
        "entries": _entries(access),
        "tables": tables,
    }
    return render_page(request, access, "league/public/more.html", page="more", title=_("More"), **context)


@require_safe
def table_csv(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """Download one table. `?as_of_round=N` counts rounds up to N; `?stage=N` selects the standings of a stage.
    `?all=1` adds voided rows and drafts for organisers.
    """
    access = tournament_for(visitor_of(request), slug, Can.SEE_LOG if table == "log" else None)
    try:
        as_of_round, stage = requested_round(request, access), requested_stage(request, access)
    except ValueError as exc:
        return HttpResponse(f"{exc}\n", status=400, content_type="text/plain; charset=utf-8")
    # The full roster has e-mail addresses and birthdays, so only organisers get it.
    everything = access.organises if table == "players" else access.sees_drafts and request.GET.get("all") == "1"
    selection = Wanted(
        as_of_round=as_of_round,
        everything=everything,
        log=LogFilter.of(request.GET),
        stage=stage,
        at_the_door=access.checks_in,
    )
    export = EXPORTS[table]
    name = file_name(access.tournament, table, as_of_round)
    rows = export.rows(access.tournament, selection)
    return download(request, name, export.columns(selection), rows, of=access.tournament)


@require_safe
def scorecard_csv(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Download one player's rows of hands.csv."""
    access, entry = entry_for(visitor_of(request), slug, public_id)
    export, selection = EXPORTS["hands"], Wanted(player_id=entry.public_id)
    name = file_name(access.tournament, f"hands_{entry.public_id}", None)
    rows = export.rows(access.tournament, selection)
    return download(request, name, export.columns(selection), rows, of=access.tournament)


@require_safe
def published_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the frozen standings of the last closed round, or of `?as_of_round=N`."""
    access = tournament_for(visitor_of(request), slug)
    try:
        record = snapshots.record_of(access.tournament, requested_round(request, access))
    except ValueError as exc:
        return HttpResponse(f"{exc}\n", status=400, content_type="text/plain; charset=utf-8")
    if record is None:
        raise Http404
    name = file_name(access.tournament, "standings_as_published", record.round.number)
    return download(request, name, snapshots.COLUMNS, snapshots.rows_of(record), of=access.tournament)


def requested_round(request: HttpRequest, access: Access) -> int | None:
    """Return the number in `?as_of_round=`, or None without one. Raises ValueError with a message if the viewer can't
    see that round.
    """
    text = request.GET.get("as_of_round", "")
    if not text:
        return None
    rounds = list(access.rounds().values_list("number", flat=True))
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) in rounds:
        return int(text)
    if not rounds:
        raise ValueError(_("No round is published yet. Leave out as_of_round."))
    first, last = min(rounds), max(rounds)
    raise ValueError(
        _("as_of_round must be a round number from %(first)d to %(last)d.") % {"first": first, "last": last}
    )


def begun_stages(access: Access) -> list[int]:
    """Return the numbers of stages with public content. The players of a stage in draft aren't public."""
    stages = access.tournament.stages.filter(Q(number=1) | Q(started_at__isnull=False))
    return list(stages.values_list("number", flat=True))


def requested_stage(request: HttpRequest, access: Access) -> int | None:
    """Return the number in `?stage=`, or None without one. Raises ValueError with a message."""
    text = request.GET.get("stage", "")
    if not text:
        return None
    stages = begun_stages(access)
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) in stages:
        return int(text)
    raise ValueError(_("stage must be a stage number from 1 to %(last)d.") % {"last": stages[-1]})
