"""What anybody may look at: seating, standings, the picture of the rounds, hands, fairness."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league import bracket as picture
from league import chart, exports, kept, ledger, live, snapshots, tie_words
from league import fairness as even
from league.access import Access, note_in_log, tournament_for
from league.disputed import disputed_hands
from league.exports import Row, Wanted
from league.find_name import fold, matches
from league.formats import pairs
from league.held import players_in
from league.models import Entry, HandScore, Round, Table, Tournament
from league.standings import Standing
from league.templatetags.standings_cells import Line
from league.tie_breaks import TIE_BREAKS
from league.views.page import render_page, summary

COMPASS = "nesw"
MOST_FOUND = 12  # answers to a search for a name; with more it is better to type on
COLUMNS = 12  # rounds that the bracket shows at a time
SPARK_ROUNDS = 10
MOST_IN_FULL = 16  # players up to whom the fairness matrix has cells of full size


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A whole number of the query string, None when it is not there. Nonsense leads nowhere: 404."""
    given = request.GET.get(name, "")
    if not given:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > 6:
        raise Http404
    return int(given)


def asked_round(request: HttpRequest, rounds: Sequence[Round], name: str = "round") -> Round | None:
    """The round of the query string, None when none is asked for. A round that the viewer may not see is 404."""
    number = asked_number(request, name)
    if number is None:
        return None
    found = next((one for one in rounds if one.number == number), None)
    if found is None:
        raise Http404
    return found


def current_round(rounds: Sequence[Round]) -> Round | None:
    """The open round, else the last one that was, else (for organisers) the first draft."""
    published = [one for one in rounds if one.state != Round.State.DRAFT]
    return next((one for one in published if one.is_open), published[-1] if published else next(iter(rounds), None))


@require_safe
def seating(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.rounds().order_by("number"))
    chosen = asked_round(request, rounds) or current_round(rounds)
    query = request.GET.get("q", "").strip()[:80]
    wanted = Wanted(round=chosen.number if chosen else 0, everything=access.sees_drafts)
    rows = list(exports.seating_rows(access.tournament, wanted))
    found = [row for row in rows if matches(query, row["player"])]
    found.sort(key=lambda row: (not fold(row["player"]).startswith(fold(query)), fold(row["player"])))
    context: dict[str, Any] = {
        "chosen": chosen,
        "query": query,
        "found": [answer_of(row, rows) for row in found[:MOST_FOUND]],
        "found_ids": {row["player_id"] for row in found},
        "found_count": len(found),
    }
    if request.htmx and request.htmx.target == "answer":  # type: ignore[attr-defined]
        response = render(request, "league/_seating_answer.html", context | {"tournament": access.tournament})
    else:
        context |= {
            "live_version": version,
            "numbers": [one.number for one in rounds],
            "tables": tables_drawn(rows),
            "byes": [row["player"] for row in rows if row["table"] == "bye"],
            "by_name": sorted(rows, key=lambda row: fold(row["player"])),
        }
        response = render_page(request, access, "league/seating.html", page="seating", title=_("Seating"), **context)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def tables_drawn(rows: Iterable[Row], bottom: int | None = None) -> list[dict[str, Any]]:
    """The tables as they are drawn: each row with its side of the table. `bottom` is the seat that is drawn there."""
    turn = COMPASS.index("s") - bottom if bottom is not None else 0
    tables: dict[int, list[Row]] = {}
    for row in rows:
        if row["table"] != "bye":
            place = COMPASS[(row["seat"] + turn) % len(COMPASS)]
            tables.setdefault(row["table"], []).append(row | {"place": place})
    return [{"number": number, "seats": seats} for number, seats in tables.items()]


def answer_of(row: Mapping[str, Any], rows: Iterable[Row]) -> dict[str, Any]:
    """Where somebody sits, with whom and against whom."""
    together = [other for other in rows if other["table"] == row["table"] and other["player_id"] != row["player_id"]]
    against = [other["player"] for other in together if other["player_id"] != row["partner_id"]]
    return {"row": row, "bye": row["table"] == "bye", "against": against, "deals": row["seat"] == pairs.dealer_seat(1)}


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    entries = ledger.entry_rows(Entry.objects.filter(tournament__slug=slug))
    note_in_log(request.user, slug)
    # What was read so far is all part of the version; what is read while the page is made can only be newer than that.
    # A kept page is answered without a look at the tournament, so none of a private one is kept.
    # The page holds its own address, for the switch of languages, so none with anything else in its query is kept.
    asked = asked_number(request, "as_of_round")
    keeps = bool(entries and entries[0].log and entries[0].visibility != Tournament.Visibility.PRIVATE)
    keeps = keeps and request.META["QUERY_STRING"] == ("" if asked is None else f"as_of_round={asked}")
    version = (asked, entries) if keeps else None
    return kept.page(request, version, lambda: _standings_page(request, slug, entries))


def _standings_page(request: HttpRequest, slug: str, entries: Sequence[ledger.EntryRow]) -> HttpResponse:
    access = tournament_for(request.user, slug, players=players_in(request))
    book = ledger.read(access.tournament, entries)
    chosen = asked_round(request, book.rounds, "as_of_round")
    as_of_round = chosen.number if chosen else book.last_round
    shown = next((one for one in book.rounds if one.number == as_of_round), None)
    played = [one.number for one in book.rounds if book.last_round is not None and one.number <= book.last_round]
    lines = book.standings(as_of_round)
    context: dict[str, Any] = {
        "live_version": (entries[0].version if entries else None) or 0,
        "as_of_round": as_of_round,
        "chosen": chosen,
        "played": played,
        "still_open": shown is not None and shown.is_open,
        "has_results": bool(book.rows or book.adjustments),
        "entrants": book.entrants,
        "columns": [TIE_BREAKS[code] for code in book.stage.tie_breaks],
        "lines": _standing_lines(book, lines, as_of_round, played),
        "ties": tie_words.tie_sentences(lines, book.stage.tie_breaks) if book.rows else [],
        "order": tie_words.order_in_words(book.stage.tie_breaks),
        "lot_seed": book.stage.lot_seed if "lot" in book.stage.tie_breaks else "",
        "summary": summary(access, book.stage, len(book.entrants), book.planned),
        "record": snapshots.last_record(shown) if shown else None,
    }
    return render_page(request, access, "league/standings.html", page="standings", title=_("Standings"), **context)


