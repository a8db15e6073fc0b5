"""The rule book in a real browser."""

import pytest

from tests.browser.test_pages import assert_faultless


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_rule_book_has_no_fault(request, size, theme):
    page = request.getfixturevalue(size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    assert_faultless(page, ["/rules/", "/rules/harry-potter-fr/", "/rules/classic/#WD4-2"])


@pytest.mark.parametrize(("language", "title"), [("Français", "Pas coupable"), ("Español", "Inocente")])
def test_the_rule_book_in_other_languages_has_no_fault(open_page, language, title):
    page = open_page(viewport={"width": 360, "height": 740})
    page.goto("/rules/")
    page.get_by_role("button", name=language).click()
    assert page.locator("#WD4-5 h3").text_content() == title
    assert_faultless(page, ["/rules/", "/rules/harry-potter-fr/"])
    assert page.locator("#WD4-5 h3").text_content() == title


def test_a_link_to_a_rule_shows_it_without_javascript(open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.goto("/rules/#WD4-2")
    box = page.locator("#WD4-2").bounding_box()
    assert 0 <= box["y"] < 300
    page.get_by_role("link", name="PLAY-7").first.click()
    assert page.url.endswith("/rules/#PLAY-7")


def test_the_contents_stay_beside_the_chapters_on_a_desktop(desktop):
    desktop.goto("/rules/minecraft-2017/")
    contents = desktop.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="Tournaments").click()
    assert desktop.locator("#tournaments").bounding_box()["y"] < 300
    assert 0 <= contents.bounding_box()["y"] < 100
