"""The tree of eight on a phone: one round at a time, opened at the one that is played, with the way that is lit."""

import pytest
from playwright.sync_api import expect

from league.rounds.steps import start
from tests import cast

from .conftest import DESKTOP, PHONE
from .looking import findings, settled, width

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server):
    """The semi-finals are played, and Ana Lucía has won hers."""
    made = cast.tournament(8, format="knockout", hands_per_round=1)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, (10, 10))
    cast.go_on(made)
    cast.go_on(made)
    cast.record(cast.table(made, 2, 1), 1, 0, (10, 10))
    return made


def test_a_phone_opens_at_the_round_that_is_played(made, live_server, open_page):
    page = open_page(**PHONE)
    page.goto(f"{live_server.url}/t/{made.slug}/bracket/")
    expect(settled(page).get_by_role("heading", name="Semi-finals")).to_be_in_viewport()
    expect(page.locator(".bk-dots [aria-current]")).to_have_accessible_name("Semi-finals")
    page.get_by_role("link", name="Final and third place").click()
    expect(page.get_by_text("Loser of table 2")).to_be_in_viewport()
    assert width(page) <= 360 and not findings(page)


def test_each_match_stands_between_the_two_before_it_and_third_place_below_the_final(made, live_server, open_page):
    page = open_page(**DESKTOP)
    who = cast.entry(made, "Ana Lucía")
    page.goto(f"{live_server.url}/t/{made.slug}/bracket/?player={who.public_id}")
    columns = settled(page).locator(".bk-col")
    middles = [
        [box["y"] + box["height"] / 2 for box in (table.bounding_box() for table in column.locator(".bk-table").all())]
        for column in columns.all()
    ]
    first, semis, (final, third) = middles
    assert semis == pytest.approx([sum(first[:2]) / 2, sum(first[2:]) / 2], abs=1)
    assert final == pytest.approx(sum(semis) / 2, abs=1) and third > final
    expect(page.locator(".bk-gap .mine")).to_have_count(2)
    assert not findings(page)
