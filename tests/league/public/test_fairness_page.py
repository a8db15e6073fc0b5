"""What the fairness page says, read from the value: rows of a seating go in, no page is requested."""

from collections.abc import Iterable, Sequence

import pytest
from django.utils import translation

from league.formats import pairs
from league.lib.csv import Row
from league.models import HandScore, Round, Stage
from league.public.fairness_page import FairnessFacts, FairnessPage, SeatsSection, fairness_page
from league.public.pictures.bracket import Person
from league.public.pictures.matrix import initials
from league.rounds.seeding import BY_RATING

NAMES = ("Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë")


def people(count: int) -> list[Person]:
    named = [*NAMES, *(f"Player {number}" for number in range(9, count + 1))]
    return [Person(str(number), name) for number, name in enumerate(named[:count])]


def row(number: int, table: int | str, seat: int | None, player: int, partner: int | None = None) -> Row:
    return {
        "round": number,
        "table": table,
        "seat": seat,
        "player_id": str(player),
        "partner_id": None if partner is None else str(partner),
        "round_state": Round.State.RUNNING,
    }


def drafts(rows: Iterable[Row], after: int) -> list[Row]:
    """These rows, with the rounds after this one as drafts."""
    return [{**row, "round_state": Round.State.DRAFT} if row["round"] > after else row for row in rows]


def pairs_of(players: int, rounds: int | None = None) -> list[Row]:
    rows = []
    for number, seating in enumerate(pairs.schedule(players, rounds), 1):
        for table, seats in enumerate(seating.tables, 1):
            rows += [row(number, table, seat, who, seats[(seat + 2) % 4]) for seat, who in enumerate(seats)]
        rows += [row(number, "bye", None, who) for who in seating.byes]
    return rows


def singles_of(*rounds: Sequence[Sequence[int]]) -> list[Row]:
    """A row for each player of each table of each round."""
    return [
        row(number, table, seat, who)
        for number, tables in enumerate(rounds, 1)
        for table, seats in enumerate(tables, 1)
        for seat, who in enumerate(seats)
    ]


def page(plan: Sequence[Row], players: int = 8, format: str = "pairs", **more: object) -> FairnessPage:
    of_stage = {"format": format, "lot_seed": "cast", **more.pop("stage", {})}  # type: ignore[dict-item]
    return fairness_page(FairnessFacts("cup", Stage(**of_stage), people(players), plan, **more))  # type: ignore[arg-type]


def counts(section: SeatsSection | None) -> tuple[list[str], list[list[int]]]:
    """The headings, and the figures of each line."""
    assert section is not None
    return [heading.label for heading in section.headings], [
        [count.number for count in line.counts] for line in section.lines
    ]


def test_before_a_round_is_published_it_says_what_will_be_here() -> None:
    nothing = {format: page([], format=format).nothing for format in ("pairs", "teams", "challenge")}
    assert [said and said.text for said in nothing.values()] == [
        "Partners and opponents appear here when round 1 is published.",
        "Meetings of the teams appear here when round 1 is published.",
        "Meetings of the players appear here when round 1 is published.",
    ]
    drawn = page(drafts(pairs_of(8), 0))
    assert drawn.nothing is not None and drawn.nothing.title == "No meetings yet"
    assert (drawn.met, drawn.seats, drawn.first) == (None, None, ())
    assert drawn.verdict.startswith("By round 7, everyone will have played with each other player once")
    assert page(pairs_of(8)).nothing is None


def test_partners_and_opponents_are_drawn_and_said_for_each_two_of_the_published_rounds() -> None:
    shown = page(drafts(pairs_of(8), 3))
    assert shown.met is not None and shown.met.title == "Partners and opponents" and shown.met.matrix is not None
    matrix = shown.met.matrix
    for at, line in enumerate(matrix.lines):
        cells = [cell for cell in line.cells if cell is not None]
        assert line.cells[at] is None and len(cells) == 7
        met = [tuple(map(int, cell.picture.split("-")[1:])) for cell in cells]
        assert (sum(partnered for partnered, _opposed in met), sum(opposed for _, opposed in met)) == (3, 6)
        for cell, (partnered, opposed) in zip(cells, met, strict=True):
            assert cell.spoken == f"partners {partnered}, opponents {opposed}"
            assert cell.title.startswith(f"{line.name} and ") and cell.title.endswith(f": {cell.spoken}")
            assert cell.css == ("" if partnered or opposed else "todo")
    drawn = {cell.picture for line in matrix.lines for cell in line.cells if cell is not None}
    assert [glyph.key for glyph in matrix.glyphs if glyph.key in drawn] == sorted(drawn)
    assert "No repeated partners in 3 rounds. By round 7, " in shown.verdict


