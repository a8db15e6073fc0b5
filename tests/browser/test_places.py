"""The way to every page: five places at the thumb, the links of a place, and the menu of phones."""

import pytest
from playwright.sync_api import expect

from games.models import Hand
from league.rounds.steps import start
from tests import cast

from .looking import findings, press, width
from .test_clubs import signed_in

FIVE = ["Now", "Players", "Rounds", "Standings", "More"]


@pytest.fixture
def played():
    return cast.play(cast.tournament(), rounds=1)


def test_the_five_places_are_at_the_foot_of_a_phone_in_the_same_order_for_everybody(phone, live_server, played):
    for path in ("", "players/", "seating/", "standings/", "more/"):
        phone.goto(f"/t/{played.slug}/{path}")
        assert phone.locator(".five a").all_inner_texts() == FIVE
    signed_in(phone, live_server)
    for path, place in (("check-in/", "Players"), ("day/", "Rounds"), ("fairness/", "Standings"), ("log/", "More")):
        phone.goto(f"/t/{played.slug}/{path}")
        assert phone.locator(".five a").all_inner_texts() == FIVE
        assert phone.locator(".five [aria-current]").inner_text() == place
        expect(phone.locator(".sub [aria-current=page]")).to_be_in_viewport()
        bar = phone.locator(".five").bounding_box()
        assert bar["y"] + bar["height"] == phone.viewport_size["height"] and bar["height"] >= 60
        head = phone.locator(".event").bounding_box()
        assert head["y"] + head["height"] <= 120
        assert width(phone) <= phone.viewport_size["width"] and findings(phone) == []


def test_a_place_leads_to_its_first_page_and_its_links_to_the_others(phone, live_server, played):
    signed_in(phone, live_server)
    phone.goto(f"/t/{played.slug}/")
    press(phone.locator(".five").get_by_role("link", name="Rounds"))
    expect(phone).to_have_url(f"{live_server.url}/t/{played.slug}/seating/")
    press(phone.locator(".sub").get_by_role("link", name="Manage"))
    expect(phone).to_have_url(f"{live_server.url}/t/{played.slug}/manage/")
    press(phone.locator(".five").get_by_role("link", name="More"))
    press(phone.locator("main").get_by_role("link", name="Helpers").last)
    expect(phone).to_have_url(f"{live_server.url}/t/{played.slug}/people/")


def test_the_menu_of_a_phone_opens_with_a_tap_and_closes_with_escape_or_a_tap_beside_it(phone, live_server, played):
    signed_in(phone, live_server)
    phone.goto(f"/t/{played.slug}/standings/")
    menu, new = phone.locator(".menu > summary"), phone.locator(".menu").get_by_role("link", name="New tournament")
    expect(new).to_be_hidden()
    menu.click()
    expect(new).to_be_visible()
    assert findings(phone) == []
    phone.keyboard.press("Escape")
    expect(new).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    expect(new).to_be_visible()
    phone.mouse.click(20, 500)
    expect(new).to_be_hidden()
    menu.click()
    press(new)
    expect(phone).to_have_url(f"{live_server.url}/new/")


def test_where_a_button_has_the_foot_of_the_phone_the_places_are_in_the_menu(phone, live_server, played):
    signed_in(phone, live_server)
    phone.goto(f"/hands/{Hand.objects.living().first().pk}/correct/")
    expect(phone.locator(".dock")).to_be_visible()
    expect(phone.locator(".five")).to_be_hidden()
    phone.locator(".menu > summary").click()
    assert phone.locator(".menu-places a").all_inner_texts() == FIVE
    press(phone.locator(".menu-places").get_by_role("link", name="Standings"))
    expect(phone).to_have_url(f"{live_server.url}/t/{played.slug}/standings/")


def test_on_a_desktop_places_and_links_stand_under_the_name_and_there_is_no_menu(desktop, live_server, played):
    desktop.goto(f"/t/{played.slug}/standings/")
    expect(desktop.locator(".menu")).to_be_hidden()
    assert desktop.locator(".five a").all_inner_texts() == FIVE
    assert desktop.locator(".sub a").all_inner_texts() == ["Table", "Round by round", "Chances", "Fairness"]
    desktop.keyboard.press("Tab")
    desktop.keyboard.press("Enter")  # the skip link
    expect(desktop.locator("#page")).to_be_in_viewport()
    assert desktop.evaluate("location.hash") == "#page"


def test_what_is_done_in_a_hurry_is_a_tap_from_the_first_page(phone, live_server):
    signed_in(phone, live_server)
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    phone.goto(f"/t/{made.slug}/")
    press(phone.locator("#page").get_by_role("link", name="Late entry"))
    expect(phone.get_by_label("Name", exact=True)).to_be_in_viewport()
    phone.goto(f"/t/{made.slug}/")
    press(phone.get_by_role("button", name="Undo publishing round 1"))
    expect(phone.get_by_role("button", name="Publish round 1")).to_be_visible()


def test_settings_that_are_seldom_changed_are_folded_and_their_headings_open_them(phone, live_server, played):
    signed_in(phone, live_server)
    phone.goto(f"/t/{played.slug}/settings/")
    save = phone.get_by_role("button", name="Save chances")
    expect(save).to_be_hidden()
    phone.get_by_role("heading", name="Chances").click()
    expect(save).to_be_visible()
    assert findings(phone) == [] and width(phone) <= phone.viewport_size["width"]
    assert phone.locator("dl.facts").inner_text().split("\n")[:4] == ["Format", "Individual pairs", "Cards", "Classic"]
