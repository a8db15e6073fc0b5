"""The race of a Challenge UNO in a spectator's window, while somebody else records the hands."""

import pytest
from playwright.sync_api import expect

from tests.served import Served

from .conftest import PHONE
from .looking import findings, width

PREPARE = """
made = cast.challenge(3, target=100)
start(tournament=made, by=made.owner)
print(json.dumps([made.slug, cast.table(made, 1, 1).pk]))
"""


@pytest.fixture
def evening(tmp_path):
    """(the server's address, slug, function that records a hand which seat 0 wins)"""
    served = Served(tmp_path)
    slug, table = served.prepare([PREPARE])
    served.start()
    scorer = served.visitor()

    def record(hand, cards):
        fields = {"went_out": "0", "cards_1": cards, "cards_2": "R5"} | scorer.form(table, hand)
        assert scorer.post(f"/tables/{table}/", fields)[0] == 303

    yield f"http://127.0.0.1:{served.port}", slug, record
    served.stop()


def test_the_race_grows_in_a_spectators_window_without_a_reload(evening, new_context):
    base, slug, record = evening
    page = new_context(**PHONE).new_page()
    page.goto(f"{base}/t/{slug}/race/")
    expect(page.locator("#live")).to_have_text("Live")
    page.evaluate("window.loadedOnce = true")
    expect(page.locator("#page")).to_contain_text("The race has not begun")
    record(1, "W")
    lanes = page.locator(".race > li")
    expect(lanes).to_have_count(3)
    last = lanes.last
    expect(last.locator(".tot")).to_have_text("50")
    blocks = last.locator(".lane path").get_attribute("d")
    record(2, "R7")
    expect(last.locator(".tot")).to_have_text("57")
    assert last.locator(".lane path").get_attribute("d").startswith(blocks)
    record(3, "WD")
    expect(page.get_by_role("heading", name="Head to head")).to_be_visible()
    expect(page.locator(".race .out")).to_contain_text("eliminated in round 1, hand 3, table 1")
    assert page.evaluate("window.loadedOnce === true")
    assert findings(page) == []
    assert width(page) <= 360
