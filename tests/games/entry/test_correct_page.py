"""The scores before saving, undo and corrections, through the pages."""

import re

import pytest
from django.urls import reverse

from games.models import Hand
from league.models import LogEntry, Round
from tests import cast
from tests.games.pages import CARDS, form, hidden, living, name, post, said, version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


# The scores before saving.


def test_the_preview_shows_what_both_sides_would_score_and_saves_nothing(olga, table):
    response = olga.post(f"/tables/{table.pk}/preview/", CARDS)
    assert response.status_code == 200
    assert "<html" not in response.content.decode()
    text = said(response)
    assert f"{name(table, 0)} and {name(table, 2)} +83" in text
    assert f"{name(table, 1)} and {name(table, 3)} 0" in text
    assert not Hand.objects.exists()


def test_without_a_script_the_scores_can_be_looked_at_first(olga, table):
    response = post(olga, table, form(olga, table) | {"look": "1"})
    assert response.status_code == 200
    assert "+83" in said(response)
    assert 'name="cards_1" value="R7 GD B6"' in response.content.decode()
    assert not Hand.objects.exists()


# Undo.


def test_undo_opens_the_form_with_what_the_hand_said(olga, table):
    post(olga, table, form(olga, table, went_out="0", cards_1="R7 GD", points_3="50"))
    hand = living(table)[0]
    response = olga.post(f"/hands/{hand.pk}/void/", {"version": version(table)})
    assert (response.status_code, response["Location"]) == (303, f"/tables/{table.pk}/?hand=1&from={hand.pk}")
    response = olga.get(response["Location"])
    html = response.content.decode()
    assert "Hand 1 undone." in said(response)
    assert 'name="cards_1" value="GD R7"' in html
    assert 'name="points_3" value="50"' in html
    assert 'name="went_out" value="0" checked' in html
    assert post(olga, table, hidden(response) | CARDS).status_code == 303
    assert Hand.objects.filter(number=1).count() == 2


@pytest.mark.parametrize("old", ["0", "", "x", "-1", "9" * 5000])
def test_an_undo_of_an_old_page_is_a_conflict(olga, table, old):
    post(olga, table, form(olga, table))
    hand = living(table)[0]
    response = olga.post(f"/hands/{hand.pk}/void/", {"version": old})
    assert response.status_code == 409
    assert "This table has changed since." in said(response)
    assert living(table) == [hand]


def test_a_reason_for_an_undo_is_kept_without_what_a_database_cannot_hold(olga, table):
    hand = cast.record(table, 1).hand
    olga.post(f"/hands/{hand.pk}/void/", {"version": version(table), "reason": "Wrong\0 table"})
    assert LogEntry.objects.get(action="void").reason == "Wrong table"


def test_an_undo_sent_twice_is_answered_with_the_table(olga, table):
    post(olga, table, form(olga, table))
    hand, data = living(table)[0], {"version": version(table)}
    assert olga.post(f"/hands/{hand.pk}/void/", data).status_code == 303
    response = olga.post(f"/hands/{hand.pk}/void/", data)
    assert response.status_code == 409
    assert "This hand is already undone." in said(response)
    assert hidden(response)["hand"] == "1"


def test_looking_at_the_address_of_an_undo_undoes_nothing(olga, table):
    hand = cast.record(table, 1).hand
    assert olga.get(f"/hands/{hand.pk}/void/").status_code == 405
    assert living(table) == [hand]


def test_another_tables_hand_is_not_typed_again(olga, table):
    other = cast.record(cast.table(table.round.tournament, 1, 2), 1).hand
    html = olga.get(f"/tables/{table.pk}/?hand=1&from={other.pk}").content.decode()
    assert " checked" not in html


# Corrections.


def correction(olga, hand, **typed):
    data = {"version": version(hand.table), "reason": "Counted again"} | (typed or CARDS)
    return olga.post(f"/hands/{hand.pk}/correct/", data)


