"""The online table in real browsers: whole hands by touch, mouse and keys, with every question that comes up."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from engine.legal import playable
from engine.state import ANSWER, COLOR, DRAWN, TURN
from games.models import Deal, Move
from games.online.play import clock
from games.online.play.places import places_of
from games.online.play.sweep import sweep
from league.access.signed_links import player_token
from league.models import Entry, Stage, Table, Tournament
from league.rounds.steps import start
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import everybody_ready, next_move, play_out, put_online, standing
from tests.served import Served

from .conftest import DESKTOP, PHONE
from .looking import click_uncovered, findings, low, press, settled, width
from .test_live import Wire

MOVED_ON = "before => document.getElementById('play').dataset.version !== before"
pytestmark = pytest.mark.django_db(transaction=True)

APART = 350  # milliseconds, after which play.js takes two clicks at one place for two
CONTROLS = "#play button:visible, #play summary:visible, #play .btn:visible"


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch):
    monkeypatch.setattr(clock, "BOT_TAKES", (0, 0))
    monkeypatch.setattr(clock, "BOT_WAITS_FOR_CATCH", (0, 0))


def sealed(people, made=None):
    """A sealed deal; at its places play so many people, and bots at the others."""
    made = made or cast.tournament(hands_per_round=1)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    for seat in table.seats.filter(number__gte=people):
        Entry.objects.filter(pk=seat.entry_id).update(bot="careful")
    return put_online(table)


def open_table(page, deal, seat):
    page.goto(f"/me/{player_token(Entry.objects.get(pk=deal.places[seat]['entry']))}/")
    press(page.locator("main form").get_by_role("button").first)  # leads to the table
    return settled(page)


def catch_up(page, deal):
    """The page as the table is now; there are no streams here, and nobody waits for the next look."""
    version = Table.objects.get(pk=deal.table_id).play_version
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_function(
        "version => Number(document.getElementById('play').dataset.version.split('.')[1]) >= version", arg=version
    )


def moves(deal):
    return Move.objects.filter(deal=deal).count()


def until_over(deal, pages, act, turns=300):
    """Bots play by themselves; whoever of the people is to move does it on their page, for so many turns, and again
    when somebody is about to go out. Meanwhile bots choose for the people too."""
    for turn in range(300):
        while sweep(timezone.now()):
            pass
        deal.refresh_from_db()
        if deal.state != Deal.State.PLAYING:
            return
        if turn >= turns and min(standing(deal).hand.public.counts) > 2:
            next_move(deal)
            continue
        page = pages[deal.turn]
        catch_up(page, deal)
        before = page.locator("#play").get_attribute("data-version")
        act(page)
        page.wait_for_function(MOVED_ON, arg=before)
    raise AssertionError("The hand does not end.")


class ByHand:
    """Taps and clicks; looks over every question when it is asked for the first time."""

    def __init__(self, phone):
        self.phone = phone
        self.seen = set()
        self.dragged = False

    def __call__(self, page):
        page.wait_for_timeout(APART)
        question = page.locator("[data-ask]")
        kind = question.get_attribute("data-ask") if question.count() else "turn"
        self.look_over(page, kind)
        if kind in ("color", "wild"):
            page.get_by_role("button", name="Green", exact=True).click()
        elif kind == "drawn":
            play = page.get_by_role("button", name="Play it")
            self.press(page, play if play.count() else page.get_by_role("button", name="Keep it"))
        elif kind == "answer":
            page.get_by_role("button", name="Challenge").click()
        else:
            self.play(page)

    def play(self, page):
        legal = page.locator(".fan .legal button")
        if not legal.count():
            page.get_by_role("button", name="Draw", exact=True).click()
            return
        call = page.get_by_role("checkbox", name="UNO")
        if call.count():
            call.check()
        if page is not self.phone and not self.dragged and legal.first.get_attribute("form") == "hand":
            self.dragged = True
            drag(page, legal.first)
        else:
            self.press(page, legal.first)

    def press(self, page, button):
        """A wild card asks for its colour before it is played."""
        asks = button.get_attribute("form") == "choose"
        click_uncovered(button)
        if asks:
            expect(page.locator("[data-ask=wild]")).to_be_visible()
            self.look_over(page, "wild")
            page.get_by_role("button", name="Blue", exact=True).click()

    def look_over(self, page, kind):
        if kind in self.seen:
            return
        self.seen.add(kind)
        assert findings(page, ("light",)) == []
        assert low(page.locator(CONTROLS)) == []
        assert width(self.phone) <= 360


def drag(page, card):
    start_at, to = card.bounding_box(), page.locator("#discard").bounding_box()
    page.mouse.move(start_at["x"] + 15, start_at["y"] + 30)
    page.mouse.down()
    page.mouse.move(to["x"] + 50, to["y"] + 90, steps=6)
    expect(page.locator("#discard")).to_have_class("over")
    page.mouse.up()


def test_two_browsers_play_a_hand_against_two_bots(open_page, live_server):
    deal = sealed(people=2)
    phone, desk = open_page(**PHONE), open_page(**DESKTOP)
    complaints = []
    for seat, page in enumerate((phone, desk)):
        page.on("pageerror", lambda error: complaints.append(str(error)))
        open_table(page, deal, seat)
        assert findings(page) == []
        assert width(page) <= page.viewport_size["width"]
        page.get_by_role("button", name="Ready").click()
        if seat == 0:
            expect(page.locator("#nextdeal")).to_contain_text("You are ready.")
    expect(desk.get_by_role("list", name="Your cards")).to_be_visible()
    deal.refresh_from_db()
    assert all(place["bot"] or len(place["entropy"]) == 64 for place in deal.places)
    until_over(deal, [phone, desk], ByHand(phone), turns=10)
    for page in (phone, desk):
        catch_up(page, deal)
        expect(page.locator(".endtitle")).to_contain_text("out")
        expect(page.get_by_role("heading", name="Table 1 is done")).to_be_visible()
        assert findings(page) == []
        assert width(page) <= page.viewport_size["width"]
    assert Table.objects.get(pk=deal.table_id).state == Table.State.CONFIRMED
    assert complaints == []


def test_between_two_hands_the_dock_names_the_players_and_no_silence(open_page, live_server):
    deal = play_out(everybody_ready(sealed(4, cast.tournament())))
    page = open_table(open_page(**PHONE), deal, 0)
    page.wait_for_timeout(600)  # play.js writes the clocks four times a second
    places = [place.name for place in places_of(deal)]
    assert [line.split("\n")[0] for line in page.locator(".ready li").all_inner_texts()] == [*places[1:], "You"]
    assert "connected" not in page.locator("#nextdeal").inner_text()


def test_a_hand_is_played_with_keys_alone(open_page, live_server):
    deal = sealed(people=1)
    page = open_table(open_page(**DESKTOP), deal, 0)
    page.get_by_role("button", name="Ready").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Your cards")).to_be_visible()

    def act(page):
        kind = page.locator("[data-ask]").get_attribute("data-ask") if page.locator("[data-ask]").count() else "turn"
        keys = {"color": "g", "wild": "b", "drawn": "d", "answer": "a"}
        if kind in keys:
            return page.keyboard.press(keys[kind])
        legal = page.locator(".fan li").evaluate_all("all => all.findIndex(one => one.classList.contains('legal'))")
        if legal < 0:
            return page.keyboard.press("d")
        if page.get_by_role("checkbox", name="UNO").count():
            page.keyboard.press("u")
        page.keyboard.press(str(legal + 1) if legal < 9 else "0")  # 0 is the tenth card
        for _step in range(legal - 9):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if page.locator(".fan li").nth(legal).locator("button[form=choose]").count():
            expect(page.locator("[data-ask=wild]")).to_be_visible()
            page.keyboard.press("y")

    until_over(deal, [page], act)
    catch_up(page, deal)
    expect(page.get_by_role("heading", name="Table 1 is done")).to_be_visible()


def many(hand):
    return hand.public.step == TURN and len(hand.cards[hand.public.turn]) >= 15


def answers(hand):
    return hand.public.step == ANSWER and len(hand.log) > 15


def caught(hand):
    """Somebody can be caught, by who is to move among others."""
    return hand.public.step == TURN and any(seat != hand.public.turn for seat in hand.public.uno)


STATES = {
    "fifteen cards": (lambda: cast.tournament(name="Fifteen"), many),
    "a challenge": (lambda: cast.tournament(name="Four"), answers),
    "ten players": (lambda: cast.challenge(10, name="Ten", table_size=10, hands_per_round=None), caught),
}


def test_every_state_of_the_table_fits_a_small_phone(open_page, live_server):
    for make, wanted in STATES.values():
        deal = arrange(sealed(10, make()), wanted)
        page = open_table(open_page(**PHONE), deal, deal.turn)
        assert width(page) <= 360
        assert findings(page, ("light",)) == []
        assert low(page.locator(CONTROLS)) == []
        page.locator("#menu > summary").click()
        assert findings(page, ("light",)) == []
        assert width(page) <= 360
        watching = open_page(**PHONE)
        watching.goto(f"/tables/{deal.table_id}/play/")
        assert width(watching) <= 360
        assert findings(watching, ("light",)) == []


def holds(card):
    return lambda hand: hand.public.step == TURN and card in hand.cards[hand.public.turn] and len(hand.log) > 12


def test_a_wild_card_that_is_tapped_while_the_page_looks_is_asked_about(open_page, live_server):
    deal = arrange(sealed(4), holds("W"))
    page = open_table(open_page(**PHONE), deal, deal.turn)
    held = []
    page.route("**/play/?as=*", lambda look: look.continue_() if "card=" in look.request.url else held.append(look))
    with page.expect_request("**/play/?as=*"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    click_uncovered(page.locator(".fan button[value=W]").first)
    with page.expect_response(lambda answer: "card=" in answer.url):
        held.pop().continue_()  # the table as it was before the tap
    expect(page.locator("[data-ask=wild]")).to_be_visible()


def tap(card):
    return lambda page: click_uncovered(page.locator(f".fan button[value={card}]").first)


def press_button(name):
    return lambda page: page.locator("#mine").get_by_role("button", name=name, exact=True).click()


def first_of(selector):
    return lambda page: click_uncovered(page.locator(selector).first)


def drawn(card):
    return lambda hand: hand.public.step == DRAWN and hand.drawn == card


def aimed(card, answer):
    """Somebody is asked about such a card, and holds what they answer with."""
    return lambda hand: (
        hand.public.step == ANSWER and hand.public.aimed[-1] == card and (answer in hand.cards[hand.public.turn])
    )


def wrong(hand):
    held = hand.cards[hand.public.turn]
    return hand.public.step == TURN and len(hand.log) > 12 and not set(held) <= set(playable(hand.public, held, None))


FRENCH, HAT = {"edition": "harry-potter-fr"}, {"edition": "harry-potter-2018"}
# The tournament, options of its rules, how the hand stands, what is pressed, and how the move begins that comes of it.
QUESTIONS = {
    "colour of the first card": ({}, [], lambda hand: hand.public.step == COLOR, ["Red"], ["color", "R"]),
    "whom a Howler is for": (
        FRENCH,
        [],
        holds("WL"),
        [tap("WL"), first_of(".whom label"), "Blue"],
        ["play", "WL", "B"],
    ),
    "whom a hat is for": (HAT, [], holds("WH"), [tap("WH"), first_of(".whom label"), "Red"], ["play", "WH", "R"]),
    "Invisibility": (FRENCH, [], aimed("S", "WI"), ["Invisibility", "Green"], ["play", "WI", "G"]),
    "no Invisibility": (FRENCH, [], aimed("S", "WD"), ["Miss this turn"], ["accept"]),
    "drawn wild card": ({}, [], drawn("W"), ["Play it", "Yellow"], ["play", "W", "Y"]),
    "drawn card kept": ({}, [], drawn("W"), ["Keep it"], ["pass"]),
    "draw four taken": ({}, [], aimed("D", "W"), ["Draw 4"], ["accept"]),
    "draw four doubted": ({}, [], aimed("D", "W"), ["Challenge it"], ["challenge"]),
    "UNO forgotten by somebody": ({}, [], caught, [first_of("#catches button")], ["catch"]),
    "wrong card": (
        {},
        ["penalise_wrong_card"],
        wrong,
        [first_of(".fan .held button"), "Play it anyway"],
        ["play"],
    ),
}


def test_every_question_is_answered_by_hand(open_page, live_server):
    page = open_page(**PHONE)
    for number, (name, (settings, options, wanted, presses, move)) in enumerate(QUESTIONS.items()):
        made = cast.tournament(name=f"Question {number}", **settings)
        Stage.objects.filter(tournament=made).update(options=options)
        deal = arrange(sealed(4, Tournament.objects.get(pk=made.pk)), wanted)
        open_table(page, deal, deal.turn)
        version = page.locator("#play").get_attribute("data-version")
        for one in presses:
            page.wait_for_timeout(APART)
            (press_button(one) if isinstance(one, str) else one)(page)
        page.wait_for_function(MOVED_ON, arg=version)
        kind, _seat, *rest = Move.objects.filter(deal=deal).last().action
        assert [kind, *rest][: len(move)] == move, name


def test_a_card_that_does_not_fit_is_explained_where_it_was_tapped(open_page, live_server):
    deal = arrange(sealed(4), lambda hand: many(hand) and hand.public.discard[-1][0] != "W")
    page = open_table(open_page(**PHONE), deal, deal.turn)
    before = moves(deal)
    held = page.locator(".fan .held button").last
    click_uncovered(held)
    expect(page.get_by_role("alert")).to_contain_text("doesn’t match")
    expect(held).to_be_visible()
    assert moves(deal) == before
    page.get_by_text("Catch", exact=True).click(force=True)  # it is there for its reason
    expect(page.get_by_role("alert")).to_contain_text("No one can be caught now.")


PREPARE = """
from league.access.signed_links import player_token
from league.models import Entry
from games.online.play.deals import open_deal
from tests.games.online_table import everybody_ready, play_out, put_online, standing
made = cast.tournament()
start(tournament=made, by=made.owner)
over = play_out(everybody_ready(put_online(cast.table(made, 1, 1))))
deal = everybody_ready(open_deal(over.table))
public = standing(deal).hand.public
first = [public.turn, public.after(public.turn)]
tokens = [player_token(Entry.objects.get(pk=deal.places[seat]["entry"])) for seat in first]
print(json.dumps([deal.table_id, over.pk, tokens]))
"""


def test_the_others_see_a_move_at_once_and_a_table_without_a_stream_goes_on(tmp_path, new_context):
    served = Served(tmp_path)
    table, over, tokens = served.prepare(PREPARE.splitlines())
    served.start()
    wire = Wire(served.port)
    pages = [new_context(base_url=f"http://127.0.0.1:{wire.port}", **DESKTOP).new_page() for _token in tokens]
    try:
        for page, token in zip(pages, tokens, strict=True):
            page.goto(f"/me/{token}/")
            press(page.locator("main form").get_by_role("button").first)
            with page.expect_request("**/live/**"):
                page.goto(f"/tables/{table}/play/")
        mover, other = pages
        _choose_a_color(mover)
        asking = f"**/tables/{table}/play/?*"
        other.route(asking, lambda route: route.abort())  # the stream itself brings what is new
        mover.get_by_role("button", name="Draw", exact=True).click()
        expect(mover.locator("[data-ask=drawn]")).to_be_visible()
        expect(other.locator("#log")).to_contain_text("draws a card", timeout=2000)  # it would look again after 2.5 s
        assert other.locator("#play-offline").text_content() == ""
        other.unroute(asking)
        with other.expect_response(asking):  # a device that slept asks what time it is, though nothing happened
            other.evaluate("() => { const now = Date.now.bind(Date); Date.now = () => now() + 5000; }")
        other.wait_for_timeout(600)
        assert re.fullmatch(r"\d+:\d\d", other.locator(".clock-move").text_content())
        wire.cut()
        expect(other.locator("#play-offline")).to_have_text("No connection. Trying again every few seconds.")
        mover.get_by_role("button", name="Keep it").click()
        expect(other.locator("#play[data-mine]")).to_be_visible()
        wire.cut_off = False
        expect(other.locator("#play-offline")).to_be_empty()
        expect(other.get_by_role("img", name="connected")).to_be_visible()
        mover.goto(f"/deals/{over}/")
        strip = mover.get_by_role("complementary", name="Your table")
        expect(strip).to_contain_text(re.compile(r"Hand 2: .+’s turn\."))
        waited_for = strip.locator("p").text_content()
        _choose_a_color(other)
        other.get_by_role("button", name="Draw", exact=True).click()
        other.wait_for_timeout(APART)
        other.get_by_role("button", name="Keep it").click()
        expect(strip.locator("p")).not_to_have_text(waited_for)
        expect(strip).to_contain_text("’s turn")
        assert findings(mover) == []
    finally:
        served.stop()


def _choose_a_color(page):
    """The turned-up card may be a wild one. What stands where the color stood can be pressed at once afterwards."""
    settled(page)
    if page.locator("[data-ask=color]").count():
        page.get_by_role("button", name="Red", exact=True).click()
        expect(page.locator("[data-ask=color]")).to_have_count(0)
        page.wait_for_timeout(APART)
