"""Pages that anybody may look at: seating, standings, hands."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import tournament_for
from league.access.session_links import players_in
from league.formats import progression
from league.formats.cut import cut_in_words
from league.ledger.dealer import first_seats_in
from league.ledger.entered import members_in
from league.ledger.in_words import group_title, rounds_in_all, second_title
from league.ledger.progress import race_of, to_switch
from league.ledger.progression import SECOND, read_progression
from league.ledger.race import RaceLedger
from league.lib import charts
from league.lib.csv import Row
from league.lib.search import fold, matches
from league.lib.translate import figure, names, translate
from league.live import stream as live
from league.models import Entry, Round, Seat, Stage, Table, Tournament
from league.pages.asked import asked_number, asked_round, current_round
from league.pages.kept import kept
from league.pages.tournament_page import render_page, summary
from league.public import snapshots
from league.public import tables as exports
from league.public.csv_views import begun_stages
from league.public.hand_rows import tables_with_hands
from league.public.standings_line import Line
from league.public.table_plan import tables_drawn
from league.public.tables import Wanted
from league.rounds.draw import past_rounds
from league.standings import progression_in_words, race_in_words, ties_in_words
from league.standings import read as ledger
from league.standings.amendments_in_words import sentences_of
from league.standings.ranking import Standing
from league.standings.team_members import member_rows, members_in_lines, names_in_teams
from league.standings.tie_breaks import TIE_BREAKS

MOST_FOUND = 12  # answers to a search for a name; if there are more, it is better to type on
SPARK_ROUNDS = 10


@require_safe
@kept("round")
def seating(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.rounds().order_by("number"))
    chosen = asked_round(request, rounds) or current_round(rounds)
    query = request.GET.get("q", "").strip()[:80]
    selection = Wanted(round=chosen.number if chosen else 0, everything=access.sees_drafts)
    rows = list(exports.sitting_rows(access.tournament, selection))
    hits = [row for row in rows if matches(query, row["player"]) or (row["team"] and matches(query, row["team"]))]
    hits.sort(key=lambda row: (not fold(row["player"]).startswith(fold(query)), fold(row["player"])))
    race = race_of(chosen) if chosen else None
    first = first_seats_in(chosen) if chosen else {}
    context: dict[str, Any] = {
        "chosen": chosen,
        "query": query,
        "partners": chosen is not None and chosen.stage.has_partners,
        "gone": exit_reasons(chosen, race) if chosen else {},
        "left": _eliminated_lines(access.tournament, query, rows) if race and query and not hits else [],
        "found": [answer_of(row, rows, first) for row in hits[:MOST_FOUND]],
        "found_ids": {row["player_id"] for row in hits},
        "found_count": len(hits),
        "online": online_tables(chosen) if chosen else {},
    }
    if request.htmx and request.htmx.target == "answer":  # type: ignore[attr-defined]
        response = render(
            request, "league/public/seating/_seating_answer.html", context | {"tournament": access.tournament}
        )
    else:
        where = {table.number: table for table in chosen.tables.exclude(state=Table.State.VOID)} if chosen else {}
        context |= {
            "live_version": version,
            "numbers": [round_.number for round_ in rounds],
            "parts": _parts_of_round(chosen, tables_drawn(rows, first=first), where) if chosen else [],
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


def _parts_of_round(
    played: Round, drawn: Sequence[dict[str, Any]], where: Mapping[int, Table]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """The tables under their headings: group by group, or first and second ladder; of one part it has none."""
    members = members_in(played.stage) if played.stage.groups > 1 else {}
    parts: dict[str, list[dict[str, Any]]] = {}
    for table in drawn:
        heading = ""
        if member := next(filter(None, (members.get(seat["player_id"]) for seat in table["seats"])), None):
            heading = group_title(member.group, by_place=played.stage.by_place)
        elif (there := where.get(table["number"])) and there.ladder == SECOND:
            heading = second_title(played.stage)
        parts.setdefault(heading, []).append(table)
    return list(parts.items())


def reasons(chosen: Round, rows: Iterable[Row]) -> list[tuple[int, str]]:
    """Why those at each table sit together, by its number, where a round is drawn from what was before it."""
    stage = chosen.stage
    if not (stage.plays.by_points or stage.plays.advances):
        return []
    tables: dict[int, list[str]] = {}
    for row in rows:
        if row["table"] != "bye":
            tables.setdefault(row["table"], []).append(row["player_id"])
    if stage.plays.in_tree:
        return []  # the tree says it
    if stage.plays.advances:
        return _seeds_in_words(chosen, tables)
    past = past_rounds(stage, before=chosen.number)
    if not past:
        return []
    book = ledger.read(chosen.tournament, stage=stage)
    points = {line.entrant.id: line.total for line in book.standings(as_of_round=chosen.number - 1)}
    said = ((number, stage.plays.why(table, points, past)) for number, table in sorted(tables.items()))
    return [(number, translate(why)) for number, why in said if why is not None]


def _seeds_in_words(chosen: Round, tables: Mapping[int, Sequence[str]]) -> list[tuple[int, str]]:
    """By which places in the round before, or in the cut, those at each table came to it."""
    stage = chosen.stage
    if chosen.number > stage.rounds_before + 1:
        state = read_progression(chosen.tournament, stage).state_at(chosen.number - 1)
        ladders: list[Sequence[str]] = [state.still_in, state.beside]
        words = _("Seeds %(seeds)s of %(players)d, by places and points in the round before as they are now.")
    else:
        members = members_in(stage)
        ladders = [[one for one in members if members[one].ladder == ladder] for ladder in (1, SECOND)]
        words = _("Seeds %(seeds)s of %(players)d by the cut.")
    found = []
    for number, table in sorted(tables.items()):
        order = next((ladder for ladder in ladders if set(table) <= set(ladder)), None)
        if order is not None and len(tables) > 1:
            seeds = sorted(order.index(player) + 1 for player in table)
            found.append((number, words % {"seeds": names(map(str, seeds)), "players": len(order)}))
    return found


def exit_reasons(chosen: Round, race: RaceLedger | None) -> dict[str, str]:
    """{player_id: why they play no more} of those who have a seat in a round and nobody to stand in."""
    if race is not None:
        return race_in_words.gone_in_round(race.state, chosen.number)
    return dropout_reasons(chosen.number, ledger.read(chosen.tournament)) if chosen.stage.plays.adds_up else {}


def dropout_reasons(number: int, book: ledger.Ledger) -> dict[str, str]:
    """{player_id: “dropped out”} of those whose tables play on without them, in an open round of a points race."""
    if not any(round_.number == number and round_.is_open for round_ in book.rounds):
        return {}
    return {entrant.id: _("dropped out") for entrant in book.entrants if entrant.status == Entry.Status.DROPPED}


def online_tables(played: Round) -> dict[int, int]:
    """{number: key} of the tables of an open round that are played online."""
    online = played.tables.filter(mode=Table.Mode.ONLINE) if played.is_open else Table.objects.none()
    return dict(online.values_list("number", "pk"))


def _eliminated_lines(tournament: Tournament, query: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The standings of players in a race whose names match and who have no seat any more."""
    seated = {row["player_id"] for row in rows}
    lines = ledger.read(tournament).standings()
    return [
        {"standing": line, "words": race_in_words.left_in_words(line, with_table=True)}
        for line in lines
        if line.out_in_round is not None and line.entrant.id not in seated and matches(query, line.entrant.name)
    ][:MOST_FOUND]


