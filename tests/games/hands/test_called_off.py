"""A tournament that is called off after its first round was published: no hand is taken, and none is dealt online."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Deal, Hand, Move
from games.online.play.moves import play
from games.online.play.sweep import Sweeper
from league.access.signed_links import player_token
from league.lib.errors import Conflict
from league.models import Entry
from league.rounds.steps import start
from league.setup.call_off import call_off, hold_after_all
from tests import cast
from tests.api import Program
from tests.games.online_table import everybody_ready, next_move, put_online, standing
from tests.games.pages import form, post, said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def test_a_hand_that_was_typed_is_refused_with_a_sentence_and_is_entered_once_it_is_held_after_all(olga, made):
    table = cast.table(made, 1, 1)
    typed = form(olga, table, went_out="0", left_1="10", left_2="20", left_3="30")
    call_off(tournament=made, reason="Power cut", by=made.owner)
    refused = post(olga, table, typed)
    assert refused.status_code == 409 and "The tournament is called off, so no hand counts." in said(refused)
    body = {"hand": 1, "went_out": 0, "seats": [{"seat": seat, "points_left": 10} for seat in (1, 2, 3)]}
    problem = Program(made.owner).post(f"/api/v1/tables/{table.pk}/hands/", body, status=409)
    assert problem["code"] == "called-off" and not Hand.objects.exists()
    hold_after_all(tournament=made, by=made.owner)
    cast.record(table, 1)
    assert Hand.objects.count() == 1


def test_online_nothing_is_dealt_while_it_is_called_off(made):
    deal = put_online(cast.table(made, 1, 1))
    call_off(tournament=made, reason="Power cut", by=made.owner)
    everybody_ready(deal)
    Sweeper().sweep(timezone.now() + timedelta(hours=1))
    assert Deal.objects.get().state == Deal.State.WAITING
    hold_after_all(tournament=made, by=made.owner)
    Sweeper().sweep(timezone.now())
    assert Deal.objects.filter(opening=True).exists()  # all are ready: their browsers are asked to open what they add


def test_a_hand_in_play_stands_still_and_goes_on_when_it_is_held_after_all(made, client):
    deal = everybody_ready(put_online(cast.table(made, 1, 1)))
    turn = standing(deal).hand.public.turn
    entry = Entry.objects.get(pk=deal.places[turn]["entry"])
    call_off(tournament=made, reason="Power cut", by=made.owner)
    with pytest.raises(Conflict, match="cancelled"):
        play(table_id=deal.table_id, deal_id=deal.pk, entry=entry, action=("draw",), answers=0)
    client.post(f"/me/{player_token(entry)}/")
    seen = said(client.get(f"/tables/{deal.table_id}/play/?as={entry.public_id}"))
    assert "Cancelled" in seen and "Power cut" in seen and "doesn’t count" in seen
    assert not Move.objects.exists()
    hold_after_all(tournament=made, by=made.owner)
    next_move(deal)
    assert Move.objects.exists()
