"""Counts in memory that forked processes share."""

import os

from league.lib.shared_counts import SharedCounts


def in_child(work):
    """Run it in a forked process that then dies as if it were killed."""
    if (child := os.fork()) == 0:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def test_counts_of_a_process_and_its_children_are_added_up():
    counts = SharedCounts(2)
    counts.add("page", {0: 0.5, 1: 1})
    in_child(lambda: counts.add("page", {1: 2}))
    in_child(lambda: counts.add("table", {0: 1}))
    assert counts.sums() == {"page": [0.5, 3], "table": [1, 0]}
    assert counts.are_of_one_process


def test_a_new_process_goes_on_with_the_counts_of_a_dead_one():
    counts = SharedCounts(1, blocks=1)
    for _process in range(3):
        in_child(lambda: counts.add("page", {0: 1}))
    assert counts.sums() == {"page": [3]}


def test_what_has_no_room_is_not_counted_and_breaks_nothing():
    counts = SharedCounts(1, rows=2, blocks=1)
    for key in ("a", "b", "c", "a"):
        counts.add(key, {0: 1})
    in_child(lambda: counts.add("a", {0: 1}))
    assert counts.sums() == {"a": [2], "b": [1]}


def test_a_key_longer_than_a_row_is_cut():
    counts = SharedCounts(1)
    counts.add("é" * 200, {0: 1})
    assert sum(numbers[0] for numbers in counts.sums().values()) == 1