def answer_of(row: Mapping[str, Any], rows: Iterable[Row], first: Mapping[int, int]) -> dict[str, Any]:
    """Where somebody sits, with whom and against whom. first: by table, the seat that deals first."""
    together = [other for other in rows if other["table"] == row["table"] and other["player_id"] != row["player_id"]]
    against = [other["player"] for other in together if other["player_id"] != row["partner_id"]]
    return {
        "row": row,
        "bye": row["table"] == "bye",
        "against": against,
        "against_team": next((other["team"] for other in together), "") if row["team"] else "",
        "deals": row["table"] in first and row["seat"] == first[row["table"]],
    }


@require_safe
@kept("as_of_round", "stage")
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    stage = asked_number(request, "stage")
    if stage is not None and stage not in begun_stages(access):
        raise Http404
    of_stage = access.tournament.stages.get(number=stage) if stage is not None else None
    book = ledger.read(access.tournament, stage=of_stage)
    chosen = asked_round(request, book.rounds, "as_of_round")
    as_of_round = chosen.number if chosen else book.last_round
    page_round = next((round_ for round_ in book.rounds if round_.number == as_of_round), None)
    played = [
        round_.number for round_ in book.rounds if book.last_round is not None and round_.number <= book.last_round
    ]
    lines, stages = book.standings(as_of_round), list(access.tournament.stages.all())
    members = list(member_rows(access.tournament, as_of_round)) if book.stage.has_teams else []
    still_open = page_round is not None and page_round.is_open
    to_go = max((rounds_in_all(book.stage, book.planned) or 0) - (book.last_round or 0), 0)
    adds_up = book.race is None and book.progression is None
    is_newest = as_of_round == book.last_round and adds_up and not access.tournament.is_final
    to_come = is_newest and bool(to_go or still_open)
    context: dict[str, Any] = {
        "live_version": version,
        "as_of_round": as_of_round,
        "chosen": chosen,
        "played": played,
        "still_open": still_open,
        "has_results": bool(book.rows or book.adjustments),
        "entrants": book.entrants,
        "round_column": as_of_round is not None and book.progression is None,
        "columns": [TIE_BREAKS[code] for code in book.tie_breaks],
        "parts": _parts(
            book, _standing_lines(book, lines, as_of_round, played, names_in_teams(members), to_come=to_come)
        ),
        "stages": _stages_to_choose(stages, book.stage),
        "of_stage": stage,
        "goes_on": _who_goes_on(stages, book.stage),
        "to_go": to_go if to_come else 0,
        "members": members_in_lines(members),
        "lot_seed": book.stage.lot_seed if "lot" in book.tie_breaks else "",
        "amendments": sentences_of(book.stage, access.tournament.zone),
        "stage": book.stage,
        "summary": summary(access, book.stage, book.players, book.planned),
        "record": snapshots.last_record(page_round) if page_round else None,
        **_order_and_ties(book, lines, as_of_round),
    }
    return render_page(
        request, access, "league/public/standings.html", page="standings", title=_("Standings"), **context
    )


