"""Serve the standings, the hands, and a player's scorecard."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import entry_for, tournament_for
from league.access.session_links import visitor_of
from league.formats.cut import cut_in_words
from league.ledger.in_words import group_title, rounds_in_all, stage_title
from league.lib.translate import translate
from league.live import stream as live
from league.models import Stage
from league.pages.cached_page import cached_page
from league.pages.query import current_round, number_in_query, round_in_query
from league.pages.tournament_page import render_page, summary
from league.public import snapshots
from league.public.csv_views import begun_stages
from league.public.hand_rows import tables_with_hands
from league.public.scorecard import card_of
from league.public.standings_lines import Line, standing_lines
from league.standings import read as ledger
from league.standings.amendments_in_words import sentences_of
from league.standings.ranking import Standing
from league.standings.team_members import member_rows, members_in_lines, names_in_teams
from league.standings.text import text_of
from league.standings.tie_breaks import TIE_BREAKS


@require_safe
@cached_page("as_of_round", "stage")
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    stage = number_in_query(request, "stage")
    if stage is not None and stage not in begun_stages(access):
        raise Http404
    of_stage = access.tournament.stages.get(number=stage) if stage is not None else None
    book = ledger.read(access.tournament, stage=of_stage)
    chosen = round_in_query(request, book.rounds, "as_of_round")
    as_of_round = chosen.number if chosen else book.last_round
    page_round = next((round_ for round_ in book.rounds if round_.number == as_of_round), None)
    played = [
        round_.number for round_ in book.rounds if book.last_round is not None and round_.number <= book.last_round
    ]
    lines, stages = book.standings(as_of_round), list(access.tournament.stages.all())
    members = list(member_rows(access.tournament, as_of_round)) if book.stage.has_teams else []
    still_open = page_round is not None and page_round.is_open
    to_go = max((rounds_in_all(book.stage, book.planned) or 0) - (book.last_round or 0), 0)
    text = text_of(book)
    is_newest = as_of_round == book.last_round and text.adds_up and not access.tournament.is_final
    to_come = is_newest and bool(to_go or still_open)
    context: dict[str, Any] = {
        "live_version": version,
        "as_of_round": as_of_round,
        "chosen": chosen,
        "played": played,
        "still_open": still_open,
        "has_results": bool(book.rows or book.adjustments),
        "nothing_yet": _nothing_yet(book),
        "entry_name": _(book.stage.plays.entry_name),
        "hands_column": text.adds_up and _hands_differ(lines),
        "round_column": as_of_round is not None and text.has_round_points,
        "columns": [TIE_BREAKS[code] for code in book.tie_breaks],
        "parts": _parts(
            book, standing_lines(text, lines, as_of_round, played, names_in_teams(members), to_come=to_come)
        ),
        "stages": _stages_to_choose(stages, book.stage),
        "of_stage": stage,
        "advances": _who_advances(stages, book.stage),
        "to_go": to_go if to_come else 0,
        "members": members_in_lines(members),
        "lot_seed": book.stage.lot_seed if "lot" in book.tie_breaks else "",
        "amendments": sentences_of(book.stage, access.tournament.zone),
        "stage": book.stage,
        "summary": summary(access, book.stage, book.players, book.planned),
        "record": snapshots.last_record(page_round) if page_round else None,
        "order": text.order(as_of_round),
        "ties": text.ties(lines),
    }
    return render_page(
        request, access, "league/public/standings.html", page="standings", title=_("Standings"), **context
    )


def _parts(book: ledger.Ledger, lines: Sequence[Line]) -> list[tuple[str, list[Line]]]:
    """Group lines under headings: each group, then entries that did not advance; a single part has none."""
    here = [line for line in lines if not line.standing.stage]
    parts = [("", here)]
    if book.groups:
        parts = [
            (group_title(group, by_place=book.stage.by_place), [line for line in here if line.standing.group == group])
            for group in book.groups
        ]
    if stayed := [line for line in lines if line.standing.stage]:
        parts.append((_("Did not advance"), stayed))
    return parts


def _nothing_yet(book: ledger.Ledger) -> str:
    """Return the text before the first hand."""
    count = len(book.entrants)
    if not count:
        return _("Standings appear here with the first hand.")
    if book.stage.has_teams:
        words = ngettext(
            "%(count)s team starts from 0. Standings appear here with the first hand.",
            "%(count)s teams start from 0. Standings appear here with the first hand.",
            count,
        )
    else:
        words = ngettext(
            "%(count)s player starts from 0. Standings appear here with the first hand.",
            "%(count)s players start from 0. Standings appear here with the first hand.",
            count,
        )
    return words % {"count": count}


def _hands_differ(lines: Sequence[Standing]) -> bool:
    """Return whether ranked players have played different numbers of hands."""
    return len({line.hands_played for line in lines if line.rank is not None and not line.stage}) > 1


def _stages_to_choose(stages: Sequence[Stage], shown: Stage) -> list[tuple[Stage, str, bool]]:
    """Return the begun stages with titles and whether each is selected; empty if there is only one."""
    begun = [stage for stage in stages if stage.started_at is not None]
    return [(stage, stage_title(stage), stage.pk == shown.pk) for stage in begun] if len(begun) > 1 else []


def _who_advances(stages: Sequence[Stage], stage: Stage) -> str:
    """Return “The best 2 of each group advance: Heats and a final.”, or "" for the last stage."""
    after = next((later for later in stages if later.number == stage.number + 1), None)
    if after is None:
        return ""
    if after.takes is not None:
        who = translate(cut_in_words(after.takes, stage.groups, after.finals))
    else:
        who = _("Everyone advances")
    return _("%(who)s: %(what)s.") % {"who": who, "what": _(after.plays.name)}


@require_safe
@cached_page("round")
def hands(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hands of one round by table. Organisers may include undone hands."""
    access = tournament_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    rounds = list(access.tournament.rounds.shown().select_related("stage").order_by("number"))
    chosen = round_in_query(request, rounds) or current_round(rounds)
    everything = access.corrects and request.GET.get("all") == "1"
    context: dict[str, Any] = {
        "numbers": [round_.number for round_ in rounds],
        "chosen": chosen,
        "tables": tables_with_hands(chosen, everything=everything) if chosen else [],
        "everything": everything,
        "partners": chosen is not None and chosen.stage.has_partners,
        "against": chosen is not None and chosen.stage.lowest_wins,
        "live_version": version,
    }
    return render_page(request, access, "league/public/hands.html", page="hands", title=_("Hands"), **context)


@require_safe
def scorecard(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(visitor_of(request), slug, public_id)
    version = live.version_of(access.tournament)
    return render_page(
        request,
        access,
        "league/public/scorecard.html",
        page="players",
        title=entry.name,
        entry=entry,
        card=card_of(access.tournament, entry),
        live_version=version,
    )
