"""Serve the seating page and its name search."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import tournament_for
from league.access.session_links import visitor_of
from league.ledger.dealer import first_seats_in
from league.ledger.entered import members_in
from league.ledger.in_words import group_title, second_title
from league.ledger.progress import race_of, to_switch
from league.ledger.progression import SECOND, read_progression
from league.ledger.race import RaceLedger
from league.lib.csv import Row
from league.lib.names import fold
from league.lib.search import MOST_FOUND, matches
from league.lib.translate import names, translate
from league.live import stream as live
from league.models import Round, Table, Tournament
from league.pages.cached_page import cached_page
from league.pages.people_at import people_at
from league.pages.query import current_round, round_in_query
from league.pages.tournament_page import render_page
from league.public import tables as exports
from league.public.pictures.table_plan import DrawnTable, tables_drawn
from league.public.tables import Wanted
from league.rounds.draw import past_rounds
from league.standings import race_in_words
from league.standings import read as ledger
from league.standings.text import text_of


@require_safe
@cached_page("round")
def seating(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    rounds = list(access.rounds().order_by("number"))
    chosen = round_in_query(request, rounds) or current_round(rounds)
    query = request.GET.get("q", "").strip()[:80]
    selection = Wanted(round=chosen.number if chosen else 0, everything=access.sees_drafts)
    rows = list(exports.sitting_rows(access.tournament, selection))
    named = rows if query else []
    hits = [row for row in named if matches(query, row["player"]) or (row["team"] and matches(query, row["team"]))]
    hits.sort(key=lambda row: (not fold(row["player"]).startswith(fold(query)), fold(row["player"])))
    race = race_of(chosen) if chosen else None
    first = first_seats_in(chosen) if chosen else {}
    where = {table.number: table for table in chosen.tables.exclude(state=Table.State.VOID)} if chosen else {}
    headings = _headings(chosen, rows, where) if chosen else {}
    context: dict[str, Any] = {
        "chosen": chosen,
        "query": query,
        "gone": exit_reasons(chosen, race) if chosen else {},
        "left": _eliminated_lines(access.tournament, query, rows) if race and query and not hits else [],
        "found": [answer_of(row, rows, first) for row in hits[:MOST_FOUND]],
        "found_ids": {row["player_id"] for row in hits},
        "found_count": len(hits),
        "online": online_tables(chosen) if chosen else {},
        "headings": headings,
    }
    context |= {"tournament": access.tournament, "people_at": people_at(access)}
    if request.htmx and request.htmx.target == "answer":  # type: ignore[attr-defined]
        response = render(
            request,
            "league/public/seating/_seating_answer.html",
            context,
        )
    else:
        context |= {
            "live_version": version,
            "numbers": [round_.number for round_ in rounds],
            "parts": _parts_of_round(tables_drawn(rows, first=first), headings),
            "where": where,
            "to_switch": to_switch(access, chosen) if chosen else set(),
            "byes": [row["player"] for row in rows if row["table"] == "bye"],
            "reasons": reasons(chosen, rows) if chosen else [],
            "by_name": sorted(rows, key=lambda row: fold(row["player"])),
        }
        response = render_page(
            request, access, "league/public/seating.html", page="seating", title=_("Seating"), **context
        )
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _headings(played: Round, rows: Iterable[Row], where: Mapping[int, Table]) -> dict[int, str]:
    """Return headings by table if parts of the round differ: “Group A”, “Final B”, “Second ladder”."""
    members = members_in(played.stage) if played.stage.groups > 1 else {}
    headings = {number: second_title(played.stage) for number, table in where.items() if table.ladder == SECOND}
    for row in rows:
        if row["table"] != "bye" and (member := members.get(row["player_id"])):
            headings[row["table"]] = group_title(member.group, by_place=played.stage.by_place)
    return headings


def _parts_of_round(drawn: Sequence[DrawnTable], headings: Mapping[int, str]) -> list[tuple[str, list[DrawnTable]]]:
    """Group tables under their headings; a single part has none."""
    parts: dict[str, list[DrawnTable]] = {}
    for table in drawn:
        parts.setdefault(headings.get(table["number"], ""), []).append(table)
    return list(parts.items())


def reasons(chosen: Round, rows: Iterable[Row]) -> list[tuple[int, str]]:
    """Explain each table's seating, if the round depends on earlier results."""
    stage = chosen.stage
    if not (stage.plays.by_points or stage.plays.advances):
        return []
    tables: dict[int, list[str]] = {}
    for row in rows:
        if row["table"] != "bye":
            tables.setdefault(row["table"], []).append(row["player_id"])
    if stage.plays.in_tree:
        return []  # the tree shows it
    if stage.plays.advances:
        return _seeds_in_words(chosen, tables)
    past = past_rounds(stage, before=chosen.number)
    if not past:
        return []
    book = ledger.read(chosen.tournament, stage=stage)
    points = {line.entrant.id: line.total for line in book.standings(as_of_round=chosen.number - 1)}
    explained = ((number, stage.plays.why(table, points, past)) for number, table in sorted(tables.items()))
    return [(number, translate(why)) for number, why in explained if why is not None]


