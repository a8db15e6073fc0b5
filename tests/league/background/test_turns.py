"""Turns of long work: how many a worker has, and how they end."""

import os
import signal
import threading
from contextlib import ExitStack

import pytest

from league.background import turns
from league.background.turns import Turns


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0)
    monkeypatch.setattr(turns, "_turns", turns._turns)


@pytest.mark.parametrize(
    ("processes", "has_deadlines", "number"), [(3, True, 2), (2, True, 1), (1, True, 1), (3, False, 3)]
)
def test_a_worker_for_all_queues_keeps_one_process_free(processes, has_deadlines, number):
    turns.share(processes=processes, has_deadlines=has_deadlines)
    with ExitStack() as stack:
        assert [stack.enter_context(turns.take()) for _ in range(number + 1)] == [True] * number + [False]
    with turns.take() as has_turn:
        assert has_turn


def test_processes_of_a_worker_share_its_turns_and_a_killed_one_gives_its_turn_back():
    shared, (ready, said) = Turns(2), os.pipe()
    if (child := os.fork()) == 0:
        with shared.take():
            os.write(said, b"x")
            signal.pause()
        os._exit(0)
    os.read(ready, 1)
    with shared.take() as first, shared.take() as second:
        assert (first, second) == (True, False)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with shared.take() as first, shared.take() as second:
        assert (first, second) == (True, True)


def test_the_end_of_a_short_turn_is_waited_for_and_of_a_long_one_not(monkeypatch):
    only = Turns(1)
    monkeypatch.setattr(turns, "PATIENCE", 60)

    def other(taken):
        with only.take() as has_turn:
            taken.append(has_turn)

    taken = []
    waits = threading.Thread(target=other, args=[taken])
    with only.take():
        waits.start()
        monkeypatch.setattr(turns, "LONG", 0)
        waits.join(30)
        assert taken == [False]
    monkeypatch.setattr(turns, "LONG", 60)
    waits = threading.Thread(target=other, args=[taken])
    with only.take():
        waits.start()
    waits.join(30)
    assert taken == [False, True]
