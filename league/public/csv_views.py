"""The tables of a tournament as CSV files: the rows that the pages show."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import Access, entry_for, tournament_for
from league.access.rights import Can
from league.access.session_links import players_in
from league.log.search import LogFilter
from league.pages.downloads import csv_file, file_name
from league.public import snapshots
from league.public.tables import EXPORTS, Wanted


@require_safe
def table_csv(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """One table. `?as_of_round=N` counts up to round N; `?all=1` adds, for organisers, voided rows and drafts."""
    access = tournament_for(request.user, slug, Can.SEE_LOG if table == "log" else None, players_in(request))
    try:
        as_of_round = round_asked_for(request, access)
    except ValueError as exc:
        return HttpResponse(f"{exc}\n", status=400, content_type="text/plain; charset=utf-8")
    # E-mail addresses and birthdays are the roster's everything.
    everything = access.organises if table == "players" else access.sees_drafts and request.GET.get("all") == "1"
    wanted = Wanted(as_of_round=as_of_round, everything=everything, log=LogFilter.of(request.GET))
    export = EXPORTS[table]
    name = file_name(access.tournament, table, as_of_round)
    rows = export.rows(access.tournament, wanted)
    return csv_file(request, name, export.columns(wanted), rows, of=access.tournament)


@require_safe
def scorecard_csv(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """The rows of hands.csv of one player."""
    access, entry = entry_for(request.user, slug, public_id, players=players_in(request))
    export, wanted = EXPORTS["hands"], Wanted(player_id=entry.public_id)
    name = file_name(access.tournament, f"hands_{entry.public_id}", None)
    rows = export.rows(access.tournament, wanted)
    return csv_file(request, name, export.columns(wanted), rows, of=access.tournament)


@require_safe
def published_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The record of the last closed round, or of `?as_of_round=N`: its standings as they were frozen then."""
    access = tournament_for(request.user, slug, players=players_in(request))
    try:
        record = snapshots.record_of(access.tournament, round_asked_for(request, access))
    except ValueError as exc:
        return HttpResponse(f"{exc}\n", status=400, content_type="text/plain; charset=utf-8")
    if record is None:
        raise Http404
    name = file_name(access.tournament, "standings_as_published", record.round.number)
    return csv_file(request, name, snapshots.COLUMNS, snapshots.rows_of(record), of=access.tournament)


def round_asked_for(request: HttpRequest, access: Access) -> int | None:
    """The number of a round that the viewer may see, or None when none is asked for. ValueError: a sentence."""
    given = request.GET.get("as_of_round", "")
    if not given:
        return None
    rounds = list(access.rounds().values_list("number", flat=True))
    if given.isascii() and given.isdigit() and len(given) <= 6 and int(given) in rounds:
        return int(given)
    if not rounds:
        raise ValueError(_("No round has been published yet. Leave as_of_round out."))
    first, last = min(rounds), max(rounds)
    raise ValueError(_("as_of_round is the number of a round, %(first)d to %(last)d.") % {"first": first, "last": last})