def _seeds_in_words(chosen: Round, tables: Mapping[int, Sequence[str]]) -> list[tuple[int, str]]:
    """For each table, list the placings (in the previous round or the cut) that its players qualified with."""
    stage = chosen.stage
    if chosen.number > stage.rounds_before + 1:
        state = read_progression(chosen.tournament, stage).state_at(chosen.number - 1)
        ladders: list[Sequence[str]] = [state.still_in, state.second_ladder]
        words = _("Seeds %(seeds)s of %(players)d, by current places and points in the round before.")
    else:
        members = members_in(stage)
        ladders = [[one for one in members if members[one].ladder == ladder] for ladder in (1, SECOND)]
        words = _("Seeds %(seeds)s of %(players)d by the cut.")
    seeded = []
    for number, table in sorted(tables.items()):
        order = next((ladder for ladder in ladders if set(table) <= set(ladder)), None)
        if order is not None and len(tables) > 1:
            seeds = sorted(order.index(player) + 1 for player in table)
            seeded.append((number, words % {"seeds": names(map(str, seeds)), "players": len(order)}))
    return seeded


def exit_reasons(chosen: Round, race: RaceLedger | None) -> dict[str, str]:
    """Return {player_id: why they no longer play} for seats in a round without a stand-in."""
    if race is not None:
        return race_in_words.gone_in_round(race.state, chosen.number)
    return text_of(ledger.read(chosen.tournament)).gone(chosen.number) if chosen.stage.plays.adds_up else {}


def online_tables(played: Round) -> dict[int, int]:
    """Return {number: key} of the online tables of an open round."""
    online = played.tables.filter(mode=Table.Mode.ONLINE) if played.is_open else Table.objects.none()
    return dict(online.values_list("number", "pk"))


def _eliminated_lines(tournament: Tournament, query: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return standings of eliminated players in a race whose names match."""
    seated = {row["player_id"] for row in rows}
    lines = ledger.read(tournament).standings()
    return [
        {"standing": line, "words": race_in_words.left_in_words(line, with_table=True)}
        for line in lines
        if line.out_in_round is not None and line.entrant.id not in seated and matches(query, line.entrant.name)
    ][:MOST_FOUND]


def answer_of(row: Mapping[str, Any], rows: Iterable[Row], first: Mapping[int, int]) -> dict[str, Any]:
    """Describe where a player sits, with and against which players. first: by table, the seat that deals first."""
    together = [other for other in rows if other["table"] == row["table"] and other["player_id"] != row["player_id"]]
    against = [other["player"] for other in together if other["player_id"] != row["partner_id"]]
    return {
        "row": row,
        "bye": row["table"] == "bye",
        "against": against,
        "against_team": next((other["team"] for other in together), "") if row["team"] else "",
        "deals": row["table"] in first and row["seat"] == first[row["table"]],
    }
