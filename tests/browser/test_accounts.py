"""Accounts in a real browser: the pages have no fault, and a passkey signs in (Chromium plays the key)."""

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.browser.looking import press
from tests.browser.test_pages import assert_faultless, sign_in

OF_AN_ACCOUNT = ("", "email/", "password/change/", "reauthenticate/", "2fa/", "2fa/passkeys/", "logout/")


def prove(page):
    """The password once more, as is asked for before what concerns the safety of the account."""
    page.get_by_label("Password").fill(cast.PASSWORD)
    press(page.get_by_role("button", name="Continue"))


def add_key(page):
    """Chromium plays a device with a fingerprint reader, and a finger that is always there."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_pages_of_an_account_have_no_fault(request, size):
    cast.tournament()  # that closing the account would leave alone
    page = request.getfixturevalue(size)
    sign_in(page)
    page.goto("/accounts/2fa/totp/activate/")
    prove(page)
    addresses = [f"/accounts/{one}" for one in OF_AN_ACCOUNT]
    assert_faultless(
        page, [*addresses, "/accounts/2fa/totp/activate/", "/accounts/2fa/passkeys/add/", "/accounts/close/"]
    )


def test_a_passkey_is_added_and_then_signs_in_alone(desktop):
    cast.organiser()
    page = desktop
    add_key(page)
    sign_in(page)
    page.goto("/accounts/2fa/passkeys/add/")
    prove(page)
    page.get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Add passkey").click()
    page.wait_for_url("**/recovery-codes/")
    page.goto("/accounts/2fa/passkeys/")
    expect(page.get_by_text("Signs you in without password")).to_be_visible()
    press(page.get_by_role("button", name="Sign out").first)
    page.goto("/accounts/login/?next=/credits/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url("/credits/")
    expect(page.get_by_role("link", name="Olga")).to_be_visible()


def test_a_passkey_that_is_refused_is_said_and_the_password_still_works(desktop):
    cast.organiser()
    page = desktop
    page.goto("/accounts/login/")
    expect(page.get_by_text("The passkey failed")).to_be_hidden()
    page.evaluate("() => { navigator.credentials.get = () => Promise.reject(new Error()) }")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_text("The passkey failed").wait_for()
    sign_in(page)


def test_passkeys_are_not_offered_where_the_browser_has_none(open_page):
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {get: () => false})")
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Use a passkey")).to_be_hidden()


def test_a_passkey_can_be_the_second_step_after_the_password(desktop):
    cast.organiser()
    page = desktop
    add_key(page)
    sign_in(page)
    page.goto("/accounts/2fa/passkeys/add/")
    prove(page)
    page.get_by_label("Sign in without the password").uncheck()
    page.get_by_role("button", name="Add passkey").click()
    page.wait_for_url("**/recovery-codes/")
    press(page.get_by_role("button", name="Sign out").first)
    sign_in(page)
    page.get_by_role("heading", name="Two-step sign-in").wait_for()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("link", name="Olga").wait_for()
