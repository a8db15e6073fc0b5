"""Counting who met whom and who sat where, and saying it."""

import pytest

from league.formats import pairs
from league.public import fairness
from league.public.pictures.matrix import glyph
from league.public.tables import EXPORTS, Wanted
from tests import cast


def rows_of(seatings):
    """A schedule as rows of the seating export; players are “0”, “1” ..."""
    rows = []
    for number, seating in enumerate(seatings, 1):
        for table, players in enumerate(seating.tables, 1):
            rows += [
                {
                    "round": number,
                    "table": table,
                    "seat": seat,
                    "player_id": str(who),
                    "partner_id": str(players[(seat + 2) % 4]),
                }
                for seat, who in enumerate(players)
            ]
        rows += [
            {"round": number, "table": "bye", "seat": None, "player_id": str(who), "partner_id": None}
            for who in seating.byes
        ]
    return rows


def ids(players):
    return [str(number) for number in range(players)]


def test_partners_and_opponents_of_one_table_are_counted_both_ways():
    met = fairness.count_meetings(rows_of([pairs.RoundSeating(tables=((0, 1, 2, 3),), byes=(4,))]))
    assert met.partnered == {("0", "2"): 1, ("2", "0"): 1, ("1", "3"): 1, ("3", "1"): 1}
    assert met.opposed["0", "1"] == met.opposed["1", "0"] == met.opposed["0", "3"] == 1
    assert met.opposed["0", "2"] == 0
    assert met.in_seat["3", 3] == 1
    assert met.byes == {"4": 1}


def test_who_sits_alone_has_three_opponents_and_no_partner():
    rows = [{"round": 1, "table": 1, "seat": seat, "player_id": str(seat), "partner_id": None} for seat in range(4)]
    met = fairness.count_meetings(rows)
    assert not met.partnered
    assert sum(met.opposed["0", other] for other in ids(4)) == 3


@pytest.mark.parametrize("players", [4, 8, 9, 13, 20])
def test_a_whole_design_gives_everybody_each_partner_once_and_each_opponent_twice(players):
    met = fairness.count_meetings(rows_of(pairs.schedule(players)))
    for one in ids(players):
        for other in ids(players):
            if one != other:
                assert (met.partnered[one, other], met.opposed[one, other]) == (1, 2)


def test_rows_turn_back_into_the_schedule_they_came_from():
    schedule = list(pairs.schedule(9))
    assert fairness.seatings(rows_of(schedule), ids(9)) == schedule


def test_before_the_last_round_the_verdict_says_what_holds_now_and_what_will():
    schedule = pairs.schedule(8)
    verdict = fairness.verdict(pairs.properties(8, schedule[:5]), pairs.properties(8, schedule))
    assert verdict[:2] == [
        "No repeated partners in 5 rounds.",
        "By round 7, everyone will have played with each other player once and against them twice.",
    ]


def test_at_the_end_the_verdict_is_a_fact_and_names_the_byes():
    whole = pairs.properties(9, pairs.schedule(9))
    assert fairness.verdict(whole, whole) == [
        "In 9 rounds, everyone plays with each other player once and against them twice.",
        "Each player sits in each seat equally often.",
        "Each player has 1 bye.",
    ]


def test_a_short_evening_is_not_praised_for_what_it_does_not_give():
    short = pairs.properties(8, pairs.schedule(8, 3))
    assert "plays with each other player at most once and against them" in fairness.verdict(short, short)[0]


def test_a_repeated_partner_is_said_to_be_one():
    schedule = list(pairs.schedule(4))
    twice = pairs.properties(4, [schedule[0], schedule[0]])
    assert fairness.verdict(twice, pairs.properties(4, [*schedule, schedule[0]]))[0] == (
        "In 2 rounds, some players had the same partner twice."
    )


def test_a_cell_draws_a_disc_for_each_partnership_and_a_stroke_for_each_meeting():
    cell = glyph(1, 2)
    assert (len(cell.discs), len(cell.strokes)) == (1, 2)
    assert glyph(0, 0).discs == ()
    crowded = glyph(7, 9)
    assert max(crowded.strokes) < 34
    assert max(crowded.discs) < 34


@pytest.mark.django_db
def test_the_export_has_a_row_for_each_player_and_each_other_and_counts_published_rounds_only():
    tournament = cast.play(cast.tournament(), 2)
    rows = list(EXPORTS["fairness"].rows(tournament, Wanted()))
    assert len(rows) == 8 * 7
    assert list(rows[0]) == list(EXPORTS["fairness"].header)
    # Closing round 2 has published round 3: three rounds, one partner and two opponents in each.
    assert sum(row["partnered"] for row in rows) == 8 * 3
    assert sum(row["opposed"] for row in rows) == 8 * 3 * 2
    earlier = list(EXPORTS["fairness"].rows(tournament, Wanted(as_of_round=1)))
    assert sum(row["partnered"] for row in earlier) == 8
