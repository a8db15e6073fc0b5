"""Editions with their flags, and the names of scorings and options, as data.

A new edition is a new entry of `EDITIONS`; code reads its flags, never its key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from engine import cards
from engine.sentences import Sentence, mark

MIN_PLAYERS = 2
MAX_PLAYERS = 10
TEAM_PLAYERS = 4
DEFAULT_TARGET = 500

LOG_VERSION = 2
LOG_VERSIONS = (1, LOG_VERSION)  # readable; version 1 has no PLAY-8 and no commitments to entropy

WINNER_TAKES = "winner-takes"  # SCORE-2
LOWEST_TOTAL = "lowest-total"  # SCORE-3
CHALLENGE = "challenge"  # SCORE-4

SCORINGS: Mapping[str, str] = MappingProxyType(
    {
        WINNER_TAKES: mark("Winner takes the points"),
        LOWEST_TOTAL: mark("Lowest total wins"),
        CHALLENGE: mark("Challenge (eliminated at the target)"),
    }
)

OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "penalise_wrong_card": mark("Wrong card: draw two and miss the turn"),
        "stacking": mark("Draw cards can be stacked"),
        "draw_until_playable": mark("Draw until you can play"),
        "no_bluff": mark("Wild Draw Four only if you have no card of the colour"),
        "must_play": mark("You must play if you can"),
    }
)


@dataclass(frozen=True)
class Edition:
    """One edition of the game: its deck in the order before the first shuffle, and its rule flags."""

    key: str
    name: str
    deck: tuple[str, ...]
    draw_size: int = 2  # cards drawn for the draw card (ACT-1)
    hat_target: Literal["any", "next"] | None = None  # HAT-1, HAT-2
    gryffindor: frozenset[int] = frozenset()  # numbers that end the hat's draw (HAT-3)
    uno_window: Literal["turn-begins", "turn-played"] = "turn-begins"  # the event that closes it: UNO-3, UNO-5
    dealer_birthday: tuple[int, int] | None = None  # month and day of DEAL-2; without it DEAL-1
    invisibility: bool = False  # every targeted player must answer (INV-1 to INV-4)
    french_leaflet: bool = False  # French card names follow this edition's own leaflet

    @property
    def specials(self) -> tuple[str, ...]:
        """Return the cards that not every edition has, once each."""
        return tuple(dict.fromkeys(card for card in self.deck if card in cards.WILDS and card not in ("W", "WD")))

    def card_name(self, card: str) -> str:
        """Return the card in words, as this edition calls it. Raises `cards.UnknownCard`."""
        return cards.name(card, self.draw_size)

    def card_in_words(self, card: str) -> Sentence:
        """Return the same, for translation. Raises `cards.UnknownCard`."""
        return cards.in_words(card, self.draw_size, french_leaflet=self.french_leaflet)


_ALL = (
    Edition(
        key="harry-potter-2018",
        name=mark("Harry Potter (2018)"),
        deck=cards.full_deck(["WH"] * 4),
        hat_target="any",
        gryffindor=frozenset({1, 2, 3, 4}),
    ),
    Edition(
        key="harry-potter-unorules",
        name=mark("Harry Potter (hat for the next player)"),
        deck=cards.full_deck(["WH"] * 4),
        hat_target="next",
        gryffindor=frozenset({1, 2, 3, 4}),
        uno_window="turn-played",
    ),
    Edition(
        key="minecraft-2017",
        name=mark("Minecraft (2017)"),
        deck=cards.full_deck(["WC"] * 4),
    ),
    Edition(
        key="harry-potter-fr",
        name=mark("Harry Potter (French leaflet)"),
        deck=cards.full_deck(["WL", "WI"]),
        draw_size=3,
        dealer_birthday=(7, 31),
        invisibility=True,
        french_leaflet=True,
    ),
    Edition(
        key="classic",
        name=mark("Classic"),
        deck=cards.full_deck(),
    ),
)

EDITIONS: Mapping[str, Edition] = MappingProxyType({edition.key: edition for edition in _ALL})
