"""Two phones at one table: one reports, the other confirms or disputes; the director decides at a desk."""

import pytest
from playwright.sync_api import expect

from games.models import Dispute, Hand
from league.access.signed_links import player_token
from league.models import Table
from league.rounds.steps import start
from tests import cast

from .conftest import DESKTOP, PHONE
from .looking import findings, low, press, width
from .test_record import main, name, pick, sign_in, tap

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(live_server):
    made = cast.tournament(hands_per_round=1)
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


def open_own(page, table, seat):
    """The own page of whoever sits there, and from it their table."""
    page.goto(f"/me/{player_token(table.seats.get(number=seat).entry)}/")
    press(page.locator("main form").get_by_role("button").first)
    page.goto(table.get_absolute_url())
    return page


def report(page, table):
    open_own(page, table, 0)
    pick(page, 0).click()
    tap(page, "R7", "GD")
    main(page).click()
    tap(page, "W")
    main(page).click()
    expect(page.locator("main")).to_contain_text("Waiting for one of these to confirm")
    assert findings(page) == []


def test_one_phone_reports_and_the_other_confirms_with_one_tap(open_page, table):
    report(open_page(**PHONE), table)
    other = open_own(open_page(**PHONE), table, 1)
    expect(other.locator("main")).to_contain_text(f"Reported by {name(table, 0)}")
    expect(other.locator("main")).to_contain_text(f"{name(table, 0)} and {name(table, 2)} score 77.")
    assert findings(other) == []
    assert width(other) <= 360
    button = other.get_by_role("button", name="Confirm the hands")
    assert low(button) == []
    button.click()
    expect(other.locator("main")).to_contain_text("Confirmed. Thank you.")
    assert Table.objects.get(pk=table.pk).state == Table.State.CONFIRMED


def test_a_dispute_goes_to_the_director_with_both_versions(open_page, live_server, table):
    report(open_page(**PHONE), table)
    other = open_own(open_page(**PHONE), table, 1)
    other.get_by_role("link", name="Dispute").click()
    expect(other.locator("h1")).to_contain_text("Hand 1 is wrong")
    assert findings(other) == []
    assert width(other) <= 360
    pick(other, 3).click()
    other.get_by_role("button", name="Remove Wild").click()
    tap(other, "WD")
    other.get_by_label("Reason").fill("It was Wild Draw Four")
    main(other).click()
    expect(other.locator("main")).to_contain_text(f"Disputed by {name(table, 1)}")
    assert findings(other) == []
    desk = open_page(**DESKTOP)
    sign_in(desk, live_server)
    desk.goto(f"/t/{table.round.tournament.slug}/")
    desk.get_by_role("link", name="Compare results").click()
    expect(desk.locator(".differs")).to_have_count(2)
    assert findings(desk) == []
    desk.get_by_role("button", name="Use the disputed version").click()
    expect(desk.locator("main")).to_contain_text("No disputes at table 1")
    assert Dispute.objects.get().state == Dispute.State.TAKEN
    assert Hand.objects.living().get(table=table).seats[3]["cards"] == ["WD"]
    assert Table.objects.get(pk=table.pk).state == Table.State.CONFIRMED
