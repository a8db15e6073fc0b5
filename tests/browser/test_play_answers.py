"""Questions at the online table: the keys that answer them, what is left out; and what is said when all is played."""

import pytest
from playwright.sync_api import expect

from engine.state import TURN
from games.models import Move
from league.models import Table
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import everybody_ready, play_out

from .conftest import DESKTOP, PHONE
from .looking import click_uncovered, findings, settled, width
from .test_play import HAT, MOVED_ON, catch_up, holds, moves, open_table, sealed

pytestmark = pytest.mark.django_db(transaction=True)

IN_QUESTION = "() => Boolean(document.activeElement.closest('[data-ask]'))"


def my_turn(hand):
    return hand.public.step == TURN and len(hand.log) > 12 and hand.public.discard[-1][0] != "W"


def test_after_a_draw_enter_answers_the_question_and_sends_no_other_card(open_page, live_server):
    deal = arrange(sealed(4), my_turn)
    page = open_table(open_page(**DESKTOP), deal, deal.turn)
    page.keyboard.press("1")
    expect(page.locator(".fan button").first).to_be_focused()
    page.keyboard.press("d")
    answer = page.locator("[data-ask=drawn] .btn-main")
    expect(answer).to_be_focused()
    keeps = answer.get_attribute("value") == "pass"
    before, made = page.locator("#play").get_attribute("data-version"), moves(deal)
    card = None if keeps else answer.get_attribute("value")
    page.keyboard.press("Enter")
    if answer.count() and not keeps and card[0] == "W":
        expect(page.locator("[data-ask=wild]")).to_be_visible()
        return
    page.wait_for_function(MOVED_ON, arg=before)
    assert moves(deal) == made + 1
    kind, _seat, *rest = Move.objects.filter(deal=deal).last().action
    assert [kind, *rest[:1]] == (["pass"] if keeps else ["play", card])


def test_a_wild_card_played_by_keys_leads_into_its_question_and_a_held_key_does_not_answer(open_page, live_server):
    deal = arrange(sealed(4), holds("W"))
    page = open_table(open_page(**DESKTOP), deal, deal.turn)
    made = moves(deal)
    page.locator(".fan button[value=W]").first.focus()
    page.keyboard.down("Enter")
    expect(page.locator("[data-ask=wild]")).to_be_visible()
    page.wait_for_function(IN_QUESTION)
    page.keyboard.down("Enter")  # it repeats
    page.keyboard.up("Enter")
    assert moves(deal) == made
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('[data-ask=wild]')")
    assert Move.objects.filter(deal=deal).last().action[2:4] == ["W", "R"]


def test_a_question_that_somebody_elses_move_brings_leaves_the_focus_where_it_is(open_page, live_server):
    deal = arrange(sealed(4), my_turn)
    page = open_table(open_page(**DESKTOP), deal, deal.turn)
    page.locator("#menu > summary").focus()
    catch_up(page, deal)
    expect(page.locator("#menu > summary")).to_be_focused()


def test_a_card_without_whom_it_is_for_is_asked_for_in_our_words_and_what_was_chosen_stays(open_page, live_server):
    made = cast.tournament(name="Hat", **HAT)
    deal = arrange(sealed(4, made), holds("WH"))
    page = open_table(open_page(**PHONE), deal, deal.turn)
    before = moves(deal)
    click_uncovered(page.locator(".fan button[value=WH]").first)
    page.locator("#mine").get_by_role("button", name="Red", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Choose a player first.")
    assert page.locator(":invalid").count() == 0  # nothing that a browser would say in a bubble of its own
    assert findings(page, ("light",)) == [] and width(page) <= 360
    assert moves(deal) == before
    page.locator(".whom label").first.click()
    version = page.locator("#play").get_attribute("data-version")
    page.locator("#mine").get_by_role("button", name="Red", exact=True).click()
    page.wait_for_function(MOVED_ON, arg=version)
    assert Move.objects.filter(deal=deal).last().action[2:4] == ["WH", "R"]


def test_a_table_that_is_done_says_whether_the_round_is(open_page, live_server):
    deal = play_out(everybody_ready(sealed(8, cast.tournament(8, hands_per_round=1, name="Two tables"))))
    page = open_table(open_page(**PHONE), deal, 0)
    expect(page.locator("#nextdeal")).to_contain_text("Round 1 continues at 1 other table.")
    cast.record(Table.objects.get(round=deal.table.round, number=2), 1)
    page.reload()
    expect(page.locator("#nextdeal")).to_contain_text("All hands of round 1 are recorded.")


def test_the_replay_has_its_moves_beside_the_whole_viewer(open_page, live_server):
    deal = play_out(everybody_ready(sealed(4)))
    page = open_page(**DESKTOP)
    page.goto(f"/deals/{deal.pk}/replay/")
    head, stage, reel, listed = (
        settled(page).locator(part).bounding_box() for part in (".game-top", ".stage", ".reel", ".moves")
    )
    below_head = head["y"] + head["height"]
    assert listed["y"] == pytest.approx(below_head, abs=1) and stage["y"] == pytest.approx(below_head, abs=1)
    assert listed["y"] + listed["height"] == pytest.approx(800, abs=1)
    assert reel["y"] + reel["height"] == pytest.approx(800, abs=1)
