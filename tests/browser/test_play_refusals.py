"""What the page of an online table says of a move that was not made, and for how long; and taps that come twice."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from engine.legal import playable
from tests.games.arranged import arrange
from tests.games.online_table import next_move, standing

from .conftest import PHONE
from .looking import click_uncovered
from .test_play import MOVED_ON, catch_up, moves, open_table, sealed
from .test_play_answers import my_turn

pytestmark = pytest.mark.django_db(transaction=True)

REFUSED = "#said"


def plain_card_fits(hand):
    """One card fits, which needs no answer and passes the turn to the left, where a person sits."""
    held = hand.cards[hand.public.turn]
    return my_turn(hand) and any(card[1:].isdigit() for card in playable(hand.public, held, None)) and len(held) > 5


def at_a_standstill(page):
    """The page's clock stops, so that two taps are at one moment however slow the machine is."""
    page.clock.pause_at(timezone.now() + timedelta(seconds=1))
    return page


def middle_of(control):
    box = control.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def posted(page):
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


@pytest.mark.parametrize("control", [".fan .legal button[form=hand]", ".acts button[value=draw]"])
def test_the_second_tap_of_a_double_tap_sends_nothing(open_page, live_server, control):
    deal = arrange(sealed(4), plain_card_fits)
    page = open_page(**PHONE)
    page.clock.install()
    open_table(page, deal, deal.turn)
    at_a_standstill(page)
    before, made = page.locator("#play").get_attribute("data-version"), moves(deal)
    sent, point = posted(page), middle_of(page.locator(control).first)
    page.mouse.click(*point)
    page.wait_for_function(MOVED_ON, arg=before, polling=50)
    page.mouse.click(*point)  # another card or a question is there by now
    page.clock.run_for(100)
    expect(page.locator(REFUSED)).to_be_empty()
    assert (len(sent), moves(deal)) == (1, made + 1)


def refused_at(page, seat, deal):
    """The page of a player who is not to play, and has tapped Draw all the same."""
    page.clock.install()
    open_table(page, deal, seat)
    at_a_standstill(page)
    page.get_by_role("button", name="Draw", exact=True).click(force=True)
    page.clock.run_for(100)
    expect(page.locator(REFUSED)).to_have_text("It is not your turn.")
    return page


def test_a_refusal_stays_while_it_is_true_and_goes_when_the_table_has_moved_on(open_page, live_server):
    deal = arrange(sealed(4), my_turn)
    page = refused_at(open_page(**PHONE), (deal.turn + 2) % 4, deal)
    page.clock.run_for(10_000)
    expect(page.locator(REFUSED)).to_have_text("It is not your turn.")
    next_move(deal)
    catch_up(page, deal)
    page.clock.run_for(500)
    expect(page.locator(REFUSED)).to_be_empty()


def test_a_refusal_never_stands_over_the_players_own_turn(open_page, live_server):
    deal = arrange(sealed(4), my_turn)
    seat = (deal.turn + 1) % 4
    page = refused_at(open_page(**PHONE), seat, deal)
    while standing(deal).hand.public.turn != seat:
        next_move(deal)
    catch_up(page, deal)
    expect(page.locator("#play[data-mine]")).to_be_visible()
    expect(page.locator(REFUSED)).to_be_empty()


def test_the_last_five_seconds_of_a_players_time_are_coloured(open_page, live_server):
    deal = arrange(sealed(4), my_turn)
    page = open_page(**PHONE)
    page.clock.install()
    open_table(page, deal, deal.turn)
    at_a_standstill(page)
    page.clock.run_for(500)
    expect(page.locator("#clock.clock-last")).to_have_count(0)
    page.clock.fast_forward(86_000)  # of 90 seconds
    page.clock.run_for(500)
    expect(page.locator("#clock.clock-last")).to_be_visible()


def test_what_did_not_get_through_is_forgotten_when_the_line_is_back(open_page, live_server):
    deal = arrange(sealed(4), my_turn)
    page = open_page(**PHONE)
    page.clock.install()
    open_table(page, deal, deal.turn)
    page.route("**/play/**", lambda route: route.abort())
    at_a_standstill(page)
    said, sent = page.locator(REFUSED), posted(page)
    click_uncovered(page.locator(".fan .legal button[form=hand]").or_(page.locator(".acts [value=draw]")).first)
    while not said.text_content():  # three more tries, with pauses between them
        page.clock.run_for(500)
    assert len(sent) == 4
    expect(said).to_have_text("Not sent. Try again.")
    page.unroute("**/play/**")
    with page.expect_response("**/play/**"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(5000)
    expect(said).to_be_empty()