def test_a_matrix_of_many_has_numbers_and_no_tooltips() -> None:
    few, many = (page(pairs_of(players, 2), players) for players in (16, 20))
    assert few.met is not None and many.met is not None and few.met.matrix and many.met.matrix
    assert (few.is_small, many.is_small, many.met.matrix.is_small) == (False, True, True)
    assert [head.short for head in few.met.matrix.heads][:3] == ["AL", "BE", "CH"]
    assert [head.short for head in many.met.matrix.heads][:3] == ["1", "2", "3"]
    assert [(line.number, line.name) for line in many.met.matrix.lines][:2] == [("1", "Ana Lucía"), ("2", "Benoît")]
    assert {line.number for line in few.met.matrix.lines} == {""}
    assert {cell.title for line in many.met.matrix.lines for cell in line.cells if cell} == {""}


def test_a_name_that_may_be_cut_off_has_a_tooltip() -> None:
    plan = singles_of([[0, 1]])
    named = [Person("0", "Maximiliane T"), Person("1", "Maximiliane")]
    shown = fairness_page(FairnessFacts("cup", Stage(format="points"), named, plan))
    assert shown.met is not None and shown.met.matrix is not None
    assert [line.title for line in shown.met.matrix.lines] == ["Maximiliane T", ""]


@pytest.mark.parametrize(
    ("name", "short"), [("Ana Lucía", "AL"), ("Benoît", "BE"), ("Ana (Ludo)", "AL"), ("Ö", "Ö"), ("", "")]
)
def test_initials_are_of_the_first_and_the_last_word(name: str, short: str) -> None:
    assert initials(name) == short


def test_seats_deals_and_byes_are_counted_for_each_player_of_pairs() -> None:
    shown = page(pairs_of(9), 9)
    assert shown.seats is not None and shown.seats.title == "Seats and deals"
    assert shown.seats.text == "North deals the first hand of each round. The deal then passes to the left."
    headings, lines = counts(shown.seats)
    assert headings == ["Player", "N", "E", "S", "W", "Deals", "Byes"]
    assert lines == [[2, 2, 2, 2, 8, 1]] * 9
    assert [count.most for count in shown.seats.lines[0].counts] == [2, 2, 2, 2, 0, 0]
    assert shown.seats.headings[1].spoken == "North" and shown.seats.lines[0].url == "/t/cup/players/0/"
    headings, lines = counts(page(drafts(pairs_of(8), 3)).seats)
    assert headings[-1] == "Deals" and {line[-1] for line in lines} == {3}, "with four hands everybody deals once"
    uneven = page(pairs_of(8, 3), stage={"settings": {"hands_per_round": 5}}).seats
    assert uneven is not None and uneven.text.endswith("passes to the left.")


def test_who_had_the_first_deal_is_drawn_as_dots_unless_there_are_many() -> None:
    assert not page(pairs_of(8, 3)).first, "the column N has them"
    shown = page(singles_of([[0, 1]], [[0, 1]], [[1, 0]]), 2, "points")
    assert [(first.number, first.dots) for first in shown.first] == [(2, [True, True]), (1, [True, False])]
    often = page(singles_of(*[[[0, 1]]] * 7), 2, "points")
    assert [(first.name, first.number, first.dots) for first in often.first] == [
        ("Ana Lucía", 7, []),
        ("Benoît", 0, []),
    ]


