"""An organiser and a guest walk through an evening on phones, in French: all of each page is in it.

`WILD_WALK=es` walks in Spanish; what every page answers in every language is in tests/config/test_languages.py.
"""

import os
import re
from functools import cache

import pytest
from playwright.sync_api import expect

from games.models import Hand
from league.access.signed_links import player_token, screen_token, sign_up_token
from league.management.commands import messages
from league.models import SignUp, Tournament
from league.roles.roles import invite
from league.roles.scorer_links import make_scorer_links
from tests import cast
from tests.games import phones

from .conftest import PHONE
from .looking import press, settled
from .test_pages import cramped
from .test_record import main, pick, sign_in, tap

WALK = os.environ.get("WILD_WALK") or messages.LANGUAGES[0]

pytestmark = pytest.mark.django_db(transaction=True)

# What a page says, piece by piece: its texts, and what is read out or stands in for them. Not what names its language.
SAID = """() => {
  const said = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node; (node = walk.nextNode());) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest("script, style, code, textarea, [lang]:not(html)")) continue;
    if (node.nodeType === Node.TEXT_NODE) said.push(node.data);
    else for (const { name, value } of node.attributes) {
      if (["aria-label", "placeholder", "title", "alt"].includes(name)) said.push(value);
      if (name.startsWith("data-") && name !== "data-of" && value.includes(" ")) said.push(value);
    }
  }
  return said.map(one => one.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
LETTER = re.compile(r"[^\W\d_]")
SPACED = re.compile(r"\s+([:;?!])")
TAG = re.compile(r"<[^>]*>")
PARAMETER = re.compile(r"%\(\w+\)[ds]")
HOLE = "\N{WHITE SQUARE}"


def english(language):
    """A function that tells whether a text is one of the English ones that should stand there in this language."""
    sentences, translations = set(), set()
    for message in messages.catalogue_of(language):
        sentences |= pieces(message.id)
        # With the spaces of French before a colon, and without: "□ : □ points." is no other text than "□: □ points."
        translations |= {as_said for one in pieces(message.string) for as_said in (one, SPACED.sub(r"\1", one))}
    whole = {one for one in sentences - translations if len(LETTER.findall(one)) > 2}
    english_patterns, translated_patterns = with_holes(whole), with_holes(translations)

    def letters_matched(patterns, text):
        """The most letters that a message with holes shares with the text."""
        return max((letters for pattern, letters in patterns if pattern.fullmatch(text)), default=0)

    @cache
    def tells(text):
        if text in whole or text in translations:
            return text in whole
        # "□ scores □" is English, and also in "Saisir les scores de la table 1", which matches more of a translation.
        found = letters_matched(english_patterns, text)
        return found > 0 and found >= letters_matched(translated_patterns, text)

    return tells


def with_holes(texts):
    """Each text with holes as a pattern, and its number of letters."""
    return [
        (re.compile(re.escape(one).replace(re.escape(HOLE), ".+")), len(LETTER.findall(one)))
        for one in texts
        if HOLE in one
    ]


def pieces(texts):
    """The texts of a message as they reach a page: each that stands between markup on its own, with holes to fill."""
    all_of_them = texts if isinstance(texts, (tuple, list)) else (texts,)
    plain = (PARAMETER.sub(HOLE, text).replace("%%", "%") for text in all_of_them)
    return {" ".join(piece.split()) for text in plain for piece in TAG.split(text) if piece.strip()}


class Walk:
    """The phone of somebody who reads `language`; `faults` are what was wrong on the pages that they came to."""

    def __init__(self, page, language):
        self.page, self.language, self.is_english, self.faults = page, language, english(language), []
        page.on("console", self._heard)

    def _heard(self, message):
        # A page that is not there is one of those to look at, and the browser calls it an error.
        if message.type == "error" and "404" not in message.text:
            self.faults.append(f"{self.page.url}: {message.text}")

    def choose_the_language(self):
        self.page.goto("/")
        self.page.locator(f".foot .languages button[value={self.language}]").click()
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)

    def look(self, *addresses):
        """Go to these pages and look at each; without an address, at the one that is open, as it stands."""
        for address in addresses or (None,):
            if address is not None:
                self.page.goto(address)
            said = {text for text in settled(self.page).evaluate(SAID) if self.is_english(text)}
            found = [*cramped(self.page), *(f"English: {text}" for text in sorted(said))]
            if self.page.locator("html").get_attribute("lang") != self.language:
                found.append(f"in another language than {self.language}")
            self.faults += [f"{self.page.url}: {one}" for one in found]

    def press(self, button="main .btn-main:visible"):
        """Press the main button, and look at what it leads to."""
        press(self.page.locator(button).first)
        self.look()


@pytest.fixture
def walk(open_page):
    """A function that gives a phone to somebody, who has chosen the language at the foot of the first page.

    The browser itself is English: from then on only the choice tells.
    """

    def walk(language):
        walk = Walk(open_page(**PHONE), language)
        walk.choose_the_language()
        return walk

    return walk


@pytest.fixture
def organiser(walk, live_server):
    def organiser(language):
        found = walk(language)
        sign_in(found.page, live_server)
        return found

    return organiser


def make(organiser):
    """A tournament of one hand a round, with seven players and one place to sign up for, made on the pages for it."""
    organiser.look("/", "/new/")
    page = organiser.page
    for line in ("name-line", "rules-line"):  # what is set is folded
        page.locator(f"summary:has(#{line})").click()
    page.locator("[name=name]").fill("Café Ludo")
    page.locator("[name=hands_per_round]").fill("1")
    page.locator("[name=players]").fill("\n".join(cast.CAST[:-1]))
    organiser.press()
    made = Tournament.objects.get()
    at = f"/t/{made.slug}"
    organiser.look(f"{at}/players/", f"{at}/sign-up/settings/")
    page.locator("[name=capacity]").fill("8")
    organiser.press("main form .btn-main")
    return made, at


def sign_up(guest, at):
    guest.look("/", f"{at}/", f"{at}/sign-up/")
    guest.page.locator("[name=name]").fill("Zoë")
    guest.page.locator("[name=email]").fill("zoe@example.org")
    guest.press()
    guest.look(f"/sign-up/{sign_up_token(SignUp.objects.get(name='Zoë'))}/", "/sign-up/x/")


def open_the_evening(organiser, made, at):
    organiser.look(f"{at}/check-in/")
    organiser.page.locator("button.here").first.click()
    expect(organiser.page.locator("button.here[aria-pressed=true]")).to_have_count(1)
    organiser.look()
    organiser.look(f"{at}/")
    organiser.press("#next-step .btn-main")  # draws
    organiser.press("#next-step .btn-main")  # publishes
    organiser.look(f"{at}/scorers/")
    organiser.press()
    zoe = cast.entry(made, "Zoë")
    organiser.look(f"{at}/players/{zoe.public_id}/link/", f"{at}/players/{zoe.public_id}/edit/")
    return zoe


def score(guest, made, table):
    """By the link of a table, with taps on the cards."""
    [(_link, secret)] = make_scorer_links(tournament=made, tables=[table.number], by=made.owner)
    page = guest.page
    guest.look(f"/s/{secret}/")
    guest.press()
    pick(page, 0).click()
    tap(page, "R7", "GD")
    guest.look()
    main(page).click()
    tap(page, "W")
    with page.expect_navigation():
        main(page).click()
    guest.look()
    guest.look(f"/t/{made.slug}/scoring/", "/s/x/")


def object_to(guest, zoe, seat):
    """Zoë, on her own phone, looks over what another reported at her table, and has another version."""
    phones.report(phones.at(seat.table, (seat.number + 1) % 4), seat.table, phones.HANDS[0])
    guest.look(f"/me/{player_token(zoe)}/")
    guest.press("main form .btn-main")
    guest.look("/me/", "/me/x/", f"/tables/{seat.table.pk}/")
    hand = Hand.objects.get(table=seat.table)
    guest.look(f"/hands/{hand.pk}/dispute/")
    guest.page.locator("[name=reason]").fill("…")
    with guest.page.expect_navigation():
        main(guest.page).click()
    guest.look()
    return hand


def decide(organiser, at, hand):
    organiser.look(f"{at}/", f"{at}/hands/", f"/tables/{hand.table_id}/disputes/")
    organiser.press()
    organiser.look(f"/tables/{hand.table_id}/", f"/hands/{hand.pk}/correct/")


PUBLIC = ("", "seating/?q=zoe", "standings/", "bracket/", "hands/", "players/", "fairness/")
OTHERS = ("/rules/", "/rules/classic/", "/credits/", "/t/x/", *(f"/accounts/{one}/" for one in ("signup", "login")))
ORGANISER = ("rounds", "seating", "standings", "bracket", "fairness", "prints", "screen", "adjustments", "settings")
ORGANISER += ("people", "jobs", "log", "players")


def test_an_evening_is_all_in_the_language_that_was_chosen_and_fits_a_phone(walk, organiser):
    runs, guest = organiser(WALK), walk(WALK)
    made, at = make(runs)
    sign_up(guest, at)
    zoe = open_the_evening(runs, made, at)
    seat = zoe.seats.get(table__round__number=1)
    score(guest, made, cast.table(made, 1, 3 - seat.table.number))
    hand = object_to(guest, zoe, seat)
    decide(runs, at, hand)
    _invitation, secret = invite(to=made, kind="director", by=made.owner)
    runs.look(*(f"{at}/{one}/" for one in ORGANISER), "/accounts/", "/accounts/2fa/", f"/join/{secret}/")
    guest.look(*(f"{at}/{one}" for one in PUBLIC), f"{at}/players/{zoe.public_id}/", *OTHERS)
    guest.look(f"/screen/{screen_token(made)}/", "/accounts/password/reset/")
    found = dict.fromkeys(runs.faults + guest.faults)
    assert not found, "\n".join(found)
