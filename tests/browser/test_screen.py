"""The hall screen in a real browser on a real `serve`: pages take turns, the clock counts, and everything by itself."""

import re

import pytest
from playwright.sync_api import expect

from tests.served import Served

from .conftest import PHONE
from .looking import findings, width

PREPARE = """
from league.access.signed_links import player_token, screen_token
from league.models import Tournament
from league.rounds.time_left import clock_of
from league.rounds import clock
long = ["Maximiliana-Theodora von und zu Wolkenstein-Trostburg", "Ana Lucía Núñez de la Vega y Castellanos del Río",
        "Donaudampfschifffahrtsgesellschaftskapitänswitwe"]
def evening(players, **settings):
    made = cast.tournament(players, place="Café Ludo, Lyon", **settings)
    for number, entry in enumerate(made.entries.order_by("number")):
        if number % 5 == 4:
            entry.player.name = long[number // 5 % 3]
            entry.player.save()
    start(tournament=made, by=made.owner)
    if players > 8:  # all that a screen can hold: ten tables, some with extra time, more than an hour to go
        clock.start_clock(tournament=made, minutes=95, shown=clock_of(made.rounds.get(number=1)).shown, by=None)
        for table in (2, 5, 6):
            clock.extra_time(tournament=made, table_number=table, minutes=15, by=None)
    return [made.slug, screen_token(made), [table.pk for table in made.rounds.get(number=1).tables.order_by("number")]]
final = cast.tournament(4, format="points", rounds=1, hands_per_round=6)
start(tournament=final, by=final.owner)
for hand, seat in enumerate([0, 1, 2, 1, 0, 0], 1):
    cast.record(cast.table(final, 1, 1), hand, seat)
cast.go_on(cast.go_on(final))
made = [evening(43), evening(8, visibility="private"), evening(8), evening(8), evening(8), evening(8), evening(8)]
announced = Tournament.objects.get(slug=made[-1][0])
print(json.dumps([*made, [final.slug, screen_token(final), []], player_token(cast.entry(announced, "Farah"))]))
"""
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080), "4K": (3840, 2160), "an old projector": (1024, 768)}
BIG, PRIVATE, CLOCK, ENDED, SHOWN, DRAWN, ANNOUNCED, FINAL, PLAYER = range(9)
# What is drawn outside of the middle nine tenths, where a projector may cut it off.
OUTSIDE = """() => {
  const bad = [];
  for (const node of document.querySelectorAll(".hall-top *, .hall-seats *, .hall-side *")) {
    if (node.closest(".sr, svg") || !node.checkVisibility()) continue;
    const box = node.getBoundingClientRect();
    const [x, y] = [innerWidth * 0.049, innerHeight * 0.049];
    const in_sight = box.left >= x && box.top >= y && box.right <= innerWidth - x && box.bottom <= innerHeight - y;
    if (!in_sight) bad.push(node.outerHTML);
  }
  return bad;
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("screen"))
    served.made = served.prepare([PREPARE])
    served.start()
    served.organiser = served.visitor()
    yield served
    served.stop()


# The stream beats every 2 seconds (league/live/stream.py), here by the test's clock: minutes of it pass in one of ours.
BEATS = """window.EventSource = class extends EventSource {
  constructor(...all) {
    super(...all);
    setInterval(() => { if (this.readyState === EventSource.OPEN) this.dispatchEvent(new Event("beat")); }, 2000);
  }
}"""


@pytest.fixture
def open_screen(served, new_context):
    """Open the screen of a tournament, live. Time passes only when the test says so; `asked` are its requests since."""

    def open_screen(which, size="1080p", query="", time="2026-11-24T19:30:00Z", live=True, **options):
        width, height = SIZES[size]
        page = new_context(**({"viewport": {"width": width, "height": height}} | options)).new_page()
        page.clock.install(time=time)
        page.add_init_script(BEATS)
        page.goto(f"http://127.0.0.1:{served.port}/screen/{served.made[which][1]}/{query}")
        if live:
            expect(page.locator("#live")).to_have_attribute("data-state", "on")
        page.evaluate("window.loadedOnce = true")
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        return page

    return open_screen


def record(served, which, hand, table=0):
    key = served.made[which][2][table]
    fields = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"} | served.organiser.form(key, hand)
    assert served.organiser.post(f"/tables/{key}/", fields)[0] == 303


def press(served, which, **fields):
    """A button of the clock, of the page as it stands."""
    address = f"/t/{served.made[which][0]}/"
    _status, text = served.organiser.get(address)
    shown = re.search(r'name="shown" value="([^"]*)"', text)[1].replace("&#x2B;", "+")
    assert served.organiser.post(f"{address}clock/", {"shown": shown} | fields)[0] == 302


def on(page):
    return page.locator(".hall-page:visible")


def seconds(page):
    minutes, rest = page.locator(".hall-clock time").inner_text().split(":")
    return int(minutes) * 60 + int(rest)


def test_the_pages_take_turns_stay_through_a_change_and_ask_for_nothing(served, open_screen):
    page = open_screen(BIG)
    expect(on(page)).to_have_count(1)
    expect(on(page)).to_contain_text("Round 1, find your table")
    expect(on(page)).to_contain_text("Ana Lucía")
    page.clock.run_for(15_000)
    expect(on(page)).to_have_id("page-seats-2")
    expect(page.locator(".hall-pages [data-on]")).to_have_id("turn-page-seats-2")
    page.clock.run_for(300_000)  # twenty pages on
    assert page.asked == []
    expect(on(page)).to_have_id("page-seats-1")
    page.keyboard.press("ArrowRight")
    record(served, BIG, 1)
    expect(page.locator("#hall")).to_contain_text("hand 2 of 4")
    expect(on(page)).to_have_count(1)
    expect(on(page)).to_have_id("page-seats-2")
    expect(page.locator(".hall-pages li")).to_have_count(6)  # standings take turns with the seating now
    page.clock.run_for(30_000)
    expect(on(page)).to_contain_text("Standings, round 1 so far")
    assert page.evaluate("window.loadedOnce")
    assert {url.rpartition("/screen/")[2] for url in page.asked} == {f"{served.made[BIG][1]}/"}
    assert len(page.asked) <= 2


def test_a_page_can_be_held(open_screen):
    page = open_screen(BIG)
    page.keyboard.press(" ")
    page.clock.run_for(60_000)
    expect(on(page)).to_have_id("page-seats-1")
    page.keyboard.press(" ")
    page.clock.run_for(15_000)
    expect(on(page)).to_have_id("page-seats-2")


def test_who_wants_no_movement_sees_pages_change_at_once(open_screen):
    page = open_screen(BIG, reduced_motion="reduce")
    page.clock.run_for(15_000)
    assert float(on(page).evaluate("page => parseFloat(getComputedStyle(page).animationDuration)")) < 0.001


@pytest.mark.parametrize("believed", ["2019-01-01T03:00:00Z", "2026-11-24T19:30:00Z", "2031-07-01T23:59:50Z"])
def test_the_clock_counts_by_the_servers_time_whatever_the_device_says(served, open_screen, believed):
    press(served, CLOCK, do="start", minutes="20")
    page = open_screen(CLOCK, time=believed)
    began = seconds(page)
    assert 900 < began <= 1200
    page.clock.run_for(60_000)
    assert 60 <= began - seconds(page) < 200  # a slow machine takes time of its own
    assert page.asked == []
    page.clock.run_for(1_200_000)
    expect(page.locator(".hall-clock")).to_contain_text("Round 1: time is up")
    expect(page.locator(".hall-clock")).to_contain_text("Finish the current hand.")
    assert findings(page) == []
    press(served, CLOCK, do="stop")
    expect(page.locator(".hall-clock")).to_have_count(0)


def test_a_device_that_slept_asks_the_server_once_what_time_it_is(served, open_screen):
    press(served, CLOCK, do="start", minutes="20")
    page = open_screen(CLOCK)
    page.clock.run_for(2000)
    before = seconds(page)
    page.clock.set_system_time("2026-11-24T23:00:00Z")
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        page.clock.run_for(2000)
    page.clock.run_for(10_000)
    assert 10 <= before - seconds(page) < 200
    assert len(page.asked) == 1
    press(served, CLOCK, do="stop")


def test_a_clock_that_is_started_stopped_and_lengthened_is_so_on_the_wall_at_once(served, open_screen):
    page = open_screen(PRIVATE)
    press(served, PRIVATE, do="start", minutes="20")
    expect(page.locator(".hall-clock")).to_contain_text("Round 1 ends in")
    press(served, PRIVATE, do="pause")
    expect(page.locator(".hall-clock")).to_contain_text("Round 1: clock paused")
    before = seconds(page)
    page.clock.run_for(60_000)
    assert seconds(page) == before
    press(served, PRIVATE, do="resume")
    press(served, PRIVATE, do="extra", table="2", minutes="5")
    expect(page.locator("#left-2")).to_contain_text("+5 min")
    press(served, PRIVATE, do="add", minutes="10")
    expect(page.locator(".hall-clock time")).to_have_text(re.compile(r"^(2[5-9]|30):\d\d$"))
    page.clock.run_for(31 * 60_000)
    expect(page.locator(".hall-clock")).to_contain_text("time is up")
    expect(page.locator("#left-2 time")).to_have_text(re.compile(r"^[0-4]:\d\d$"))
    assert page.evaluate("window.loadedOnce")


def test_an_address_that_is_ended_goes_dark_by_itself(served, open_screen):
    page = open_screen(ENDED)
    slug, token, _tables = served.made[ENDED]
    assert served.organiser.post(f"/t/{slug}/screen/end/", {"token": token})[0] == 302
    expect(page.locator("h1")).to_have_text("This screen is off")
    assert findings(page) == []


@pytest.mark.parametrize(("which", "size"), [*((BIG, size) for size in SIZES), (SHOWN, "720p")])
def test_nothing_is_cut_off_on_any_screen(served, open_screen, which, size):
    page = open_screen(which, size, live=False)
    for _page in range(page.locator(".hall-pages li").count() or 1):
        assert page.evaluate(OUTSIDE) == []
        page.keyboard.press("ArrowRight")
    page.clock.run_for(100 * 60_000)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(
        "(({scrollWidth, scrollHeight}) => [scrollWidth, scrollHeight])(document.documentElement)"
    ) == [*SIZES[size]]


@pytest.mark.parametrize("query", ["", "?only=seating", "?only=standings", "?only=timer"])
def test_everybody_can_read_it(open_screen, query):
    page = open_screen(SHOWN, query=query)
    page.clock.run_for(1000)
    assert findings(page) == []


def test_without_scripts_all_pages_stand_one_below_the_other(served, new_context):
    page = new_context(java_script_enabled=False, viewport={"width": 1920, "height": 1080}).new_page()
    page.goto(f"http://127.0.0.1:{served.port}/screen/{served.made[BIG][1]}/")
    expect(on(page).nth(2)).to_be_visible()
    expect(page.locator("#page-seats-3").get_by_text("Zoë", exact=True)).to_be_visible()


def test_the_organisers_pages_fit_a_phone(served, new_context):
    context = new_context(**PHONE)
    base = f"http://127.0.0.1:{served.port}"
    cookies = served.organiser.cookies
    context.add_cookies([{"name": name, "value": value, "url": base} for name, value in cookies.items()])
    page = context.new_page()
    slug = served.made[SHOWN][0]
    page.goto(f"{base}/t/{slug}/")
    page.get_by_label("Minutes").fill("15")
    page.get_by_role("button", name="Start the clock").click()
    expect(page.locator("#round-clock")).to_contain_text("Round 1 ends in")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#round-clock")).to_contain_text("clock paused")
    page.get_by_text("Extra time or no clock").click()
    assert width(page) <= 360
    assert findings(page) == []
    page.goto(f"{base}/t/{slug}/screen/")
    expect(page.get_by_role("textbox", name="Address")).to_have_value(re.compile(served.made[SHOWN][1]))
    assert width(page) <= 360
    assert findings(page) == []


# ---- what a director shows everyone


def show(served, which, what):
    assert served.organiser.post(f"/t/{served.made[which][0]}/screen/show/", {"show": what})[0] == 302


def revealed(page):
    return page.locator("[data-step][data-on]").count()


def test_an_announcement_comes_and_goes_on_open_pages_without_a_reload(served, open_screen, new_context):
    slug, base = served.made[ANNOUNCED][0], f"http://127.0.0.1:{served.port}"
    hall = open_screen(ANNOUNCED)
    public, mine = (new_context(**PHONE).new_page() for _ in range(2))
    public.goto(f"{base}/t/{slug}/standings/")
    mine.goto(f"{base}/me/{served.made[PLAYER]}/")
    mine.locator("main form button").first.click()
    expect(mine).to_have_url(re.compile(f"/t/{slug}/me/"))
    places = [(hall, "#hall-say"), (public, "#announcement-text"), (mine, "#announcement-text")]
    for page, place in places:
        expect(page.locator("#live")).to_have_attribute("data-state", "on")
        expect(page.locator(f"{place}[role=status]")).to_have_text("")
        page.evaluate("window.loadedOnce = true")
    fields = {"text": "Break until 20:45", "until": "minutes"}
    assert served.organiser.post(f"/t/{slug}/announce/", fields)[0] == 302
    for page, place in places:
        expect(page.locator(place)).to_contain_text("Break until 20:45")
    assert findings(hall) == findings(public) == []
    assert width(public) <= 360 and hall.evaluate(OUTSIDE) == []
    assert served.organiser.post(f"/t/{slug}/announce/remove/", {})[0] == 302
    for page, place in places:
        expect(page.locator(place)).to_have_text("")
        assert page.evaluate("window.loadedOnce")


def test_the_form_counts_what_is_left_and_keeps_what_is_too_long(served, new_context):
    context, base = new_context(**PHONE), f"http://127.0.0.1:{served.port}"
    context.add_cookies(
        [{"name": name, "value": value, "url": base} for name, value in served.organiser.cookies.items()]
    )
    page = context.new_page()
    page.goto(f"{base}/t/{served.made[SHOWN][0]}/announce/")
    page.get_by_text("Please report your results").click()
    text = page.get_by_role("textbox", name="Text")
    expect(text).to_have_value("Please report your results")
    expect(page.locator("[data-left]")).to_have_text("Characters left: 114")
    text.fill("é" * 145)
    expect(page.locator("[data-left]")).to_have_text("Characters left: -5")
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_role("alert")).to_contain_text("145 characters are too many; the limit is 140.")
    expect(text).to_have_value("é" * 145)
    assert width(page) <= 360 and findings(page) == []


def test_an_open_screen_fills_the_tables_name_by_name_and_a_key_shows_all(served, open_screen):
    page, quiet = open_screen(DRAWN), open_screen(DRAWN, reduced_motion="reduce")
    show(served, DRAWN, "draw")
    expect(page.locator("[data-on=new]")).to_have_count(1)
    expect(quiet.locator("#presented")).to_be_visible()
    assert revealed(quiet) == 0 and "revealing" not in (quiet.locator("html").get_attribute("class") or "")
    begun = revealed(page)
    page.clock.run_for(2500)
    assert revealed(page) == begun + 1
    expect(page.locator(".draw-left b:visible")).to_have_count(8 - begun - 1)
    assert (
        served.organiser.post(f"/t/{served.made[DRAWN][0]}/announce/", {"text": "Hush", "until": "minutes"})[0] == 302
    )
    expect(page.locator("#hall-say")).to_contain_text("Hush")  # what comes meanwhile reveals nothing
    assert begun < revealed(page) < 8
    assert page.evaluate(OUTSIDE) == []
    page.keyboard.press("Enter")
    expect(page.locator("[data-step]:visible")).to_have_count(8)
    assert revealed(page) == 0 and page.evaluate("!document.documentElement.classList.contains('revealing')")
    later = open_screen(DRAWN)
    expect(later.locator("[data-step]:visible")).to_have_count(8)
    assert revealed(later) == 0 and findings(later) == []
    show(served, DRAWN, "draw")
    expect(page.locator("[data-on=new]")).to_have_count(1)
    page.clock.run_for(25_000)
    expect(page.locator("html.revealing")).to_have_count(0)
    record(served, DRAWN, 1)
    expect(page.locator("#presented")).to_have_count(0)
    assert page.evaluate("window.loadedOnce")


def test_the_podium_rises_from_the_third_place_to_the_first(served, open_screen):
    page = open_screen(FINAL)
    show(served, FINAL, "podium")
    expect(page.locator(".p3")).to_be_visible()
    expect(page.locator(".p1")).to_be_hidden()
    page.clock.run_for(8000)
    expect(page.locator(".p1")).to_be_visible()
    expect(page.locator(".p1")).to_contain_text("Decided in round 1, hand 5")
    assert findings(page) == []
    show(served, FINAL, "back")
    expect(page.locator("#presented")).to_have_count(0)
    expect(page.locator("#hall")).to_contain_text("Thank you for playing")
