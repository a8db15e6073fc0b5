"""Rounds of pairs for those who go on, after rounds that others played, and tables that people must have. Pure."""

from collections import Counter

import pytest

from league.formats import NotPossible, pairs
from league.formats.seating.fixed_tables import at_fixed_tables
from league.formats.seating.late_rounds import PARTNER, meetings, tables_of_byes

Played = tuple[tuple[tuple[int | None, ...], ...], ...]


def after(players: int, rounds: int) -> Played:
    return tuple(tuple(seating.tables) for seating in pairs.schedule(players)[:rounds])


def counted(played: Played, seatings: tuple[pairs.RoundSeating, ...]) -> tuple[int, int]:
    """How often two were partners at most, and opponents."""
    met = Counter(meeting for tables in played for table in tables for meeting in meetings(table))
    met.update(meeting for seating in seatings for table in seating.tables for meeting in meetings(table))
    partners = [times for (_one, _other, kind), times in met.items() if kind == PARTNER]
    opponents = [times for (_one, _other, kind), times in met.items() if kind != PARTNER]
    return max(partners), max(opponents)


@pytest.mark.parametrize(("players", "rounds"), [(4, 1), (5, 2), (7, 3), (8, 1), (8, 5), (9, 4), (12, 6)])
def test_with_one_more_player_nobody_has_a_partner_twice(players: int, rounds: int) -> None:
    played, left = after(players, rounds), pairs.full_rounds(players) - rounds
    made = pairs.to_come(players + 1, left, played, seed="cast")

    assert len(made) == left
    for seating in made:
        seated = [player for table in seating.tables for player in table]
        assert sorted([*seated, *seating.byes]) == list(range(players + 1))
        assert len(seating.byes) == (players + 1) % 4
    partners, opponents = counted(played, made)
    assert partners == 1
    assert opponents <= 4


def test_who_missed_rounds_sits_out_no_more_than_the_others() -> None:
    made = pairs.to_come(9, 5, after(8, 2), seed="cast")
    byes = Counter(player for seating in made for player in seating.byes)
    assert byes[8] == 0
    assert set(byes.values()) == {1}


def test_partners_of_whoever_has_gone_are_forgotten_and_their_seats_are_nobodys() -> None:
    played: Played = (((0, 1, None, 3), (4, 5, 6, 7)),)
    made = pairs.to_come(8, 3, played, seed="cast")
    assert counted(played, made)[0] == 1


def test_the_same_event_gives_the_same_rounds() -> None:
    once = pairs.to_come(9, 3, after(8, 4), seed="cast")
    pairs.to_come.cache_clear()
    assert pairs.to_come(9, 3, after(8, 4), seed="cast") == once


def test_more_rounds_than_a_whole_schedule_are_possible() -> None:
    made = pairs.to_come(5, 8, after(4, 1), seed="cast")
    assert len(made) == 8


def test_a_number_that_has_no_schedule_is_refused() -> None:
    with pytest.raises(NotPossible, match="not 46"):
        pairs.to_come(46, 3, (), seed="cast")


def test_three_who_sit_out_and_a_newcomer_get_partners_whom_they_have_not_had() -> None:
    rounds = [(seating.tables, seating.byes) for seating in pairs.schedule(7)]
    made = tables_of_byes(rounds, 7, ())
    assert made is not None
    seatings = tuple(
        pairs.RoundSeating((*tables, table), ()) for (tables, _byes), table in zip(rounds, made, strict=True)
    )
    assert counted((), seatings)[0] == 1
    assert all(7 in table for table in made)


def test_three_who_have_all_been_partners_make_no_table() -> None:
    had = (((0, 2, 1, 3), (0, 1, 2, 3), (1, 0, 2, 3)),)
    assert tables_of_byes([((), (0, 1, 2))], 4, had) is None


def test_people_sit_at_their_tables_and_the_others_stay() -> None:
    assert at_fixed_tables(["ab", "cd", "ef"], {"e": 1}) == ["ef", "cd", "ab"]
    assert at_fixed_tables(["ab", "cd", "ef"], {}) == ["ab", "cd", "ef"]
    assert at_fixed_tables(["ab", "cd"], {"d": 7}) == ["ab", "cd"]


def test_where_two_at_one_table_need_different_ones_it_is_one_of_these() -> None:
    assert at_fixed_tables(["ab", "cd", "ef"], {"a": 3, "b": 2}) == ["cd", "ab", "ef"]
    assert at_fixed_tables(["ab", "cd", "ef"], {"a": 2, "b": 3, "c": 2}) == ["ef", "cd", "ab"]
