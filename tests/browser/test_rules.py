"""The rule book in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looking import at_top
from tests.browser.test_pages import assert_faultless


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_rule_book_has_no_fault(request, size):
    page = request.getfixturevalue(size)
    assert_faultless(page, ["/rules/"])
    assert_faultless(page, ["/rules/classic/#WD4-2"], ())


@pytest.mark.parametrize(("language", "title"), [("Français", "Pas coupable"), ("Español", "Inocente")])
def test_the_rule_book_in_other_languages_has_no_fault(open_page, language, title):
    page = open_page(viewport={"width": 360, "height": 740})
    page.goto("/rules/")
    page.get_by_role("button", name=language).click()
    expect(page.locator("#WD4-5 h3")).to_have_text(title)
    assert_faultless(page, ["/rules/harry-potter-fr/"], ())
    expect(page.locator("#WD4-5 h3")).to_have_text(title)


def test_a_link_to_a_rule_shows_it_without_javascript(open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.goto("/rules/#WD4-2")
    at_top(page, "#WD4-2")
    page.get_by_role("link", name="PLAY-7").first.click()
    expect(page).to_have_url(re.compile("/rules/#PLAY-7$"))


def test_a_search_shows_what_it_finds_while_it_is_typed(phone):
    phone.goto("/rules/classic/")
    field = phone.get_by_role("searchbox", name="Search the rules")
    field.press_sequentially("reverse")
    expect(phone.get_by_role("status")).to_contain_text("Found: 1 card, 6 rules.")
    expect(phone.get_by_role("heading", name="Reverse with two")).to_be_visible()
    expect(field).to_be_focused()
    phone.get_by_role("link", name="Show all rules").click()
    expect(phone.get_by_role("heading", name="Reverse with two")).not_to_be_visible()
    phone.get_by_role("heading", name="Two players, and teams").click()
    expect(phone.get_by_role("heading", name="Reverse with two")).to_be_visible()


def test_the_contents_stay_beside_the_chapters_on_a_desktop(desktop):
    desktop.goto("/rules/minecraft-2017/")
    contents = desktop.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="Tournaments").click()
    at_top(desktop, "#tournaments")
    assert 0 <= contents.bounding_box()["y"] < 100
