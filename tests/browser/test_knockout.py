"""The tree of eight on a phone: one round at a time, opened at the one that is played, with the way that is lit. With a
losers' side, to the second final and back."""

import pytest
from playwright.sync_api import expect

from games.models import Hand
from league.rounds.steps import start
from tests import cast

from .conftest import DESKTOP, PHONE
from .looking import findings, press, settled, width
from .test_record import sign_in

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
    expect(page.locator(".bk-who", has_text="Loser of table 2")).to_be_in_viewport()
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


def test_a_tree_that_is_not_in_sight_as_a_whole_is_drawn_smaller_and_dragged(live_server, open_page):
    made = cast.tournament(32, format="knockout", hands_per_round=1)
    start(tournament=made, by=made.owner)
    page = open_page(**DESKTOP)
    page.goto(f"{live_server.url}/t/{made.slug}/bracket/")
    final = settled(page).locator(".bk-fin")
    size = page.get_by_role("group", name="Size of the picture")
    size.get_by_role("button", name="Larger").click()
    expect(size.get_by_text("140 %")).to_be_visible()
    size.get_by_role("button", name="Fit to screen").click()
    expect(page.locator(".bk-table").last).to_be_in_viewport()
    expect(page.locator(".bk-table").first).to_be_in_viewport()
    for _thrice in range(3):
        size.get_by_role("button", name="Larger").click()
    expect(final).not_to_be_in_viewport()
    page.locator(".bk").focus()
    page.mouse.move(600, 600)
    page.mouse.down()
    page.mouse.move(600, 100, steps=3)
    page.mouse.up()
    expect(final).to_be_in_viewport()
    page.keyboard.press("0")
    expect(page.locator(".bk-table").first).to_be_in_viewport()
    assert not findings(page)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(size).to_be_hidden()


@pytest.fixture
def down_to_the_final(live_server):
    """Eight of whom a second loss eliminates; Benoît has lost the winners' final and won the losers'."""
    made = cast.tournament(8, format="knockout", hands_per_round=1, losses=2)
    start(tournament=made, by=made.owner)
    for number in range(1, 6):
        for table in made.rounds.get(number=number).tables.order_by("number"):
            cast.record(table, 1, 0, (10, 10))
        cast.go_on(made)
        cast.go_on(made)
    return made


def test_a_second_final_is_drawn_and_goes_when_the_first_one_is_corrected(down_to_the_final, live_server, open_page):
    made = down_to_the_final
    page = sign_in(open_page(**PHONE), live_server)
    final = cast.table(made, 6, 1)
    cast.record(final, 1, 1, (10, 10))  # the first loss of Ana Lucía
    page.goto(f"{live_server.url}/t/{made.slug}/")
    press(page.get_by_role("button", name="Close round 6"))
    expect(page.get_by_text("One loss: Ana Lucía and Benoît.")).to_be_visible()
    page.goto(f"{live_server.url}/t/{made.slug}/bracket/")
    expect(page.locator("#level-5")).to_contain_text("Second final, table 1")
    page.goto(f"/hands/{Hand.objects.get(table=final).pk}/correct/")
    settled(page).locator("[data-pick='0']").click()
    page.get_by_role("button", name="Ana Lucía went out").click()
    page.locator("[name=points_1]").fill("10")
    press(page.get_by_role("button", name="Preview"))
    page.get_by_label("Reason").fill("The sheets were mixed up")
    press(page.get_by_role("button", name="Correct hand"))
    expect(page.locator(".note").filter(has_text="Hand 1 corrected")).to_be_visible()
    page.goto(f"{live_server.url}/t/{made.slug}/bracket/")
    expect(settled(page).locator("#level-5")).to_have_count(0)
    expect(page.locator("#level-4")).to_contain_text("winner")
    assert not made.rounds.living().filter(number=7).exists()
    assert width(page) <= 360 and not findings(page)
