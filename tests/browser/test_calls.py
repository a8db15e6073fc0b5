"""A table calls the director: the phones of two players and of a director, on a real `serve`."""

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.served import Served

from .conftest import PHONE
from .looking import findings, low, press, width

PREPARE = """
made = cast.tournament()
start(tournament=made, by=made.owner)
from league.access.signed_links import player_token
seats = cast.table(made, 1, 1).seats.order_by("number")
print(json.dumps([made.slug, [player_token(seat.entry) for seat in seats[:2]]]))
"""


@pytest.fixture
def phones(tmp_path, new_context):
    """(the phones of two players of table 1 and of a director)"""
    served = Served(tmp_path)
    slug, tokens = served.prepare([PREPARE])
    served.start()
    pages = [new_context(**PHONE, base_url=f"http://127.0.0.1:{served.port}").new_page() for _one in range(3)]
    for page, token in zip(pages, tokens, strict=False):
        page.goto(f"/me/{token}/")
        page.get_by_role("button", name="Open my table").click()
    director = pages[2]
    director.context.add_init_script(TONES)
    director.goto("/accounts/login/")
    director.get_by_label("E-mail").fill("olga@example.org")
    director.get_by_label("Password").fill(cast.PASSWORD)
    press(director.get_by_role("button", name="Sign in"))
    director.goto(f"/t/{slug}/")
    for page in pages:
        expect(page.locator("#live")).to_have_text("Live")
        page.evaluate("window.loadedOnce = true")
    yield pages
    served.stop()


# Counts the tones instead of playing them.
TONES = """
window.tones = 0;
window.AudioContext = class {
  currentTime = 0;
  resume() {}
  createOscillator() { window.tones += 1; return { frequency: {}, connect: (next) => next, start() {}, stop() {} }; }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
};
"""


def sheet(page):
    return page.get_by_role("dialog", name="Call the director")


def top_of_main(page):
    return page.locator(".mynow .btn-main").bounding_box()["y"] + page.evaluate("scrollY")


def test_a_call_reaches_the_director_without_a_reload_also_from_a_phone_that_was_offline(phones):
    first, second, director = phones
    inbox, before = director.locator("#inbox"), top_of_main(first)
    sound = director.get_by_role("button", name="Sound")

    first.get_by_role("link", name="Call the director").click()
    expect(sheet(first).locator("h2")).to_be_focused()
    assert findings(first) == [] and low(sheet(first).locator("label, button, input.input")) == []
    first.keyboard.press("Escape")
    expect(sheet(first)).to_have_count(0)
    expect(first.get_by_role("link", name="Call the director")).to_be_focused()
    first.get_by_role("link", name="Call the director").click()
    first.go_back()
    expect(sheet(first)).to_have_count(0)
    first.get_by_role("link", name="Call the director").click()
    sheet(first).get_by_label("Rules question").check()
    sheet(first).get_by_label("What is it about?").fill("Is it the last card?")
    sheet(first).get_by_role("button", name="Call the director").click()
    for page in (first, second):
        expect(page.locator("#call-now")).to_contain_text("Director called")
    assert top_of_main(first) == before and width(first) <= 360 and findings(first) == []
    expect(second.get_by_role("button", name="Cancel")).to_have_count(0)
    expect(inbox).to_contain_text("Table 1: Rules question")
    assert director.evaluate("tones") == 0, "nobody has turned the sound on"
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    tried = director.evaluate("tones")

    director.get_by_role("button", name="I’m coming").click()
    for page in (first, second):
        expect(page.locator("#call-now")).to_contain_text("Olga is coming")
    first.get_by_role("button", name="Done").click()
    expect(second.get_by_role("link", name="Call the director")).to_be_visible()
    expect(inbox).not_to_contain_text("Rules question")

    first.context.set_offline(True)
    first.get_by_role("link", name="Call the director").click()
    sheet(first).get_by_label("Slow play").check()
    sheet(first).get_by_role("button", name="Call the director").click()
    expect(first.locator("#call-here b")).to_have_text("Will be sent when you are online")
    assert top_of_main(first) == before
    first.get_by_role("button", name="Cancel").click()
    first.get_by_role("link", name="Call the director").click()
    sheet(first).get_by_role("button", name="Call the director").click()
    expect(first.locator("#call-here")).to_contain_text("Will be sent when you are online")
    first.context.set_offline(False)
    for page in (first, second):
        expect(page.locator("#call-now")).to_contain_text("Director called")
    expect(inbox).to_contain_text("Table 1 calls")
    assert director.evaluate("tones") == 2 * tried > 0, "once for the switch, once for the call"
    assert director.title().startswith("(1) ")
    expect(first.locator("#call-here")).to_be_hidden()
    assert all(page.evaluate("window.loadedOnce") for page in phones)
    director.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")
