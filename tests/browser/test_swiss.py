"""A Swiss of 23 at tables of four from an organiser's phone: somebody comes late, and like points meet."""

import pytest
from playwright.sync_api import expect

from league.models import Tournament
from league.rounds.steps import start
from league.standings import read as ledger
from tests import cast

from .conftest import PHONE
from .looking import findings, press, settled, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server) -> Tournament:
    """Round 1 is played: at table 3 seat 0 has made 90 points, at the others fewer."""
    made = cast.tournament(23, format="swiss", name="Swiss Night", hands_per_round=1)
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        seats = table.seats.count()
        cast.record(table, 1, 0, tuple(30 if table.number == 3 else 5 + table.number for _seat in range(seats)))
    return made


def test_who_comes_late_sits_from_the_next_round_on_where_like_points_meet(made, live_server, open_page):
    page = sign_in(open_page(**PHONE), live_server)
    page.goto(f"/t/{made.slug}/day/late/")
    late = settled(page).locator("form[action$='/day/late/']")
    late.get_by_label("Name").fill("Wanda")
    press(late.get_by_role("button", name="Preview"))
    expect(page.get_by_text("Plays from the next round that is drawn.")).to_be_visible()
    press(page.get_by_role("button", name="Add Wanda"))
    page.goto(f"/t/{made.slug}/")
    press(page.get_by_role("button", name="Close round 1, publish round 2"))
    page.goto(f"/t/{made.slug}/seating/")
    settled(page).get_by_text("Reason for this seating").click()
    first = page.locator("dt", has_text="Table 1").locator("+ dd")
    expect(first).to_have_text("Before this round: 22 to 90 points; no earlier meetings.")
    expect(page.locator(".plans article")).to_have_count(6)
    expect(page.locator(".plans")).to_contain_text("Wanda")
    assert width(page) <= 360 and not findings(page)
    page.get_by_label("Your name").fill("wanda")
    expect(page.locator("#answer")).to_contain_text("Wanda")
    best = [line.total for line in ledger.read(made).standings()]
    assert best[:2] == [90, 30] and len(best) == 24
