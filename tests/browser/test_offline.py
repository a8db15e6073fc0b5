"""A scorer whose network comes and goes: hands wait on the phone, are sent in order, and each arrives once."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Hand
from league.models import Round
from league.rounds.steps import start
from tests import cast

from .conftest import PHONE, QUIET
from .looking import findings, low, press, width
from .test_record import main, pick, sign_in, tap
from .test_scorer_link import address

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(live_server):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def table(made):
    return cast.table(made, 1, 1)


@pytest.fixture
def guest(browser, browser_context_args, live_server, made):
    """A phone that scores at table 1, with a service worker as under https."""
    page = scoring(browser, browser_context_args | {"base_url": live_server.url}, made)
    expect(page.locator("h1")).to_contain_text("hand 1 of 4")
    yield page
    page.context.close()


def scoring(browser, allowed, made):
    page = browser.new_context(**allowed | PHONE | {"service_workers": "allow"}).new_page()
    page.goto(address(made))
    press(page.get_by_role("button", name="Score at this table"))
    return page


@pytest.fixture
def cafe(browser_type, browser_type_launch_args, live_server, made):
    """A phone in a café's network without https: (its browser session, the address there)."""
    rules = "--host-resolver-rules=MAP club.local 127.0.0.1"
    browser = browser_type.launch(**browser_type_launch_args | {"args": [*QUIET, rules]})
    base = f"http://club.local:{live_server.url.rpartition(':')[2]}"
    yield browser.new_context(**PHONE, locale="en-GB", timezone_id="UTC"), base
    browser.close()


def enter(page, *cards, out=0):
    """A hand: who went out, one card for each of the two others who count, and the large button."""
    pick(page, out).click()
    tap(page, cards[0])
    main(page).click()
    tap(page, cards[1])
    main(page).click()
    expect(pick(page, out)).not_to_contain_text("went out")  # the page has gone on


def kept(page):
    return page.locator(".kept-hands > li")


def arrived(table):
    """The living hands in the order in which they came: (number, points of the seats that were entered)."""
    hands = Hand.objects.living().filter(table=table).order_by("pk")
    return [(hand.number, [one["points_left"] for one in hand.seats if one["cards"]]) for hand in hands]


def kept_for_reload(page):
    """Wait until the worker has the page and everything that the page named."""
    all_there = """async () => {
        const kept = await caches.open('wild-scorer-1');
        const parts = [...document.querySelectorAll('link[href], script[src]')];
        const wanted = [location.pathname, ...parts.map(part => part.getAttribute('href') ?? part.getAttribute('src'))];
        const found = await Promise.all(wanted.map(one => kept.match(one, { ignoreVary: true })));
        return wanted.every((one, at) => !one.startsWith('/') || found[at]);
    }"""
    until(page, all_there)


def until(page, there):
    """`wait_for_function` takes the promise of an answer for a yes."""
    for _try in range(150):
        if page.evaluate(there):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"not so after 15 seconds: {there}")


def test_three_hands_off_line_a_reload_and_all_three_are_in_once_and_in_order(guest, table):
    kept_for_reload(guest)
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    expect(guest.locator("[data-kept-note]")).to_contain_text("Hand 1 is saved and sent when you’re online")
    expect(guest.locator("h1")).to_contain_text("hand 2 of 4")
    expect(guest.locator("h1")).to_contain_text(f"{table.seats.get(number=1).entry.player.name} deals")
    expect(guest.locator("[data-kept-chip]")).to_have_text("1 waiting")
    assert width(guest) <= 360
    enter(guest, "B1", "B2")
    expect(guest.locator("h1")).to_contain_text("hand 3 of 4")
    guest.reload()
    expect(guest.locator("h1")).to_contain_text("hand 3 of 4")
    expect(kept(guest)).to_have_count(2)
    expect(kept(guest).first).to_contain_text("1 card, 7")
    enter(guest, "Y8", "Y9", out=1)
    expect(guest.locator("#kept")).to_contain_text("Waiting for the network. 3 hands are saved on this phone.")
    assert findings(guest) == []
    assert not Hand.objects.exists()
    guest.context.set_offline(False)
    expect(guest.locator("[data-kept-note]")).to_contain_text("3 waiting hands are sent.")
    expect(guest.locator("[data-kept-chip]")).to_be_hidden()
    assert arrived(table) == [(1, [7, 4]), (2, [1, 2]), (3, [9, 8])]
    guest.reload()
    expect(guest.locator("h1")).to_contain_text("hand 4 of 4")
    expect(guest.locator(".hands-in > li")).to_have_count(3)
    expect(kept(guest)).to_have_count(0)
    assert Hand.objects.count() == 3


