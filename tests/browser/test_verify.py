"""The referee in the browser (verify.js) beside the engine's, and its pages: a hand's proof and its replay."""

import json
import os
import random
from copy import deepcopy
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.hand import apply
from engine.log import Unreadable, as_object, lines, read
from engine.refused import Refused
from engine.replay import Fault, undo, verify
from engine.rules import EDITIONS
from engine.simulation.bots import RandomBot
from engine.state import Hand
from league.lib.versioned_cache import VersionedCache
from league.models import Table
from league.rounds.steps import start
from tests import cast
from tests.engine.golden_file import Golden
from tests.engine.played import all_games, next_action
from tests.engine.test_golden import HANDS
from tests.games.online_table import everybody_ready, play_out, put_online
from tests.second.planted import KINDS

from .conftest import PHONE
from .looking import findings, low, press, settled, width

ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / "games/static/games" / f"{name}.js" for name in ("shuffle", "loglines", "verify")]
LOGS = int(os.environ.get("WILD_VERIFIED") or 40)  # hands of bots; ten changed ones for each
UNDOS = 2

CHECK = "files => files.map(file => wildVerify.verify(file).fault)"
# A golden file begins in the middle of a hand: it says how the cards lie, and not how they came there.
FROM_THE_MIDDLE = """files => files.map(({ lines, seed, stands }) => {
  class Rigged extends wildVerify.Hand {
    deal() {
      if (!stands) return super.deal();
      Object.assign(this, stands, { stream: new wildShuffle.Stream(wildShuffle.bytesOf(seed)) });
      this.go(stands.turn_of, "PLAY-1");
    }
    open() { if (!stands) super.open(); }
  }
  const hand = new Rigged(lines.map((line, n) => wildLines.shaped(line, line.n, 1)), seed);
  try {
    hand.run();
  } catch (thrown) {
    if (thrown instanceof wildLines.Fault) return `${thrown.n} ${thrown.rule} ${thrown.expected} not ${thrown.found}`;
    if (typeof thrown !== "symbol") throw thrown;
  }
  return hand.at === lines.length ? "" : `stops at ${hand.at}`;
})"""


@pytest.fixture
def referee(new_context):
    """A page with nothing but the referee."""
    page = new_context().new_page()
    for script in SCRIPTS:
        page.add_script_tag(content=script.read_text(encoding="utf-8"))
    return page


def played(game):
    """A hand to its end, with some moves taken back; None for one that does not end."""
    hand, rng = game.dealt(), game.rng()
    undone = 0
    for _step in range(4000):
        if hand.over:
            return hand
        if undone < UNDOS and rng.random() < 0.01:
            try:
                hand = undo(hand, rng.randrange(len(hand.log)), "A reason")
                undone += 1
            except Refused:
                pass
        if not hand.over:
            apply(hand, next_action(hand, rng, game.style))
    return None


def text_of(objects):
    return "".join(json.dumps(found, ensure_ascii=False) + "\n" for found in objects)


def engine_says(text):
    """None when the engine accepts the log; else the line that it faults, -1 for a file that it does not read."""
    try:
        for logged in read(text.splitlines(keepends=True)):
            verify(logged)
    except Unreadable:
        return -1
    except Fault as fault:
        return fault.n
    return None


def any_change(events, rng):
    """One change that need not show: any value in any field, a line left out, repeated, moved, an undo to anywhere."""
    kind, at = rng.randrange(5), rng.randrange(1, len(events))
    if kind == 0:
        name = rng.choice([name for name in events[at] if name != "hand"])
        events[at][name] = rng.choice(
            [None, True, False, 0, 1, 2, -1, "", "R", "R5", "WD", "turn", "all", [], ["R1"], {}]
        )
    elif kind == 1:
        del events[at]
    elif kind == 2:
        events.insert(at, deepcopy(rng.choice(events)))
    elif kind == 3:
        events.insert(rng.randrange(1, len(events)), events.pop(at))
    else:
        events.insert(at, {"hand": events[0]["hand"], "type": "undo", "to": rng.randrange(at), "reason": "x"})
    if kind:
        for n, line in enumerate(events):
            line["n"] = n
    return events


def logs():
    """Hands of every edition, number of players, and set of options: (whether something was undone, its lines)."""
    for number, game in enumerate(all_games(7)):
        if number == LOGS:
            return
        hand = played(game)
        if hand is not None:
            undone = any(event[0] == "undo" for event in hand.log)
            yield undone, [json.loads(line) for line in lines(hand.log)]


