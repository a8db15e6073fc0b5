"""The inbox on Now: items that come in and go while a director looks at the page, on a real `serve`."""

import pytest
from playwright.sync_api import expect

from tests.served import Served, Visitor

from .conftest import PHONE
from .looking import findings, width

PREPARE = """
from league.access.signed_links import player_token
made = cast.tournament()
start(tournament=made, by=made.owner)
first = cast.table(made, 1, 1)
here = [seat.entry for seat in first.seats.order_by("number")]
print(json.dumps([made.slug, first.pk, [player_token(entry) for entry in here]]))
"""


@pytest.fixture
def evening(tmp_path):
    """(server, slug, function that makes a player ask to leave, function that makes one call the director)"""
    served = Served(tmp_path)
    slug, table, tokens = served.prepare([PREPARE])
    served.start()

    def player(number):
        phone = Visitor(served.port)
        phone.get(f"/me/{tokens[number]}/")
        phone.post(f"/me/{tokens[number]}/", {})
        return phone

    def leaves(number):
        assert player(number).post(f"/t/{slug}/me/leave/", {"do": "leave", "when": "now", "round": "1"})[0] == 302

    def calls(number):
        assert player(number).post(f"/tables/{table}/call/", {"reason": "rules"})[0] == 302

    yield served, slug, leaves, calls
    served.stop()


def test_an_item_comes_without_a_move_and_stays_in_its_place_when_it_is_handled(evening, new_context):
    served, slug, leaves, calls = evening
    leaves(0)
    context, base = new_context(**PHONE), f"http://127.0.0.1:{served.port}"
    cookies = served.visitor().cookies.items()
    context.add_cookies([{"name": name, "value": value, "url": base} for name, value in cookies])
    page = context.new_page()
    page.goto(f"{base}/t/{slug}/")
    assert findings(page) == [] and width(page) <= 360  # before the clock, since axe waits for frames
    page.clock.install()
    page.reload()
    expect(page.locator("#live")).to_have_text("Live")
    items, line = page.locator(".inbox > li"), page.locator(".inbox-new")
    visible = items.filter(visible=True)
    expect(visible).to_have_count(1)
    expect(line).to_be_hidden()
    assert page.title().startswith("(1) Now")

    # Further down, a new item is only named.
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 200")
    tables = page.get_by_role("heading", name="Tables")
    before = tables.bounding_box()
    calls(1)
    expect(line).to_have_text("1 new call")
    assert tables.bounding_box() == before and visible.count() == 1
    expect(page.locator(".five .badge")).to_have_text("2 need you")
    assert page.title().startswith("(2) Now")
    line.click()
    expect(visible).to_have_count(2)
    expect(line).to_be_hidden()
    expect(visible.first.get_by_role("button", name="I’m coming")).to_be_focused()

    # A call that a director answers still waits, and shows the message instead of its buttons.
    visible.first.get_by_role("button", name="I’m coming").click()
    expect(visible.first.locator(".inbox-said")).to_contain_text("Table 1 sees that you’re coming.")
    expect(visible.first.get_by_role("button")).to_have_text(["Undo"])
    page.clock.fast_forward(5000)
    expect(visible.first.get_by_role("button", name="Done")).to_be_visible()

    # An item that is through stays in its place, with Undo, and goes later.
    place = visible.nth(1).bounding_box()
    visible.nth(1).get_by_role("button", name="Refuse").click()
    done = page.locator(".inbox-done")
    expect(done).to_contain_text("Refused.")
    after = done.bounding_box()
    assert (after["y"], after["height"]) == (place["y"], place["height"])
    assert page.locator("#messages").bounding_box()["height"] <= 1
    assert items.count() == 2
    page.clock.fast_forward(5000)
    expect(done).to_have_count(0)
    expect(visible).to_have_count(1)
    visible.first.get_by_role("button", name="Done").click()
    done.get_by_role("button", name="Undo").click()
    expect(visible.first).to_contain_text("Table 1")
    expect(done).to_have_count(0)
