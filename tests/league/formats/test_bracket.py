"""Where everybody at a table comes from, and what can be said of tables that are not drawn yet."""

from league.formats.bracket import (
    Feeding,
    OfTheOthers,
    Place,
    SeatedRound,
    Source,
    fill,
    follow,
    to_come,
)
from league.formats.ladder import Rung, ladder


def test_whoever_sits_at_a_table_comes_from_where_they_were_last():
    nodes = follow(
        [
            SeatedRound(1, {1: ["a", "b"], 2: ["c", "d"]}, ["e"]),
            SeatedRound(2, {1: ["e", "a"]}),
            SeatedRound(3, {1: ["c", "a"]}),
        ]
    )
    assert [(node.round, node.table) for node in nodes] == [(1, 1), (1, 2), (1, None), (2, 1), (3, 1)]
    assert nodes[0].sources == {}
    assert nodes[3].sources == {"e": Source(1, None), "a": Source(1, 1)}
    assert nodes[4].sources == {"c": Source(1, 2), "a": Source(2, 1)}


def test_a_table_of_the_second_ladder_says_so():
    [first, second] = follow([SeatedRound(2, {1: ["a"], 2: ["b"]}, second={2})])
    assert (first.ladder, second.ladder) == (1, 2)


def after(players, number=1, first=1):
    """The rounds to come when round 1 is drawn, of so many players at tables of four."""
    rungs = ladder(players, 4)
    before = Feeding(number, range(1, rungs[0].tables + 1), rungs[0])
    return to_come(before, number + 1, rungs[1:], [first] * (len(rungs) - 1))


def test_at_one_table_each_place_has_its_source():
    [final] = after(9)
    assert [place.source for place in final.places] == [
        Source(1, 1, 1), Source(1, 2, 1), Source(1, 3, 1), OfTheOthers(1, 1)
    ]  # fmt: skip
    [final] = after(8)
    assert [place.source for place in final.places] == [
        Source(1, 1, 1), Source(1, 2, 1), Source(1, 1, 2), Source(1, 2, 2)
    ]  # fmt: skip


def test_of_several_tables_nobody_can_say_who_will_sit_where():
    *middle, final = after(21)
    assert {node.round for node in middle} == {2} and len(middle) > 1
    assert {place for node in middle for place in node.places} == {Place(None)}
    assert {source.round for _entry, source in final.places} == {2}, "the final is of their places, whoever they are"
    assert {source.table for _entry, source in final.places if isinstance(source, Source)} == {
        node.table for node in middle
    }


def test_tables_of_a_second_ladder_follow_those_of_the_first_and_come_from_nowhere_before_it_begins():
    [final] = to_come(None, 2, [Rung(4, 1)], [3], ladder=2)
    assert (final.table, final.ladder, final.places) == (3, 2, [Place(None)] * 4)


def test_where_others_go_on_than_the_ladder_says_no_place_has_a_source():
    [final] = to_come(Feeding(1, [1, 2], Rung(8, 2, 2)), 2, [Rung(3, 1)], [1])
    assert final.places == [Place(None)] * 3


def test_places_are_filled_as_soon_as_it_is_known_by_whom():
    [final] = fill(after(9), {Source(1, 2, 1): "b"})
    assert [place.entry for place in final.places] == [None, "b", None, None]


def test_who_moves_up_takes_the_place_that_is_left():
    known = {Source(1, 2, 1): "b", Source(1, 3, 1): "c", OfTheOthers(1, 1): "d", OfTheOthers(1, 2): "e"}
    [final] = fill(after(9), known)
    assert [place.entry for place in final.places] == ["e", "b", "c", "d"]


def test_nobody_is_put_into_a_round_after_the_next():
    known = {Source(1, table, place): f"{table}{place}" for table in range(1, 7) for place in (1, 2)}
    assert fill(after(24), known) == after(24)
