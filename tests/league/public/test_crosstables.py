"""Crosstable below the rounds: of duels and teams, group by group, as the exported hands add up."""

import re

import pytest
from django.test import Client

from league.lib import csv
from league.models import Tournament
from league.public.crosstables import crosstables_of
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust
from league.rounds.steps import start
from league.rounds.tables import swap_seats
from league.setup.stages.stage_plan import PlannedStage
from league.standings import read as ledger
from tests import cast
from tests.second import standings_by_hand

pytestmark = pytest.mark.django_db


def duels(**settings) -> Tournament:
    made = cast.tournament(5, format="round_robin", name="Round", table_size=2, hands_per_round=2, **settings)
    start(tournament=made, by=made.owner)
    return made


def crosstables(made):
    """Title: (the names in their order, what stands in each line, the totals); of all stages whose rounds are drawn."""
    stages = [stage for stage in made.stages.order_by("number") if stage.drawn_ahead]
    tables = [table for stage in stages for table in crosstables_of(ledger.read(made, stage=stage))]
    return {
        table.title: (
            [line.name for line in table.lines],
            [[cell.points for cell in line.cells] for line in table.lines],
            [line.total for line in table.lines],
        )
        for table in tables
    }


def by_hand(made):
    """{(one, other): what one has made against the other, round by round}, from the exported hands alone."""
    points = {}
    for row in standings_by_hand.read(
        csv.text(EXPORTS["hands"].columns(Wanted()), EXPORTS["hands"].rows(made, Wanted()))
    ):
        at_table = points.setdefault((int(row["round"]), row["table"]), {})
        own = at_table.setdefault(row["player"], {})
        own[row["hand"]] = int(row["score"])  # both rows of a team say the same
    against = {}
    for (_round, _table), both in sorted(points.items()):
        one, other = both
        against.setdefault((one, other), []).append(str(sum(both[one].values())))
        against.setdefault((other, one), []).append(str(sum(both[other].values())))
    return against


def assert_as_by_hand(names, lines, made):
    against = by_hand(made)
    for name, cells in zip(names, lines, strict=True):
        for other, cell in zip(names, cells, strict=True):
            assert cell == ", ".join(against.get((name, other), [])), (name, other)


def test_each_cell_is_what_the_line_has_made_against_the_column():
    made = duels()
    cast.play_challenge(made, rounds=3)
    [(title, (names, lines, totals))] = crosstables(made).items()
    assert title == "Crosstable" and sorted(names) == sorted(cast.CAST[:5])
    assert_as_by_hand(names, lines, made)
    assert sorted(map(int, totals), reverse=True) == list(map(int, totals))
    assert any("" in line[:at] + line[at + 1 :] for at, line in enumerate(lines))  # some have not met yet


def test_who_met_twice_has_both_and_the_better_sum_is_strong():
    made = duels(cycles=2)
    cast.play_challenge(made)
    [(names, lines, _totals)] = crosstables(made).values()
    assert_as_by_hand(names, lines, made)
    assert all(", " in cell for at, line in enumerate(lines) for other, cell in enumerate(line) if at != other)
    points = {pair: sum(map(int, own)) for pair, own in by_hand(made).items()}
    page = Client().get(f"/t/{made.slug}/bracket/").content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    shown = [re.findall(r'<td class="num( strong)?">([^<]*)</td>', line)[:-1] for line in page.split("<tr>")[1:]]
    assert [[cell for _strong, cell in line] for line in shown] == [
        [cell for other, cell in zip(names, line, strict=True) if other != name]
        for name, line in zip(names, lines, strict=True)
    ]
    strong = [bool(word) for line in shown for word, _cell in line]
    pairs = [(one, other) for one in names for other in names if one != other]
    assert strong == [points[one, other] > points[other, one] for one, other in pairs] and len(set(strong)) == 2


def test_groups_of_teams_have_one_each_and_stay_there_when_the_cup_is_played():
    cup = PlannedStage("team_knockout", takes=2, settings={"hands_per_round": 1})
    made = cast.teams(7, hands_per_round=1, groups=2, then=(cup,))
    cast.play_challenge(made)
    assert made.stage.number == 2
    found = crosstables(made)
    assert list(found) == ["Group A: Crosstable", "Group B: Crosstable"]
    on_page = Client().get(f"/t/{made.slug}/bracket/").context["bracket"].crosstables
    assert [table.title for table in on_page] == list(found)
    assert [len(names) for names, _lines, _totals in found.values()] == [3, 4]
    for names, lines, _totals in found.values():
        assert_as_by_hand(names, lines, made)


def test_there_is_none_where_more_than_two_meet_or_nobody_has_met():
    assert crosstables(cast.play(cast.tournament(8), 1)) == {}
    drawn = cast.tournament(5, format="round_robin", name="Drawn", table_size=2)
    assert crosstables(drawn) == {}


def test_where_the_lowest_total_wins_the_lower_of_the_two_is_strong():
    made = duels(scoring="lowest-total")
    for table in made.rounds.get(number=1).tables.all():
        for hand in (1, 2):
            cast.record(table, hand, 0, (0, 7))
    [table] = crosstables_of(ledger.read(made))
    cells = [cell for line in table.lines for cell in line.cells if not cell.is_to_come]
    assert {(cell.points, cell.won) for cell in cells} == {("0", True), ("14", False)}


def test_points_beside_the_hands_and_hands_against_somebody_else_are_not_in_a_cell():
    made = cast.tournament(6, format="round_robin", name="Round", table_size=2, hands_per_round=2)
    start(tournament=made, by=made.owner)
    first, second = (cast.table(made, 1, number) for number in (1, 2))
    cast.record(first, 1, 0, (0, 10))
    one, other = (seat.entry for seat in first.seats.order_by("number"))
    third = second.seats.get(number=1).entry
    swap_seats(tournament=made, round_number=1, one=other, other=third, reason="Stairs", by=made.owner)
    cast.record(first, 2, 0, (0, 20))
    adjust(tournament=made, entry=one, points=-30, reason="Late", round_number=1, by=made.owner)
    [(names, lines, _totals)] = crosstables(made).values()
    mine = dict(zip(names, lines[names.index(str(one))], strict=True))
    assert (mine[str(other)], mine[str(third)]) == ("10", "20")