def test_the_referee_in_the_browser_agrees_with_the_engine(referee):
    hands, rng = list(logs()), random.Random(5)
    assert len(hands) > LOGS * 0.9
    assert {events[0]["edition"] for _undone, events in hands} == EDITIONS.keys()
    assert referee.evaluate(CHECK, [text_of(events) for _undone, events in hands]) == [None] * len(hands)

    planted, changed = [], []
    while len(planted) < 5 * LOGS:
        undone, events = rng.choice(hands)
        kind = rng.choice(sorted(KINDS))
        if not undone and (found := KINDS[kind](deepcopy(events), rng)):
            planted.append((kind, text_of(found)))
    while len(changed) < 5 * LOGS:
        changed.append(text_of(any_change(deepcopy(rng.choice(hands)[1]), rng)))
    faults = referee.evaluate(CHECK, [text for _kind, text in planted])
    assert [kind for (kind, _text), fault in zip(planted, faults, strict=True) if fault is None] == []
    # Of those some are harmless, a call of UNO left out for one: the two referees tell them from the others alike.
    said, faults = [engine_says(text) for text in changed], referee.evaluate(CHECK, changed)
    assert [fault is None for fault in faults] == [line is None for line in said]
    assert 0 < said.count(None) < len(changed) / 3


def as_given(golden):
    """What a golden file says happened, and how the cards lay before."""
    standing: list[dict] = []
    for n, event in enumerate(golden.hand.log):
        standing = [line for line in standing if line["n"] <= event[1]] if event[0] == "undo" else standing
        if event[0] != "undo":
            standing.append({"hand": 1, "n": n} | as_object(event))
    rigged: Hand | None = golden.fresh_hand() if golden.held else None
    if rigged is None:
        return {"lines": standing, "seed": golden.hand.seed.hex(), "stands": None}
    public = rigged.public
    stands = {
        "held": [list(cards) for cards in rigged.cards],
        "pile": rigged.pile[::-1],
        "discard": list(public.discard),
        "color": public.color,
        "direction": public.direction,
        "turn_of": public.turn,
    }
    return {"lines": standing, "seed": golden.hand.seed.hex(), "stands": stands}


def test_the_referee_in_the_browser_agrees_with_every_golden_log(referee):
    goldens = [Golden(path) for path in HANDS]
    said = referee.evaluate(FROM_THE_MIDDLE, [as_given(golden) for golden in goldens])
    assert {path.stem: fault for path, fault in zip(HANDS, said, strict=True) if fault} == {}