def test_a_correction_starts_from_the_hand_as_it_was(olga, table):
    post(olga, table, form(olga, table))
    html = olga.get(f"/hands/{living(table)[0].pk}/correct/").content.decode()
    assert 'name="cards_1" value="B6 GD R7"' in html
    assert 'name="went_out" value="0" checked' in html
    assert "Changes to the standings appear here." in html


def test_a_correction_shows_what_moves_before_it_is_saved(olga, table):
    post(olga, table, form(olga, table))
    hand = living(table)[0]
    typed = {"went_out": "1", "cards_0": "W", "cards_2": "B2", "instead": hand.pk}
    response = olga.post(f"/tables/{table.pk}/preview/", typed)
    text = said(response)
    assert f"{name(table, 1)} and {name(table, 3)} 0 +52" in text
    moved = re.findall(
        r'<td class="l who2"><b>([^<]+)</b></td><td class="num"><del>(\d+)</del></td><td class="pts">(\d+)',
        response.content.decode(),
    )
    assert set(moved) == {(name(table, seat), *(("0", "52") if seat % 2 else ("83", "0"))) for seat in range(4)}
    assert living(table) == [hand]


def test_a_correction_is_saved_and_said(olga, table):
    post(olga, table, form(olga, table))
    response = correction(olga, living(table)[0], **(CARDS | {"cards_3": "W W"}))
    assert (response.status_code, response["Location"]) == (303, f"/tables/{table.pk}/")
    text = said(olga.get(response["Location"]))
    assert f"Hand 1 corrected: {name(table, 0)} and {name(table, 2)} score 133." in text


def test_a_correction_needs_no_reason(olga, table):
    hand = cast.record(table, 1).hand
    assert correction(olga, hand, **(CARDS | {"reason": ""})).status_code == 303
    assert living(table) != [hand]


def test_a_correction_with_an_impossible_hand_keeps_what_was_typed(olga, table):
    hand = cast.record(table, 1).hand
    response = correction(olga, hand, **(CARDS | {"cards_3": "B77"}))
    assert response.status_code == 422
    assert "“B77” is not a card." in said(response)
    assert 'name="cards_1" value="R7 GD B6"' in response.content.decode()
    assert living(table) == [hand]


def test_a_correction_of_an_old_version_shows_the_hand_as_it_stands(olga, table):
    hand = cast.record(table, 1).hand
    seen = version(table)
    cast.record(table, 2)
    response = correction(olga, hand, **(CARDS | {"version": seen}))
    assert response.status_code == 409
    assert "This table has changed since." in said(response)
    html = response.content.decode()
    assert 'name="cards_1" value="R7 GD B6"' in html
    assert f'name="version" value="{version(table)}"' in html
    assert living(table)[0] == hand


def test_a_correction_of_a_corrected_hand_goes_to_the_one_that_stands(olga, table):
    hand = cast.record(table, 1).hand
    correction(olga, hand)
    new = living(table)[0]
    response = correction(olga, hand, **(CARDS | {"cards_3": "WD GS"}))
    assert response.status_code == 409
    assert f'action="/hands/{new.pk}/correct/"' in response.content.decode()
    assert olga.get(f"/hands/{hand.pk}/correct/")["Location"] == f"/hands/{new.pk}/correct/"


def test_a_correction_of_a_hand_that_was_taken_back_becomes_a_new_hand(olga, table):
    hand = cast.record(table, 1).hand
    olga.post(f"/hands/{hand.pk}/void/", {"version": version(table)})
    response = correction(olga, hand)
    assert response.status_code == 409
    assert 'name="cards_1" value="R7 GD B6"' in response.content.decode()
    assert post(olga, table, hidden(response) | CARDS).status_code == 303
    assert olga.get(f"/hands/{hand.pk}/correct/")["Location"].startswith("/hands/")


def test_a_closed_rounds_hand_is_corrected_through_the_page(olga):
    made = cast.play(cast.tournament(rounds=2), rounds=1)
    hand = Hand.objects.living().filter(table__round__number=1).first()
    assert olga.get(reverse("correct_hand", args=[hand.pk])).status_code == 200
    assert correction(olga, hand).status_code == 303
    assert made.rounds.get(number=1).state == Round.State.CLOSED
