"""Groups, the cut and heats from an organiser's phone, and what a spectator's phone shows of it."""

import pytest
from playwright.sync_api import expect

from league.models import Tournament
from tests import cast
from tests.league.rounds.test_cut import play_round

from .conftest import PHONE
from .looking import findings, press, settled, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def hands_of_round(number: int) -> None:
    play_round(Tournament.objects.get().rounds.living().get(number=number))


def test_groups_go_into_heats_with_a_second_ladder_and_a_spectator_follows(live_server, open_page):
    page, spectator = sign_in(open_page(**PHONE), live_server), open_page(**PHONE)
    page.goto("/new/")
    page.get_by_label("Names, one per line").fill("\n".join(row.name for row in cast.people(12)))
    rules = page.locator("details", has=page.locator("#rules-line"))
    press_line(rules, page.locator("#id_rounds"))
    page.locator("#id_rounds").fill("1")
    page.locator("#id_hands_per_round").fill("1")
    then = page.locator("details", has=page.locator("#then-line"))
    press_line(then, page.locator("#id_groups"))
    page.locator("#id_groups").fill("3")
    page.locator("#id_then").select_option("heats")
    page.locator("#id_takes").fill("6")
    page.locator("#id_others_play").check()
    expect(page.locator("#then-line")).to_contain_text("3 groups. The best 2 of each group advance.")
    expect(page.locator(".eve-round").last).to_contain_text("Second ladder")
    assert width(page) <= 360 and not findings(page)
    press(page.get_by_role("button", name="Create tournament").last)
    made = Tournament.objects.get()
    at = f"/t/{made.slug}/"
    press(page.get_by_role("button", name="Draw the seating"))
    press(page.get_by_role("button", name="Publish round 1"))
    spectator.goto(f"{at}standings/")
    hands_of_round(1)
    expect(spectator.get_by_role("heading", name="Group C")).to_be_visible()
    page.goto(at)
    expect(page.get_by_text("Closing the round first shows you who advances")).to_be_visible()
    press(page.get_by_role("button", name="Close round 1"))
    expect(page.get_by_role("heading", name="6 players advance")).to_be_visible()
    expect(page.get_by_text("On the second ladder: 6.")).to_be_visible()
    expect(page.locator(".bk-table .on")).to_have_count(6)
    assert width(page) <= 360 and not findings(page)
    press(page.get_by_role("button", name="Confirm: 6 advance"))
    press(page.get_by_role("button", name="Publish round 2"))
    spectator.goto(f"{at}seating/")
    expect(spectator.get_by_role("heading", name="Second ladder")).to_be_visible()
    assert width(spectator) <= 360 and not findings(settled(spectator))
    hands_of_round(2)
    page.goto(at)
    press(page.get_by_role("button", name="Close round 2"))
    press(page.get_by_role("button", name="Publish round 3"))
    spectator.goto(f"{at}standings/")
    expect(spectator.get_by_role("link", name="2. Heats and a final")).to_have_attribute("aria-current", "true")
    spectator.get_by_role("link", name="1. Groups").click()
    expect(spectator.get_by_role("heading", name="Group B")).to_be_visible()


def press_line(line, field) -> None:
    """Unfold a line of what is set."""
    line.locator("summary").click()
    expect(field).to_be_visible()