@pytest.fixture
def over(live_server):
    """A hand of pairs that was played online to its end."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return play_out(everybody_ready(put_online(cast.table(made, 1, 1))), RandomBot(random.Random(3)))


def verified(page):
    page.get_by_role("button", name="Verify this hand").click()
    section = page.locator("[data-proof][data-result]")
    expect(section).to_be_visible()
    return section


def test_a_hand_is_verified_on_the_readers_device_and_a_changed_card_is_found(phone, over):
    phone.goto(f"/deals/{over.pk}/")
    section = verified(phone)
    expect(section.get_by_role("heading")).to_have_text("Verified on this device")
    expect(section.locator("li")).to_have_count(4)
    expect(section).to_contain_text("All")
    assert findings(phone) == []
    assert width(phone) <= 360
    assert low(phone.locator("button, a.btn, summary, .tool")) == []

    answer = phone.request.get(f"/deals/{over.pk}/log.jsonl")
    objects = [json.loads(line) for line in answer.text().splitlines()]
    play = next(found for found in objects if found["type"] == "play")
    others = [
        card
        for found in objects
        if found["type"] == "deal" and found["seat"] != play["seat"]
        for card in found["cards"]
    ]
    own = [card for found in objects if found.get("seat") == play["seat"] for card in found.get("cards", ())]
    play["card"] = next(card for card in others if card not in own)
    phone.route("**/log.jsonl", lambda route: route.fulfill(body=text_of(objects)))
    section = verified(phone)
    expect(section.get_by_role("heading")).to_have_text("This hand can’t be verified")
    expect(section.locator("li")).to_contain_text(f"Line {play['n'] + 1} is wrong")
    expect(section.locator("li")).to_contain_text("the player does not hold this card")
    assert findings(phone, themes=("light",)) == []


def test_who_deals_first_is_held_against_the_seed(desktop, live_server):
    """DEAL-1: the cards that the page showed are those of the seed, and whoever drew the highest deals."""
    made = cast.tournament(5, format="points", table_size=5, name="Club evening")
    start(tournament=made, by=made.owner)
    over = play_out(everybody_ready(put_online(cast.table(made, 1, 1))), RandomBot(random.Random(3)))
    desktop.goto(f"/deals/{over.pk}/")
    expect(verified(desktop)).to_contain_text("The first dealer was drawn from the same seed")

    table = Table.objects.get(pk=over.table_id)
    draws = table.first_deal["draws"]
    draws[0][0][1], draws[0][1][1] = draws[0][1][1], draws[0][0][1]
    table.save(update_fields=["first_deal"])
    VersionedCache.forget_all()  # what no log tells is known to no page
    desktop.goto(f"/deals/{over.pk}/")
    section = verified(desktop)
    expect(section.get_by_role("heading")).to_have_text("This hand can’t be verified")
    expect(section).to_contain_text("Another player should have dealt first")


def test_a_device_that_was_shown_another_seal_says_so(desktop, over):
    desktop.goto(f"/deals/{over.pk}/")
    keeps = "all => { for (const [name, value] of Object.entries(all)) sessionStorage.setItem(name, value); }"
    seal, added = f"wild-seal-{over.pk}", f"wild-entropy-{over.pk}"
    desktop.evaluate(keeps, {seal: over.commitment, added: over.places[2]["entropy"]})
    section = verified(desktop)
    expect(section.locator("li")).to_have_count(6)
    expect(section).to_contain_text("This device saw the same commitment before the deal")
    expect(section).to_contain_text("The share of this device is in the shuffle")
    desktop.evaluate(keeps, {seal: "ab" * 32})
    section = verified(desktop)
    expect(section.get_by_role("heading")).to_have_text("This hand can’t be verified")
    expect(section).to_contain_text("this device saw another commitment: abab")


def test_a_file_from_elsewhere_is_verified_too(desktop, over, tmp_path):
    hands = [events for _undone, events in list(logs())[:2]]
    file = tmp_path / "hands.jsonl"
    file.write_text("".join(map(text_of, hands)), encoding="utf-8")
    desktop.goto(f"/deals/{over.pk}/")
    desktop.get_by_text("Check another log file").click()
    desktop.get_by_label("Log file").set_input_files(file)
    expect(desktop.locator("[data-said]")).to_have_text("All 2 hands in this file follow the rules")
    no_log = tmp_path / "no_log.jsonl"
    no_log.write_text("no log", encoding="utf-8")
    desktop.get_by_label("Log file").set_input_files(no_log)
    expect(desktop.locator("[data-said]")).to_have_text("Line 1: the line is damaged.")


def test_a_replay_steps_by_keyboard_slider_and_link(desktop, over):
    desktop.goto(f"/deals/{over.pk}/replay/")
    slider, said = desktop.get_by_role("slider"), desktop.locator("#said")
    last = int(slider.get_attribute("max"))
    desktop.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    expect(desktop.locator(".moves [aria-current]")).to_contain_text(said.locator("b").text_content())
    desktop.keyboard.press("End")
    expect(said).to_contain_text("goes out")
    assert desktop.url.endswith(f"?move={last}")
    expect(desktop.locator("[data-by='1']")).to_have_attribute("aria-disabled", "true")
    desktop.get_by_role("link", name="Previous move").click()
    expect(slider).to_have_value(str(last - 1))
    slider.focus()
    desktop.keyboard.press("Home")
    expect(said.locator(".n")).to_have_text("0")
    desktop.get_by_role("list", name="Moves").get_by_role("link").nth(3).click()
    expect(said.locator(".n")).to_have_text("3")
    desktop.get_by_role("button", name="Play").click()
    expect(desktop.get_by_role("button", name="Pause")).to_be_visible()
    expect(said.locator(".n")).to_have_text("5")
    assert findings(desktop) == []


def test_a_replay_works_without_javascript_on_a_phone(open_page, over):
    page = open_page(**PHONE, java_script_enabled=False)
    page.goto(f"/deals/{over.pk}/replay/?move=4")
    press(page.get_by_role("link", name="Next move"))
    expect(page.locator("#said .n")).to_have_text("5")
    page.get_by_role("slider").fill("2")
    press(page.get_by_role("button", name="Show"))
    expect(page.locator("#said .n")).to_have_text("2")


def test_a_replay_fits_a_phone(phone, over):
    phone.goto(f"/deals/{over.pk}/replay/?move=9")
    assert width(phone) <= 360
    assert low(settled(phone).locator("button, a, input")) == []
    assert findings(phone) == []
