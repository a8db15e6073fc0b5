"""Casual tables in a real browser on a real `serve`: from the home page to a first move, and friends by a link."""

import pytest
from playwright.sync_api import expect

from tests.served import Served

from .conftest import DESKTOP, PHONE
from .looking import click_uncovered, findings, low, press, settled, width


@pytest.fixture
def address(tmp_path):
    served = Served(tmp_path)
    served.start()
    yield f"http://127.0.0.1:{served.port}"
    served.stop()


def test_a_newcomer_plays_a_card_and_friends_meet_by_a_link(address, new_context):
    newcomer = new_context(base_url=address, **PHONE).new_page()
    complaints = []
    newcomer.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    newcomer.goto("/")
    press(newcomer.get_by_role("link", name="Play a hand"))
    assert width(newcomer) <= 360 and not low(newcomer.locator("main button, main .input"))
    assert findings(newcomer) == []
    press(newcomer.get_by_role("button", name="Play against bots"))
    expect(newcomer.get_by_role("region", name="Points race")).to_contain_text("The first to reach 500 wins.")
    assert findings(newcomer) == [] and not low(newcomer.locator("#play button, #play summary"))
    newcomer.get_by_role("button", name="Ready").click()  # once: this browser knows the game then
    _play_a_turn(newcomer)
    newcomer.get_by_label("Menu").click()
    press(newcomer.get_by_role("button", name="Leave the table"))
    expect(newcomer.locator("#messages")).to_contain_text("A bot plays for you")
    press(newcomer.get_by_role("link", name="Play on"))  # and is back with that
    expect(newcomer.get_by_role("list", name="Your cards").first).to_be_visible()
    expect(newcomer.locator("#mine")).not_to_contain_text("A bot plays for you")
    assert complaints == []

    nora, emile = (new_context(base_url=address, **size).new_page() for size in (DESKTOP, PHONE))
    nora.goto("/play/")
    nora.get_by_label("Your name").fill("Nora")
    press(nora.get_by_role("button", name="Play with friends"))
    link = nora.get_by_role("textbox", name="Link to this table").input_value()
    emile.goto(link)
    assert width(emile) <= 360 and findings(emile) == []
    emile.get_by_label("Your name").fill("Émile")
    press(emile.get_by_role("button", name="Take a seat"))
    places = nora.locator("#places")
    expect(places).to_contain_text("Émile")  # the page changed by itself
    assert findings(nora) == [] and not low(settled(nora).locator("main button, main .input"))
    nora.get_by_label("Target").select_option("200 points")  # saved without a button
    expect(nora.locator("#rules-saved")).to_have_text("Saved.")
    expect(emile.locator("#page")).to_contain_text("first to 200 points wins")
    nora.get_by_role("button", name="Add a bot").click()
    expect(places).to_contain_text("Bot Ada")
    expect(nora.get_by_label("Target")).to_have_value("200")
    nora.get_by_role("button", name="Start the game", exact=True).click()
    for page in (nora, emile):  # both are led there, and neither has to say that they are there
        expect(page.get_by_role("list", name="Your cards").first).to_be_visible()
        assert page.url.startswith(f"{address}/tables/")


def _play_a_turn(page):
    """Wait for one's own turn; play a card that fits, draw, or answer what one is asked. The cards are of chance."""
    expect(page.get_by_role("list", name="Your cards").first).to_be_visible()
    page.locator("#play[data-mine]").wait_for(timeout=45_000)
    version = page.locator("#play").get_attribute("data-version")
    accept, color = page.locator(".ask button[value=accept]"), page.locator(".ask .hue.red")
    draw = page.get_by_role("button", name="Draw", exact=True)
    fits = page.locator(".fan .legal button[form=hand]")
    click_uncovered(accept.or_(color).or_(fits).or_(draw).first)
    moved = page.locator(f"#play:not([data-version='{version}'])")
    expect(moved.or_(color).first).to_be_visible()
    if not moved.count():  # a wild card was tapped: for which colour?
        color.click()
    expect(moved).to_have_count(1)
