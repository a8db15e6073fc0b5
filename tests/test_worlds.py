"""What tests play once is the same for each of them, and is played where anything differs."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from games.models import Hand
from league.models import Tournament
from tests import cast, worlds

pytestmark = pytest.mark.django_db


@pytest.fixture
def records(monkeypatch):
    """Of each hand that is really recorded a number."""
    done, record = [], cast.record
    monkeypatch.setattr(worlds, "_kept", {})
    monkeypatch.setattr(cast, "record", lambda *hand: done.append(len(done)) or record(*hand))
    return done


@contextmanager
def of_another_test():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_what_was_played_before_is_there_again_row_for_row(records):
    with of_another_test():
        first = cast.play(cast.tournament(hands_per_round=1), 2)
        before, ended = worlds.fingerprint(but=worlds.UNREAD), first.log_head.hash
    assert (len(records), Hand.objects.exists()) == (4, False)
    again = cast.play(cast.tournament(hands_per_round=1), 2)
    assert (len(records), worlds.fingerprint(but=worlds.UNREAD), again.log_head.hash) == (4, before, ended)
    cast.play(again, 3)
    assert len(records) == 6, "another round is played, and numbered on"


def test_a_world_in_which_anything_differs_is_played(records):
    with of_another_test():
        cast.play(cast.tournament(hands_per_round=1), 1)
    other = cast.tournament(hands_per_round=1)
    Tournament.objects.update(name="Another")
    assert cast.play(other, 1).name == "Another"
    assert len(records) == 4


def test_what_waits_for_the_commit_waits_again(records, django_capture_on_commit_callbacks):
    def told():
        with of_another_test(), django_capture_on_commit_callbacks() as calls:
            cast.play(cast.tournament(hands_per_round=1), 1)
        return len(calls)

    assert told() == told() > 0
    assert len(records) == 2


def test_whoever_moves_on_the_time_plays(records, monkeypatch):
    with of_another_test():
        cast.play(cast.tournament(hands_per_round=1), 1)
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    assert cast.play(cast.tournament(hands_per_round=1), 1).rounds.get(number=1).closed_at == tomorrow
    assert len(records) == 4
