"""A scorer without an account, on a phone 360 pixels wide: the link's page, the table, a hand by taps and by digits."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Hand
from league.roles.roles import invite
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from tests import cast

from .conftest import DESKTOP, PHONE
from .looking import findings, low, press, settled, width
from .test_record import main, name, pick, preview, sign_in, tap

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


def address(made, table=1):
    [(_link, secret)] = make_scorer_links(tournament=made, tables=[table], by=made.owner)
    return f"/s/{secret}/"


def open_link(page, made, table=1):
    page.goto(address(made, table))
    press(page.get_by_role("button", name="Score at this table"))
    return page


def test_a_guest_opens_the_link_and_saves_a_hand_by_taps(phone, made):
    table = cast.table(made, 1, 1)
    phone.goto(address(made))
    assert findings(phone) == []
    phone.get_by_role("button", name="Score at this table").click()
    expect(phone.locator("h1")).to_contain_text("hand 1 of 4")
    pick(phone, 0).click()
    tap(phone, "R7", "GD")
    expect(preview(phone)).to_contain_text("+27 so far")
    assert findings(phone) == []
    assert width(phone) <= 360
    main(phone).click()
    tap(phone, "W")
    main(phone).click()
    said = f"Hand 1 saved: {name(table, 0)} and {name(table, 2)} score 77."
    expect(phone.locator(".note").filter(has_text=said)).to_be_visible()
    expect(phone.locator("h1")).to_contain_text("hand 2 of 4")
    assert Hand.objects.get().who == "Scorer link, table 1"
    assert findings(phone) == []
    phone.locator(".note").get_by_role("button", name="Undo").click()
    expect(pick(phone, 1)).to_contain_text("2 cards, 27")
    assert not Hand.objects.living().exists()


def test_big_digits_are_remembered_for_the_next_seat_and_the_next_hand(phone, made):
    open_link(phone, made)
    pick(phone, 0).click()
    phone.get_by_role("button", name="Type count and points").click()
    digits = phone.locator("[data-digits]")
    expect(phone.locator("[name=count_1]")).to_be_focused()
    digits.get_by_role("button", name="2", exact=True).click()
    digits.get_by_role("button", name="Points").click()
    for digit in "295":
        digits.get_by_role("button", name=digit, exact=True).click()
    digits.get_by_role("button", name="Delete the last digit").click()
    expect(pick(phone, 1)).to_contain_text("2 cards, 29")
    expect(preview(phone)).to_contain_text("+29 so far")
    assert findings(phone) == []
    assert width(phone) <= 360
    main(phone).click()
    expect(digits).to_be_visible()
    phone.keyboard.type("1")
    digits.get_by_role("button", name="Points").click()
    phone.keyboard.type("20")
    main(phone).click()
    expect(phone.locator(".note").filter(has_text="score 49.")).to_be_visible()
    pick(phone, 2).click()
    expect(digits).to_be_visible()
    phone.get_by_role("button", name="Tap the cards").click()
    expect(phone.locator("[data-card=W]")).to_be_visible()
    phone.reload()  # what was begun is there again
    expect(pick(phone, 2)).to_contain_text("went out")
    expect(phone.locator("[data-card=W]")).to_be_visible()


def test_the_screen_is_asked_to_stay_on_while_a_hand_is_entered(phone, made):
    phone.add_init_script(
        "Object.defineProperty(navigator, 'wakeLock',"
        "{ value: { request: kind => { window.asked = kind; return Promise.reject(new Error('battery')); } } });"
    )
    phone.goto(address(made))
    assert phone.evaluate("window.asked") is None
    phone.get_by_role("button", name="Score at this table").click()
    expect(phone.locator("h1")).to_contain_text("hand 1 of 4")
    phone.wait_for_function("() => window.asked === 'screen'")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_sheet_of_codes_is_fit_to_be_scanned_and_printed(open_page, live_server, made, size):
    page = sign_in(open_page(**size), live_server)
    page.goto(f"/t/{made.slug}/scorers/")
    page.get_by_role("button", name="Create codes").click()
    codes = page.locator(".code-qr svg")
    expect(codes).to_have_count(2)
    settled(page)
    assert all(box["width"] >= 200 for box in (code.bounding_box() for code in codes.all()))
    assert findings(page) == []
    assert width(page) <= size["viewport"]["width"]
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print").click()
    page.wait_for_function("() => window.printed")
    page.emulate_media(media="print")
    expect(codes.first).to_be_visible()
    expect(page.get_by_role("button", name="Create codes")).to_be_hidden()
    expect(page.locator(".code input").first).to_be_hidden()


def test_every_page_on_the_way_fits_a_phone_and_a_thumb(phone, made):
    def fits():
        assert low(phone.locator("main button, main a")) == []
        assert width(phone) <= 360
        assert findings(phone) == []

    phone.goto("/s/no-such-link/")
    fits()
    phone.goto(address(made, None))
    fits()
    phone.get_by_role("button", name="Choose a table").click()
    expect(phone.locator("h1")).to_have_text("Choose your table")
    fits()
    phone.get_by_role("link", name="Table 2").click()
    expect(phone.locator("h1")).to_contain_text("Table 2")
    press(phone.get_by_role("link", name="Tables"))
    made.scorer_links.update(revoked_at=timezone.now())
    phone.reload()
    expect(phone.locator("h1")).to_have_text("This link no longer works")
    fits()


def test_without_a_script_a_guest_enters_a_hand(open_page, made):
    page = open_link(open_page(**PHONE, java_script_enabled=False), made)
    page.get_by_label(name(cast.table(made, 1, 1), 0), exact=True).check()
    page.locator("[name=cards_1]").fill("r7 gd")
    page.locator("[name=points_3]").fill("50")
    page.get_by_role("button", name="Save hand 1").click()
    expect(page.locator(".note").filter(has_text="score 77.")).to_be_visible()


def test_who_comes_to_the_wrong_table_is_led_to_the_right_one(phone, made):
    open_link(phone, made)
    phone.goto(cast.table(made, 1, 2).get_absolute_url())
    expect(phone.locator(".note").filter(has_text="This is table 2")).to_be_visible()
    assert findings(phone) == []
    phone.locator(".note").get_by_role("link", name="Table 1", exact=True).click()
    expect(phone.locator("h1")).to_contain_text("Table 1")


def test_an_invitation_is_accepted_in_a_browser(desktop, live_server, made):
    """Its page once forbade referrers altogether, and browsers then sent a form that Django refused."""
    _invitation, secret = invite(to=made, kind="director", by=made.owner)
    sign_in(desktop, live_server, cast.someone_else()).goto(f"/join/{secret}/")
    desktop.get_by_role("button", name="Accept the invitation").click()
    expect(desktop.locator(".messages")).to_contain_text("Your role: Director")
