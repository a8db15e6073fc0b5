"""The page that shows whether the seating treats everybody alike: sentences, matrix, seats, how results came in."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import tournament_for
from league.access.session_links import visitor_of
from league.formats import pairs
from league.formats.race import HEAD_TO_HEAD
from league.formats.seating.dealer import dealers
from league.ledger.dealer import first_seats
from league.ledger.entered import members_in
from league.ledger.in_words import group_title
from league.lib.csv import Row
from league.lib.translate import translate
from league.models import Entry, HandScore, Round, Stage, Table, Tournament
from league.pages.asked import asked_number
from league.pages.kept import kept
from league.pages.tournament_page import render_page
from league.public import fairness as even
from league.public import tables as exports
from league.public.tables import Wanted
from league.rounds.draw import draw_seed
from league.rounds.seeding import BY_RATING

MOST_IN_FULL = 16  # with more players the cells of the matrix are smaller
MOST_IN_MATRIX = 60  # with more players there is no matrix: a challenge may have a thousand


@require_safe
@kept("group")
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    tournament = access.tournament
    stage = tournament.stage_shown
    plan = [row for row in exports.seating_rows(tournament, Wanted(everything=True)) if row["stage"] == stage.number]
    seated = {row["player_id"] for row in plan}
    players = list(tournament.entries.select_related("player").order_by("number", "id"))
    if stage.number > 1 or stage.ended_at is not None:
        players = [entry for entry in players if entry.public_id in seated]
    group = asked_number(request, "group") or 1
    if stage.groups > 1 and stage.started_at is not None:  # each is drawn by itself, and as even as it is by itself
        here = {entry for entry, member in members_in(stage).items() if member.group == group}
        plan = [row for row in plan if row["player_id"] in here]
        players = [entry for entry in players if entry.public_id in here]
    published = [row for row in plan if row["round_state"] != Round.State.DRAFT]
    hands = HandScore.objects.living().filter(table__round__stage=stage)
    sources = Counter(source for *_hand, source in hands.values_list("table_id", "hand", "source").distinct())
    context: dict[str, Any] = {
        "players": players,
        "published": bool(published),
        "groups": [
            (number, group_title(number, by_place=stage.by_place), number == group)
            for number in range(1, stage.groups + 1)
        ],
        "small": len(players) > MOST_IN_FULL,
        "partners": stage.has_partners,
        "sources": [(HandScore.Source(source).label, count) for source, count in sources.most_common()],
    }
    if stage.has_teams:
        context |= _context_of_teams(stage, players, plan, published)
    elif stage.has_partners:
        context |= _context_of_partners(stage, players, plan, published)
    else:
        context |= _context_of_singles(tournament, stage, players, plan, published)
    return render_page(request, access, "league/public/fairness.html", page="fairness", title=_("Fairness"), **context)


def _context_of_partners(
    stage: Stage, players: Sequence[Entry], plan: Sequence[Row], published: Sequence[Row]
) -> dict[str, Any]:
    ids = [entry.public_id for entry in players]
    met = even.count_meetings(published)
    hands_per_round = stage.hands_per_round or pairs.SEATS
    deals = Counter(pairs.dealer_seat(hand) for hand in range(1, hands_per_round + 1))
    glyphs = {
        (row, other): even.glyph(met.partnered[row, other], met.opposed[row, other]) for row in ids for other in ids
    }
    in_seat = [[met.in_seat[player, seat] for seat in range(pairs.SEATS)] for player in ids]
    most_first = max((counts[0] for counts in in_seat), default=0)
    return {
        "verdict": _verdict(plan, published, ids),
        "matrix": [
            {"player": entry, "cells": [(other, glyphs[entry.public_id, other.public_id]) for other in players]}
            for entry in players
        ],
        "glyphs": sorted({glyph.key: glyph for glyph in glyphs.values()}.values(), key=lambda glyph: glyph.key),
        "lines": [
            {
                "player": entry,
                "seats": counts,
                "first": counts[0],
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
    }


def _context_of_teams(
    stage: Stage, players: Sequence[Entry], plan: Sequence[Row], published: Sequence[Row]
) -> dict[str, Any]:
    """Which teams met and, where a schedule says who deals first, how often each had those seats."""
    ids = [entry.public_id for entry in players]
    met, planned = even.count_meetings(published), even.count_meetings(plan)
    context = {
        "in_tree": stage.plays.in_tree,
        "matrix": [
            {"player": entry, "cells": [(other, met.opposed[entry.public_id, other.public_id]) for other in players]}
            for entry in (players if len(players) <= MOST_IN_MATRIX else ())
        ],
    }
    if not stage.drawn_ahead:
        return context
    deals = Counter(pairs.dealer_seat(hand) for hand in range(1, (stage.hands_per_round or pairs.SEATS) + 1))
    most_first = max((met.in_seat[team, 0] for team in ids), default=0)
    return context | {
        "verdict": even.verdict_of_teams(_rounds_in(plan), _rounds_in(published), planned, ids),
        "lines": [
            {
                "player": entry,
                "first": met.in_seat[entry.public_id, 0],
                "second": met.in_seat[entry.public_id, 1],
                "dots": [filled < met.in_seat[entry.public_id, 0] for filled in range(most_first)],
                "deals": sum(deals[seat] * met.in_seat[entry.public_id, seat] for seat in range(pairs.SEATS)),
                "byes": met.byes[entry.public_id],
            }
            for entry in players
        ],
        "most_first": most_first,
        "has_byes": any(met.byes.values()),
    }


def _rounds_in(rows: Sequence[Row]) -> int:
    return len({row["round"] for row in rows})


def _verdict(plan: Sequence[Row], published: Sequence[Row], ids: Sequence[str]) -> list[str]:
    if not plan:
        return []
    so_far, whole = (pairs.properties(len(ids), even.seatings(rows, ids)) for rows in (published, plan))
    return even.verdict(so_far, whole)


def _context_of_singles(
    tournament: Tournament, stage: Stage, players: Sequence[Entry], plan: Sequence[Row], published: Sequence[Row]
) -> dict[str, Any]:
    """Tables without partners: who met whom, at tables of which size, and how often each player dealt."""
    met = even.count_meetings(published)
    ids = [entry.public_id for entry in players]
    how_even = stage.plays.how_even(len(ids), even.seatings_of_singles(plan, ids))
    seated = [row for row in published if row["table"] != "bye"]
    size_of = Counter((row["round"], row["table"]) for row in seated)
    at_size: Counter[tuple[str, int]] = Counter(
        (row["player_id"], size_of[row["round"], row["table"]]) for row in seated
    )
    sizes = sorted(set(size_of.values()), reverse=True)
    before_the_last_two = [size for size in size_of.values() if size != HEAD_TO_HEAD or not stage.eliminates]
    first = [met.in_seat[entry.public_id, 0] for entry in players]
    deals = _deals(tournament)
    return {
        "verdict": [
            *even.verdict_of_singles(_rounds_in(published), met, before_the_last_two),
            *even.verdict_of_schedule(_rounds_in(plan), translate(how_even) if how_even else ""),
        ],
        "drawn_ahead": stage.drawn_ahead,
        "in_tree": stage.plays.in_tree,
        "seed": draw_seed(stage),
        "by_rating": stage.order_seed == BY_RATING,
        "matrix": [
            {
                "player": entry,
                "cells": [(other, met.opposed[entry.public_id, other.public_id]) for other in players],
            }
            for entry in (players if len(players) <= MOST_IN_MATRIX else ())
        ],
        "sizes": sizes,
        "lines": [
            {
                "player": entry,
                "rounds": sum(at_size[entry.public_id, size] for size in sizes),
                "sizes": [at_size[entry.public_id, size] for size in sizes],
                "first": times,
                "dots": [filled < times for filled in range(max(first))],
                "deals": deals[entry.public_id],
            }
            for entry, times in zip(players, first, strict=True)
        ],
        "most_first": max(first, default=0),
    }


def _deals(tournament: Tournament) -> Counter[str]:
    """How many of the recorded hands each player dealt."""
    rows = HandScore.objects.living().filter(table__round__tournament=tournament)
    hands: dict[int, dict[int, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for table, hand, seat, player in rows.values_list("table_id", "hand", "seat", "entry__public_id"):
        hands[table][hand][seat] = player
    dealt: Counter[str] = Counter()
    first = first_seats(Table.objects.filter(pk__in=hands).select_related("round__stage"))
    for table, of_table in hands.items():
        if table not in first:  # nobody said who deals first
            continue
        in_order = [seats for _hand, seats in sorted(of_table.items())]
        dealt.update(seats[dealer] for dealer, seats in zip(dealers(in_order, first[table]), in_order, strict=True))
    return dealt
