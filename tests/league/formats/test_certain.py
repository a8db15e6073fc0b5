"""Who is through before a round is over, held against every way in which the hands to come can end."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats.bracket import OfTheOthers, Source
from league.formats.certain import as_it_stands, certain, others
from league.formats.ladder import Rung
from league.formats.progression import Played, Result, in_order

LOT = "cut"


def a_round(*tables, gone=()):
    """tables: {entry: points} each."""
    seated = {at: [Result(entry, points) for entry, points in table.items()] for at, table in enumerate(tables, 1)}
    return Played(1, seated, is_over=False, absent=gone, gone=gone)


def rung_of(played, best, lucky=0):
    return Rung(sum(map(len, played.tables.values())), len(played.tables), best, lucky)


def through(played, best, lucky=0, left=(), lowest=False):
    hands_left = dict.fromkeys(played.tables, 0) | dict(left)
    return set(certain(played, rung_of(played, best, lucky), hands_left, seed=LOT, lowest_wins=lowest))


FIRST = {"a": 100, "b": 60, "c": 20, "d": 0}
SECOND = {"e": 90, "f": 80, "g": 10, "h": 5}


def test_the_best_of_a_table_are_through_once_its_hands_are_in_whatever_others_play():
    assert through(a_round(FIRST, SECOND), 2, left={2: 4}) == {"a", "b"}


def test_with_one_hand_left_only_one_can_pass():
    assert through(a_round(FIRST, SECOND), 2, left={1: 1, 2: 2}) == {"a"}
    assert through(a_round(FIRST, SECOND), 3, left={1: 1, 2: 2}) == {"a", "b", "e"}


def test_where_points_count_against_one_nobody_is_safe_before_the_last_hand():
    assert through(a_round(FIRST, SECOND), 3, left={1: 1, 2: 1}, lowest=True) == set()
    assert through(a_round(FIRST, SECOND), 3, left={2: 1}, lowest=True) == {"b", "c", "d"}


def test_who_has_left_passes_nobody():
    assert through(a_round(FIRST, SECOND, gone=("c", "d")), 2, left={1: 3, 2: 3}) == {"a", "b"}


def test_the_best_of_the_others_are_through_when_no_table_can_bring_enough_better_ones():
    third = {"i": 50, "j": 40, "k": 30, "l": 0}
    played = a_round(FIRST, SECOND, third)
    # Against the means of their tables the seconds have 60 : 45, 80 : 46.25 and 40 : 30.
    assert through(played, 1, 1) == {"a", "e", "i", "f"}
    assert through(played, 1, 1, left={3: 1}) == {"a", "e"}
    assert through(played, 1, 2, left={3: 1}) == {"a", "e", "f"}


def test_the_final_sends_nobody_on():
    assert through(a_round(FIRST), 0) == set()


def test_level_points_are_no_reason_to_wait():
    level = a_round({"a": 10, "b": 10, "c": 10}, {"d": 10, "e": 10, "f": 10})
    assert len(through(level, 1)) == 2 and len(through(level, 1, 1)) == 3


def results_of(results, lowest):
    """Every way a hand can end for those who are there: who goes out, and few points or more than all before."""
    entries = [result.entry for result in results]
    for out in entries:
        if not lowest:
            yield from ({out: (points, 1)} for points in (1, 1000))
            continue
        rest = [entry for entry in entries if entry != out]
        for points in product((0, 1000), repeat=len(rest)):
            yield {out: (0, 1)} | {entry: (more, 0) for entry, more in zip(rest, points, strict=True)}


def ends_of(played, left, lowest):
    """The round as it may end."""
    slots = [number for number, count in left.items() for _hand in range(count)]
    there = {
        number: [one for one in results if one.entry not in played.gone] for number, results in played.tables.items()
    }
    for hands in product(*(tuple(results_of(there[number], lowest)) for number in slots)):
        tables = {number: {one.entry: one for one in results} for number, results in played.tables.items()}
        for number, hand in zip(slots, hands, strict=True):
            for entry, (points, won) in hand.items():
                one = tables[number][entry]
                tables[number][entry] = one._replace(points=one.points + points, won=one.won + won)
        yield replace(played, tables={number: list(of.values()) for number, of in tables.items()})


@st.composite
def open_rounds(draw):
    lowest = draw(st.booleans())
    sizes = draw(st.lists(st.integers(3, 4 - lowest), min_size=2, max_size=3))
    names = iter("abcdefghijkl")
    tables = [{next(names): draw(st.integers(0, 4)) * 10 for _seat in range(size)} for size in sizes]
    everybody = [entry for table in tables for entry in table]
    gone = draw(st.sets(st.sampled_from(everybody), max_size=1))
    left = dict.fromkeys(range(1, len(tables) + 1), 0)
    for _hand in range(draw(st.integers(0, 2))):
        left[draw(st.integers(1, len(tables)))] += 1
    best = draw(st.integers(1, min(sizes) - 1))
    return a_round(*tables, gone=frozenset(gone)), best, draw(st.integers(0, len(tables) - 1)), left, lowest


@settings(max_examples=150)
@given(open_rounds())
def test_who_is_through_for_certain_is_through_however_it_ends(drawn):
    played, best, lucky, left, lowest = drawn
    said = through(played, best, lucky, left, lowest)
    everybody = {one.entry for results in played.tables.values() for one in results} - set(played.gone)
    always, always_best = set(everybody), set(everybody)
    for end in ends_of(played, left, lowest):
        order = [one for one in in_order(end, seed=LOT, lowest_wins=lowest) if one.entry not in played.gone]
        always &= {one.entry for one in order[: best * len(played.tables) + lucky]}
        always_best &= {one.entry for one in order if one.place <= best}
    assert said <= always
    assert said >= always_best  # nobody waits for hands that cannot touch their place
    if not any(left.values()):
        assert said == always


def test_who_would_go_on_is_known_by_where_they_come_from():
    played = a_round(FIRST, SECOND)
    now = as_it_stands(played, rung_of(played, 1, 1), seed=LOT, lowest_wins=False)
    assert now == {Source(1, 1, 1): "a", Source(1, 2, 1): "e", OfTheOthers(1, 1): "f"}


def test_for_a_winner_who_leaves_after_the_round_one_more_of_the_others_would_go_on():
    played = replace(a_round(FIRST, SECOND, gone=("e",)), absent=())
    now = as_it_stands(played, rung_of(played, 1, 1), seed=LOT, lowest_wins=False)
    assert now == {Source(1, 1, 1): "a", OfTheOthers(1, 1): "f", OfTheOthers(1, 2): "b"}


def test_the_others_are_in_the_order_of_their_shares_with_the_figures_that_decide():
    played = a_round(FIRST, SECOND, {"i": 50, "j": 50, "k": 20})
    rung = rung_of(played, 2, 1)
    compared = others(played, rung, seed=LOT, lowest_wins=False)
    assert [(one.entry, one.table, one.place, one.points) for one in compared] == [
        ("k", 3, 3, 20), ("c", 1, 3, 20), ("g", 2, 3, 10)
    ]  # fmt: skip
    assert [one.mean for one in compared] == [40, 45, Fraction(185, 4)]
    assert [one.share for one in compared] == [Fraction(1, 2), Fraction(4, 9), Fraction(8, 37)]


@pytest.mark.parametrize(("gone", "entries"), [((), ["c", "g"]), (("c",), ["d", "g"])])
def test_who_has_left_is_not_compared_and_leaves_the_place_to_the_next(gone, entries):
    played = a_round(FIRST, SECOND, gone=gone)
    compared = others(played, rung_of(played, 2, 1), seed=LOT, lowest_wins=False)
    assert sorted(one.entry for one in compared) == entries


def test_a_table_without_points_has_no_mean_to_compare_with():
    compared = others(a_round(FIRST, dict.fromkeys("efgh", 0)), Rung(8, 2, 1, 1), seed=LOT, lowest_wins=False)
    assert [one.share for one in compared] == [Fraction(60, 45), None]
