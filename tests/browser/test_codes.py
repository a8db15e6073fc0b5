"""The codes of an evening on one page: made, copied and printed, each saying what it is for."""

import pytest
from playwright.sync_api import expect

from league.access.signed_links import scorer_token
from league.models import ScorerLink
from tests import cast

from .looking import findings, press, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_codes_are_made_copied_and_printed(phone, live_server):
    made = cast.tournament()
    sign_in(phone, live_server)
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.goto(f"/t/{made.slug}/codes/")
    press(phone.get_by_role("button", name="Create a code for each table"))
    expect(phone.locator("#messages")).to_contain_text("2 tables have codes.")
    table = phone.locator("article").filter(has_text="Table 2")
    table.get_by_role("button", name="Copy").click()
    expect(table.get_by_role("button")).to_have_text("Copied")
    link = ScorerLink.objects.get(table=2)
    assert phone.evaluate("navigator.clipboard.readText()") == f"{live_server.url}/s/{scorer_token(link)}/"
    press(phone.get_by_role("button", name="Show personal links"))
    phone.get_by_role("listitem").filter(has_text="Zoë").get_by_role("button", name="Copy").click()
    expect(phone.get_by_role("listitem").filter(has_text="Zoë").get_by_role("button")).to_have_text("Copied")
    message = phone.evaluate("navigator.clipboard.readText()")
    assert message.count("/me/") == 1 and message.startswith(made.name) and "Only for Zoë" in message
    assert findings(phone) == [] and width(phone) <= 360
    phone.emulate_media(media="print")
    expect(table).to_be_visible()
    expect(phone.get_by_role("heading", name="Players’ own links")).to_be_hidden()
    # Four codes, each a quarter of the paper: one page of either size.
    assert [phone.pdf(format=paper).count(b"/Type /Page\n") for paper in ("A4", "Letter")] == [1, 1]
