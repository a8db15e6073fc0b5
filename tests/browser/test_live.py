"""Pages that change by themselves, in a real browser on a real `serve`."""

import contextlib
import random
import re
import socket
import threading

import pytest
from playwright.sync_api import expect

from tests.served import Served

from .conftest import DESKTOP, PHONE
from .looking import findings, press, width

PREPARE = """
made = [cast.tournament() for _ in range(16)]
for one in made:
    start(tournament=one, by=one.owner)
print(json.dumps([[one.slug, cast.table(one, 1, 1).pk] for one in made]))
"""
DOWN = "Not live: updates every 20 s"
LOST = "No connection"


COLOUR = "getComputedStyle(document.getElementById('live')).color"


class Wire:
    """Stands between browser and server, so that the streams can be cut while pages still come."""

    def __init__(self, port):
        self.target, self.streams, self.cut_off = port, [], False
        self.breaks = None  # a random.Random: every stream breaks off after so many bytes, wherever that is
        self.flows = threading.Event()  # cleared: the line is there and carries nothing, as without a signal
        self.flows.set()
        self.left = {}  # by the server's end of a stream: bytes until it does
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                browser, _address = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(browser,), daemon=True).start()

    def _carry(self, browser):
        server = socket.create_connection(("127.0.0.1", self.target))
        threading.Thread(target=self._copy, args=(server, browser), daemon=True).start()
        self._copy(browser, server, asked=True)

    def _copy(self, source, target, asked=False):
        try:
            while piece := source.recv(65536):
                self.flows.wait()
                if asked and b"/live/" in piece.partition(b"\r\n")[0]:
                    if self.cut_off:
                        break
                    self.streams.append((source, target))
                    if self.breaks:
                        self.left[target] = self.breaks.randrange(200, 900)
                if source in self.left:
                    piece = piece[: self.left[source]]
                    self.left[source] -= len(piece)
                target.sendall(piece)
                if self.left.get(source) == 0:
                    break
        except OSError:
            pass
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # closing alone would wait for the thread that reads from it
            one.close()

    def cut(self):
        self.cut_off = True
        for pair in self.streams:
            for one in pair:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
        self.streams.clear()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server with a tournament for each test: (port, who scores, [(slug, key of the first table)])."""
    served = Served(tmp_path_factory.mktemp("live"))
    made = served.prepare([PREPARE])
    served.start()
    yield served.port, served.visitor(), made
    served.stop()


@pytest.fixture
def evening(served):
    """(the wire to the server, slug, function that records a hand)"""
    port, scorer, made = served
    wire = Wire(port)
    slug, table = made.pop()

    def record(hand, went_out="0"):
        cards = {"0": {"cards_1": "R7 GD B6", "cards_3": "W"}, "1": {"cards_0": "W WD", "cards_2": "WD"}}[went_out]
        fields = cards | {"went_out": went_out} | scorer.form(table, hand)
        assert scorer.post(f"/tables/{table}/", fields)[0] == 303

    yield wire, slug, record
    wire.listener.close()


@pytest.fixture
def open_live(evening, new_context):
    """Open a page of the tournament as another device, and wait until it is live. `asked` are its requests since."""

    def open_live(path, cookies=None, **options):
        wire, slug, _record = evening
        context, base = new_context(**options), f"http://127.0.0.1:{wire.port}"
        context.add_cookies([{"name": name, "value": value, "url": base} for name, value in (cookies or {}).items()])
        page = context.new_page()
        page.clock.install()
        page.goto(f"{base}/t/{slug}/{path}")
        expect(sign(page)).to_have_text("Live")
        page.evaluate("window.loadedOnce = true")
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        return page

    return open_live


def sign(page):
    return page.locator("#live")


def reloaded(page):
    return not page.evaluate("window.loadedOnce === true")


def test_standings_and_bracket_move_in_other_browsers_without_a_reload(evening, open_live):
    _wire, _slug, record = evening
    standings, bracket = open_live("standings/", **DESKTOP), open_live("bracket/", **PHONE)
    bracket.get_by_text("Show as a list").click()
    expect(standings.locator("#page")).to_contain_text("No results yet")
    record(1)
    rows = standings.locator("#page tbody tr")
    expect(rows).to_have_count(8)
    expect(bracket.locator("svg.flow")).to_contain_text("1 of 4 hands")
    leader = rows.first.locator(".who").inner_text()
    rows.nth(6).locator("a").focus()
    focused = standings.evaluate("document.activeElement.href")
    for hand in (2, 3):
        record(hand, went_out="1")
    expect(rows.first.locator(".who")).not_to_have_text(leader)
    expect(bracket.locator("svg.flow")).to_contain_text("3 of 4 hands")
    assert standings.evaluate("document.activeElement.href") == focused
    expect(standings.locator("#live-said")).to_contain_text("Standings: changed")
    expect(bracket.locator("details").last).to_have_attribute("open", "")
    assert not reloaded(standings) and not reloaded(bracket)
    assert findings(standings) == []
    assert width(bracket) <= 360


def test_a_visit_keeps_its_stream_and_the_next_page_follows_it(evening, open_live):
    _wire, _slug, record = evening
    page = open_live("standings/")
    press(page.locator(".five").get_by_role("link", name="Rounds"))
    expect(sign(page)).to_have_text("Live")
    record(1)
    expect(page.locator("#page")).to_contain_text("Running")
    page.go_back()
    expect(page.locator("#page tbody tr")).to_have_count(8)
    record(2)
    expect(page.locator("#page tbody .changed").first).to_be_visible()
    assert not reloaded(page) and not [address for address in page.asked if "/live/" in address]
    # Elsewhere it is closed.
    page.locator(".brand").click()
    expect(page).to_have_title("Wild League")
    assert reloaded(page)


def test_a_live_page_asks_for_nothing_until_something_changes_and_then_once(evening, open_live):
    _wire, slug, record = evening
    page = open_live("hands/")
    page.clock.fast_forward(120_000)
    page.wait_for_timeout(2000)
    assert page.asked == []
    record(1)
    expect(page.locator("#page")).to_contain_text("with")
    page.wait_for_timeout(1000)
    assert len(page.asked) <= 2 and {url.rpartition("/t/")[2] for url in page.asked} == {f"{slug}/hands/"}


def test_without_its_stream_a_page_looks_every_20_seconds_says_so_and_comes_back(evening, open_live):
    wire, _slug, record = evening
    page = open_live("standings/", **PHONE)
    wire.cut()
    expect(sign(page)).to_have_text(DOWN)
    assert width(page) <= 360
    page.wait_for_timeout(1000)  # it has looked when the stream went
    record(1)
    page.clock.fast_forward(20_000)
    expect(page.locator("#page tbody tr")).to_have_count(8)
    expect(sign(page)).to_have_text(DOWN)
    assert findings(page) == []
    wire.cut_off = False
    page.clock.fast_forward(30_000)
    expect(sign(page)).to_have_text("Live")
    page.clock.fast_forward(1000)  # the look that was due when the stream came back
    page.wait_for_timeout(1000)
    page.asked.clear()
    page.clock.fast_forward(60_000)
    page.wait_for_timeout(1000)
    assert page.asked == []


@pytest.mark.parametrize("where", ["scoring/", "a table", "standings/"])
def test_a_lost_line_is_said_within_5_seconds_without_a_tap_and_forgotten_when_it_is_back(
    served, evening, open_live, where
):
    wire, slug, _record = evening
    scorer = served[1]
    path = (
        "../.." + re.search(r"/tables/\d+/", scorer.get(f"/t/{slug}/scoring/")[1])[0] if where == "a table" else where
    )
    page = open_live(path, cookies=scorer.cookies, **PHONE)
    on = page.evaluate(COLOUR)
    page.context.set_offline(True)
    expect(sign(page)).to_have_text(LOST, timeout=5000)
    assert page.evaluate(COLOUR) != on
    assert sign(page).bounding_box()["y"] < PHONE["viewport"]["height"] and width(page) <= 360
    page.context.set_offline(False)
    expect(sign(page)).to_have_text("Live")
    # And where the device believes that it has a line.
    wire.flows.clear()
    expect(sign(page)).to_have_text(LOST, timeout=5500)
    wire.flows.set()
    expect(sign(page)).to_have_text("Live")
    assert not reloaded(page)


def test_nothing_moves_while_somebody_taps_on_a_live_page(served, evening, open_live):
    _wire, _slug, record = evening
    page = open_live("", cookies=served[1].cookies)
    page.locator("#page").locator("button, summary").first.dispatch_event("pointerdown")
    before = page.locator("#page").inner_text()
    record(1)
    page.wait_for_timeout(1000)
    assert page.locator("#page").inner_text() == before
    expect(page.locator("#page")).not_to_have_text(before)


def test_streams_that_break_off_anywhere_leave_no_page_behind(evening, open_live):
    wire, _slug, record = evening
    wire.breaks = random.Random(7)
    pages = [open_live("hands/", **PHONE), open_live("bracket/", **DESKTOP)]
    for hand in (1, 2, 3, 4):
        record(hand)
        expect(pages[0].locator("#page tbody").first.locator("tr")).to_have_count(hand)
        expect(pages[1].locator("svg.flow")).to_contain_text(f"{hand} of 4 hands" if hand < 4 else "332")
    broke = sum(left == 0 for left in wire.left.values())
    assert broke >= 4 and not any(reloaded(page) for page in pages)


def test_the_page_of_a_table_changes_by_itself_and_takes_nothing_from_under_a_thumb(served, evening, open_live):
    _wire, slug, record = evening
    table = re.search(r"/tables/\d+/", served[1].get(f"/t/{slug}/scoring/")[1])[0]
    page = open_live(f"../..{table}", cookies=served[1].cookies, **PHONE)
    page.get_by_role("button", name="Ana Lucía").click()
    record(1)
    expect(page.locator("#table-hands")).to_contain_text("Ana Lucía went out")
    expect(page.locator("[data-pick='0']")).to_contain_text("went out")
    assert not reloaded(page)
    for hand in (2, 3, 4):
        record(hand)
    done = open_live(f"../..{table}", cookies=served[1].cookies, **PHONE)
    expect(done.locator("#table-now")).to_contain_text("All hands recorded")
    undo = re.findall(r"/hands/\d+/void/", served[1].get(table)[1])[0]
    assert served[1].post(undo, {"version": served[1].version(table.split("/")[2])})[0] == 303
    done.get_by_role("button", name="Ana Lucía").click()  # its pad is there, and set up
    expect(done.locator("[data-pick='0']")).to_contain_text("went out")
    assert not reloaded(done) and not reloaded(page)


def test_the_notes_of_an_open_table_and_their_undo_go_when_they_hold_no_more(served, evening, open_live):
    _wire, slug, record = evening
    scorer = served[1]
    table = re.search(r"/tables/\d+/", scorer.get(f"/t/{slug}/scoring/")[1])[0]
    record(1)
    page = open_live(f"../..{table}", cookies=scorer.cookies, **PHONE)
    notes = page.locator("#table-notes")
    expect(notes).to_contain_text("Hand 1 saved")
    expect(notes.get_by_role("button", name="Undo")).to_be_visible()
    undo = re.findall(r"/hands/\d+/void/", scorer.get(table)[1])[0]
    assert scorer.post(undo, {"version": scorer.version(table.split("/")[2])})[0] == 303
    expect(notes).not_to_contain_text("Hand 1 saved")
    expect(notes.get_by_role("button", name="Undo")).to_have_count(0)
    assert not reloaded(page)


def test_a_page_that_nobody_sees_holds_no_stream_and_catches_up(evening, open_live):
    _wire, _slug, record = evening
    page = open_live("standings/")
    see = "shown => { Object.defineProperty(document, 'hidden', { value: !shown, configurable: true });"
    see += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(see, False)
    record(1)
    page.wait_for_timeout(1500)
    assert page.asked == []
    page.evaluate(see, True)
    expect(page.locator("#page tbody tr")).to_have_count(8)


def test_what_is_being_typed_stays(evening, open_live):
    _wire, _slug, record = evening
    page = open_live("seating/")
    page.locator("#find").press_sequentially("Zo")
    expect(page.locator("#answer")).to_contain_text("Zoë")
    record(1)
    expect(page.locator("#page")).to_contain_text("Running")
    expect(page.locator("#find")).to_have_value("Zo")
    expect(page.locator("#find")).to_be_focused()
    expect(page.locator("#answer")).to_contain_text("Zoë")
    assert not reloaded(page)


def test_a_form_that_is_being_filled_in_is_left_alone_and_says_that_there_is_a_newer_one(served, evening, open_live):
    _wire, _slug, record = evening
    record(1)
    page = open_live("", cookies=served[1].cookies)
    page.get_by_text("without tables").first.click()
    page.get_by_label("Reason").fill("The café closes")
    for hand in (2, 3, 4):
        record(hand)
    expect(page.locator("#next-step")).to_contain_text("without table 2")
    expect(page.get_by_label("Reason")).to_have_value("The café closes")
    expect(page.get_by_role("button", name="Close round 1 without tables")).to_be_visible()
    expect(page.locator("#next-step")).to_contain_text("A newer version is available.")
    expect(page.get_by_role("link", name="Show it")).to_have_count(1)


def test_the_open_page_of_a_table_says_that_its_round_was_undone(served, evening, open_live):
    _wire, slug, record = evening
    _port, olga, _made = served
    record(1)
    table = re.search(r"/tables/\d+/", olga.get(f"/t/{slug}/scoring/")[1])[0]
    page = open_live(f"../..{table}", cookies=olga.cookies, **PHONE)
    undo, fields = f"/t/{slug}/day/undo-round/", {"round": 1, "reason": "The wrong seating"}
    status, preview = olga.post(undo, fields)
    assert status == 200
    shown = re.search(r'name="shown" value="([^"]+)"', preview)[1]
    assert olga.post(undo, fields | {"shown": shown})[0] == 302
    expect(page.get_by_role("heading", name="Round 1 was undone")).to_be_visible()
    expect(page.get_by_text("Find your table")).to_be_visible()
