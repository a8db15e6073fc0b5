"""The questions to a player and their possible actions, made only from their own picture."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.cards import COLORS, WILDS, holds_color, is_wild, symbol_in_words
from engine.legal import forced
from engine.rules import EDITIONS, Edition
from engine.state import ANSWER, COLOR, DRAWN, TURN
from games.online.page.card_help import Deck, does_next
from games.online.page.log_in_words import Story, color_in_words, played_card
from league.lib.translate import card_name, translate
from league.rulebook.editions import symbol

MOST_IN_A_FAN = 12
_ORDER = {face: at for at, face in enumerate("0123456789SRD")}
LOST_CHALLENGE, DRAW_FOUR = 2, 4


@dataclass(frozen=True)
class CardView:
    """A card of the viewer. `asks`: it needs a colour, a target or a confirmation first. `note`: on the viewer's turn,
    why it can't be played, or what it risks."""

    key: str  # stays the same from page to page
    code: str
    symbol: str
    name: str
    legal: bool = False
    asks: bool = False
    label: str = ""  # its name; on the viewer's turn also whether it can be played
    note: str = ""

    @property
    def form(self) -> str:
        """Return the form that its button submits."""
        return "choose" if self.asks else "hand"


@dataclass(frozen=True)
class Button:
    """A button of the viewer. `form`: its form, if elsewhere; `keys`: its keyboard key; `why`: why it does nothing now;
    `ticks`: a checkbox of the form."""

    label: str
    name: str = ""
    value: str = ""
    form: str = ""
    keys: str = ""
    css: str = "btn"
    why: str = ""
    ticks: bool = False


@dataclass(frozen=True)
class Person:
    """A player to choose or catch. `answers`: the move that a catch names."""

    at: int
    name: str
    answers: int = 0

    @property
    def catch(self) -> str:
        return _("Catch %(name)s") % {"name": self.name}


@dataclass(frozen=True)
class Question:
    """A question to the viewer. `kind`: color, wild, wrong, drawn or answer. `card`: the one in question. `does`: its
    effect, `risk`: what may follow. `buttons` answer it; colours have their own."""

    kind: str
    title: str
    text: str = ""
    card: CardView | None = None
    does: str = ""
    risk: str = ""
    targets: tuple[Person, ...] = ()
    buttons: tuple[Button, ...] = ()

    @property
    def for_colors(self) -> bool:
        return self.kind in ("color", "wild")

    @property
    def plays(self) -> bool:
        """Return whether the answer plays the card."""
        return self.kind == "wild"

    @property
    def is_answer(self) -> bool:
        """Return whether the viewer answers a card aimed at them."""
        return self.kind == "answer"


@dataclass(frozen=True)
class Controls:
    """A player's cards and possible actions. `uno`: "call" late, "toggle" for the next play, or empty."""

    mine: bool  # it is their turn
    fans: tuple[tuple[CardView, ...], ...]
    count: int
    question: Question | None = None
    fits: str = ""
    draw: str = ""  # action of the draw button: draw, pass or empty
    uno: str = ""
    uno_answers: int = 0
    catches: tuple[Person, ...] = ()
    buttons: tuple[Button, ...] = ()  # of a player without a question

    @property
    def besides(self) -> tuple[Button, ...]:
        """Return actions outside the turn, next to a question; `catches` appear there too."""
        return (_UNO_LATE,) if self.uno == "call" else ()

    @property
    def cards_label(self) -> str:
        return _("Your cards")

    @property
    def holds_back(self) -> bool:
        """Return whether to dim unplayable cards, since a card must be chosen."""
        return bool(self.fits) or (self.question is not None and self.question.kind == "drawn")

    @property
    def in_rows(self) -> bool:
        """Return whether the cards need several fans."""
        return len(self.fans) > 1


@dataclass(frozen=True)
class RevealedCards:
    """Cards that a player had to show, while they matter."""

    title: str
    cards: tuple[CardView, ...] = field(default=())


