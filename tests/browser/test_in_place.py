"""An organiser's forms change their page in place: what was done is said with its undo, and no page is loaded anew."""

import pytest
from playwright.sync_api import expect

from league.rounds.steps import start
from tests import cast

from .conftest import PHONE
from .looking import at_top, press
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server):
    return cast.tournament()


@pytest.fixture
def olga(phone, live_server, made):
    """The organiser's phone; `stays` on a page as long as that is not loaded anew."""
    sign_in(phone, live_server)
    phone.goto(f"/t/{made.slug}/")
    phone.evaluate("window.stays = true")
    return phone


def stays(page):
    return page.evaluate("window.stays === true")


def test_the_steps_of_a_round_and_their_undo_stay_on_the_page(olga):
    olga.get_by_role("button", name="Draw the seating").click()
    said = olga.locator("#messages")
    expect(said).to_contain_text("The seating is drawn.")
    expect(said).to_be_in_viewport()
    said.get_by_role("button", name="Undo").click()
    expect(said).to_contain_text("The draw is undone.")
    olga.get_by_role("button", name="Draw the seating").click()
    olga.get_by_role("button", name="Publish round 1").click()
    expect(olga.get_by_role("heading", name="8 hands to go in round 1")).to_be_visible()
    olga.get_by_role("button", name="Start the clock").click()
    expect(olga.get_by_role("button", name="Pause")).to_be_visible()
    assert stays(olga)


def test_what_is_refused_stands_beside_its_field_with_what_was_typed(olga, made):
    olga.goto(f"/t/{made.slug}/settings/")
    olga.evaluate("window.stays = true")
    olga.get_by_label("Name", exact=True).fill("Winter Pairs")
    olga.get_by_label("Date").fill("1999-01-01")
    press(olga.get_by_role("button", name="Save").first)
    expect(olga.get_by_label("Date")).to_be_focused()
    expect(olga.get_by_text("Choose a day between 2000 and 2100.")).to_be_in_viewport()
    expect(olga.get_by_label("Name", exact=True)).to_have_value("Winter Pairs")
    olga.get_by_label("Date").fill("2026-12-01")
    olga.get_by_role("button", name="Save").first.press("Enter")
    expect(olga.locator("#messages")).to_contain_text("Saved.")
    expect(olga.get_by_role("heading", level=1)).to_contain_text("Winter Pairs")
    expect(olga.get_by_role("button", name="Save").first).to_be_focused()
    assert stays(olga)


def test_somebody_leaves_on_their_own_page_and_it_is_taken_back_where_it_was_said(olga, made):
    start(tournament=made, by=made.owner)
    zoe = cast.entry(made, "Zoë")
    olga.goto(f"/t/{made.slug}/people/{zoe.public_id}/?do=leave")
    press(olga.get_by_role("button", name="Let someone stand in for Zoë"))
    said = olga.locator("#messages")
    expect(said).to_contain_text("Zoë has dropped out.")
    press(said.get_by_role("button", name="Undo"))
    expect(said).to_contain_text("Undone for Zoë: Withdrew.")
    zoe.refresh_from_db()
    assert zoe.status == "active"


def test_a_preview_begins_at_its_heading_with_its_button_in_sight(olga, made):
    """It took the place of the page and left the reader in the middle of a table."""
    start(tournament=made, by=made.owner)
    olga.goto(f"/t/{made.slug}/day/late/")
    late = olga.locator("form[action$='/day/late/']")
    late.get_by_label("Name", exact=True).fill("Ingrid")
    press(late.get_by_role("button", name="Preview"))
    heading = olga.get_by_role("heading", name="Add Ingrid", exact=True)
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    confirm = olga.get_by_role("button", name="Add Ingrid")
    expect(confirm).to_be_in_viewport(ratio=1)
    olga.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    expect(confirm).to_be_in_viewport(ratio=1)
    press(confirm)
    expect(olga.locator("#messages")).to_contain_text("Ingrid has been added.")
    at_top(olga, "#page")


def test_without_a_connection_it_says_that_nothing_was_sent(olga):
    olga.context.set_offline(True)
    olga.get_by_role("button", name="Draw the seating").click()
    expect(olga.locator("#messages")).to_contain_text("No connection: nothing was sent.")
    olga.context.set_offline(False)
    olga.get_by_role("button", name="Draw the seating").click()
    expect(olga.get_by_role("button", name="Publish round 1")).to_be_visible()


def test_an_answer_that_is_no_page_of_the_tournament_says_why(olga, made):
    olga.context.clear_cookies()
    olga.get_by_role("button", name="Draw the seating").click()
    expect(olga.locator("#messages")).to_contain_text("This form is too old")
    expect(olga.get_by_role("button", name="Draw the seating")).to_be_visible()


def test_a_refused_form_keeps_the_address_the_way_back_and_the_live_page(olga, made):
    start(tournament=made, by=made.owner)
    olga.reload()
    before = olga.evaluate("history.length")
    olga.get_by_text("Schedule round 2").click()
    olga.get_by_label("Day and time").fill("2020-01-01T20:00")
    press(olga.get_by_role("button", name="Publish round 2 at this time"))
    expect(olga.locator("#page [role=alert]").first).to_be_visible()
    assert olga.url.endswith(f"/t/{made.slug}/") and olga.evaluate("history.length") == before
    assert olga.evaluate("sessionStorage.getItem('htmx-history-cache')") is None  # no page is kept there
    expect(olga.locator("#page")).to_have_attribute("data-live", "")
    expect(olga.get_by_label("Day and time")).to_have_value("2020-01-01T20:00")


def test_without_scripts_the_same_forms_load_the_page(new_context, live_server, made):
    page = new_context(base_url=live_server.url, java_script_enabled=False, **PHONE).new_page()
    sign_in(page, live_server)
    page.goto(f"/t/{made.slug}/")
    for step in ("Draw the seating", "Publish round 1", "Start the clock"):
        page.get_by_role("button", name=step).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