def _standing_lines(
    book: ledger.Ledger, lines: Sequence[Standing], as_of_round: int | None, played: Sequence[int]
) -> list[Line]:
    """The standings with movement, ranks so far, and the points of the round."""
    counted = [number for number in played if as_of_round is not None and number <= as_of_round]
    earlier = list(book.ranks_by_round(counted[-SPARK_ROUNDS:-1]).values())
    made = []
    for line in lines:
        player = line.entrant.id
        ranks = [*(ranks[player] for ranks in earlier), line.rank]
        previous = ranks[-2] if earlier else None
        made.append(
            Line(
                standing=line,
                moved=previous - line.rank if previous is not None and line.rank is not None else None,
                spark=chart.spark([rank for rank in ranks if rank is not None], len(lines)) if counted else None,
                round_points=line.by_round.get(as_of_round, "–") if as_of_round is not None else None,
                tie_breaks=[
                    (value, line.decided_by == code)
                    for code, value in zip(book.stage.tie_breaks, line.tie_breaks, strict=True)
                ],
            )
        )
    return made


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Rounds as columns of tables; of a long tournament some rounds at a time."""
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.rounds().select_related("stage").order_by("number"))
    windows = _windows([one.number for one in rounds])
    current = current_round(rounds)
    asked = asked_number(request, "from") or (current.number if current else 0)
    window = next((window for window in reversed(windows) if window[0] <= asked), windows[0] if windows else [])
    shown = [one for one in rounds if one.number in window]
    players = list(access.tournament.entries.select_related("player").order_by("number", "id"))
    way_of = next((entry for entry in players if entry.public_id == request.GET.get("player")), None)
    columns = _columns(access, shown)
    context: dict[str, Any] = {
        "live_version": version,
        "windows": [{"start": window[0], "last": window[-1]} for window in windows],
        "start": window[0] if window else None,
        "columns": columns,
        "picture": picture.draw(columns, way_of.public_id if way_of else None),
        "box": picture.BOX,
        "players": players,
        "way_of": way_of,
    }  # fmt: skip
    return render_page(request, access, "league/bracket.html", page="bracket", title=_("Bracket"), **context)


def _windows(numbers: Sequence[int]) -> list[Sequence[int]]:
    """The rounds in runs of about the same length, none longer than fits a picture."""
    runs = math.ceil(len(numbers) / COLUMNS)
    length = math.ceil(len(numbers) / runs) if runs else 0
    return [numbers[start : start + length] for start in range(0, len(numbers), length or 1)]


def _columns(access: Access, rounds: Sequence[Round]) -> list[picture.Column]:
    """The rounds, from the rows of rounds.csv: who sits where and what they made."""
    numbers = {one.number for one in rounds}
    rows = [
        row
        for row in exports.seating_rows(access.tournament, Wanted(everything=access.sees_drafts))
        if row["round"] in numbers
    ]
    figures = exports.round_figures(ledger.read(access.tournament))
    tables: dict[int, dict[int, Table]] = {}
    for table in Table.objects.filter(round__in=rounds):
        tables.setdefault(table.round_id, {})[table.number] = table
    columns = []
    for one in rounds:
        of_round = [row for row in rows if row["round"] == one.number]
        byes = tuple(_person(row) for row in of_round if row["table"] == "bye")
        drawn = [
            _table_of_round(one, tables[one.pk][table["number"]], table["seats"], figures)
            for table in tables_drawn(of_round)
        ]
        columns.append(picture.Column(one.number, tuple(drawn), byes, one.state == Round.State.DRAFT))
    return columns


def _person(row: Row) -> picture.Person:
    return picture.Person(row["player_id"], row["player"])


def _table_of_round(
    played: Round, table: Table, seats: Sequence[Row], figures: dict[tuple[int, str], Row]
) -> picture.TableOfRound:
    sides: list[list[Row]] = []
    for row in seats:
        side = next((side for side in sides if side[0]["partner_id"] == row["player_id"]), None)
        if side is None:
            sides.append([row])
        else:
            side.append(row)
    hands = 0
    made = []
    for side in sides:
        of_side = figures[played.number, side[0]["player_id"]]
        hands = max(hands, of_side["hands_played"])
        points = of_side["total"] - of_side["adjustments"] if of_side["hands_played"] else None
        made.append(picture.Side(tuple(_person(row) for row in side), points))
    if table.state == Table.State.PLAYING:
        said = _("%(hands)d of %(wanted)d hands") % {"hands": hands, "wanted": played.stage.hands_per_round}
    elif table.state == Table.State.CONFIRMED or played.state == Round.State.DRAFT:
        said = ""
    else:
        said = table.get_state_display()
    return picture.TableOfRound(table.number, tuple(made), said)


@require_safe
def hands(request: HttpRequest, slug: str) -> HttpResponse:
    """The hands of one round, table by table. Organisers may ask for those that were taken back as well."""
    access = tournament_for(request.user, slug, players=players_in(request))
    version = live.version_of(access.tournament)
    rounds = list(access.tournament.rounds.shown().select_related("stage").order_by("number"))
    chosen = asked_round(request, rounds) or current_round(rounds)
    everything = access.corrects and request.GET.get("all") == "1"
    wanted = Wanted(round=chosen.number if chosen else 0, everything=everything)
    seats = tables_drawn(exports.seating_rows(access.tournament, Wanted(round=wanted.round)))
    hands_of: dict[int, list[dict[str, Any]]] = {}
    for hand in _hands(exports.hands_rows(access.tournament, wanted)):
        hands_of.setdefault(hand["table"], []).append(hand)
    ids = dict(Table.objects.filter(round=chosen).values_list("number", "id")) if chosen else {}
    disputed = disputed_hands(access.tournament) if chosen else frozenset()
    for table in seats:
        key = ids[table["number"]]
        for hand in hands_of.get(table["number"], []):
            hand["disputed"] = (key, hand["hand"]) in disputed and hand["voided_at"] is None
        table |= {
            "id": key,
            "hands": hands_of.get(table["number"], []),
            "sides": _sides(table["seats"]),
        }
    numbers = [one.number for one in rounds]
    context: dict[str, Any] = {"numbers": numbers, "chosen": chosen, "tables": seats, "everything": everything}
    context["live_version"] = version
    return render_page(request, access, "league/hands.html", page="hands", title=_("Hands"), **context)


def _sides(seats: Sequence[Row]) -> list[list[str]]:
    names = [row["player"] for row in seats]
    return [names[0::2], names[1::2]] if seats and seats[0]["partner_id"] else [[name] for name in names]


def _hands(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The rows of hands.csv, hand by hand: who went out and what that was worth. A hand and its correction are two."""
    together: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        together.setdefault((row["table"], row["hand"], row["recorded_at"], row["voided_at"]), []).append(row)
    made = []
    for (table, hand, recorded_at, voided_at), of_hand in together.items():
        winner = next((row for row in of_hand if row["went_out"]), None)
        left = [row for row in of_hand if row["points_left"] is not None and not row["went_out"]]
        made.append(
            {
                "table": table,
                "hand": hand,
                "winner": winner,
                "left": left,
                "points": winner["score"] if winner else 0,
                "source": HandScore.Source(of_hand[0]["source"]).label,
                "recorded_at": recorded_at,
                "voided_at": voided_at,
            }
        )
    return made


