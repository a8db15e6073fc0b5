"""The page that shows the API: it works under the content security policy and fetches nothing from elsewhere."""

import re

from playwright.sync_api import expect

from league.accounts.tokens import make_token, revoke_token
from league.models import ApiToken
from tests import cast
from tests.browser.test_pages import BOTH, faults, sign_in


def test_the_api_can_be_tried_out_in_the_browser(desktop, live_server):
    complaints, outside = [], []
    desktop.on("console", lambda message: complaints.append(message.text))
    desktop.on("pageerror", lambda error: complaints.append(str(error)))
    desktop.on("request", lambda request: outside.append(request.url))
    evening = cast.tournament()
    sign_in(desktop)
    desktop.goto("/api/docs/")
    start = desktop.locator("#operations-tournaments-tournaments_start")
    start.locator(".opblock-summary").click()
    start.get_by_role("button", name="Try it out").click()
    start.get_by_placeholder("slug").fill(evening.slug)
    start.get_by_role("button", name="Execute").click()
    start.locator(".live-responses-table .response-col_status", has_text="200").wait_for()
    evening.refresh_from_db()
    assert evening.state == "running", "whoever is signed in may write with the CSRF token"
    assert complaints == []
    assert [url for url in outside if not url.startswith((live_server.url, "data:"))] == []


def test_the_page_of_tokens_has_no_fault_and_makes_one(phone):
    old, _secret = make_token(user=cast.organiser(), name="The old board", scope="read")
    revoke_token(token=old)
    sign_in(phone)
    assert faults(phone, "/accounts/tokens/", BOTH) == []
    phone.get_by_label("Name").fill("Score board")
    phone.get_by_role("button", name="Create token").click()
    expect(phone.get_by_label("Token", exact=True)).to_have_value(re.compile("."))
    made = ApiToken.objects.get(name="Score board")
    expect(phone.get_by_label("Token", exact=True)).to_have_value(re.compile(f"^{re.escape(made.prefix)}"))
    phone.get_by_role("button", name="Revoke Score board").click()
    phone.get_by_text("Token revoked").wait_for()
    made.refresh_from_db()
    assert made.revoked_at is not None