def test_without_https_three_hands_wait_for_the_tab_to_be_opened_again(cafe, made, table):
    phone, base = cafe
    page = phone.new_page()
    page.goto(base + address(made))
    press(page.get_by_role("button", name="Score at this table"))
    expect(page.locator("h1")).to_contain_text("hand 1 of 4")
    assert page.evaluate("[window.isSecureContext, 'serviceWorker' in navigator, 'locks' in navigator]") == [False] * 3
    phone.set_offline(True)
    for number, cards in enumerate((["R7", "G4"], ["B1", "B2"], ["Y8", "Y9"]), 2):
        enter(page, *cards)
        expect(page.locator("h1")).to_contain_text(f"hand {number} of 4")
    page.close()
    phone.set_offline(False)
    assert not Hand.objects.exists()
    page = phone.new_page()
    page.goto(f"{base}/t/{made.slug}/scoring/")
    # The tab that was closed in the middle of a try may still be waited for.
    expect(page.locator("#kept")).to_contain_text("Everything is sent.", timeout=40_000)
    assert arrived(table) == [(1, [7, 4]), (2, [1, 2]), (3, [8, 9])]


def test_all_hands_of_a_table_off_line_and_then_on_to_the_server_again(guest, table):
    guest.context.set_offline(True)
    for cards in (["R7", "G4"], ["B1", "B2"], ["Y8", "Y9"], ["R1", "R2"]):
        enter(guest, *cards)
    expect(guest.locator("[data-kept-note]")).to_contain_text("All hands of this table are entered.")
    expect(guest.locator("form.scorer")).to_be_hidden()
    guest.context.set_offline(False)
    expect(guest.locator("h2").first).to_contain_text("All hands recorded")
    assert [number for number, _points in arrived(table)] == [1, 2, 3, 4]


def test_off_line_a_game_to_a_target_goes_on_until_somebody_reaches_it(browser, browser_context_args, live_server):
    made = cast.tournament(3, format="points", name="Club evening", target=60, rounds=1)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    phone = scoring(browser, browser_context_args | {"base_url": live_server.url}, made)
    phone.context.set_offline(True)
    enter(phone, "R7", "G4")
    enter(phone, "B1", "W", out=1)  # 51 for another: nobody has 60
    expect(phone.locator("h1")).to_contain_text("hand 3")
    enter(phone, "R7", "W")
    expect(phone.locator("form.scorer")).to_be_hidden()
    expect(phone.locator("[data-kept-note]")).to_contain_text("All hands of this table are entered")
    phone.context.set_offline(False)
    expect(phone.locator("h2", has_text="Table 1 is over")).to_be_visible()
    expect(phone.locator(".onwards")).to_contain_text("reached 60 in hand 3")
    assert [number for number, _points in arrived(table)] == [1, 2, 3]
    phone.context.close()


