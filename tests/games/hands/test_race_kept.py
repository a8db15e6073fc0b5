"""The race of a Challenge UNO is kept, and hands that are recorded are added to it; test_challenge_storm.py does so
from several threads."""

import pytest
from django.db import transaction

from games.hands.correct import void_hand
from league.access.viewer import Attribution
from league.ledger import race
from league.ledger.race import RaceLedger, race_so_far, read_race
from league.lib.versioned_cache import VersionedCache
from league.models import LogEntry, LogHead, Table, Tournament
from league.rounds.steps import start
from league.setup.amend import amend_rules
from tests import cast

pytestmark = pytest.mark.django_db(transaction=True)  # nothing is kept before it is committed


@pytest.fixture
def hall() -> Tournament:
    made = cast.challenge(8, hands_per_round=4, target=100)
    start(tournament=made, by=made.owner)
    return made


def kept_of(hall: Tournament) -> RaceLedger:
    return race_so_far(hall, hall.stage)


def tables(hall: Tournament) -> list[Table]:
    return list(hall.rounds.get(number=1).tables.order_by("number"))


def assert_same(kept: RaceLedger, hall: Tournament) -> None:
    with transaction.atomic():
        read = read_race(hall, hall.stage)
    assert sorted(kept.hands) == sorted(read.hands)
    assert (kept.state, kept.numbers, kept.entrants) == (read.state, read.numbers, read.entrants)
    assert kept.ranks_after([1, 2, 3]) == read.ranks_after([1, 2, 3])


def test_recorded_hands_are_added_without_reading_the_others(hall, django_assert_num_queries):
    one, other = tables(hall)
    cast.record(one, 1)
    first = kept_of(hall)
    cast.record(other, 1, points=(0, 99, 5, 3))
    cast.record(one, 2)
    stage = hall.stage
    with django_assert_num_queries(3):
        added = race_so_far(hall, stage)
    assert len(added.hands) == 3 and len(first.hands) == 1
    assert_same(added, hall)
    with django_assert_num_queries(1):
        assert race_so_far(hall, stage) is added


def test_whatever_else_happens_it_is_read_anew(hall):
    one, other = tables(hall)
    cast.record(one, 1)
    hand = cast.record(other, 1).hand
    kept_of(hall)
    void_hand(hand_id=hand.pk, version=None, reason="Score slip", by=Attribution(hall.owner))
    assert len(kept_of(hall).hands) == 1
    assert_same(kept_of(hall), hall)
    cast.record(other, 1, points=(0, 7, 7, 7))
    assert_same(kept_of(hall), hall)


def test_whoever_read_the_rules_before_they_were_changed_leaves_no_old_rules_behind(hall):
    cast.record(tables(hall)[0], 1, points=(0, 60, 5, 5))
    old = hall.stage
    rules = {"hands_per_round": 4, "table_size": 4, "target": 50}
    amend_rules(tournament=hall, by=hall.owner, reason="Shorter", **rules)
    assert race_so_far(hall, old).settings.target == 50
    assert len(kept_of(hall).state.still_in) == 7


def test_the_ranks_after_earlier_rounds_stay_and_those_after_the_hands_do_not(hall):
    for table in tables(hall):
        for hand in range(1, 5):
            cast.record(table, hand, points=(0, 5, 10, 15))
    cast.go_on(hall)
    before = kept_of(hall).ranks_after([1, 2])
    table = cast.table(hall, 2, 1)
    cast.record(table, 1, points=(0, 25, 24, 23))
    kept = kept_of(hall)
    assert kept._ranks.keys() == {1}
    assert kept.ranks_after([1, 2])[2] != before[2]
    assert_same(kept, hall)


def test_a_hand_that_came_in_while_the_race_was_read_is_not_added_a_second_time(hall, monkeypatch):
    one, other = tables(hall)
    cast.record(one, 1)

    def comes_in_before(*of):
        monkeypatch.undo()
        cast.record(other, 1)
        return race._read(*of)

    VersionedCache.forget_all()  # as in a process that has just begun
    monkeypatch.setattr(race, "_read", comes_in_before)
    assert len(kept_of(hall).hands) == 2
    cast.record(one, 2)
    assert len(kept_of(hall).hands) == 3
    assert_same(kept_of(hall), hall)


def test_a_backup_that_is_put_back_leaves_no_race_of_what_it_does_not_have(hall):
    one, other = tables(hall)
    cast.record(one, 1)
    before = kept_of(hall)
    with transaction.atomic():
        cast.record(one, 2)
        cast.record(other, 1)
        last = LogEntry.objects.filter(tournament=hall).latest("number")
        transaction.set_rollback(True)
    lost = last.number, last.hash, before  # as this process had seen it
    cast.record(other, 1)
    cast.record(one, 2)  # another row with the number of the last one
    for more in (None, other):
        if more:
            cast.record(more, 2)
        race._known.put(hall.stage.pk, LogHead.objects.get(tournament=hall).beside_hands, lost)
        assert_same(kept_of(hall), hall)
