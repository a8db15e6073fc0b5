"""Of the independent referee: editions, decks, points and the shuffle, written from the rule book alone."""

import hashlib
from dataclasses import dataclass

COLORS = "RYGB"


@dataclass(frozen=True)
class Edition:
    specials: tuple[str, ...] = ()
    draw_card: int = 2
    hat_rule: str = "HAT-1"  # or HAT-2, whose target is the next player
    late_window: bool = False  # UNO-5
    asks: bool = False  # INV-4


EDITIONS = {
    "harry-potter-2018": Edition(("WH",) * 4),
    "harry-potter-unorules": Edition(("WH",) * 4, hat_rule="HAT-2", late_window=True),
    "minecraft-2017": Edition(("WC",) * 4),
    "harry-potter-fr": Edition(("WL", "WI"), draw_card=3, asks=True),
    "classic": Edition(),
}


def deck_of(edition: Edition) -> list[str]:
    """The deck before the shuffle."""
    ranks = ["0", *(rank for number in "123456789" for rank in number * 2), *"SSRRDD"]
    return [color + rank for color in COLORS for rank in ranks] + ["W"] * 4 + ["WD"] * 4 + list(edition.specials)


def points(card: str) -> int:
    """SCORE-1."""
    if card[0] == "W":
        return 50
    return int(card[1]) if card[1].isdigit() else 20


def is_gryffindor(card: str) -> bool:
    """HAT-3."""
    return symbol(card) in tuple("1234")


def symbol(card: str) -> str:
    """What can match beside the colour: number, S, R, D; of a wild the whole code."""
    return card if card[0] == "W" else card[1]


class Stream:
    """SHUFFLE: one stream of 16-bit numbers for all shuffles of a hand."""

    def __init__(self, key: bytes):
        self.key, self.counter, self.numbers = key, 0, []

    def number(self) -> int:
        if not self.numbers:
            block = hashlib.sha256(self.key + self.counter.to_bytes(4, "big")).digest()
            self.counter += 1
            self.numbers = [int.from_bytes(block[at : at + 2], "big") for at in range(0, 32, 2)]
        return self.numbers.pop(0)

    def shuffled(self, cards: list[str]) -> list[str]:
        cards = list(cards)
        for i in range(len(cards) - 1, 0, -1):
            x = self.number()
            while x >= 65536 - 65536 % (i + 1):
                x = self.number()
            j = x % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards
