"""What the sheet of a player offers and says, as a value."""

from dataclasses import replace

import pytest

from league.day.sheet.person_page import PersonFacts, lines_of
from league.day.sheet.table_page import Places, TableFacts
from league.day.sheet.table_page import lines_of as lines_of_table

IN_PAIRS = PersonFacts(
    name="Zoë",
    status="active",
    drawn_ahead=True,
    has_partners=True,
    has_played=True,
    may_miss=True,
    plays_at="Round 4, table 2",
    swap_rounds=(4, 5),
)


def offered(facts: PersonFacts) -> dict[str, str]:
    return {line.title: line.text for line in lines_of(facts, "/sheet/")}


def test_a_player_who_is_in_leaves_sits_out_is_substituted_swaps_and_gets_points() -> None:
    assert offered(IN_PAIRS) == {
        "Leaves": "Their seats are redrawn, or someone stands in",
        "Late or absent": "Misses a round and returns",
        "Substitute": "Someone plays for them",
        "Swap seats": "With anyone in round 4 or 5",
        "Fixed table": "The same table in every round",
        "Points adjustment": "None so far",
    }


def test_each_line_leads_to_its_step() -> None:
    assert [line.url for line in lines_of(IN_PAIRS, "/sheet/")][:2] == ["/sheet/?do=leave", "/sheet/?do=late"]


def test_who_has_left_returns_and_nothing_else_but_points_is_offered() -> None:
    gone = replace(IN_PAIRS, status="dropped", plays_at="", swap_rounds=())
    assert list(offered(gone)) == ["Returns", "Points adjustment"]


def test_who_has_not_played_may_not_have_come() -> None:
    new = replace(IN_PAIRS, has_played=False)
    assert offered(new)["Late or absent"] == "Misses a round and returns, or did not come"
    assert offered(replace(new, may_miss=False))["Late or absent"] == "Did not come"


def test_where_nobody_can_return_only_who_has_not_played_is_late() -> None:
    assert "Late or absent" not in offered(replace(IN_PAIRS, may_miss=False))


def test_an_eliminated_player_is_reinstated_only_below_the_target() -> None:
    out = PersonFacts(name="Zoë", status="out", has_played=True)
    assert "Reinstate" not in offered(out) and "Leaves" not in offered(out)
    assert offered(replace(out, can_reinstate=True))["Reinstate"] == "Below the target again"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"has_teams": True}, "Their opponents have a bye"),
        ({"drawn_ahead": False, "in_tree": True}, "Loses the current or next match"),
        ({"drawn_ahead": False, "can_fill": True}, "The table plays with fewer, or someone takes the seat"),
        ({"drawn_ahead": False}, "The table plays with fewer"),
    ],
)
def test_leaving_means_something_else_in_each_format(facts: dict[str, bool], words: str) -> None:
    assert offered(replace(IN_PAIRS, **facts))["Leaves"] == words


def test_lines_say_how_it_stands() -> None:
    told = offered(
        replace(
            IN_PAIRS,
            drawn_ahead=False,
            substitutes=("Gül",),
            fixed_table=3,
            apart=("Ana", "Chidi"),
            points=(-20, 5),
            byes=((2, 0), (5, 80)),
        )
    )
    assert told["Plays again"] == "Gül plays now"
    assert told["Fixed table"] == "Table 3 in every round"
    assert told["Must not meet"] == "Ana and Chidi"
    assert told["Points adjustment"] == "−20, +5"
    assert told["Points for a bye"] == "Round 2: 0, Round 5: 80"


def test_after_the_end_and_for_a_stand_in_little_can_be_done() -> None:
    assert not offered(replace(IN_PAIRS, is_running=False, is_final=True, plays_at="", swap_rounds=()))
    stands_in = replace(IN_PAIRS, status="stand-in", is_stand_in=True, plays_at="", swap_rounds=())
    assert list(offered(stands_in)) == ["Points adjustment"]


def offered_at(facts: TableFacts) -> dict[str, str]:
    return {line.title: line.text for line in lines_of_table(facts, "/sheet/", Places("/hands/", "/late/"))}


def test_a_table_that_plays_is_closed_swapped_and_numbered_anew() -> None:
    plays = TableFacts(number=2, round=4, is_open=True, is_playing=True, played=2, wanted=4, can_swap=True)
    assert offered_at(plays) == {
        "Enter or correct scores": "2 of 4 recorded",
        "Swap seats": "With anyone in round 4",
        "Close the table": "2 hands count, 2 aren’t played",
        "Change the number": "Codes and links follow the number",
    }
    assert offered_at(replace(plays, wanted=None))["Enter or correct scores"] == "2 recorded"
    assert offered_at(replace(plays, has_clock=True))["Extra time"] == "None so far"
    assert offered_at(replace(plays, has_clock=True, extra=1))["Extra time"] == "1 minute more"
    assert offered_at(replace(plays, vacant="Ana"))["Add a player"] == "In the seat of Ana, who left"


def test_a_closed_table_opens_again_and_a_draft_has_no_hands() -> None:
    closed = TableFacts(number=2, round=4, is_open=True, is_closed_early=True, played=2, wanted=2)
    assert offered_at(closed)["Reopen the table"] == "As many hands as the other tables"
    draft = TableFacts(number=2, round=5, is_draft=True, can_swap=True)
    assert list(offered_at(draft)) == ["Swap seats", "Change the number"]


def test_after_the_end_the_hands_of_a_table_are_looked_at() -> None:
    assert list(offered_at(TableFacts(number=2, round=4, is_final=True, played=4, wanted=4))) == ["View hands"]
