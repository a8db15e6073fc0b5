"""The list at the door, tapped fast while others tap too: in a real browser on a real `serve`."""

import os
import threading

import pytest
from playwright.sync_api import expect

from tests.served import Served

from .conftest import DESKTOP, PHONE
from .looking import findings, low, width

RUNS = int(os.environ.get("WILD_RUNS") or 1)
PREPARE = """
print(json.dumps([cast.tournament(players=24).slug for _ in range({})]))
"""
# Where a row's button is on the screen, and whether nothing lies over it.
AIM = """name => {
  const button = [...document.querySelectorAll('.people .here')].find(one => one.ariaLabel === `Here: ${name}`);
  const { left, top, width, height } = button.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
# Notes whether somebody who was tapped stands there as not here, be it for a moment.
WATCH = """name => {
  window.cameBack = false;
  setInterval(() => {
    const button = [...document.querySelectorAll('.people .here')].find(one => one.ariaLabel === `Here: ${name}`);
    if (button?.getAttribute('aria-pressed') === 'false') window.cameBack = true;
  }, 10);
}"""
BETWEEN = 250  # milliseconds: four taps a second
LOOKS = 150  # from seeing a row to the thumb being there


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("door"))
    made = served.prepare([PREPARE.format(RUNS + 4)])
    served.start()
    yield served, made
    served.stop()


@pytest.fixture
def door(served, new_context):
    """(slug, function that opens the check-in of its tournament on another device)"""
    server, made = served
    slug, base = made.pop(), f"http://127.0.0.1:{server.port}"

    def open_door(**options):
        context = new_context(reduced_motion="reduce", **options)
        cookies = server.visitor().cookies
        context.add_cookies([{"name": name, "value": value, "url": base} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(f"{base}/t/{slug}/check-in/?shown=40")
        expect(page.locator("#live")).to_have_text("Live")
        return page

    return slug, open_door


def names(page):
    """Everybody who is not here yet, from the top."""
    return [label.removeprefix("Here: ") for label in labels(page, "false")]


def labels(page, pressed):
    return page.locator(f".people .here[aria-pressed={pressed}]").evaluate_all("all => all.map(one => one.ariaLabel)")


def on_the_list(page):
    """Who is here by the server, read anew."""
    page.reload()
    return {label.removeprefix("Here: ") for label in labels(page, "true")}


def tap_fast(page, those):
    for name in those:
        page.get_by_role("button", name=f"Here: {name}", exact=True).scroll_into_view_if_needed()
        x, y = page.evaluate(AIM, name)
        page.wait_for_timeout(LOOKS)
        page.touchscreen.tap(x, y)
        page.wait_for_timeout(BETWEEN - LOOKS)


def taps_from_elsewhere(server, slug, page, those):
    """Somebody else at the same list: a thread that sends what their taps would."""
    actions = {
        name: page.locator("form[data-tap]").filter(has=button(page, name)).get_attribute("action") for name in those
    }

    def send():
        other = server.visitor()
        for action in actions.values():
            other.post(action, {"here": "yes", "next": f"/t/{slug}/check-in/"})

    return threading.Thread(target=send)


def button(page, name):
    return page.get_by_role("button", name=f"Here: {name}", exact=True)


@pytest.mark.parametrize("run", range(RUNS))
def test_four_taps_a_second_with_a_second_page_open_check_in_exactly_those_who_were_tapped(served, door, run):
    slug, open_door = door
    phone, desk = open_door(**PHONE), open_door(**DESKTOP)
    everybody = names(phone)
    mine, theirs = everybody[1::2], everybody[run % 2 * 2 : 14 : 4]
    elsewhere = taps_from_elsewhere(served[0], slug, desk, theirs)
    elsewhere.start()
    tap_fast(phone, mine)
    elsewhere.join()
    expect(phone.locator("#tap-bar")).to_contain_text(f"{mine[-1]} is here.")
    expect(phone.locator(".sheet-head p").first).to_have_text(f"{len({*mine, *theirs})} of 24 are here")
    # Both pages come to the same, and to what the server has.
    for page in (phone, desk):
        expect(page.locator(".people .here[aria-pressed=true]")).to_have_count(len({*mine, *theirs}))
        assert {label.removeprefix("Here: ") for label in labels(page, "true")} == {*mine, *theirs}
    assert on_the_list(phone) == {*mine, *theirs}


def test_the_bar_names_whom_the_last_tap_was_about_and_takes_it_back(door):
    _slug, open_door = door
    phone = open_door(**PHONE)
    first, second = names(phone)[:2]
    height = phone.evaluate("document.documentElement.scrollHeight")
    button(phone, second).scroll_into_view_if_needed()
    where = phone.evaluate(AIM, second)
    x, y = phone.evaluate(AIM, first)
    phone.touchscreen.tap(x, y)
    bar = phone.locator("#tap-bar")
    expect(bar).to_contain_text(f"{first} is here.")
    assert phone.evaluate(AIM, second) == where
    assert phone.evaluate("document.documentElement.scrollHeight") == height
    assert low(bar.get_by_role("button")) == [] and findings(phone) == [] and width(phone) <= 360
    bar.get_by_role("button", name="Undo").tap()
    expect(bar).to_contain_text(f"{first} is not here.")
    expect(phone.locator(".sheet-head p").first).to_have_text("0 of 24 are here")
    assert on_the_list(phone) == set()


def test_an_older_answer_brings_no_row_back(door):
    """A search was asked before the tap and is answered after it."""
    _slug, open_door = door
    phone = open_door(**PHONE)
    first = names(phone)[0]
    old = []

    def late(route):
        if not old:
            old.append(route.fetch())  # what the list was before the tap
            button(phone, first).dispatch_event("click")
            expect(phone.locator(".sheet-head p").first).to_have_text("1 of 24 are here")
            phone.evaluate(WATCH, first)
            route.fulfill(response=old[0])
        else:
            route.continue_()

    phone.route("**/check-in/?q=*", late)
    phone.get_by_role("searchbox", name="Find a name").press_sequentially(first[:1])
    expect(button(phone, first)).to_have_attribute("aria-pressed", "true")
    phone.wait_for_timeout(2500)
    assert old and phone.evaluate("window.cameBack") is False
    expect(button(phone, first)).to_have_attribute("aria-pressed", "true")


def test_taps_without_a_line_are_kept_and_sent_when_it_is_back(door):
    _slug, open_door = door
    phone = open_door(**PHONE)
    three = names(phone)[:3]
    phone.context.set_offline(True)
    for name in three:
        button(phone, name).tap()
    expect(phone.locator("#tap-bar")).to_contain_text("Your taps are sent")
    expect(phone.locator("#live")).to_have_text("No connection", timeout=5000)
    phone.context.set_offline(False)
    expect(phone.locator("#tap-bar")).to_contain_text(f"{three[-1]} is here.")
    expect(phone.locator("#live")).to_have_text("Live")
    assert on_the_list(phone) == set(three)


def test_two_taps_in_one_row_note_the_fee_and_the_arrival_apart(served, door):
    slug, open_door = door
    served[0].visitor().post(f"/t/{slug}/settings/", {"form": "fee", "fee": "5 €"})
    phone = open_door(**PHONE)
    first = labels(phone, "false")[0].removeprefix("Paid: ")
    paid, bar = phone.get_by_role("button", name=f"Paid: {first}", exact=True), phone.locator("#tap-bar")
    paid.tap()
    expect(bar).to_contain_text(f"{first} has paid.")
    button(phone, first).tap()
    expect(bar).to_contain_text(f"{first} is here.")
    expect(phone.locator(".sheet-head p").first).to_have_text("1 of 24 are here, 1 of 24 paid")
    paid.tap()
    expect(bar).to_contain_text(f"{first} has not paid.")
    bar.get_by_role("button", name="Undo").tap()
    expect(phone.locator(".sheet-head p").first).to_have_text("1 of 24 are here, 1 of 24 paid")
    assert low(phone.locator(".people .here").first) == [] and findings(phone) == [] and width(phone) <= 360