@require_safe
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether the seating treats everybody alike: the sentence, the matrix, the seats, how results came in."""
    access = tournament_for(request.user, slug, players=players_in(request))
    tournament = access.tournament
    players = list(tournament.entries.select_related("player").order_by("number", "id"))
    ids = [entry.public_id for entry in players]
    plan = list(exports.seating_rows(tournament, Wanted(everything=True)))
    published = [row for row in plan if row["round_state"] != Round.State.DRAFT]
    met = even.count_meetings(published)
    hands_per_round = tournament.stages.get().hands_per_round or pairs.SEATS
    deals = Counter(pairs.dealer_seat(hand) for hand in range(1, hands_per_round + 1))
    glyphs = {
        (row, other): even.glyph(met.partnered[row, other], met.opposed[row, other]) for row in ids for other in ids
    }
    hands = HandScore.objects.living().filter(table__round__tournament=tournament)
    sources = Counter(source for *_hand, source in hands.values_list("table_id", "hand", "source").distinct())
    in_seat = [[met.in_seat[player, seat] for seat in range(pairs.SEATS)] for player in ids]
    most_first = max((counts[0] for counts in in_seat), default=0)
    context: dict[str, Any] = {
        "players": players,
        "verdict": _verdict(plan, published, ids),
        "published": bool(published),
        "matrix": [
            {"player": entry, "cells": [(other, glyphs[entry.public_id, other.public_id]) for other in players]}
            for entry in players
        ],
        "glyphs": sorted({glyph.key: glyph for glyph in glyphs.values()}.values(), key=lambda one: one.key),
        "small": len(players) > MOST_IN_FULL,
        "lines": [
            {
                "player": entry,
                "seats": counts,
                "dots": [filled < counts[0] for filled in range(most_first)],
                "deals": sum(deals[seat] * count for seat, count in enumerate(counts)),
                "byes": met.byes[entry.public_id],
            }
            for entry, counts in zip(players, in_seat, strict=True)
        ],
        "most_first": most_first,
        "most_in_seat": max((count for counts in in_seat for count in counts), default=0),
        "has_byes": any(met.byes.values()),
        "everybody_deals": hands_per_round % pairs.SEATS == 0,
        "sources": [(HandScore.Source(source).label, count) for source, count in sources.most_common()],
    }
    return render_page(request, access, "league/fairness.html", page="fairness", title=_("Fairness"), **context)


def _verdict(plan: Sequence[Row], published: Sequence[Row], ids: Sequence[str]) -> list[str]:
    if not plan:
        return []
    so_far, whole = (pairs.properties(len(ids), even.seatings(rows, ids)) for rows in (published, plan))
    return even.verdict(so_far, whole)