def controls(seen: dict[str, Any], story: Story, chosen: str = "") -> Controls:
    """Return what the player at `seen["you"]` can do now. `chosen`: the tapped card that needs more input."""
    hand, me = seen["hand"], seen["you"]
    edition = EDITIONS[hand["edition"]]
    mine = hand["turn"] == me
    fits = fits_in_words(hand, edition) if mine and hand["step"] == TURN else ""
    cards = in_order(_own_cards(hand, edition, mine=mine))
    windows = {int(at): number for at, number in seen["windows"].items()}
    toggles = mine and len(cards) == 2 and hand["step"] in (TURN, DRAWN, ANSWER) and bool(hand["playable"])
    uno = "call" if me in windows else "toggle" if toggles else ""
    question = _question(seen, story, cards, chosen, toggles=uno == "toggle") if mine else None
    must = mine and _must_play(hand)
    drawing = hand["pile"] > 0 or len(hand["discard"]) > 1
    draw = ("draw" if drawing else "pass") if mine and hand["step"] == TURN and not must else ""
    catches = tuple(Person(at, story.names[at], number) for at, number in windows.items() if at != me)
    return Controls(
        mine=mine,
        fans=in_fans(cards),
        count=len(cards),
        question=question,
        fits=fits,
        draw=draw,
        uno=uno,
        uno_answers=windows.get(me, 0),
        catches=catches,
        buttons=() if question else _buttons(get_language(), draw, uno, must, bool(catches)),
    )


_UNO_LATE = Button("UNO", form="call", keys="U", css="btn btn-alarm")


def _uno_with(form: str) -> Button:
    """Return the UNO checkbox for the card that the form plays."""
    return Button("UNO", form=form, keys="U", css="btn btn-check", ticks=True)


@lru_cache(256)
def _buttons(_language: str, draw: str, uno: str, must_play: bool, can_catch: bool) -> tuple[Button, ...]:
    """Return the buttons for draw, UNO and catch; each appears even if it does nothing now."""
    if draw:
        first = Button(_("Pass") if draw == "pass" else _("Draw"), "kind", draw, keys="D")
    else:
        why = _("If you can play, you must.") if must_play else _("It is not your turn.")
        first = Button(_("Draw"), why=why)
    if uno:
        second = _UNO_LATE if uno == "call" else _uno_with("hand")
    else:
        second = Button("UNO", why=_("Call UNO with your second-last card, or right after it."))
    catch = [] if can_catch else [Button(_("Catch"), why=_("No one can be caught now."))]
    return (first, second, *catch)


def _must_play(hand: dict[str, Any]) -> bool:
    """Return whether the option `must_play` leaves a player whose turn it is nothing but to play a card."""
    applies = "must_play" in hand["options"] and hand["step"] in (TURN, DRAWN)
    return applies and forced(hand["playable"], hand["cards"], hand["color"])


def _own_cards(hand: dict[str, Any], edition: Edition, *, mine: bool) -> list[CardView]:
    playable = set(hand["playable"])
    is_turn = mine and hand["step"] == TURN
    costs = mine and hand["step"] in (TURN, DRAWN) and "penalise_wrong_card" in hand["options"]
    copies: Counter[str] = Counter()
    cards = []
    for code in hand["cards"]:
        copies[code] += 1
        name = card_name(code, edition)
        legal = code in playable
        cards.append(
            CardView(
                key=f"{code}-{copies[code]}",
                code=code,
                symbol=symbol(code, edition),
                name=name,
                legal=legal,
                asks=is_wild(code) if legal else costs,
                label=name if legal or not is_turn else _("%(card)s can’t be played now") % {"card": name},
                note=_note(code, hand, edition, legal=legal) if mine else "",
            )
        )
    return cards


def _note(code: str, hand: dict[str, Any], edition: Edition, *, legal: bool) -> str:
    """Return why a card can't be played now, or what it risks."""
    if legal:
        return _risk(code, hand)
    if hand["step"] == COLOR:
        return _("First choose the colour.")
    if hand["step"] == DRAWN:
        return _("Only the card you drew can be played now.")
    if hand["step"] == ANSWER:
        return _("It is no answer to this card.")
    if code == "WD":
        return _("You hold %(color)s, so it isn’t allowed.") % {"color": color_in_words(hand["color"])}
    return _("Not now. What fits: %(fits)s.") % {"fits": fits_in_words(hand, edition)}


def _risk(code: str, hand: dict[str, Any]) -> str:
    """Return the risk of a Wild Draw Four that is a bluff (WD4-2, WD4-4). A last card has none (WD4-6)."""
    if code != "WD" or len(hand["cards"]) == 1 or not holds_color(hand["cards"], hand["color"]):
        return ""
    stake = hand["aimed"]["stake"] if hand["step"] == ANSWER else 0
    words = {"color": color_in_words(hand["color"]), "count": stake + DRAW_FOUR}
    return _("Bluff: you hold %(color)s. If challenged, you draw %(count)d.") % words


