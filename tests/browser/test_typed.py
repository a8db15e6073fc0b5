"""Typed text survives an expired session, a rotated token and a reload, for the same account in the same tab only."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from league.clubs.clubs import found_club
from league.entries.sign_up import set_sign_up
from tests import cast

from .looking import press, settled
from .test_record import sign_in

NAMES = "\n".join(cast.CAST)
STORED = "sessionStorage.getItem('wild-typed') ?? ''"
AFTER_12_HOURS = "() => { const at = Date.now(); Date.now = () => at + 12 * 3600 * 1000 + 1; }"


@pytest.fixture
def olga(phone, live_server):
    return sign_in(phone, live_server)


def names(page):
    return page.get_by_label("Names, one per line")


def restore(page, words="Restore 8 names"):
    return page.get_by_role("button", name=words)


def fill(page):
    page.goto("/new/")
    names(page).fill(NAMES)
    page.wait_for_function(f"() => ({STORED}).includes('Zoë')")


def sign_in_by_form(page, email="olga@example.org"):
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(cast.PASSWORD)
    press(page.get_by_role("button", name="Sign in", exact=True))


def test_names_of_a_new_tournament_come_back_until_they_are_saved(olga):
    fill(olga)
    olga.goto("/new/")  # as after a reload; Chromium fills a field of a reloaded page again
    expect(restore(olga)).to_be_visible()
    restore(olga).click()
    expect(names(olga)).to_have_value(NAMES)
    expect(names(olga)).to_be_focused()
    expect(restore(olga)).to_have_count(0)

    Session.objects.all().delete()
    press(olga.get_by_role("button", name="Create tournament").last)
    sign_in_by_form(olga)
    expect(olga).to_have_url(re.compile("/new/$"))
    restore(olga).click()
    expect(names(olga)).to_have_value(NAMES)

    olga.context.clear_cookies(name="csrftoken")
    press(olga.get_by_role("button", name="Create tournament").last)
    expect(olga.get_by_role("heading", name="This form is too old")).to_be_visible()
    press(olga.get_by_role("link", name="Back to the form"))
    restore(olga).click()
    expect(names(olga)).to_have_value(NAMES)

    press(olga.get_by_role("button", name="Create tournament").last)
    expect(olga.get_by_role("link", name="Check the list")).to_be_visible()
    assert settled(olga).evaluate(STORED) == ""
    olga.goto("/new/")
    expect(names(olga)).to_be_visible()
    expect(restore(olga)).to_have_count(0)


def test_a_refused_form_has_the_text_already_and_a_list_in_place_is_forgotten_when_saved(olga):
    club = found_club(owner=cast.organiser(), name="Café Ludo", time_zone="UTC")
    olga.goto(f"/clubs/{club.slug}/players/")
    field = olga.get_by_label("Names, one per line")
    field.fill("name,email,birthday\nAna,ana@example.org,never")
    press(olga.get_by_role("button", name="Add members"))
    expect(olga.get_by_role("heading", name="1 name was read.")).to_be_visible()
    expect(restore(olga, "Restore")).to_have_count(0)
    olga.goto(f"/clubs/{club.slug}/players/")
    restore(olga, "Restore 2 names").click()
    field.fill(NAMES)
    press(olga.get_by_role("button", name="Add members"))
    expect(olga.get_by_text("8 members added.")).to_be_visible()
    assert olga.evaluate(STORED) == ""


def test_text_is_offered_to_the_same_account_only_and_for_12_hours(olga, live_server):
    fill(olga)
    stored = olga.evaluate(STORED)
    sign_in(olga, live_server, cast.someone_else())
    olga.goto("/new/")
    olga.wait_for_function(f"() => ({STORED}) === ''")
    sign_in(olga, live_server)
    olga.goto("/new/")
    expect(restore(olga)).to_have_count(0)

    fill(olga)
    olga.locator(".menu summary").click()
    press(olga.locator(".menu").get_by_role("button", name="Sign out"))
    assert olga.evaluate(STORED) == ""
    olga.evaluate("stored => sessionStorage.setItem('wild-typed', stored)", stored)  # as another tab has it
    sign_in(olga, live_server)
    olga.goto("/new/")
    olga.wait_for_function(f"() => ({STORED}) === ''")
    expect(restore(olga)).to_have_count(0)

    fill(olga)
    olga.add_init_script(f"({AFTER_12_HOURS})()")
    olga.goto("/new/")
    olga.wait_for_function(f"() => ({STORED}) === ''")
    expect(restore(olga)).to_have_count(0)


def test_passwords_tokens_and_pages_of_shared_links_are_never_stored(olga):
    made = cast.tournament(players=7)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    olga.goto(f"/t/{made.slug}/sign-up/")
    olga.get_by_label("Name", exact=True).fill("Zoë")
    olga.goto("/accounts/password/change/")
    olga.locator("input[type=password]").first.fill("secret-1")
    olga.goto("/new/")
    olga.locator("#new").evaluate("form => form.insertAdjacentHTML('beforeend', '<input type=password name=word>')")
    olga.locator("[name=word]").fill("secret-2")
    names(olga).fill(NAMES)
    olga.wait_for_function(f"() => ({STORED}).includes('Chidi')")
    stored = olga.evaluate(STORED)
    assert "secret" not in stored
    assert "csrf" not in stored
    assert "players_file" not in stored
    assert "/sign-up/" not in stored
