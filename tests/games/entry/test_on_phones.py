"""Hands that phones hold: what the inbox says of them, and how they end."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import PhoneHand
from league.access import tournament_for
from league.models import Round
from league.roles.scorer_links import make_scorer_links
from league.setup.overview.inbox import read_inbox
from tests import cast
from tests.games.pages import form, living, post, said

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


@pytest.fixture
def guest(table):
    """A phone with the link of table 1."""
    [(_link, secret)] = make_scorer_links(tournament=table.round.tournament, tables=[1], by=cast.organiser())
    client = Client()
    client.post(f"/s/{secret}/")
    return client


def told(table):
    """Title and line of each item of the organiser's inbox."""
    inbox = read_inbox(tournament_for(cast.organiser(), table.round.tournament.slug))
    return [(str(row.item.title), str(row.item.line)) for row in inbox.rows]


def send(phone, table, data):
    return post(phone, table, data, headers=JSON).json()["code"]


def differs(guest, olga, table):
    """Olga has recorded hand 1, and the phone has another result, sent by its queue and then by its form."""
    data = form(guest, table)
    post(olga, table, form(olga, table, went_out="0", cards_1="R7", cards_3="W"))
    assert send(guest, table, data) == "taken"
    assert post(guest, table, data).status_code == 409
    return data["key"]


SECOND = ("Table 1: two results, hand 1", "Scorer link, table 1 has another result.")


def test_a_second_result_is_compared_and_replaces_the_first(guest, olga, table):
    differs(guest, olga, table)
    assert told(table) == [SECOND]
    page = olga.get(f"/tables/{table.pk}/disputes/")
    assert "Scorer link, table 1 has another result." in said(page) and "Second result" in said(page)
    decide = f"/tables/{table.pk}/phone/decide/"
    hand = PhoneHand.objects.get()
    assert olga.post(decide, {"hands": str(hand.pk), "decision": "theirs"}).status_code == 303
    assert living(table)[0].seats[1]["cards"] == ["B6", "GD", "R7"]
    assert told(table) == []
    again = olga.post(decide, {"hands": str(hand.pk), "decision": "stands"})
    assert again.status_code == 409 and "This result is already decided." in said(again)
    log = said(olga.get(f"/t/{table.round.tournament.slug}/log/?all=1"))
    assert "a phone’s hand was rejected" in log and "a phone’s rejected hand was dropped" in log


def test_a_second_result_that_its_phone_drops_needs_no_director(guest, olga, table):
    key = differs(guest, olga, table)
    assert guest.post(f"/tables/{table.pk}/phone/", {"key": "another"}).status_code == 303
    assert told(table) == [SECOND]
    assert guest.post(f"/tables/{table.pk}/phone/", {"key": key}).status_code == 303
    assert told(table) == [] and len(living(table)) == 1


def test_a_correction_of_the_first_result_settles_the_second(guest, olga, table):
    differs(guest, olga, table)
    [hand] = living(table)
    data = {"version": cast.again(table).version, "went_out": "1", "cards_0": "R7", "cards_2": "W", "reason": "Counted"}
    assert olga.post(f"/hands/{hand.pk}/correct/", data).status_code == 303
    assert told(table) == []


def test_hands_that_wait_behind_one_are_an_item_until_they_arrive(guest, table):
    first = form(guest, table)
    assert send(guest, table, first | {"waiting": "2 second 3 third x y 4"}) == "recorded"
    assert told(table) == []  # they are on their way
    PhoneHand.objects.update(since=timezone.now() - timedelta(minutes=2))
    line = "Scorer link, table 1: they arrive when the phone is online again."
    assert told(table) == [("Table 1: 2 hands on a phone", line)]
    assert send(guest, table, first | {"hand": "2", "key": "second"}) == "recorded"
    assert told(table) == [("Table 1: 1 hand on a phone", line)]


def test_hands_after_the_round_was_closed_are_an_item_until_a_director_is_done(guest, olga, table):
    first = form(guest, table)
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    for number in ("1", "2"):
        assert send(guest, table, first | {"hand": number, "key": f"key {number}"}) == "closed"
    line = "Scorer link, table 1 sent it after round 1 was closed."
    assert told(table) == [("Table 1: 2 hands rejected", line)]
    [row] = read_inbox(tournament_for(cast.organiser(), table.round.tournament.slug)).rows
    done = row.item.actions[1]
    answer = olga.post(done.url, {done.name: done.value, **dict(done.hidden)}, follow=True)
    assert "Handled. The phone still has it." in said(answer) and told(table) == []


def test_a_director_needs_no_item_of_what_they_typed(olga, table):
    data = form(olga, table)
    cast.record(table, 1)
    assert send(olga, table, data) == "taken"
    assert told(table) == []
