"""Going about in a tournament without loading pages: history, focus, scrolling, and what cannot go well."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Hand
from league.rounds.pause import pause
from league.rounds.steps import start
from tests import cast

from .conftest import DESKTOP
from .looking import findings, press
from .test_in_place import stays
from .test_record import main, pick, sign_in, tap

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server):
    made = cast.play(cast.tournament(), rounds=2)
    return made


@pytest.fixture
def fan(phone, made):
    """A visitor's phone on the standings; `stays` as long as no page is loaded."""
    phone.goto(f"/t/{made.slug}/standings/")
    phone.evaluate("window.stays = true")
    return phone


def place(page, name):
    return page.locator(".five").get_by_role("link", name=name)


def top(page):
    return page.evaluate("scrollY")


def test_a_different_page_begins_at_its_heading_and_the_way_back_is_fetched_again(fan, made):
    fan.evaluate("scrollTo(0, 150)")
    press(place(fan, "Players"))
    expect(fan).to_have_url(re.compile("/players/$"))
    expect(fan).to_have_title(re.compile("^Players"))
    assert top(fan) == 0
    assert fan.evaluate("document.activeElement.matches('h1, h2')")
    expect(place(fan, "Players")).to_have_attribute("aria-current", re.compile("."))
    pause(tournament=made, reason="Supper", by=made.owner)
    fan.go_back()
    expect(fan).to_have_url(re.compile("/standings/$"))
    expect(fan.locator("#page")).to_contain_text("Supper")
    fan.wait_for_function("() => scrollY === 150")
    fan.go_forward()
    expect(fan.locator("#page")).to_contain_text("Supper")
    expect(fan).to_have_title(re.compile("^Players"))
    assert stays(fan)
    assert findings(fan) == []
    fan.reload()
    expect(fan).to_have_title(re.compile("^Players"))
    fan.go_back()
    expect(fan).to_have_title(re.compile("^Standings"))


def test_a_picker_stays_where_it_is_with_the_focus_on_it(fan, made):
    fan.goto(f"/t/{made.slug}/seating/")
    fan.evaluate("window.stays = true")
    picker = fan.locator(".picker .seg").first
    picker.scroll_into_view_if_needed()
    fan.evaluate("scrollBy(0, 40)")
    before = top(fan)
    press(picker.get_by_role("link", name="1", exact=True))
    expect(fan).to_have_url(re.compile(r"\?round=1$"))
    chosen = fan.locator(".picker .seg").first.get_by_role("link", name="1", exact=True)
    expect(chosen).to_have_attribute("aria-current", "true")
    expect(chosen).to_be_focused()
    assert top(fan) == before
    assert stays(fan)
    # Where it is loaded anyway, by a middle click or with a modifier, nothing is changed here.
    with fan.context.expect_page() as opened:
        place(fan, "Standings").click(modifiers=["ControlOrMeta"])
    opened.value.close()
    expect(fan).to_have_url(re.compile(r"\?round=1$"))


def test_without_a_connection_the_page_and_its_address_stay(fan):
    press(place(fan, "Players"))
    fan.context.set_offline(True)
    place(fan, "Rounds").click()
    said = fan.locator("#messages")
    expect(said).to_contain_text("No connection: the page couldn’t be loaded.")
    expect(fan).to_have_url(re.compile("/players/$"))
    fan.evaluate("history.back()")
    expect(fan).to_have_url(re.compile("/players/$"))
    expect(fan).to_have_title(re.compile("^Players"))
    fan.context.set_offline(False)
    press(place(fan, "Rounds"))
    expect(fan).to_have_url(re.compile("/seating/$"))
    expect(said).to_be_empty()
    fan.go_back()
    expect(fan).to_have_title(re.compile("^Players"))
    fan.go_back()
    expect(fan).to_have_title(re.compile("^Standings"))
    assert stays(fan)


def test_who_is_signed_out_gets_what_the_address_gives_by_a_load(desktop, live_server, made):
    sign_in(desktop, live_server)
    desktop.goto(f"/t/{made.slug}/standings/")
    desktop.evaluate("window.stays = true")
    desktop.context.clear_cookies()
    place(desktop, "Now").click()  # everybody has one
    expect(desktop.locator("body")).not_to_have_attribute("data-account", re.compile("."))
    assert stays(desktop)
    sign_in(desktop, live_server)
    press(place(desktop, "More"))
    desktop.context.clear_cookies()
    desktop.locator("#page").get_by_role("link", name="Settings").first.click()
    expect(desktop.get_by_role("heading", name="Page not found")).to_be_visible()
    assert not stays(desktop)


