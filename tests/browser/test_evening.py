"""An organiser's evening goes by without loading pages: eight players, seven rounds, by links and buttons alone.

A hand a round at each table is 14 hands. `WILD_EVENING=4` plays all 56: a few minutes.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from tests import cast

from .conftest import PHONE
from .looking import press
from .test_challenge_evening import base, sign_in
from .test_record import main, pick, tap

__all__ = ["base"]

HANDS = int(os.environ.get("WILD_EVENING") or 1)
MOST_LOADS, MOST_STREAMS = 12, 5

pytestmark = pytest.mark.timeout(900 if HANDS > 1 else 300)


class Asked:
    """The documents and streams that a page asks for."""

    def __init__(self, page):
        self.loads, self.streams = [], []
        page.on("request", self._hear)

    def _hear(self, request):
        if request.is_navigation_request():
            self.loads.append(request.url)
        if "/live/?" in request.url:
            self.streams.append(request.url)


def button(page, name):
    return page.get_by_role("button", name=name).first


def place(page, name):
    """Go to one of the five places."""
    press(page.locator(".five").get_by_role("link", name=name))


def enter_a_hand(page):
    """The first seat goes out, and each of the other two is caught with a wild card."""
    pick(page, 0).click()
    tap(page, "W")
    main(page).click()
    tap(page, "W")
    press(main(page))


def play_round(page, number):
    """Enter the hands of a round from Now, table after table. Returns how many there were."""
    press(page.get_by_role("link", name="Enter scores for table 1"))
    hands = 0
    while True:
        while not page.locator(".onwards").is_visible():
            enter_a_hand(page)
            hands += 1
        following = page.get_by_role("link", name=re.compile("Next: table|Open the tournament"))
        is_last = following.inner_text() == "Open the tournament"
        press(following)
        if is_last:
            break
        expect(page.locator("[data-pick]").first).to_be_visible()
    expect(button(page, f"Close round {number}")).to_be_visible()
    return hands


def correct_a_hand(page):
    place(page, "Now")
    press(page.locator("#page .lines a[href^='/tables/']").first)
    press(page.get_by_role("link", name="Correct").first)
    reason = page.get_by_label("Reason")
    pick(page, 1).click()
    tap(page, "R9")
    reason.fill("Read wrongly")
    press(main(page))
    expect(page.locator(".note").filter(has_text="corrected")).to_be_visible()
    press(page.locator(".score-top a").last)  # back to the tournament


def let_in(page, name):
    place(page, "Now")
    press(page.locator("#page").get_by_role("link", name="Late entry"))
    late = page.locator("form[action$='/day/late/']")
    late.get_by_label("Name", exact=True).fill(name)
    press(late.get_by_role("button", name="Preview"))
    press(button(page, f"Add {name}"))
    expect(page.locator("#messages")).to_contain_text(f"{name} has been added.")


def drop_out(page, name):
    place(page, "Now")
    page.locator("#page").get_by_role("link", name=name, exact=True).first.click()
    page.locator(".panel .doing", has_text="Leaves").click()
    page.locator(".panel-foot button").click()
    expect(page.locator("#messages")).to_contain_text("has dropped out")


def test_an_evening_is_a_few_loads_and_a_stream(base, new_context):
    olga = new_context(base_url=base, **PHONE, reduced_motion="reduce").new_page()
    sign_in(olga)
    asked = Asked(olga)
    olga.goto("/new/")
    olga.get_by_label("Names, one per line").fill("\n".join(cast.CAST))
    olga.locator("summary", has_text="Rules:").click()
    olga.get_by_label("Hands a round").fill(str(HANDS))
    press(button(olga, "Create tournament"))
    press(button(olga, "Draw the seating"))
    press(button(olga, "Publish round 1"))
    hands = 0
    for number in range(1, 8):
        hands += play_round(olga, number)
        if number == 2:
            correct_a_hand(olga)
        if number == 3:
            let_in(olga, "Ingrid")
        if number == 5:
            drop_out(olga, "Ingrid")
        place(olga, "Standings")
        expect(olga.locator("#page tbody tr").first).to_be_visible()
        place(olga, "Now")
        press(button(olga, f"Close round {number}"))
    press(button(olga, "Make the standings final"))
    expect(olga.locator("#page")).to_contain_text("final")
    assert hands >= 14 * HANDS
    assert len(asked.loads) <= MOST_LOADS, asked.loads
    assert len(asked.streams) <= MOST_STREAMS, asked.streams
