"""A Challenge UNO of eight players at two tables in two browsers, from the picture on the form to the winner."""

import re

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.served import Served

from .conftest import DESKTOP, PHONE
from .looking import press
from .test_record import main, pick, tap


@pytest.fixture
def base(tmp_path):
    served = Served(tmp_path)
    served.prepare(["cast.organiser(); print('null')"])
    served.start()
    yield f"http://127.0.0.1:{served.port}"
    served.stop()


def sign_in(page):
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill("olga@example.org")
    page.locator("[name=password]").fill(cast.PASSWORD)
    press(page.locator("main form button").first)


def enter_a_hand(page):
    """The first who is dealt in goes out, everybody else is caught with a wild card: 50 points."""
    expect(main(page)).to_be_hidden()
    dealt_in = page.locator("[data-pick]").evaluate_all("all => all.map(one => one.dataset.pick)")
    pick(page, dealt_in[0]).click()
    for left in reversed(range(len(dealt_in) - 1)):
        tap(page, "W")
        if left:
            main(page).click()
    press(main(page))


def test_an_evening_goes_from_the_form_to_the_winner_while_a_spectator_watches(base, new_context):
    olga = new_context(base_url=base, **DESKTOP).new_page()
    sign_in(olga)
    olga.goto("/new/")
    olga.get_by_role("radio", name="Last one standing").check()
    expect(olga.locator("#rules-line")).to_have_text("Classic, 4 hands a round, to 500 points")
    olga.locator("summary", has_text="Rules:").click()
    olga.get_by_role("spinbutton", name="Eliminated at").fill("100")
    press(olga.get_by_role("button", name="Create tournament"))
    overview = re.sub(r"players/$", "", olga.url)
    press(olga.get_by_role("button", name="Draw the seating"))
    press(olga.get_by_role("button", name="Publish round 1"))

    fan = new_context(base_url=base, **PHONE).new_page()
    fan.goto(f"{overview}race/")
    expect(fan.locator("#live")).to_have_text("Live")
    fan.evaluate("window.loadedOnce = true")

    for table, still_in in ((1, 5), (2, 2)):
        olga.goto(overview)
        press(olga.get_by_role("link", name=f"Enter scores for table {table}"))
        enter_a_hand(olga)
        expect(fan.locator(".race > li .tot").filter(has_text="50")).to_have_count(3)
        enter_a_hand(olga)
        expect(fan.locator(".race > li.out")).to_have_count(8 - still_in)
    expect(fan.get_by_role("heading", name="Head to head")).to_be_visible()

    fan.goto(f"{overview}bracket/")
    expect(fan.locator("#live")).to_have_text("Live")
    olga.goto(overview)
    press(olga.get_by_role("button", name="Close round 1"))
    rounds = fan.locator("[data-newest]")
    expect(rounds).to_contain_text("Head to head")
    expect(rounds).to_have_js_property("scrollLeft", 0)
    fan.reload()
    fan.wait_for_function("() => document.querySelector('[data-newest]').scrollLeft > 0")
    fan.goto(f"{overview}race/")
    expect(fan.locator("#live")).to_have_text("Live")
    fan.evaluate("window.loadedOnce = true")
    press(olga.get_by_role("link", name="Enter scores for table 1"))
    enter_a_hand(olga)
    enter_a_hand(olga)
    expect(fan.get_by_role("heading", name="has won")).to_be_visible()
    assert fan.evaluate("window.loadedOnce === true")

    olga.goto(overview)
    press(olga.get_by_role("button", name="Close round 2"))
    press(olga.get_by_role("button", name="Make the standings final"))
    fan.goto(f"{overview}standings/")
    expect(fan.locator("main")).to_contain_text("Final")
    expect(fan.locator("tbody tr")).to_have_count(8)