def test_teams_have_sides_where_a_schedule_says_who_deals_first() -> None:
    plan = [
        row(number, table, seat, teams[seat % 2], teams[seat % 2])
        for number, tables in enumerate((((0, 1), (2, 3)), ((2, 0), (3, 1)), ((0, 3), (1, 2))), 1)
        for table, teams in enumerate(tables, 1)
        for seat in range(4)
    ]
    shown = page(plan, 4, "teams")
    assert shown.verdict == (
        "Over 3 rounds, teams meet each other once. Each team deals first in half of its rounds, give or take one."
    )
    assert shown.met is not None and shown.met.matrix is not None and shown.met.hint == ""
    assert shown.met.matrix.caption == "Number of meetings of two teams"
    assert [[cell and (cell.times, cell.css) for cell in line.cells] for line in shown.met.matrix.lines[:1]] == [
        [None, ("1", "num"), ("1", "num"), ("1", "num")]
    ]
    headings, lines = counts(shown.seats)
    assert headings == ["Team", "N, S", "E, W", "Deals"]
    assert lines == [[2, 1, 6], [1, 2, 6], [2, 1, 6], [1, 2, 6]]


def test_in_a_tree_who_meets_whom_follows_from_the_results() -> None:
    plan = [{**one, "partner_id": one["player_id"]} for one in singles_of([[0, 1], [2, 3]])]
    cup = page(plan, 4, "team_knockout")
    assert cup.met is not None and cup.met.hint == "Seeds and results decide the meetings."
    assert (cup.seats, cup.first, cup.verdict) == (None, [], "")
    duels = page(singles_of([[0, 1], [2, 3]]), 4, "knockout")
    assert duels.met is not None and duels.met.hint == cup.met.hint


def test_players_for_themselves_have_rounds_tables_of_each_size_and_the_deals_that_were_counted() -> None:
    plan = singles_of([[0, 1, 2, 3], [4, 5, 6]], [[0, 1, 4, 5], [2, 3, 6]])
    shown = page(plan, 7, "challenge", deals={"0": 5})
    assert shown.seats is not None and shown.seats.text == "The deal passes to the next active player on the left."
    headings, lines = counts(shown.seats)
    assert headings == ["Player", "Rounds", "Table of 4", "Table of 3", "Deals"]
    assert (lines[0], lines[6]) == ([2, 2, 0, 5], [2, 0, 2, 0])
    assert shown.verdict == ("In 2 rounds, some players met twice at most. Tables have 3 to 4 players.")
    assert shown.met is not None and shown.met.matrix is not None
    times = [cell and (cell.times, cell.css) for cell in shown.met.matrix.lines[0].cells]
    assert times[:4] == [None, ("2", "num strong"), ("1", "num"), ("1", "num")] and times[6] == ("0", "num todo")


def test_the_seed_of_rounds_that_are_drawn_one_by_one_is_told() -> None:
    plan = singles_of([[0, 1, 2, 3]])
    drawn = page(plan, 4, "challenge").met
    assert drawn is not None and drawn.hint.startswith("Closing a round draws the next one")
    assert drawn.hint.endswith("The seed “cast” makes the draw repeatable.")
    rated = page(plan, 4, "challenge", stage={"order_seed": BY_RATING}).met
    assert rated is not None and rated.hint.endswith("by the ratings in the log.")
    ahead = page(plan, 4, "round_robin").met
    assert ahead is not None and ahead.hint == ""


def test_with_too_many_for_a_matrix_it_is_in_the_csv_alone() -> None:
    plan = singles_of([range(60), [60]])
    shown, fits = page(plan, 61, "challenge").met, page(plan[:60], 60, "challenge").met
    assert shown is not None and shown.matrix is None and fits is not None and fits.matrix is not None
    assert shown.csv_alone == "Too many players for a table here. The CSV lists all meetings."


def test_groups_are_chosen_once_a_round_is_published() -> None:
    two = {"groups": 2}
    groups = page(pairs_of(8), stage=two, group=2).groups
    assert [(group.number, group.title, group.is_shown) for group in groups] == [
        (1, "Group A", False),
        (2, "Group B", True),
    ]
    assert page(drafts(pairs_of(8), 0), stage=two).groups == () and page(pairs_of(8)).groups == ()


def test_how_results_came_in_is_counted_the_most_frequent_first() -> None:
    shown = page([], sources={HandScore.Source.PLAYER: 1, HandScore.Source.ORGANISER: 16})
    assert shown.sources == [("Organiser", "16 hands"), ("Player", "1 hand")]
    assert page([]).sources == []


def test_it_is_said_in_the_reader_s_language() -> None:
    with translation.override("fr"):
        shown = page(pairs_of(8))
        assert shown.seats is not None and [heading.label for heading in shown.seats.headings][4] == "O"
