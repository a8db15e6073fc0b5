"""What each card does at a table, in two or three short sentences.

They depend on the edition, the house rules and the number of players, so all viewers of a table read the same.
"""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.cards import points
from engine.rules import EDITIONS, Edition
from league.rulebook.editions import Kind, kinds

NUMBER = ""  # the face of all number cards


@dataclass(frozen=True)
class Deck:
    """What the effects of cards depend on. `two`: whether two players are dealt in (TWO-1 to TWO-3)."""

    edition: str
    options: frozenset[str]
    two: bool


@dataclass(frozen=True)
class CardHelp:
    """A kind of card. `face`: its code without the colour, empty for numbers. `points`: None if they are its number.

    `rule`: the id of the rule that `does` explains.
    """

    face: str
    symbol: str
    name: str
    does: str
    points: int | None
    rule: str

    @property
    def worth(self) -> str:
        if self.points is None:
            return _("Worth its number")
        return ngettext("%(count)d point in your hand", "%(count)d points in your hand", self.points) % {
            "count": self.points
        }


def card_helps(deck: Deck) -> tuple[CardHelp, ...]:
    """Return the help of each kind of card in the deck, numbers first."""
    return _card_helps(deck, get_language())


@lru_cache(64)
def _card_helps(deck: Deck, _language: str | None) -> tuple[CardHelp, ...]:
    return tuple(_help(kind, deck) for kind in kinds(EDITIONS[deck.edition]))


def does_next(card: str, deck: Deck) -> str:
    """Return what a wild card does after the choice of its colour, for the question about it; empty for a plain one."""
    effect = _more_than_color(card, deck, EDITIONS[deck.edition])
    return effect % _words(EDITIONS[deck.edition]) if effect else ""


def _help(kind: Kind, deck: Deck) -> CardHelp:
    card = kind.pictures[0].card
    return CardHelp(
        face=kind.face,
        symbol=kind.pictures[0].symbol,
        name=kind.name,
        does=" ".join(_sentences(kind.face, deck)),
        points=points(card) if kind.face else None,
        rule=_rule(kind, deck),
    )


def _rule(kind: Kind, deck: Deck) -> str:
    with_two = {"R": "TWO-1", "S": "TWO-2"} if deck.two else {}
    return with_two.get(kind.face) or (kind.rules[0] if kind.rules else "PLAY-1")


def _sentences(face: str, deck: Deck) -> list[str]:
    edition = EDITIONS[deck.edition]
    texts = [_effect(face, deck, edition) % _words(edition)]
    if "stacking" in deck.options and face in ("D", "WD"):
        texts.append(_("The next player may add another one instead."))
    if "no_bluff" in deck.options and face == "WD":
        texts.append(_("You need to be without a card of the colour in play."))
    if edition.invisibility and face in ("D", "S", "WD", "WL"):
        texts.append(_("Invisibility cancels it."))
    return texts


def _words(edition: Edition) -> dict[str, object]:
    return {"count": edition.draw_size, "numbers": ", ".join(map(str, sorted(edition.gryffindor)))}


def _effect(face: str, deck: Deck, edition: Edition) -> str:
    if deck.two and face in ("R", "S"):
        return _("You play again.")
    if deck.two and face == "D":
        return _("The other player draws %(count)d, and you play again.")
    if more := _more_than_color(face, deck, edition):
        chooses = _("You choose the colour.")
        return f"{chooses} {more}"
    return {
        NUMBER: _("It fits on its colour and on its number. It has no effect."),
        "D": _("The next player draws %(count)d and misses the turn."),
        "R": _("Play changes direction."),
        "S": _("The next player misses the turn."),
        "W": _("It fits on everything. You choose the colour."),
    }[face]


def _more_than_color(face: str, deck: Deck, edition: Edition) -> str:
    if face == "WH" and edition.hat_target == "next":
        return _("The next player draws until a %(numbers)s comes.")
    if face == "WD" and deck.two:
        return _("The other player draws 4 and you play again, unless you are challenged.")
    return {
        "WD": _("The next player draws 4 and misses the turn, or challenges you."),
        "WH": _("You also choose a player, who draws until a %(numbers)s comes."),
        "WC": _("A player who draws it shows it and draws 3 more."),
        "WL": _("You also choose a player, who shows all cards."),
        "WI": _("It cancels an action card aimed at you. On your turn it is a wild."),
    }.get(face, "")
