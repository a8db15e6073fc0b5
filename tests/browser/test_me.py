"""A player on their own phone: found by name, scanned, at the table, and a page that changes by itself."""

import pytest
from playwright.sync_api import expect

from league.access.signed_links import player_token
from league.by_link.player_links import end_player_link
from league.rounds.steps import start
from tests import cast
from tests.served import Served

from .conftest import PHONE
from .looking import findings, low, settled, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

PREPARE = """
made = cast.tournament(visibility="private")
start(tournament=made, by=made.owner)
from league.access.signed_links import player_token
table = cast.table(made, 1, 1)
print(json.dumps([made.slug, table.pk, player_token(table.seats.get(number=0).entry)]))
"""


@pytest.fixture
def made(live_server):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


def fits(page):
    assert low(page.locator("main button, main .btn")) == []
    assert width(page) <= page.viewport_size["width"]
    assert findings(page) == []


def open_mine(page, made, name="Farah"):
    page.goto(f"/me/{player_token(cast.entry(made, name))}/")
    page.get_by_role("button", name="Open my table").click()
    expect(page.locator("h1")).to_contain_text(name)


def test_after_scan_and_tap_my_page_changes_by_itself_when_a_hand_is_saved(tmp_path, new_context):
    """In a private tournament: the stream lets in who has a player's link, as the page does."""
    served = Served(tmp_path)
    slug, table, token = served.prepare([PREPARE])
    served.start()
    try:
        scorer = served.visitor()
        page = new_context(**PHONE).new_page()
        page.goto(f"http://127.0.0.1:{served.port}/me/{token}/")
        page.get_by_role("button", name="Open my table").click()
        expect(page.locator("#live")).to_have_text("Live")
        expect(page.locator(".mynow")).to_contain_text("Next: hand 1 of 4. You deal.")
        page.evaluate("window.loadedOnce = true")
        fields = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"} | scorer.form(table, 1)
        assert scorer.post(f"/tables/{table}/", fields)[0] == 303
        expect(page.locator(".mynow")).to_contain_text("Next: hand 2 of 4.")
        expect(page.get_by_role("link", name="Enter hand 2")).to_be_visible()
        expect(page.locator(".handcard tfoot")).to_contain_text("1 of 1 hands won")
        expect(page.get_by_role("heading", name="Best partner")).to_be_visible()
        assert page.evaluate("window.loadedOnce")
        stranger = new_context(**PHONE).new_page()
        assert stranger.goto(f"http://127.0.0.1:{served.port}/t/{slug}/me/").status == 404
    finally:
        served.stop()


def test_every_page_of_a_player_fits_and_can_be_used_by_everybody(phone, made):
    cast.play(made, rounds=2)
    page = phone
    page.goto(f"/me/{player_token(cast.entry(made, 'Farah'))}/")
    fits(page)
    page.get_by_role("button", name="Open my table").click()
    expect(page.locator("h1")).to_have_text("Farah")
    fits(page)
    page.goto("/me/")
    fits(page)
    page.goto("/")
    expect(page.get_by_role("link", name="Open my table")).to_be_visible()
    fits(page)
    page.goto("/me/forged-link/")
    fits(page)
    end_player_link(entry=cast.entry(made, "Farah"), by=made.owner)
    page.goto(f"/t/{made.slug}/me/")
    expect(page.locator("h1")).to_have_text("This link no longer works")
    fits(page)
    page.goto("/me/")
    fits(page)


def test_a_name_is_found_in_two_taps_without_its_accents(phone, made):
    pages = ("/", f"/t/{made.slug}/", f"/t/{made.slug}/seating/")
    names = (("emilie", "Émilie"), ("dorde", "Đorđe"), ("ana lucia", "Ana Lucía"))
    for start_page, (typed, name) in zip(pages, names, strict=True):
        phone.goto(start_page)
        settled(phone).locator("#find").fill(typed)
        phone.locator("#answer").get_by_role("link", name=name).click()
        expect(phone.locator("h1")).to_have_text(name)
        expect(phone.locator(".mynow .seat-me")).to_contain_text(name)
    phone.goto("/")
    phone.locator("#find").fill("i")
    expect(phone.locator("#answer li")).to_have_count(5)
    assert findings(phone) == []
    phone.locator("#find").fill("nobody at all")
    expect(phone.locator("#answer")).to_contain_text("in a public tournament")


def test_without_a_script_a_name_is_found_and_a_link_is_opened(open_page, made):
    page = open_page(**PHONE, java_script_enabled=False)
    page.goto("/")
    page.locator("#find").fill("farah")
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator("#answer").get_by_role("link", name="Farah").click()
    expect(page.locator("h1")).to_have_text("Farah")
    open_mine(page, made)
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()


def test_the_organiser_shows_a_code_that_is_large_enough_and_ends_the_link(open_page, live_server, made):
    page = sign_in(open_page(**PHONE), live_server)
    page.goto(f"/t/{made.slug}/players/")
    page.get_by_role("link", name="Farah").click()
    page.get_by_role("link", name="Own link").click()
    expect(page.locator(".code-qr svg")).to_be_visible()
    assert settled(page).locator(".code-qr svg").bounding_box()["width"] >= 260
    fits(page)
    address = page.get_by_label("Copy the link").input_value()
    page.get_by_role("button", name="Replace the link").click()
    expect(page.locator(".messages")).to_contain_text("The old one no longer works")
    expect(page.get_by_label("Copy the link")).not_to_have_value(address)