def _parts(book: ledger.Ledger, lines: Sequence[Line]) -> list[tuple[str, list[Line]]]:
    """The lines under their headings: group by group, then those who did not go on; of one part it has none."""
    here = [line for line in lines if not line.standing.stage]
    parts = [("", here)]
    if book.groups:
        parts = [
            (group_title(group, by_place=book.stage.by_place), [line for line in here if line.standing.group == group])
            for group in book.groups
        ]
    if stayed := [line for line in lines if line.standing.stage]:
        parts.append((_("Did not go on"), stayed))
    return parts


def _stages_to_choose(stages: Sequence[Stage], shown: Stage) -> list[tuple[Stage, bool]]:
    """The stages that were begun, and whether it is the one that is shown; none where there is one."""
    begun = [stage for stage in stages if stage.started_at is not None]
    return [(stage, stage.pk == shown.pk) for stage in begun] if len(begun) > 1 else []


def _who_goes_on(stages: Sequence[Stage], stage: Stage) -> str:
    """“The best 2 of each group go on: Heats and a final.” Empty before the last stage."""
    after = next((later for later in stages if later.number == stage.number + 1), None)
    if after is None:
        return ""
    if after.takes is not None:
        who = translate(cut_in_words(after.takes, stage.groups, after.finals))
    else:
        who = _("Everybody goes on")
    return _("%(who)s: %(what)s.") % {"who": who, "what": _(after.plays.name)}


def _order_and_ties(book: ledger.Ledger, lines: Sequence[Standing], as_of_round: int | None) -> dict[str, Any]:
    """What decides the order, and why players with equal points are ranked as they are."""
    if book.race is not None:
        order = race_in_words.order_in_words(book.race.settings.target)
        return {"order_said": order, "ties": race_in_words.tie_sentences(lines)}
    if book.progression is not None:
        return {
            "order_said": progression_in_words.order_in_words(
                book.progression.state_at(as_of_round),
                in_tree=book.stage.plays.in_tree,
                forgives=book.stage.plays.forgives(book.stage.values),
            )
        }
    here = [line for line in lines if not line.stage]
    groups = [[line for line in here if line.group == group] for group in book.groups] or [here]
    ties = [said for group in groups for said in ties_in_words.tie_sentences(group, book.tie_breaks)]
    ties = ties if book.rows else []
    return {"order": ties_in_words.order_in_words(book.tie_breaks, lowest=book.stage.lowest_wins), "ties": ties}


def _standing_lines(
    book: ledger.Ledger,
    lines: Sequence[Standing],
    as_of_round: int | None,
    played: Sequence[int],
    members: Mapping[str, Sequence[str]],
    *,
    to_come: bool,
) -> list[Line]:
    """The standings with movement, ranks so far, and the points of the round. members: the names in teams, by id.

    to_come: whether points are still to be made.
    """
    in_heats = book.progression.state_at(as_of_round).lines if book.progression else {}
    counted = [number for number in played if as_of_round is not None and number <= as_of_round]
    target = book.race.settings.target if book.race else None
    earlier = list(book.ranks_by_round(counted[-SPARK_ROUNDS:-1]).values())
    last = next((one for one in book.rounds if one.number == rounds_in_all(book.stage, book.planned)), None)
    left = _last_hands(book, last) if to_come and last is not None else {}
    against: dict[int, list[Standing]] = {}
    for line in lines:
        against.setdefault(line.group, []).append(line)
    rows = []
    for line in lines:
        player = line.entrant.id
        ranks = [*(ranks.get(player) for ranks in earlier), line.rank]
        previous = ranks[-2] if earlier else None
        rows.append(
            Line(
                standing=line,
                moved=previous - line.rank if previous is not None and line.rank is not None else None,
                spark=charts.spark([rank for rank in ranks if rank is not None], len(lines)) if counted else None,
                round_points=line.by_round.get(as_of_round, "–") if as_of_round is not None and not in_heats else None,
                tie_breaks=[
                    (value, line.decided_by == code)
                    for code, value in zip(book.tie_breaks, line.tie_breaks, strict=True)
                ],
                remark=_remark(book, line, as_of_round, target, in_heats.get(player)),
                members=members.get(player, ()),
                gap=_gap_in_words(line, against[line.group], left)
                if to_come
                else _progress(book, in_heats.get(player)),
            )
        )
    return rows