def test_a_hand_is_saved_undone_and_corrected_on_the_way_from_now_and_back(new_context, live_server):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    page = sign_in(new_context(base_url=live_server.url, **DESKTOP).new_page(), live_server)
    page.goto(f"/t/{made.slug}/")
    page.evaluate("window.stays = true")
    press(page.get_by_role("link", name="Enter scores for table 1"))
    pick(page, 0).click()
    tap(page, "R7")
    main(page).click()
    tap(page, "W")
    press(main(page))
    saved = page.locator(".note").filter(has_text="Hand 1 saved")
    expect(saved).to_be_visible()
    press(saved.get_by_role("button", name="Undo"))
    expect(page.locator("h1")).to_contain_text("hand 1 of 4")
    expect(pick(page, 1)).to_contain_text("1 card, 7")
    page.go_back()  # to the form of the table, which now asks for hand 1 again
    expect(page).to_have_url(re.compile(r"/tables/\d+/$"))
    page.go_forward()
    expect(pick(page, 1)).to_contain_text("1 card, 7")
    pick(page, 3).click()
    tap(page, "W")
    press(main(page))
    expect(saved).to_be_visible()
    press(page.get_by_role("link", name="Correct").first)
    pick(page, 1).click()
    page.get_by_role("button", name="Type count and points").click()
    page.locator("[name=points_1]").fill("13")
    press(main(page))
    expect(page.get_by_role("alert").first).to_contain_text("can’t be worth 13 points")
    page.locator("[name=points_1]").fill("20")  # in the form that came back, with its pad set up again
    press(main(page))
    expect(page.locator(".note").filter(has_text="Hand 1 corrected")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/correct/$"))
    assert stays(page)
    assert Hand.objects.count() == 3 and Hand.objects.living().get().seats[1]["points_left"] == 20


def test_scripts_of_a_page_come_with_it_and_work_each_time(phone, live_server):
    made = cast.tournament()
    sign_in(phone, live_server)
    phone.goto(f"/t/{made.slug}/")
    phone.evaluate("window.stays = true")
    for time in range(2):
        press(place(phone, "Players"))
        press(phone.locator(".sub").get_by_role("link", name="Check-in"))
        bar = phone.locator("#tap-bar")
        expect(bar).to_be_visible()
        phone.locator("form[data-tap] button").nth(time).click()
        expect(bar.get_by_role("button", name="Undo")).to_be_visible()
        press(place(phone, "Now"))
    assert stays(phone)
    assert phone.locator("script[src*='taps']").count() == 1
    expect(phone.locator("#page")).to_be_visible()
    press(place(phone, "Players"))
    press(phone.locator(".sub").get_by_role("link", name="Check-in"))
    expect(phone.locator("form[data-tap] [aria-pressed=true]")).to_have_count(2)


def test_a_sheet_over_the_page_goes_with_it_and_its_answer_is_no_load(phone, live_server, made):
    sign_in(phone, live_server)
    phone.goto(f"/t/{made.slug}/standings/")
    phone.evaluate("window.stays = true")
    name, sheet = phone.locator("#page").get_by_role("link", name="Zoë").first, phone.locator("dialog.shade")
    name.click()
    expect(sheet).to_be_visible()
    phone.go_back()
    expect(sheet).to_have_count(0)
    expect(phone).to_have_title(re.compile("^Standings"))
    press(place(phone, "Players"))
    phone.go_back()  # over the page of the sheet
    expect(phone).to_have_title(re.compile("^Standings"))
    name.click()
    sheet.get_by_role("link", name="Points adjustment").click()
    sheet.locator("[name=reason]").fill("Late")
    sheet.locator("[name=points]").fill("-10")
    sheet.locator("[name=points]").blur()
    expect(sheet.locator("[data-outcome]")).to_contain_text("1 place changes")
    sheet.locator("form[data-step] button.btn-main").click()
    expect(phone.locator("#messages .note-ok")).to_be_visible()
    expect(sheet).to_have_count(0)
    assert stays(phone)
