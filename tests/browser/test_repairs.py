"""A late correction that un-eliminates somebody, in a browser, with each of the three repairs."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.models import EntryEvent, Seat, Tournament
from league.rounds.steps import start
from tests import cast
from tests.test_stories import CREATE

from .conftest import PHONE
from .looking import findings, low, press, settled, width
from .test_record import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

# By repair: its button, what becomes of round 2, and where Chidi sits in it.
REPAIRS = {
    "keep": ("Correct and keep the seating", "running", None),
    "reseat": ("Correct and re-seat 1 table", "running", 2),
    "undo": ("Correct and undo round 2", "draft", None),
}


def play(made, number, table, out, points):
    """One hand by the points left of those who are dealt in."""
    reports = [SeatReport(seat, points_left=left) for seat, left in points.items() if seat != out]
    at = cast.table(made, number, table)
    hand = 1 + Hand.objects.living().filter(table=at).count()
    return record_hand(table_id=at.pk, hand=HandInput(hand, out, reports), by=Attribution(made.owner)).hand


@pytest.fixture
def wrong(live_server):
    """A hand by which Chidi is out in round 1 of a Challenge UNO of eight; in round 2 table 1 has played one."""
    olga = Client()
    olga.force_login(cast.organiser())
    olga.post("/new/", CREATE | {"format": "challenge", "players": "\n".join(cast.CAST)})
    made = Tournament.objects.get()
    start(tournament=made, by=made.owner)
    chidi = cast.entry(made, "Chidi").seats.select_related("table").get()
    out = (chidi.number + 1) % 4
    others = {seat: 10 for seat in range(4) if seat != chidi.number}
    hands = [play(made, 1, chidi.table.number, out, others | {chidi.number: 170}) for _hand in range(3)]
    play(made, 1, chidi.table.number, out, others)
    for _hand in range(4):
        play(made, 1, 3 - chidi.table.number, 0, dict.fromkeys(range(4), 10))
    cast.go_on(made)
    play(made, 2, 1, 0, dict.fromkeys(range(4), 10))
    return hands[-1]


@pytest.mark.parametrize("repair", REPAIRS)
def test_somebody_is_in_again_by_a_late_correction(open_page, live_server, wrong, repair):
    button, state, table = REPAIRS[repair]
    made, chidi = wrong.table.round.tournament, cast.entry(wrong.table.round.tournament, "Chidi")
    page = sign_in(open_page(**PHONE), live_server)
    page.goto(f"/hands/{wrong.pk}/correct/")
    seat = wrong.table.seats.get(entry=chidi).number
    settled(page).locator(f"[data-pick='{seat}']").click()
    page.locator(f"[name=points_{seat}]").fill("100")
    press(page.get_by_role("button", name="Preview"))
    expect(page.get_by_text("With this result Chidi is not eliminated.")).to_be_visible()
    page.get_by_role("radio", name=button.removeprefix("Correct and ").split(" ")[0]).check(force=True)
    if repair == "reseat":
        assert width(page) <= 360
        assert not low(page.locator(".repair .btn, .repair .format, .repair summary"))
        assert not findings(page)
    page.get_by_label("Reason").fill("Counted twice")
    press(page.get_by_role("button", name=button))
    expect(page.locator(".note").filter(has_text="Hand 3 corrected")).to_be_visible()
    assert EntryEvent.objects.get().entry == chidi
    drawn = made.rounds.living().get(number=2)
    assert drawn.state == state
    seated = Seat.objects.filter(round=drawn, entry=chidi).select_related("table").first()
    if repair == "undo":
        assert seated is not None
        assert not Hand.objects.living().filter(table__round__number=2).exists()
    else:
        assert (seated.table.number if seated else None) == table
