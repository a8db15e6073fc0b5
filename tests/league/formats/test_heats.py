"""Heats: ladders, who goes on, places; each rule by hand, then every number of players against a plain count."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats import FORMATS
from league.formats.heats import SECOND_LADDER, Heats
from league.formats.ladder import Rung, ladder, rounds_possible
from league.formats.progression import Began, Played, Result, Rules, state_of
from league.formats.protocol import Draw
from league.formats.seating.snake import seat
from tests.second.heats_by_hand import in_order, places_of, places_with_second, who_goes_on, who_waits

HEATS = Heats()


def played(number, *tables, over=True):
    """A round. tables: {entry: points} in the order of seats."""
    seated = {at: [Result(entry, points) for entry, points in table.items()] for at, table in enumerate(tables, 1)}
    return Played(number, seated, over)


def state(*rounds, entrants="abcdefgh", size=4, following=None, **more):
    return state_of(Began(tuple(entrants), **more), rounds, following, Rules(size))


FIRST = played(1, {"a": 90, "b": 60, "c": 30, "d": 0}, {"e": 10, "f": 100, "g": 5, "h": 80})


# Ladders


def test_ladders_that_clubs_need():
    assert ladder(8, 4) == (Rung(8, 2, 2), Rung(4, 1))
    assert ladder(12, 4) == (Rung(12, 3, 1, 1), Rung(4, 1))
    assert ladder(16, 4) == (Rung(16, 4, 2), Rung(8, 2, 2), Rung(4, 1))
    assert ladder(24, 4) == (Rung(24, 6, 2), Rung(12, 3, 1, 1), Rung(4, 1))
    assert ladder(9, 4) == (Rung(9, 3, 1, 1), Rung(4, 1))
    assert ladder(5, 5) == (Rung(5, 1),)


@pytest.mark.parametrize("size", range(4, 11))
def test_every_number_from_6_to_200_has_a_way_to_the_final(size):
    for players in range(6, 201):
        rungs = ladder(players, size)
        assert rungs is not None and rungs[0].players == players and rungs[-1].tables == 1
        for rung, following in pairwise(rungs):
            smallest = rung.players // rung.tables
            assert -(-rung.players // rung.tables) <= size and smallest >= 3
            assert 1 <= rung.best < smallest and 0 <= rung.lucky < rung.tables
            assert rung.advancing == following.players < rung.players
        assert 3 <= rungs[-1].players <= size


def test_so_many_rounds_as_are_chosen_or_a_sentence_on_what_is_possible():
    assert [len(ladder(20, 4, rounds)) for rounds in rounds_possible(20, 4)] == rounds_possible(20, 4) == [3, 4, 5, 6]
    assert ladder(20, 4, 2) is None
    assert str(HEATS.problems({"rounds": 2}, 20)["rounds"]) == (
        "20 players at tables of 4 need 3 to 6 rounds to a final, not 2."
    )
    assert str(HEATS.problems({"rounds": 3}, 6)["rounds"]) == (
        "6 players at tables of 4 need 2 rounds to a final, not 3."
    )
    assert str(HEATS.problems({}, 2)["players"]) == "Heats and a final needs 6 to 1000 players, not 2."
    assert "table_size" in HEATS.problems({"table_size": 3}, 20)


# Who goes on


def test_the_best_of_each_table_go_on_the_best_first():
    now = state(FIRST)
    assert now.still_in == ("f", "a", "h", "b") and now.another_round
    assert [now.lines[entry].rank for entry in "fahb"] == [1, 2, 3, 4]
    assert {(line.rank, line.tied, line.status) for entry, line in now.lines.items() if entry in "cdeg"} == {
        (5, True, "out")
    }


def test_the_best_of_the_others_are_found_by_place_and_then_against_the_mean_of_their_table():
    # 9 players: the best of three tables, and one more. b made half of a table of 90, e of one of 40, h a third of 300.
    first = played(1, {"a": 45, "b": 45, "c": 0}, {"d": 22, "e": 18, "f": 0}, {"g": 200, "h": 100, "i": 0})
    now = state(first, entrants="abcdefghi")
    through = [entry for entry, line in now.lines.items() if line.through]
    assert len(through) == 4 and set(through) >= {"d", "g"} and {"a", "b"} <= set(through)
    assert [entry for entry in through if now.lines[entry].lucky] in (["a"], ["b"])
    assert not any(line.by_lot for line in now.lines.values())  # the lot has decided nothing: both go on


def test_hands_won_and_then_the_lot_decide_between_equals_and_the_seed_draws_the_same():
    results = [Result("a", 50, 2), Result("b", 50, 3), Result("c", 50, 2), Result("d", 0, 1)]
    first = Played(1, {1: results, 2: [Result(entry, 9) for entry in "efgh"]}, True)
    for seed in "xyz":
        now = state(first, seed=seed)
        assert now.lines["b"].place == 1 and not now.lines["b"].by_lot
        assert {now.lines["a"].place, now.lines["c"].place} == {2, 3} and now.lines["a"].by_lot
        assert now == state(first, seed=seed)
    assert len({state(first, seed=str(seed)).still_in for seed in range(20)}) > 5


FINAL_OF_4 = ("a", "b", "f", "h")


def final(*results, over=True):
    return Played(2, {1: list(results)}, over)


def ranks(now, of=FINAL_OF_4):
    return {entry: (now.lines[entry].rank, now.lines[entry].tied) for entry in of}


def test_tied_finalists_share_the_place_and_nobody_draws_lots():
    tied = final(Result("a", 30, 1), Result("b", 30, 1), Result("f", 0, 0), Result("h", 5, 0))
    now = state(FIRST, tied)
    assert ranks(now) == {"a": (1, True), "b": (1, True), "h": (3, False), "f": (4, False)}
    assert now.winners == ("a", "b") or now.winners == ("b", "a")
    assert now.winner is None and not now.another_round
    assert not any(line.by_lot or line.decided_by for line in now.lines.values())
    assert {now.lines[entry].place for entry in "ab"} == {1}


def test_hands_won_decide_in_the_final_and_the_line_says_so():
    now = state(FIRST, final(Result("a", 30, 1), Result("b", 30, 2), Result("f", 0), Result("h", 0)))
    assert ranks(now) == {"b": (1, False), "a": (2, False), "f": (3, True), "h": (3, True)}
    assert {now.lines[entry].decided_by for entry in "ab"} == {"hands-won"} and now.winner == "b"


@pytest.mark.parametrize("lowest", (False, True))
def test_an_extra_hand_of_the_final_decides_only_among_those_who_were_tied(lowest):
    """b wins it against f. The point for it would bring b level with a, who has fewer hands won."""
    one = -1 if lowest else 1
    first = Result("a", 30 + one, 1)
    tied = Result("b", 30 + one, 2, adjustments=one, extra=one), Result("f", 30, 2), Result("h", 30 - 9 * one)
    now = state(FIRST, final(first, *tied), lowest_wins=lowest)
    assert ranks(now) == {"a": (1, False), "b": (2, False), "f": (3, False), "h": (4, False)}
    assert {now.lines[entry].decided_by for entry in "bf"} == {"extra-hand"} and now.lines["a"].decided_by is None


def test_before_a_hand_of_the_final_all_finalists_share_the_first_place():
    now = state(FIRST, final(*(Result(entry) for entry in FINAL_OF_4), over=False))
    assert set(ranks(now).values()) == {(1, True)} and not now.winners


def test_where_only_the_lot_separates_the_last_who_goes_on_from_the_first_who_does_not_it_says_so():
    first = played(
        1,
        *(dict(zip(table, (50, 30, 20), strict=True)) for table in ("abc", "def", "ghi")),
    )
    now = state(first, entrants="abcdefghi")
    assert [line.entry for line in now.lines.values() if line.lucky] == [now.still_in[-1]]
    assert {entry for entry, line in now.lines.items() if line.by_lot} == {"b", "e", "h"}


def test_the_lowest_total_wins_where_that_was_chosen():
    assert state(FIRST, lowest_wins=True).still_in[:2] in (("d", "g"), ("g", "d"))


def test_who_drops_out_between_rounds_leaves_the_place_to_the_best_of_the_others():
    now = state(replace(FIRST, gone={"f"}))
    assert set(now.still_in) == {"a", "h", "b", "c"} or set(now.still_in) == {"a", "h", "b", "e"}
    assert now.lines["f"].status == "dropped" and now.lines["f"].rank == 5


def test_who_leaves_while_a_round_is_played_takes_no_place_from_those_who_stay():
    first = replace(FIRST, absent={"a"}, gone={"a"})
    assert set(state(first, lowest_wins=True).still_in) == {"c", "d", "e", "g"}
    assert set(state(first).still_in) == {"b", "c", "f", "h"}
    assert state(first).lines["a"].status == "dropped" and state(first).lines["a"].place == 4


def test_who_leaves_after_the_final_has_won_it_all_the_same():
    final = played(2, {"a": 10, "b": 50, "f": 3, "h": 30})
    now = state(FIRST, replace(final, gone={"b"}))
    assert now.winner == "b" and now.lines["b"].rank == 1 and now.lines["b"].status == "active"
    assert state(FIRST, replace(final, absent={"b"}, gone={"b"})).winner == "h"


def test_after_an_earlier_round_those_are_through_who_sat_in_the_next_one():
    final = played(2, {"a": 10, "c": 50, "f": 3, "h": 30})  # b did not come, c moved up
    then = state(replace(FIRST, gone={"b"}), following=final)
    assert set(then.still_in) == {"a", "c", "f", "h"} and then.lines["c"].lucky
    assert then.lines["b"].status == "dropped" and not then.lines["b"].through
    corrected = played(1, {"a": 0, "b": 60, "c": 30, "d": 90}, {"e": 10, "f": 100, "g": 5, "h": 80})
    assert set(state(corrected, following=final).still_in) == {"a", "c", "f", "h"}


def test_the_penalty_of_a_neighbour_and_a_table_where_nothing_was_played_are_no_measure():
    nine = ({"a": 90, "b": 10, "c": 0}, {"d": 100, "e": 90, "f": 5}, {"g": 0, "h": 0, "i": 0})
    first = played(1, *nine)
    fined = replace(first, tables=first.tables | {1: [*first.tables[1][:2], Result("c", -25, 0, adjustments=-25)]})
    for lowest in (False, True):
        assert [entry for entry, line in state(fined, entrants="abcdefghi").lines.items() if line.lucky] == ["e"]
        lucky = {
            entry for entry, line in state(first, entrants="abcdefghi", lowest_wins=lowest).lines.items() if line.lucky
        }
        assert lucky and lucky.isdisjoint("ghi")


def test_who_is_left_alone_has_won():
    now = state(replace(FIRST, gone=set("abcdefg")))
    assert now.winner == "h" and not now.another_round and not now.lines["h"].through


def test_a_round_is_cut_by_the_size_of_its_own_tables():
    entrants = [f"p{number}" for number in range(16)]
    tables = [{entry: 10 * place for place, entry in enumerate(entrants[at : at + 4])} for at in range(0, 16, 4)]
    first = replace(played(1, *tables), size=4)
    assert len(state(first, entrants=entrants, size=10).still_in) == len(state(first, entrants=entrants).still_in) == 8


def test_who_sat_in_the_next_round_went_on_whatever_the_points_say_by_now():
    corrected = played(1, {"a": 0, "b": 60, "c": 30, "d": 90}, {"e": 10, "f": 100, "g": 5, "h": 80})
    final = played(2, {"a": 10, "b": 5, "f": 3, "h": 1}, over=False)
    now = state(corrected, final)
    assert now.still_in == ("a", "b", "f", "h") and not now.another_round
    assert now.lines["d"].status == "out" and now.lines["d"].rank == 5


def test_the_final_has_places_and_who_leaves_in_a_round_shares_one():
    final = played(2, {"a": 10, "b": 50, "f": 3, "h": 30})
    now = state(FIRST, final)
    assert list(now.lines)[:4] == ["b", "h", "a", "f"] and not now.another_round and now.winner == "b"
    assert [line.rank for line in now.lines.values()] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert not any(line.tied for line in list(now.lines.values())[:4])


def test_before_the_first_round_all_are_in_and_share_the_first_place():
    now = state(dropped={"c"})
    assert now.still_in == tuple("abdefgh") and now.lines["c"].status == "dropped"


# The next round


def test_the_next_round_is_a_snake_in_which_those_of_one_table_do_not_meet():
    seeded = [f"p{number}" for number in range(8)]
    first = [["p0", "p7", "x", "y"], ["p1", "p6", "z", "w"], ["p2", "p5", "v", "u"], ["p3", "p4", "t", "s"]]
    tables = seat(seeded, 2, [first], seed="s")
    tiers = [set(seeded[at : at + 2]) for at in range(0, 8, 2)]
    assert all(len(tier & set(table)) == 1 for tier in tiers for table in tables)
    assert not any({one, other} <= set(table) for table in tables for one, other in (("p0", "p7"), ("p1", "p6")))
    assert tables == seat(seeded, 2, [first], seed="s")


def test_wishes_are_kept_and_in_the_final_everybody_meets():
    players = [f"p{number}" for number in range(8)]
    for number in range(5):
        wanted = Draw(players, seed=str(number), apart=[("p0", "p1")], fixed={"p2": 2}, seeded=bool(number % 2))
        tables = HEATS.draw(wanted, HEATS.complete({}))
        assert "p2" in tables[1] and not any({"p0", "p1"} <= set(table) for table in tables)
    assert len(HEATS.draw(Draw(players[:4], apart=[("p0", "p1")], seeded=True), HEATS.complete({}))) == 1


def leaving(played, dice):
    """Somebody may leave while it is played, and somebody after it."""
    seated = sorted(played.entries)
    absent = {dice.choice(seated)} if dice.random() < 0.2 else set()
    return replace(played, absent=absent, gone=absent | ({dice.choice(seated)} if dice.random() < 0.2 else set()))


def extra(dice):
    """Points beside the hands that an extra hand brought, now and then."""
    points = dice.choice((0, 0, 0, 0, 1))
    return points, points


@pytest.mark.slow
@settings(max_examples=150)
@given(
    players=st.integers(6, 200), size=st.integers(4, 10), seed=st.integers(0, 10**6), few_points=st.booleans(),
    lowest=st.booleans(), way=st.sampled_from(["", "byes", "repechage"]),
)  # fmt: skip
def test_every_event_ends_as_a_plain_count_says(players, size, seed, few_points, lowest, way):
    dice = random.Random(seed)
    byes, again = way == "byes", way == "repechage"
    if again and not ladder(players, size, repechage=True):
        way, again = "", False
    how = {way: True} if way else {}
    values = HEATS.complete({"table_size": size, **dict.fromkeys(how, 1)})
    assert not HEATS.misfits(values, players)
    entrants, rounds = [f"p{number:03}" for number in range(players)], []

    def now():
        return state_of(Began(entrants, seed="lot", lowest_wins=lowest), rounds, None, Rules(size, **how))

    while (before := now()).another_round:
        past = [[[result.entry for result in table] for table in one.tables.values()] for one in rounds]
        number = len(rounds) + 1
        free = before.waiting if rounds else HEATS.sits_out(before.still_in, values)
        if again and len(rounds) == 1:
            assert list(free) == who_waits(rounds[0], before.rungs[0].best, size, "lot", lowest)
            assert {entry for entry, line in before.lines.items() if line.again} == (
                set(before.still_in).difference(free) if free else set()
            )
        else:
            assert not before.waiting and not any(line.again for line in before.lines.values())
        playing = [entry for entry in before.still_in if entry not in free]
        tables = HEATS.draw(Draw(playing, past, "s", seeded=bool(rounds)), values)
        seated = [entry for table in tables for entry in table]
        sits_out = sorted(set(before.still_in).difference(seated))
        assert sorted([*seated, *sits_out]) == sorted(before.still_in) and len(set(seated)) == len(seated)
        assert sits_out == (entrants[: len(sits_out)] if byes and not rounds else sorted(before.waiting))
        assert max(map(len, tables)) <= size or (len(tables) == 1 and len(playing) == 5 and again)
        assert max(map(len, tables)) - min(map(len, tables)) <= 1
        points = [0, 5, 10] if few_points else range(400)
        results = {
            number: [Result(entry, dice.choice(points), dice.randrange(4), *extra(dice)) for entry in table]
            for number, table in enumerate(tables, 1)
        }
        rounds.append(leaving(Played(number, results, True, byes=sits_out), dice))
        rung = now().rungs[-1]
        assert not (byes and rung.lucky) or any(played.gone for played in rounds)
        assert rung.again == (again and len(rounds) == 1)
        assert not sits_out or now().another_round, "no final as long as others wait"
        to_come = now().to_come
        assert all(one.advancing == after.players for one, after in pairwise(to_come))
        if rung.again and to_come:
            assert to_come[0].players == len(now().still_in) and to_come[0].byes == len(now().waiting)
        elif len(rounds) == 2 and again and rung.best and not rounds[-1].gone:
            assert rung.advancing == to_come[0].players
        if rung.best:
            order = in_order(rounds[-2], "lot", lowest) if rounds[1:] else ()
            assert list(now().still_in) == who_goes_on(rounds[-1], rung.advancing, "lot", lowest, order)
        assert len(rounds) < 12
    last = now()
    assert {entry: line.rank for entry, line in last.lines.items()} == places_of(entrants, rounds, "lot", lowest)
    assert len(rounds) == len(ladder(players, size, **how)) or any(played.gone for played in rounds)


def test_it_is_found_by_its_key_and_ends_in_a_final():
    assert FORMATS["heats"].ending == "final" and FORMATS["heats"].possible() == range(6, 1001)


# The second ladder


def test_five_of_the_second_ladder_play_its_final_at_one_table():
    rounds = HEATS.evening(9, HEATS.complete({"after_round_1": SECOND_LADDER}), "classic", "winner-takes").plan
    assert [sizes for sizes, _what in rounds] == [(3, 3, 3), (4, 5)]
    assert str(rounds[1][1]) == "Final of 4. Second ladder: Final of 5"
    assert ladder(5, 4) is None


@pytest.mark.slow
@settings(max_examples=100)
@given(players=st.integers(6, 120), size=st.integers(4, 8), seed=st.integers(0, 10**6), lowest=st.booleans())
def test_with_a_second_ladder_everybody_plays_to_the_final_of_one(players, size, seed, lowest):
    dice = random.Random(seed)
    values = HEATS.complete({"table_size": size, "after_round_1": SECOND_LADDER})
    entrants, rounds = [f"p{number:03}" for number in range(players)], []

    def now():
        began = Began(entrants, seed="lot", lowest_wins=lowest)
        return state_of(began, rounds, None, Rules(size, second_ladder=True))

    while (before := now()).another_round:
        first = before.still_in if before.winner is None else ()
        people = (*first, *before.second_ladder)
        past = [[[result.entry for result in table] for table in one.tables.values()] for one in rounds]
        tables = HEATS.draw(Draw(people, past, "s", seeded=bool(rounds), second_ladder=before.second_ladder), values)
        assert sorted(entry for table in tables for entry in table) == sorted(people)
        second = {number for number, table in enumerate(tables, 1) if table[0] in before.second_ladder}
        assert all(
            (entry in before.second_ladder) == (number in second)
            for number, table in enumerate(tables, 1)
            for entry in table
        )
        if len(rounds) == 1:
            assert len(set(entrants) - rounds[0].gone - set(people)) <= 1  # nobody plays alone
        results = {
            number: [Result(entry, dice.choice((0, 5, 10, 40)), dice.randrange(4), *extra(dice)) for entry in table]
            for number, table in enumerate(tables, 1)
        }
        rounds.append(leaving(Played(len(rounds) + 1, results, True, second), dice))
        assert len(rounds) < 15
    last = now()
    places, out = places_with_second(entrants, rounds, "lot", lowest)
    assert {entry: line.rank for entry, line in last.lines.items()} == places
    assert {entry for entry, line in last.lines.items() if line.second} == out
