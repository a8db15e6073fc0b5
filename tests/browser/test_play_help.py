"""What helps at an online table: cards, rules, the whole hand, hints; and the piles stay where they are."""

import pytest
from playwright.sync_api import expect

from engine.state import TURN
from tests.games.arranged import arrange
from tests.games.online_table import next_move

from .conftest import DESKTOP, PHONE
from .looking import findings, low, settled
from .test_play import catch_up, holds, open_table, sealed, wrong

pytestmark = pytest.mark.django_db(transaction=True)

PRESS = """(card, kind) => card.dispatchEvent(new PointerEvent(kind, {
  bubbles: true, pointerType: "touch", isPrimary: true, pointerId: 5, clientX: 40, clientY: 600 }))"""


HELPS = "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/play_help.js'))"


def helped_table(page, deal, seat):
    """An open table with its help, which comes after the table."""
    open_table(page, deal, seat)
    page.wait_for_function(HELPS)
    page.wait_for_timeout(200)  # it runs once it came
    return page


def test_a_long_press_explains_a_card_and_does_not_play_it(open_page, live_server):
    deal = arrange(sealed(4), wrong)
    page = helped_table(open_page(**PHONE), deal, deal.turn)
    card = page.locator(".fan .held button").first
    before = page.locator("#play").get_attribute("data-version")
    card.evaluate(PRESS, "pointerdown")
    help_ = page.get_by_role("dialog")
    expect(help_).to_contain_text("Not now. What fits: ")
    card.evaluate(PRESS, "pointerup")
    card.dispatch_event("click")
    assert findings(page, ("light",)) == [] and low(help_.locator("a, button")) == []
    assert page.evaluate("[document.documentElement.scrollHeight, innerHeight]") == [740, 740]
    expect(page.locator("#clock")).to_be_visible()
    page.keyboard.press("Escape")
    expect(help_).to_have_count(0)
    expect(card).to_be_focused()
    assert page.locator("#play").get_attribute("data-version") == before
    assert page.locator("#said").inner_text() == ""


def test_mouse_and_keys_explain_a_card_beside_the_buttons(open_page, live_server):
    deal = arrange(sealed(4), holds("WD"))
    page = helped_table(open_page(**DESKTOP), deal, deal.turn)
    card = page.locator(".fan button[value=WD]").first
    card.hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("The next player draws 4 and misses the turn")
    expect(tip.get_by_role("link")).to_have_attribute("href", "/rules/classic/#WD4-1")
    expect(page.get_by_role("button", name="Draw", exact=True)).to_be_visible()
    page.mouse.move(640, 200)
    expect(tip).to_have_count(0)
    page.keyboard.press("1")
    expect(tip).to_be_visible()
    expect(page.locator(".fan button").first).to_have_attribute("aria-describedby", "cardhelp-text")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#cardhelp")).to_have_count(0)
    expect(page.locator(".fan button").first).to_be_focused()


def test_the_rules_lie_over_the_table_which_goes_on(open_page, live_server):
    deal = arrange(sealed(4), lambda hand: hand.public.step == TURN and len(hand.log) > 20)
    page = helped_table(open_page(**PHONE), deal, deal.turn)
    line = page.get_by_role("link", name="Classic, 1 hand, points are good")
    line.focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="Rules of this table")
    expect(sheet.get_by_role("heading", name="Rules of this table")).to_be_focused()
    expect(sheet.locator(".over3-turn")).to_contain_text("Your turn")
    expect(sheet.locator(".over3-turn .clock")).to_have_text(page.locator("#clock .clock-move").text_content())
    assert findings(page) == [] and low(sheet.locator("a:visible")) == []
    next_move(deal)
    catch_up(page, deal)
    expect(sheet.locator(".over3-turn")).not_to_contain_text("Your turn")
    expect(sheet).to_contain_text("Call UNO")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(line).to_be_focused()


def test_a_tap_on_the_last_move_opens_the_whole_hand_which_grows(open_page, live_server):
    deal = arrange(sealed(4), lambda hand: hand.public.step == TURN and len(hand.log) > 20)
    page = helped_table(open_page(**PHONE), deal, deal.turn)
    page.locator("#story").click(position={"x": 60, "y": 20})
    sheet = page.get_by_role("dialog", name="This hand so far")
    moves = sheet.locator(".handlog > li")
    expect(moves.nth(5)).to_be_visible()
    count = moves.count()
    assert findings(page) == []
    assert min(moves.evaluate_all("all => all.map(one => one.offsetHeight)")) >= 60
    next_move(deal)
    catch_up(page, deal)
    expect(moves).not_to_have_count(count)
    sheet.get_by_role("link", name="Back to the table").click()
    expect(sheet).to_be_hidden()
    expect(page.get_by_role("link", name="Show the whole hand")).to_be_focused()


def test_without_scripts_rules_and_hand_are_pages_that_lead_back(new_context, live_server):
    deal = arrange(sealed(4), lambda hand: hand.public.step == TURN and len(hand.log) > 20)
    page = new_context(base_url=live_server.url, java_script_enabled=False).new_page()
    page.goto(f"/tables/{deal.table_id}/play/")
    for name, heading in (("Show the whole hand", "This hand so far"), ("Classic, 1 hand", "Rules of this table")):
        page.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#discard")).to_be_visible()


def test_three_hints_come_in_the_first_hand_and_never_again(open_page, live_server):
    deal = arrange(sealed(4), lambda hand: hand.public.step == TURN and len(hand.log) > 8)
    page = helped_table(open_page(**PHONE), deal, deal.turn)
    hint = page.locator("#hint")
    expect(hint).to_contain_text("Raised cards can be played.")
    assert findings(page, ("light",)) == []
    hint.get_by_role("button").click()
    expect(hint).to_have_count(0)
    page.evaluate("localStorage.setItem('wild-hints', `${document.getElementById('play').dataset.deal}:2`)")
    page.reload()
    expect(hint).to_contain_text("Tap the last move for the whole hand")
    page.reload()
    expect(page.get_by_role("list", name="Your cards")).to_be_visible()
    page.wait_for_function("document.querySelector('script[src*=play_help]')")
    page.wait_for_timeout(300)
    expect(hint).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_piles_stay_where_they_are_when_something_is_asked(open_page, live_server, size):
    deal = arrange(sealed(4), holds("W"))
    page = helped_table(open_page(**size), deal, deal.turn)
    page.evaluate("localStorage.setItem('wild-hints', '')")
    pile = page.locator("#discard > svg")
    before = pile.bounding_box()
    card = page.locator(".fan button[value=W]").first
    card.dispatch_event("click")
    expect(settled(page).locator("[data-ask=wild]")).to_be_visible()
    assert pile.bounding_box() == before