def in_order(cards: Sequence[CardView]) -> list[CardView]:
    """Sort by colour, numbers first; wild cards last."""
    wilds, colors = list(WILDS), list(COLORS)

    def place(card: CardView) -> tuple[int, int, str]:
        if card.code in WILDS:
            return len(colors), wilds.index(card.code), card.key
        return colors.index(card.code[0]), _ORDER[card.code[1]], card.key

    return sorted(cards, key=place)


def in_fans(cards: Sequence[CardView]) -> tuple[tuple[CardView, ...], ...]:
    """Split the cards into fans of at most twelve, the last one in front."""
    rows = max(1, -(-len(cards) // MOST_IN_A_FAN))
    size, more = divmod(len(cards), rows)
    fans, start = [], 0
    for row in range(rows):
        end = start + size + (row >= rows - more)
        fans.append(tuple(cards[start:end]))
        start = end
    return tuple(fans)


def fits_in_words(hand: dict[str, Any], edition: Edition) -> str:
    """Return what matches the discard pile: “Blue, 9 or a wild”."""
    top, color = hand["discard"][-1], hand["color"]
    words = {"color": color_in_words(color).capitalize()}
    if is_wild(top):
        return _("%(color)s or a wild") % words
    face = top[1] if top[1].isdigit() else translate(symbol_in_words(top[1], edition.draw_size))
    return _("%(color)s, %(symbol)s or a wild") % (words | {"symbol": face})


# Questions


def _question(
    seen: dict[str, Any], story: Story, cards: Sequence[CardView], chosen: str, *, toggles: bool
) -> Question | None:
    hand = seen["hand"]
    card = next((card for card in cards if card.code == chosen and card.asks), None)
    if hand["step"] == COLOR:
        text = _("The first card is wild, and you start.")
        return Question("color", _("Which colour?"), text, card=_top(hand))
    if card is not None and card.legal:
        return _about_wild(seen, card, toggles=toggles)
    if card is not None:
        return _about_wrong(card)
    if hand["step"] == DRAWN:
        return _about_drawn(hand, cards, toggles=toggles)
    return _about_answer(hand, story, cards) if hand["step"] == ANSWER else None


def _about_wild(seen: dict[str, Any], card: CardView, *, toggles: bool) -> Question:
    """Ask for its colour and target. A last card has no effect, so it needs no target (OUT-2)."""
    hand, me = seen["hand"], seen["you"]
    targets: tuple[Person, ...] = ()
    aims = card.code == "WL" or (card.code == "WH" and EDITIONS[hand["edition"]].hat_target == "any")
    if aims and hand["step"] != ANSWER and len(hand["cards"]) > 1:
        count = len(hand["counts"])
        seats = [(me + step) % count for step in range(1, count)]
        targets = tuple(Person(at, seen["places"][at]["name"]) for at in seats)
    title = _("Which player and which colour?") if len(targets) > 1 else _("Which colour?")
    return Question(
        "wild",
        title,
        card=card,
        does=does_next(card.code, _deck(hand)),
        risk=card.note,
        targets=targets,
        buttons=(_uno_with("pick"),) if toggles else (),
    )


def _about_wrong(card: CardView) -> Question:
    return Question(
        "wrong",
        _("%(card)s can’t be played now") % {"card": card.name},
        _("Wrong card: draw two and miss the turn."),
        card=card,
        buttons=(Button(_("Play it anyway"), "card", card.code, form="hand"),),
    )


def _about_drawn(hand: dict[str, Any], cards: Sequence[CardView], *, toggles: bool) -> Question:
    """Ask whether to play or keep the drawn card (PLAY-2). With `draw_until_playable` it is the last of several."""
    drawn = next((card for card in cards if card.code == hand["drawn"]), None)
    if drawn is None:
        return Question("drawn", _("You drew"), _("None of these cards can be played."), buttons=(_keep(is_main=True),))
    title = _("You drew %(card)s") % {"card": drawn.name}
    play = Button(_("Play it"), "card", drawn.code, form=drawn.form, css="btn btn-main")
    plays = (_uno_with("hand"), play) if toggles else (play,)
    if _must_play(hand):
        return Question("drawn", title, _("If you can play, you must."), card=drawn, buttons=plays)
    if drawn.code in hand["playable"]:
        effect = does_next(drawn.code, _deck(hand))
        return Question("drawn", title, card=drawn, does=effect, buttons=(_keep(is_main=False), *plays))
    return Question("drawn", title, _("It can’t be played now."), card=drawn, buttons=(_keep(is_main=True),))


def _keep(*, is_main: bool) -> Button:
    return Button(_("Keep it"), "kind", "pass", keys="D", css="btn btn-main" if is_main else "btn")


def _about_answer(hand: dict[str, Any], story: Story, cards: Sequence[CardView]) -> Question:
    """Ask the targeted player (WD4-3, INV-4), whether or not they have a card to answer with."""
    edition = EDITIONS[hand["edition"]]
    card, by, stake = hand["aimed"]["card"], story.names[hand["aimed"]["by"]], hand["aimed"]["stake"]
    words = {"name": by, "card": card_name(card, edition), "count": stake, "lost": stake + LOST_CHALLENGE}
    title = _("%(name)s aims %(card)s at you") % words
    parts = []
    if card == "WD":
        title = _("Does %(name)s still hold %(color)s?") % (words | {"color": _color_before(story)})
        parts.append(_("If so, %(name)s draws %(count)d. If not, you draw %(lost)d. Only you see the cards.") % words)
    if "stacking" in hand["options"] and any(own.legal and own.code != "WI" for own in cards):
        parts.append(_("You can add a draw card."))
    buttons = [Button(_accept_words(card, stake), "kind", "accept", keys="A")]
    if card == "WD":
        buttons.append(Button(_("Challenge it"), "kind", "challenge", keys="X", css="btn btn-main"))
    if edition.invisibility:
        parts.append(_("Invisibility cancels it."))
        buttons.append(_cancel(cards, edition))
    return Question("answer", title, " ".join(parts), card=_top(hand), buttons=tuple(buttons))


def _top(hand: dict[str, Any]) -> CardView:
    """Return the top of the discard pile."""
    edition, card = EDITIONS[hand["edition"]], hand["discard"][-1]
    return CardView("", card, symbol(card, edition), card_name(card, edition))


def _deck(hand: dict[str, Any]) -> Deck:
    return Deck(hand["edition"], frozenset(hand["options"]), len(hand["counts"]) == 2)


def _cancel(cards: Sequence[CardView], edition: Edition) -> Button:
    """Return the button for Invisibility, which appears whether or not the player has the card."""
    held = next((own for own in cards if own.code == "WI"), None)
    name = card_name("WI", edition)
    if held is not None and held.legal:
        return Button(name, "card", "WI", form="choose")
    return Button(name, why=_("You don’t have %(card)s.") % {"card": name})


def _color_before(story: Story) -> str:
    return color_in_words(story.before) if story.before else _("the colour")


def _accept_words(card: str, stake: int) -> str:
    if stake:
        return ngettext("Draw %(count)d", "Draw %(count)d", stake) % {"count": stake}
    return _("Show my cards") if card == "WL" else _("Miss this turn")


# Shown cards


def cards_just_shown(hand: dict[str, Any], story: Story, me: int | None) -> RevealedCards | None:
    """Return the last shown cards that the viewer may see, until each player has had a turn."""
    edition = EDITIONS[hand["edition"]]
    recent = [line for line in story.lines if not line.undone][-len(hand["counts"]) :]
    if not recent:
        return None
    for n in range(len(hand["events"]) - 1, recent[0].first - 1, -1):
        event = hand["events"][n]
        if event["type"] != "show" or not event.get("cards") or event["seat"] == me:
            continue
        words = {"name": story.names[event["seat"]], "card": card_name("WC", edition)}
        titles = {
            "challenge": _("%(name)s’s cards, only for you"),
            "howler": _("%(name)s’s cards, for everyone"),
            "creeper": _("%(name)s drew a %(card)s"),
        }
        cards = tuple(
            CardView(f"{at}", code, symbol(code, edition), card_name(code, edition))
            for at, code in enumerate(event["cards"])
        )
        return RevealedCards(titles[event["reason"]] % words, cards)
    return None


def top_in_words(hand: dict[str, Any], edition: Edition) -> str:
    """Return the top of the discard pile, with its chosen colour."""
    top = hand["discard"][-1]
    return played_card(top, hand["color"] if is_wild(top) else "", edition)