def test_a_hand_that_another_scorer_filled_meanwhile_stands_beside_what_was_typed(guest, table):
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    expect(guest.locator("h1")).to_contain_text("hand 2 of 4")
    enter(guest, "B1", "B2")
    expect(guest.locator("h1")).to_contain_text("hand 3 of 4")
    cast.record(table, 1, 0, (0, 9, 0, 4))
    guest.context.set_offline(False)
    expect(guest.locator("[data-kept-note]")).to_contain_text("Hand 1 of table 1 was rejected.")
    expect(kept(guest).first).to_contain_text("Hand 1 is already recorded with another result.")
    expect(kept(guest).nth(1)).to_contain_text("Sent")
    assert arrived(table) == [(1, []), (2, [1, 2])]
    assert findings(guest) == []
    guest.get_by_role("button", name="Compare both").click()
    expect(guest.get_by_role("alert")).to_contain_text("This hand was saved while you typed")
    expect(guest.locator(".side-mine")).to_contain_text("7")
    guest.go_back()
    expect(kept(guest).first).to_contain_text("Rejected")
    guest.get_by_role("button", name="Compare both").click()
    guest.get_by_role("button", name="Keep theirs").click()
    expect(guest.locator("h1")).to_contain_text("hand 3 of 4")
    expect(kept(guest)).to_have_count(0)
    assert len(arrived(table)) == 2