def _remark(
    book: ledger.Ledger, line: Standing, as_of_round: int | None, target: int | None, heat: progression.Line | None
) -> str | None:
    """The words beside a name that tell of an end, or of one that is near."""
    if line.stage:
        return _stayed_in_words(line)
    if target:
        return race_in_words.status_in_words(line, target)
    if heat is not None:
        return "" if heat.status == progression.ACTIVE else progression_in_words.line_in_words(heat, book.names)
    return _dropped_in_words(book, line, as_of_round)


def _stayed_in_words(line: Standing) -> str:
    """“place 3 in group B”, for who did not go on from a stage."""
    if line.entrant.status == Entry.Status.DROPPED:
        return _("dropped out")
    return group_title(line.group) if line.group else ""


def _progress(book: ledger.Ledger, line: progression.Line | None) -> str:
    """Where somebody stands who is in, where only some go on from a round."""
    if line is None or line.status != progression.ACTIVE:
        return ""
    return progression_in_words.line_in_words(line, book.names)


OVER = (Table.State.REPORTED, Table.State.CONFIRMED, Table.State.VOID)  # no hand is to come at such a table


def _last_hands(book: ledger.Ledger, last: Round) -> dict[str, int]:
    """How many hands everybody at a table still plays in the last round; empty if nobody knows how many it has.

    Of the last round alone: of those before it some may be sat out, in seats that nobody sees yet.
    """
    hands = book.stage.hands_per_round
    if hands is None or not last.is_open:
        return {}
    played = Counter(score.entry for score in book.counted if score.round == last.number)
    if all(played[one.id] >= hands for one in book.entrants if one.status == Entry.Status.ACTIVE):
        return {}
    at_tables = Seat.objects.filter(round=last).exclude(table=None).exclude(table__state__in=OVER)
    seats = at_tables.values_list("entry__public_id", "table__hands_wanted")
    return {entry: max((wanted or 0) - played[entry], 0) for entry, wanted in seats}


def _gap_in_words(line: Standing, lines: Sequence[Standing], left: Mapping[str, int]) -> str:
    """“37 ahead”, “12 behind”: to the second for who leads, to the first for the others who play.

    In the last round also in how many hands: “12 to catch up in the last 4 hands”; `left` is of `_last_hands`.
    """
    if line.rank is None or line.entrant.status != Entry.Status.ACTIVE or len(lines) < 2:
        return ""
    gap = abs(line.total - lines[1 if line.rank == 1 else 0].total)
    points = {"points": figure(gap)}
    if line.rank == 1:
        return _("level at the top") if line.tied or not gap else _("%(points)s ahead") % points
    if not gap:
        return _("level with the first")
    if not (hands := left.get(line.entrant.id, 0)):
        return _("%(points)s behind") % points
    words = ngettext(
        "%(points)s to catch up in the last hand", "%(points)s to catch up in the last %(hands)d hands", hands
    )
    return words % {**points, "hands": hands}


def _dropped_in_words(book: ledger.Ledger, line: Standing, as_of_round: int | None) -> str | None:
    """“dropped after round 3”, for a player who has left."""
    if line.entrant.status != Entry.Status.DROPPED:
        return None
    rounds = [
        spell.round
        for spell in book.played.get(line.entrant.id, ())
        if as_of_round is None or spell.round <= as_of_round
    ]
    return _("dropped after round %(number)d") % {"number": max(rounds)} if rounds else _("dropped without a hand")


@require_safe
@kept("round")
def hands(request: HttpRequest, slug: str) -> HttpResponse:
    """The hands of one round, table by table. Organisers may also ask for those that were taken back."""
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.tournament.rounds.shown().select_related("stage").order_by("number"))
    chosen = asked_round(request, rounds) or current_round(rounds)
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
