"""Moves that wait are written together, each only if what it was decided on is still right."""

import pytest
from django.db import transaction

from engine.state import DRAWN
from games.models import Deal, Move
from games.online.play import append as writing
from games.online.play.append import append
from games.online.play.moves import Command, _decide_on_known
from league.access.table_rows import at_table
from league.models import Tournament
from league.rounds.pause import pause, resume
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import at_place, everybody_ready, put_online, standing
from tests.served import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def deals():
    """The hands of two tables, dealt."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return [everybody_ready(put_online(cast.table(made, 1, number))) for number in (1, 2)]


def ask_of(deal, key=""):
    """Whoever's turn it is draws a card, or keeps it; it is decided, and not yet written."""
    played = standing(deal)
    action = ("pass",) if played.hand.public.step == DRAWN else ("draw",)
    command = Command(deal.pk, at_place(deal, played.hand.public.turn), action, played.decision, key)
    ask = _decide_on_known(at_table(deal.table_id), command)
    assert ask is not None
    return ask


def moves_of(deal):
    return list(Move.objects.filter(deal=deal).values_list("number", "action", "key"))


def test_a_move_is_written_with_the_clock_and_the_count_of_its_table(deals):
    ask, before = ask_of(deals[0]), at_table(deals[0].table_id).table.play_version
    assert append(ask)
    [(number, action, _key)] = moves_of(deals[0])
    stored = Deal.objects.get(pk=deals[0].pk)
    assert (number, action[0], stored.moves_made) == (1, "draw", 1)
    assert stored.asked_at == ask.deal.asked_at and stored.places == ask.deal.places
    assert at_table(deals[0].table_id).table.play_version == before + 1 == ask.deal.table.play_version


def test_of_two_that_were_decided_on_the_same_one_is_written(deals):
    first, second = ask_of(deals[0], "one"), ask_of(deals[0], "two")
    assert together(lambda: append(first), lambda: append(second)).count(True) == 1
    assert len(moves_of(deals[0])) == 1


def test_what_waits_at_several_tables_is_written_in_one_transaction(deals, monkeypatch):
    groups, write = [], writing.write
    monkeypatch.setattr(writing, "write", lambda asks: (groups.append(len(asks)), write(asks)))
    asks = [ask_of(deal) for deal in deals]
    with transaction.atomic():
        writing._write_if_right(asks)
    assert groups == [2] and all(ask.written for ask in asks)
    assert [len(moves_of(deal)) for deal in deals] == [1, 1]


def test_a_key_that_was_used_holds_up_no_other_move_of_its_group(deals):
    assert append(ask_of(deals[0], "mine"))
    twice, other = ask_of(deals[0]), ask_of(deals[1])
    twice.move.key = "mine"
    writing._write_if_right([twice, other])
    assert (twice.written, other.written) == (False, True)
    assert [len(moves_of(deal)) for deal in deals] == [1, 1]


def test_a_move_that_was_decided_before_a_pause_is_not_written_during_it(deals):
    ask, made = ask_of(deals[0]), Tournament.objects.get()
    pause(tournament=made, reason="Fire alarm", by=made.owner)
    assert not append(ask) and moves_of(deals[0]) == []
    resume(tournament=made, by=made.owner)
    assert append(ask_of(deals[0]))


def test_a_move_inside_a_transaction_is_taken_back_with_it(deals):
    class Undone(Exception):
        pass

    with pytest.raises(Undone), transaction.atomic():
        assert append(ask_of(deals[0]))
        raise Undone
    assert moves_of(deals[0]) == []
    assert append(ask_of(deals[0]))
