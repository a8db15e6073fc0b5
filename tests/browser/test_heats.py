"""Heats from an organiser's phone: who goes on is looked at, a slip is mended, what comes too late is shown first."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from games.models import Hand
from league.models import Seat, Tournament
from league.rounds.steps import advance, start
from tests import cast
from tests.test_stories import CREATE

from .conftest import DESKTOP, PHONE
from .looking import findings, press, settled, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server) -> Tournament:
    """Eight in two heats of three hands: seat 0 is first, and seat 2 second with ten points more than seat 1."""
    olga = Client()
    olga.force_login(cast.organiser())
    answer = olga.post("/new/", CREATE | {"format": "heats", "players": "\n".join(cast.CAST), "hands_per_round": "3"})
    assert answer.status_code == 302
    made = Tournament.objects.get()
    start(tournament=made, by=made.owner)
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0)
        cast.record(table, 2, 1, (10, 0, 10, 10))
        cast.record(table, 3, 2, (10, 10, 0, 20))
    return made


def name(made, seat):
    return cast.table(made, 1, 1).seats.get(number=seat).entry.player.name


def in_the_final(made):
    final = Seat.objects.filter(round__in=made.rounds.living(), round__number=2)
    return set(final.values_list("entry__player__name", flat=True))


def fewer_points(page, made):
    """Type that seat 3 held 5 points in the last hand of table 1: then seat 1 is second."""
    hand = Hand.objects.living().get(table=cast.table(made, 1, 1), number=3)
    page.goto(f"/hands/{hand.pk}/correct/")
    settled(page).locator("[data-pick='3']").click()
    page.locator("[name=points_3]").fill("5")
    press(page.get_by_role("button", name="Preview"))


def test_the_organiser_looks_before_everybody_does_and_mends_a_slip(made, live_server, open_page):
    page, visitor = sign_in(open_page(**PHONE), live_server), open_page(**DESKTOP)
    page.goto(f"/t/{made.slug}/")
    expect(page.get_by_text("Closing the round first shows you who advances")).to_be_visible()
    press(page.get_by_role("button", name="Close round 1"))
    expect(page.get_by_text(f"{name(made, 0)}", exact=False).first).to_be_visible()
    expect(page.get_by_text("If a player is missing")).to_be_visible()
    assert width(page) <= 360 and not findings(page)
    visitor.goto(f"/t/{made.slug}/seating/")
    expect(visitor.get_by_role("heading", name="Round 1 by table")).to_be_visible()
    fewer_points(page, made)
    page.get_by_label("Reason").fill("Typed wrongly")
    press(page.get_by_role("button", name="Correct hand"))
    assert name(made, 1) in in_the_final(made) and name(made, 2) not in in_the_final(made)
    page.goto(f"/t/{made.slug}/")
    press(page.get_by_role("button", name="Publish round 2"))
    visitor.goto(f"/t/{made.slug}/bracket/")
    expect(visitor.get_by_role("heading", name="The final")).to_be_visible()
    assert not findings(visitor)


def test_what_comes_too_late_is_shown_first_and_takes_no_seat(made, live_server, open_page):
    page = sign_in(open_page(**PHONE), live_server)
    page.goto(f"/t/{made.slug}/")
    press(page.get_by_role("button", name="Close round 1"))
    press(page.get_by_role("button", name="Publish round 2"))
    final = in_the_final(made)
    fewer_points(page, made)
    expect(page.get_by_role("heading", name="Seats that would differ")).to_be_visible()
    expect(page.get_by_role("radio", name="keep the seating")).to_be_checked()
    assert width(page) <= 360 and not findings(page)
    page.get_by_label("Reason").fill("Typed wrongly")
    press(page.get_by_role("button", name="Correct and keep the seating"))
    assert in_the_final(made) == final
    page.goto(f"/t/{made.slug}/standings/")
    expect(settled(page).get_by_role("row").filter(has_text=name(made, 1))).to_contain_text("eliminated in round 1")


def test_on_a_phone_the_picture_follows_and_opens_at_the_round_that_is_played(made, live_server, open_page):
    phone = open_page(**PHONE)
    phone.goto(f"/t/{made.slug}/bracket/")
    first, final = phone.locator("#round-1"), phone.locator("#round-2")
    expect(first.locator(".bk-who", has_text="qualified")).to_have_count(4)
    expect(final).to_contain_text("To come")
    for token in ("close-1", "publish-2"):
        advance(tournament=made, token=token, by=made.owner)
    settled(phone).evaluate("() => document.dispatchEvent(new CustomEvent('wild:look'))")  # as when the stream says so
    expect(final).to_contain_text("Scheduled")
    expect(first).to_be_in_viewport(ratio=0.3)  # where somebody looks, they stay
    expect(phone.get_by_role("button", name="Download PNG")).to_be_visible()
    phone.reload()
    expect(final).to_be_in_viewport(ratio=0.3)
    dots = phone.get_by_role("navigation", name="Rounds").get_by_role("link")
    expect(dots.nth(1)).to_have_attribute("aria-current", "true")
    assert width(phone) <= 360 and not findings(phone)
    dots.nth(0).click()
    expect(dots.nth(0)).to_have_attribute("aria-current", "true")
    expect(first).to_be_in_viewport(ratio=0.3)
    phone.get_by_role("group", name="Rounds side by side").focus()
    phone.keyboard.press("ArrowRight")
    expect(dots.nth(1)).to_have_attribute("aria-current", "true")


def test_the_picture_is_saved_as_png(made, live_server, open_page):
    page = open_page(**DESKTOP)
    page.goto(f"/t/{made.slug}/bracket/")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download PNG").click()
    assert saved.value.suggested_filename == f"{made.slug}_bracket.png"
    image = saved.value.path().read_bytes()
    assert image.startswith(b"\x89PNG")
    size = [int.from_bytes(image[at : at + 4], "big") for at in (16, 20)]
    svg = Client().get(f"/t/{made.slug}/bracket.svg").content.decode()
    assert f'width="{size[0] // 2}"' in svg and f'height="{size[1] // 2}"' in svg
