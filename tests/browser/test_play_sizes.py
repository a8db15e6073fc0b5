"""The online table on every screen: the player's own cards, both piles and the buttons are in sight without scrolling.

A viewport half as large as a screen is that screen at 200 % zoom.
"""

import os

import pytest

from engine.game import draw_for_dealer
from engine.legal import playable
from engine.rules import EDITIONS
from engine.shuffle import SEED_BYTES, chooser, dealer_numbers
from engine.state import TURN, Public
from games.online.play import deals
from league.announcements.announce import announce
from league.rounds.steps import start
from tests import cast
from tests.games.arranged import arrange
from tests.games.online_table import everybody_ready, play_out, put_online

from .fonts import WIDTHS
from .looking import settled
from .test_play import FRENCH, STATES, aimed, drawn, holds, open_table, sealed

pytestmark = pytest.mark.django_db(transaction=True)

VIEWPORTS = (
    (320, 480),
    (320, 568),
    (360, 640),
    (360, 721),  # 721 to 763 was too tall once, and nothing was wrong below and above
    (360, 763),
    (390, 844),
    (568, 320),
    (667, 375),
    (740, 360),
    (932, 430),
    (640, 400),  # 1280 × 800 at 200 %
    (960, 540),  # 1920 × 1080 at 200 %
    (768, 1024),
    (1024, 768),
    (1280, 720),
    (1920, 1080),
)
# Those at which most has no room, for what stands in the same places as at the others; `WILD_SCREENS=1` tries all.
TIGHT = (
    VIEWPORTS
    if os.environ.get("WILD_SCREENS")
    else ((320, 480), (320, 568), (360, 721), (568, 320), (667, 375), (740, 360), (640, 400))
)

# What sticks out of the window, or lies under something else where its middle is. Of a card in a fan the others cover
# much: its upper left corner says which it is, and its lower edge may be turned out of sight by a few pixels.
OUT_OF_SIGHT = """([cards, others]) => {
  const out = [];
  const { innerWidth: wide, innerHeight: high } = window;
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > wide) out.push(`the page is ${scrollWidth} px wide`);
  if (scrollHeight > high) out.push(`the page is ${scrollHeight} px high`);
  const check = (one, at, turned) => {
    const box = one.getBoundingClientRect();
    const said = one.getAttribute("aria-label") || one.id || one.textContent.trim().replace(/\\s+/g, " ");
    if (box.left < -turned || box.right > wide + turned || box.top < -1 || box.bottom > high + turned) {
      out.push(`${said}: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
      return;
    }
    const [x, y] = at(box);
    const over = document.elementFromPoint(x, y);
    if (over && !one.contains(over) && !over.contains(one)) out.push(`${said}: under ${over.id || over.outerHTML}`);
    if (one.matches(".btn")) check_words(one);
  };
  const check_words = (button) => {
    if (button.scrollWidth > button.clientWidth + 1) out.push(`${button.textContent.trim()}: wider than its button`);
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
        const range = new Range();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) out.push(`${word}: on two lines`);
      }
    }
  };
  const corner = (box) => [box.left + 14, box.top + 20];
  const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  for (const one of document.querySelectorAll(cards)) check(one, corner, 5);
  for (const one of document.querySelectorAll(others)) {
    if (one.checkVisibility()) check(one, middle, 1);
  }
  return out;
}"""
CLASSIC = EDITIONS["classic"]
CARDS = "#play .fan svg"
OTHERS = (
    "#play .piles svg.card-l, #play .inplay, #ends, #play .mine button, #play .mine .btn, #play .mine .turnline,"
    " #play .ask h2, #play .drawn svg, #play .foe, #play summary.tool"
)


def out_of_sight(page, viewports=VIEWPORTS):
    """Return what cannot be seen or reached, by font and viewport."""
    found = {}
    for font in WIDTHS:
        page.evaluate("font => setFont(font)", font)
        for wide, high in viewports:
            page.set_viewport_size({"width": wide, "height": high})
            for _look in range(10):  # a window that was just made another size is laid out a moment later
                out = page.evaluate(OUT_OF_SIGHT, [CARDS, OTHERS])
                if not out:
                    break
                page.wait_for_timeout(100)
            if out:
                found[font, wide, high] = out
    return found


def sealed_for(players):
    """A sealed deal of so many people. Two are what a points race leaves in the end."""
    if players > 2:
        return sealed(players, cast.challenge(players, name=f"{players} players", table_size=players))
    made = cast.challenge(3, name="Two left", table_size=3)
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    table.seats.filter(number=2).delete()
    return put_online(table)


