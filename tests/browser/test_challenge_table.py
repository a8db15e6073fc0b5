"""A scorer at a table of five of a Challenge UNO, on a phone: who is out is not dealt in, also without a network."""

import pytest
from playwright.sync_api import expect

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.rounds.steps import start
from tests import cast

from .looking import findings, low, press, width
from .test_record import main, name, pick, tap
from .test_scorer_link import open_link

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(live_server):
    made = cast.tournament(5, format="challenge", name="To sixty", table_size=5, target=60)
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


def enter(page, *cards):
    """A hand that seat 0 won: a card for each of the others, in the order of play."""
    pick(page, 0).click()
    for card in cards:
        tap(page, card)
        main(page).click()


def dealt(number):
    return [one["seat"] for one in Hand.objects.living().get(number=number).seats]


def test_a_scorer_goes_on_without_who_is_out_on_line_and_off(phone, table):
    losers = [SeatReport(seat, points_left=points) for seat, points in ((1, 20), (2, 40), (3, 5), (4, 30))]
    record_hand(table_id=table.pk, hand=HandInput(1, 0, losers), by=Attribution(table.round.tournament.owner))
    open_link(phone, table.round.tournament)
    expect(phone.locator("h1")).to_contain_text("hand 2 of 4")
    expect(pick(phone, 4)).to_contain_text("30 points")

    pick(phone, 0).click()
    tap(phone, "R1")
    main(phone).click()
    tap(phone, "W")
    expect(phone.locator(".scorer-dock .caught")).to_contain_text(f"{name(table, 2)} 50 total 90, eliminated")
    assert findings(phone) == []
    main(phone).click()
    tap(phone, "R2")
    main(phone).click()
    tap(phone, "R3")
    press(main(phone))
    expect(phone.locator("h1")).to_contain_text("hand 3 of 4")
    expect(phone.locator(".note-ok")).to_contain_text(f"{name(table, 2)} is eliminated with 90.")
    expect(phone.locator("[data-pick]")).to_have_count(4)
    expect(phone.locator(".js-only .seat-out")).to_have_text(f"{name(table, 2)}90, eliminated in hand 2")
    assert findings(phone) == []
    assert width(phone) <= 360
    assert low(phone.locator("main button, main a")) == []

    phone.context.set_offline(True)
    enter(phone, "WD", "R4", "R5")
    expect(phone.locator("h1")).to_contain_text("hand 4 of 4")
    expect(pick(phone, 1)).to_be_disabled()  # 20, 1 and 50: this phone can tell
    expect(pick(phone, 1)).to_contain_text("eliminated")
    enter(phone, "R6", "R7")
    expect(phone.locator("#kept")).to_contain_text("Waiting for the network. 2 hands are saved on this phone.")
    phone.context.set_offline(False)
    expect(phone.locator("#table-hands .hands-in > li")).to_have_count(4, timeout=30_000)
    assert [dealt(number) for number in (1, 2, 3, 4)] == [[0, 1, 2, 3, 4]] * 2 + [[0, 1, 3, 4], [0, 3, 4]]
