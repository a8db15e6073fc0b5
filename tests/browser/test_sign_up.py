"""Signing up on a phone and checking in at the door, in a real browser."""

import re

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import expect

from league import letters
from league.access.signed_links import sign_up_token
from league.entries.check_in import check_in, wait_here
from league.entries.sign_up import set_sign_up, sign_up
from tests import cast

from .conftest import PHONE
from .looking import findings, width


@pytest.fixture
def made():
    """Seven of eight places are taken, and the cast's organiser runs it."""
    made = cast.tournament(players=7)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    return made


def sign_in(page, email="olga@example.org"):
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(cast.PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("/")


def fits(page):
    assert findings(page) == [], page.url
    assert width(page) <= page.viewport_size["width"], page.url


def test_signing_up_on_the_phone_opening_the_mail_and_withdrawing(phone, made):
    phone.goto(f"/t/{made.slug}/")
    phone.get_by_role("link", name="Sign up: 1 place left").click()
    expect(phone.get_by_text("Places are free: you get one.")).to_be_visible()
    phone.get_by_label("Name", exact=True).fill("Zoë")
    phone.get_by_label("E-mail").fill("zoe@example.org")
    phone.get_by_role("button", name="Sign up").click()
    expect(phone.get_by_role("status").filter(has_text="You have a place")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("All 8 places are taken")).to_be_visible()
    expect(phone.get_by_role("status").filter(has_text="You have a place")).to_be_visible()

    letters.send(timezone.now())
    [link] = re.findall(r"(/sign-up/\S+/)", mail.outbox[-1].body)
    phone.goto(link)
    expect(phone.get_by_role("heading", name="You have a place")).to_be_visible()
    phone.get_by_role("button", name="Withdraw").click()
    expect(phone.get_by_role("heading", name="Give up your place?")).to_be_visible()
    phone.get_by_role("button", name="Withdraw").click()
    expect(phone.get_by_role("heading", name="You are no longer on the list")).to_be_visible()
    assert made.entries.count() == 7


def test_a_tap_at_the_door_is_noted_without_loading_the_page_again(open_page, made):
    phone = open_page(**PHONE)
    sign_in(phone)
    phone.goto(f"/t/{made.slug}/check-in/")
    expect(phone.get_by_text("0 of 7 are here")).to_be_visible()
    loaded = []
    phone.on("framenavigated", lambda frame: loaded.append(frame.url))
    phone.get_by_role("button", name="Here: Farah").click()
    expect(phone.get_by_text("1 of 7 are here")).to_be_visible()
    expect(phone.get_by_role("button", name="Here: Farah")).to_have_attribute("aria-pressed", "true")
    assert loaded == []  # only the lists were swapped
    phone.get_by_role("searchbox", name="Find a name").press_sequentially("emi")
    expect(phone.get_by_role("button", name="Here: Chidi")).to_have_count(0)
    phone.get_by_role("button", name="Here: Émilie").click()
    expect(phone.get_by_text("2 of 7 are here")).to_be_visible()
    expect(phone.get_by_role("searchbox", name="Find a name")).to_have_value("emi")
    assert made.entries.exclude(checked_in_at=None).count() == 2


def test_check_in_and_sign_up_work_without_javascript(open_page, made):
    phone = open_page(**PHONE, java_script_enabled=False)
    sign_in(phone)
    sign_up(tournament=made, name="Zoë", email="zoe@example.org", site="http://testserver")
    sign_up(tournament=made, name="Inês", email="ines@example.org", site="http://testserver")
    phone.goto(f"/t/{made.slug}/check-in/")
    phone.get_by_role("button", name="Here: Farah").click()
    expect(phone.get_by_text("1 of 8 are here")).to_be_visible()
    phone.get_by_role("checkbox", name="Zoë").check()
    phone.get_by_role("button", name="Replace").click()
    expect(phone.get_by_text("Inês replaces Zoë.")).to_be_visible()
    phone.get_by_role("button", name=re.compile("Undo.*Zoë")).click()
    expect(phone.get_by_text("Zoë has the place again.")).to_be_visible()


def test_no_page_of_signing_up_has_a_fault_that_axe_finds_or_scrolls_sideways(phone, made):
    ones = [
        sign_up(tournament=made, name=f"Wartende{number} mit einem langen Namen", email=f"p{number}@x.org", site="")[0]
        for number in range(3)
    ]
    check_in(entry=cast.entry(made, "Farah"), by=made.owner)
    wait_here(sign_up=ones[2], here=True, by=made.owner)
    page = phone
    own = [f"/sign-up/{sign_up_token(one)}/" for one in (ones[0], ones[2])]
    public = [f"/t/{made.slug}/sign-up/", *own, "/sign-up/x/"]
    for path in public:
        page.goto(path)
        fits(page)
    sign_in(page)
    for path in (f"/t/{made.slug}/check-in/", f"/t/{made.slug}/sign-up/settings/", f"/t/{made.slug}/"):
        page.goto(path)
        fits(page)