@pytest.fixture
def nearly_blocked(monkeypatch):
    """The line that says in how many turns the hand is blocked."""
    monkeypatch.setattr(Public, "turns_left", property(lambda public: 3))


@pytest.mark.parametrize("players", [2, 4, 10])
def test_own_cards_piles_and_buttons_are_in_sight_on_every_screen(open_page, live_server, nearly_blocked, players):
    deal = arrange(sealed_for(players), holds("W"))
    announce(tournament=deal.table.round.tournament, text="The next wave starts at 20:45, near the bar. " * 3, by=None)
    page = open_table(open_page(), deal, deal.turn)
    found = {"own turn": out_of_sight(page)}
    page.goto(page.url + "&card=W")
    assert settled(page).locator("[data-ask=wild]").count()
    found["which colour"] = out_of_sight(page)
    other = open_table(open_page(), deal, (deal.turn + 1) % players)
    found["waiting"] = out_of_sight(other)
    assert {scene: out for scene, out in found.items() if out} == {}


@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_page_before_the_first_deal_is_in_sight_on_every_screen(open_page, live_server, monkeypatch, players):
    seeds = (bytes([at]) * SEED_BYTES for at in range(256))
    tied = next(seed for seed in seeds if len(draw_for_dealer(CLASSIC, range(players), drawn_by(seed))) == 2)
    monkeypatch.setattr(deals, "fresh_seed", lambda: tied)
    deal = sealed_for(players)
    page = open_table(open_page(), deal, 0)
    assert page.locator(".first-deal .drawn").count() == 2
    assert out_of_sight(page) == {}


def drawn_by(seed):
    """Cards are drawn for the first deal from the seed of its deck."""
    return chooser(dealer_numbers(seed))


CARD_ROWS = """lists => lists.map(list => {
  const tops = [...list.querySelectorAll("svg[role=img]")].map(card => Math.round(card.getBoundingClientRect().top));
  return [tops.length, new Set(tops).size];
})"""
REEL_IN_SIGHT = """() => {
  const { bottom } = document.querySelector(".reel-acts").getBoundingClientRect();
  return bottom <= innerHeight && document.documentElement.scrollHeight <= innerHeight;
}"""


def test_the_end_of_a_hand_and_its_replay_fit_a_phone(open_page, live_server):
    made = cast.challenge(10, table_size=10, target=20, hands_per_round=None)
    start(tournament=made, by=made.owner)
    deal = everybody_ready(put_online(cast.table(made, 1, 1)))
    play_out(deal)
    page = open_page(viewport={"width": 360, "height": 740})
    page.goto(f"/tables/{deal.table_id}/play/")
    assert settled(page).get_by_text("eliminated in hand 1").count() > 3
    for cards, rows in page.locator(".lefts .minis").evaluate_all(CARD_ROWS):
        assert rows <= -(-cards // 5)
    assert page.evaluate("document.documentElement.scrollHeight") < 1800
    page.set_viewport_size({"width": 740, "height": 360})
    page.goto(f"/deals/{deal.pk}/replay/?move=9")
    settled(page).wait_for_function(REEL_IN_SIGHT)


def can_call_uno(hand):
    held = hand.cards[hand.public.turn]
    return hand.public.step == TURN and len(held) == 2 and playable(hand.public, held, None)


QUESTIONS = {
    "whom a Howler is for": (FRENCH, holds("WL"), "WL"),
    "Invisibility": (FRENCH, aimed("S", "WI"), ""),
    "a drawn card": ({}, drawn("W"), ""),
    "UNO": ({}, can_call_uno, ""),
}


def test_every_question_and_two_fans_of_cards_are_in_sight_on_every_screen(open_page, live_server):
    found = {}
    for name, (make, wanted) in STATES.items():
        deal = arrange(sealed(10, make()), wanted)
        found[name] = out_of_sight(open_table(open_page(), deal, deal.turn), TIGHT)
    for name, (settings, wanted, card) in QUESTIONS.items():
        deal = arrange(sealed(4, cast.tournament(name=name, **settings)), wanted)
        page = open_table(open_page(), deal, deal.turn)
        if card:
            page.goto(f"{page.url}&card={card}")
        found[name] = out_of_sight(settled(page), TIGHT)
    assert {scene: out for scene, out in found.items() if out} == {}
