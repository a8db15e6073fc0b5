"""What a phone is told that sends hands which waited: one answer for each, and each hand once."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Hand
from league.access.signed_links import player_token
from league.models import Round
from league.roles.scorer_links import make_scorer_links
from tests import cast
from tests.games.pages import CARDS, form, living, name, post, said

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


def send(client, table, data):
    """The status and the code of the answer to a hand that waited."""
    response = post(client, table, data, headers=JSON)
    assert response["Content-Type"] == "application/json"
    return response.status_code, response.json()["code"]


@pytest.fixture
def guest(table):
    """A phone that has used the link of table 1."""
    [(link, secret)] = make_scorer_links(tournament=table.round.tournament, tables=[1], by=cast.organiser())
    client = Client()
    client.post(f"/s/{secret}/")
    client.link = link
    return client


def test_a_hand_that_waited_is_recorded_and_said_in_words(guest, table):
    response = post(guest, table, form(guest, table), headers=JSON)
    assert (response.status_code, response.json()["code"]) == (201, "recorded")
    assert response.json()["sentence"] == f"Hand 1 saved: {name(table, 0)} and {name(table, 2)} score 83."
    assert Hand.objects.get().who == "Scorer link, table 1"
    assert f"Hand 1 saved: {name(table, 0)}" in said(guest.get(f"/tables/{table.pk}/"))


def test_one_whose_answer_was_lost_is_sent_again_and_is_one_hand(guest, table):
    data = form(guest, table)
    assert send(guest, table, data) == (201, "recorded")
    assert send(guest, table, data) == (200, "recorded")
    assert len(living(table)) == 1


def test_one_that_somebody_entered_meanwhile_in_the_same_words_is_in(guest, olga, table):
    data = form(guest, table)
    post(olga, table, form(olga, table))
    assert send(guest, table, data) == (200, "same")
    assert len(living(table)) == 1


def test_one_that_was_taken_back_since_is_not_entered_again(guest, olga, table):
    data = form(guest, table)
    send(guest, table, data)
    olga.post(f"/hands/{living(table)[0].pk}/void/", {"version": 1, "reason": ""})
    assert send(guest, table, data) == (200, "gone")
    assert living(table) == []


def test_one_whose_slot_is_filled_differently_is_taken_and_the_form_shows_both(guest, olga, table):
    data = form(guest, table)
    post(olga, table, form(olga, table, went_out="0", cards_1="R7", cards_3="W"))
    assert send(guest, table, data) == (409, "taken")
    assert len(living(table)) == 1
    response = post(guest, table, data)
    assert response.status_code == 409
    assert f'data-drop-key="{data["key"]}"' in response.content.decode()
    assert "This hand was saved while you typed" in said(response)


def test_later_hands_are_taken_although_an_earlier_one_is_not(guest, olga, table):
    first = form(guest, table)
    post(olga, table, form(olga, table, went_out="0", cards_1="R7", cards_3="W"))
    second = first | {"hand": "2", "key": "another"}
    assert send(guest, table, first) == (409, "taken")
    assert send(guest, table, second) == (201, "recorded")


def test_an_impossible_one_is_refused_in_a_sentence(guest, table):
    data = form(guest, table, went_out="0", cards_1="R7 R7 R7", cards_3="W")
    response = post(guest, table, data, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (422, "too-many-copies")
    assert "Red 7" in response.json()["sentence"]
    data = form(guest, table, went_out="0", count_1="three", points_1="9", cards_3="W")
    response = post(guest, table, data, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (422, "form")
    assert response.json()["sentence"] == f"{name(table, 1)}: Enter a whole number."
    assert living(table) == []


def test_a_key_with_another_content_is_refused(guest, table):
    data = form(guest, table)
    send(guest, table, data)
    assert send(guest, table, data | {"cards_3": "WD"}) == (422, "key-reused")


def test_one_typed_for_another_seating_is_a_conflict(guest, table):
    data = form(guest, table)
    table.seating_version += 1
    table.save()
    assert send(guest, table, data) == (409, "seating-changed")


def test_one_of_yesterday_whose_round_is_closed_is_told_so(olga, table):
    data = form(olga, table)
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    assert send(olga, table, data) == (409, "closed")
    assert living(table) == []


def test_a_link_that_ended_lets_nothing_in(guest, table):
    data = form(guest, table)
    guest.link.revoked_at = timezone.now()
    guest.link.save()
    assert send(guest, table, data) == (410, "link-ended")
    assert post(guest, table, data).status_code == 410
    assert living(table) == []


def test_a_phone_of_another_table_and_one_that_is_signed_out_are_kept_out(guest, olga, table):
    other = cast.table(table.round.tournament, 1, 2)
    assert send(guest, other, form(olga, other)) == (403, "wrong-table")
    data = form(olga, table)
    olga.logout()
    assert send(olga, table, data) == (404, "not-found")
    assert not Hand.objects.exists()


def test_one_that_a_scorer_typed_is_not_confirmed_in_the_name_of_who_uses_the_phone_next(guest, olga, table):
    typed_as = {"who": json.loads(guest.get(f"/tables/{table.pk}/").context["facts"])["who"]}
    data = form(guest, table) | typed_as
    assert send(olga, table, data) == (403, "somebody-else")
    assert living(table) == []
    assert send(guest, table, data) == (201, "recorded")
    assert Hand.objects.get().who == "Scorer link, table 1"
    second = data | {"hand": "2", "key": "another"}
    assert send(olga, table, second | {"who": ""}) == (201, "recorded")  # pressed by hand
    assert living(table)[1].who == "Organiser, Olga"


def test_one_that_a_player_typed_is_not_reported_by_another_at_the_table(table):
    """Who typed it could then confirm it themselves."""
    phones = []
    for seat in (0, 1):
        phones.append(Client())
        phones[-1].post(f"/me/{player_token(table.seats.get(number=seat).entry)}/")
    mine = json.loads(phones[0].get(f"/tables/{table.pk}/").context["facts"])["who"]
    data = form(phones[0], table) | {"who": mine}
    assert send(phones[1], table, data) == (403, "somebody-else")
    assert send(phones[0], table, data) == (201, "recorded")


def test_a_new_link_sends_what_was_typed_with_the_one_that_ended(guest, table):
    data = form(guest, table) | {"who": json.loads(guest.get(f"/tables/{table.pk}/").context["facts"])["who"]}
    guest.link.revoked_at = timezone.now()
    guest.link.save()
    assert send(guest, table, data) == (410, "link-ended")
    [(_link, secret)] = make_scorer_links(tournament=table.round.tournament, tables=[1], by=cast.organiser())
    guest.post(f"/s/{secret}/")
    assert send(guest, table, data) == (201, "recorded")


def test_without_the_token_of_its_session_a_hand_is_not_decided_about(table):
    """The phone then fetches a page of ours, with a new token, and sends once more."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.organiser())
    fields = {"hand": "1", "seating_version": "1", "key": "k"} | CARDS
    response = post(client, table, fields, headers=JSON)
    assert response.status_code == 403
    assert not response["Content-Type"].startswith("application/json")
    client.get(f"/tables/{table.pk}/")
    token = client.cookies["csrftoken"].value
    response = post(client, table, fields, headers=JSON | {"X-CSRFToken": token})
    assert response.json()["code"] in ("recorded", "seating-changed")


def test_looking_changes_nothing_whatever_it_accepts(guest, table):
    response = guest.get(f"/tables/{table.pk}/", headers=JSON)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/html")
    assert not Hand.objects.exists()


def test_the_page_says_what_it_needs_to_go_on_alone(guest, olga, table):
    post(olga, table, form(olga, table))
    facts = json.loads(guest.get(f"/tables/{table.pk}/").context["facts"])
    assert (facts["empty"], facts["of"], facts["bound"]) == ([2, 3, 4], 4, False)
    assert set(facts["dealers"].values()) == {name(table, seat) for seat in range(4)}
    answer = post(guest, table, form(guest, table), headers=JSON).json()
    assert answer["at"] >= facts["at"]


def test_the_worker_is_at_the_root_and_never_kept(client):
    response = client.get("/sw.js")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cache-Control"] == "no-cache"
    assert "{%" not in response.content.decode()