def test_discarding_asks_first(guest, table):
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    guest.get_by_role("button", name="Discard mine").click()
    guest.get_by_role("button", name="Keep it").click()
    expect(kept(guest)).to_have_count(1)
    guest.get_by_role("button", name="Discard mine").click()
    guest.get_by_role("button", name="Discard").click()
    expect(guest.locator("#kept")).to_be_hidden()
    expect(guest.locator("h1")).to_contain_text("hand 1 of 4")
    guest.context.set_offline(False)
    enter(guest, "R1", "G1")
    expect(guest.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()
    assert arrived(table) == [(1, [1, 1])]


def test_a_hand_whose_answer_is_lost_is_sent_again_and_is_one_hand(guest, table):
    lost = []

    def lose(route):
        if route.request.method != "POST" or lost:
            return route.fallback()
        lost.append(route.fetch().status)  # the server has done it
        return route.abort()

    guest.route(f"**/tables/{table.pk}/", lose)
    enter(guest, "R7", "G4")
    expect(guest.locator("h1")).to_contain_text("hand 2 of 4")
    expect(kept(guest)).to_contain_text("Sent")
    assert lost == [201]
    assert arrived(table) == [(1, [7, 4])]
    assert Hand.objects.count() == 1


def test_what_waited_until_its_round_was_closed_is_kept_and_does_not_block_others(guest, made, table):
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    guest.context.set_offline(False)
    expect(kept(guest)).to_contain_text("Round 1 is closed. Show this to the organiser")
    guest.reload()
    expect(kept(guest)).to_contain_text("Rejected")
    guest.get_by_role("button", name="Copy as text").click()
    text = re.compile(r"^Autumn Pairs\nTable 1, round 1, hand 1\n.*1 card, 7; R7", re.DOTALL)
    expect(guest.get_by_role("textbox", name="The hand as text")).to_have_value(text)
    assert findings(guest) == []
    # The organiser opens the round again, or another one: what waits behind it gets through.
    Round.objects.filter(pk=table.round_id).update(state=Round.State.RUNNING)
    guest.get_by_role("button", name="Send again").click()
    expect(guest.locator("#kept")).to_contain_text("Everything is sent.")
    assert len(arrived(table)) == 1


def test_a_link_that_ended_keeps_the_hands_and_a_new_one_sends_them(guest, made, table):
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    made.scorer_links.update(revoked_at=timezone.now())
    guest.context.set_offline(False)
    expect(kept(guest)).to_contain_text("The link to this table has ended.")
    guest.reload()
    expect(guest.locator(".note-warn")).to_contain_text("This link no longer works")
    expect(kept(guest)).to_contain_text("Table 1, round 1, hand 1")
    until(
        guest,
        "async () => !(await (await caches.open('wild-scorer-1')).keys()).some(one => /tables/.test(one.url))",
    )
    guest.goto(address(made))
    press(guest.get_by_role("button", name="Score at this table"))
    expect(guest.locator("#kept")).to_contain_text("Everything is sent.")
    assert len(arrived(table)) == 1


def test_a_half_typed_hand_is_there_after_a_reload(guest):
    pick(guest, 0).click()
    tap(guest, "R7", "G4")
    expect(pick(guest, 1)).to_contain_text("2 cards, 11")
    guest.reload()
    expect(pick(guest, 0)).to_contain_text("went out")
    expect(pick(guest, 1)).to_contain_text("2 cards, 11")


def test_what_waits_is_shown_in_every_tab_and_sent_once(guest, table):
    other = guest.context.new_page()
    other.goto(guest.url)
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    expect(kept(other)).to_have_count(1)
    expect(other.locator("h1")).to_contain_text("hand 2 of 4")
    guest.context.set_offline(False)
    expect(other.locator("#kept")).to_contain_text("Everything is sent.")
    assert Hand.objects.count() == 1


def test_the_token_of_an_older_session_is_renewed(guest, table):
    guest.context.clear_cookies(name="csrftoken")
    enter(guest, "R7", "G4")
    expect(guest.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()
    assert len(arrived(table)) == 1


def test_what_waits_fits_the_page_and_the_thumb(phone, made, table):
    page = phone
    page.goto(address(made))
    press(page.get_by_role("button", name="Score at this table"))
    expect(page.locator("h1")).to_contain_text("hand 1 of 4")
    page.context.set_offline(True)
    enter(page, "R7", "G4")
    expect(page.locator("h1")).to_contain_text("hand 2 of 4")
    enter(page, "R7", "G4")
    cast.record(table, 1, 0, (0, 9, 0, 4))
    page.context.set_offline(False)
    expect(kept(page).first).to_contain_text("Rejected")
    assert low(page.locator("#kept button, header a")) == []
    assert width(page) <= 360
    assert findings(page) == []


def test_who_signs_out_leaves_no_pages_on_the_device(guest, live_server, table):
    sign_in(guest, live_server).goto(f"/tables/{table.pk}/")
    kept_for_reload(guest)
    guest.goto("/accounts/logout/")
    guest.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(guest.get_by_role("link", name="Sign in").first).to_be_visible()
    until(guest, "async () => (await caches.keys()).length === 0")


def test_what_one_typed_is_not_sent_in_the_name_of_who_uses_the_phone_next(guest, live_server, table):
    guest.context.set_offline(True)
    enter(guest, "R7", "G4")
    sign_in(guest, live_server)  # the organiser, in another tab
    guest.context.set_offline(False)
    expect(kept(guest)).to_contain_text("Someone else entered this hand on this phone")
    expect(kept(guest)).to_contain_text("You can also send")
    assert not Hand.objects.exists()
    guest.reload()
    expect(kept(guest)).to_contain_text("Someone else entered this hand on this phone")
    assert not Hand.objects.exists()
    kept(guest).get_by_role("button", name="Send again").click()
    expect(guest.locator("#kept")).to_contain_text("Everything is sent.")
    assert Hand.objects.get().who == "Organiser, Olga"


def test_a_browser_whose_database_never_answers_sends_the_hand_at_once(open_page, made, table):
    page = open_page(**PHONE)
    page.add_init_script("IDBFactory.prototype.open = () => ({})")
    page.goto(address(made))
    press(page.get_by_role("button", name="Score at this table"))
    enter(page, "R7", "G4")
    expect(page.locator("h1")).to_contain_text("hand 2 of 4")
    assert len(arrived(table)) == 1


def test_a_phone_whose_clock_was_set_back_does_not_wait_for_a_tab_that_is_gone(cafe, made, table):
    context, base = cafe
    page = context.new_page()
    page.goto(base + address(made))
    press(page.get_by_role("button", name="Score at this table"))
    expect(page.locator("h1")).to_contain_text("hand 1 of 4")
    page.evaluate("""() => wildQueue.open().then((database) => database.transaction('lease', 'readwrite')
        .objectStore('lease').put({ name: 'sender', holder: 'gone', until: Date.now() + 3_600_000 }) && null)""")
    enter(page, "R7", "G4")
    expect(page.locator(".note").filter(has_text="Hand 1 saved")).to_be_visible()
    assert len(arrived(table)) == 1
