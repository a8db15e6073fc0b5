"""Of the independent referee: reading the lines of a hand one by one, and what is said when one is wrong."""

import re
from typing import NoReturn

Line = dict


class Unreadable(Exception):
    """No log of whole hands recorded this version: not JSON, cut, another version, an unknown edition or table."""


class Fault(Exception):
    """The first line of a hand that the rules do not allow, or that stands where another is missing."""

    def __init__(self, hand: int, n: int, rule: str, sentence: str):
        super().__init__(f"hand {hand} n {n} {rule}: {sentence}")
        self.hand, self.n, self.rule, self.sentence = hand, n, rule, sentence


class Cut(Exception):
    """The lines are over before the hand is."""


class Lines:
    """The lines of one hand, read in order; every reader of a field faults one that is missing or of another kind."""

    players = 0  # known after `start`

    def __init__(self, lines: list[Line]):
        self.lines, self.at = lines, 0
        self.line = lines[0]  # the line that is judged

    def fault(self, rule: str, sentence: str) -> NoReturn:
        raise Fault(self.line["hand"], self.line["n"], rule, sentence)

    def must(self, allowed: bool, rule: str, sentence: str) -> None:
        if not allowed:
            self.fault(rule, sentence)

    def peek(self) -> Line:
        if self.at == len(self.lines):
            raise Cut
        self.line = self.lines[self.at]
        return self.line

    def next_is(self, *kinds: str) -> bool:
        return self.peek().get("type") in kinds

    def take(self, kind: str, rule: str) -> Line:
        self.must(self.next_is(kind), rule, f"{kind} is missing: {self.line.get('type')} stands in its place")
        self.at += 1
        return self.line

    def flag(self, name: str) -> bool:
        value = self.line.get(name, False)
        self.must(isinstance(value, bool), "LOG", f"{name} is true, false or absent")
        return value

    def seat(self, name: str = "seat") -> int:
        seat = self.line.get(name)
        self.must(is_whole(seat) and 0 <= seat < self.players, "LOG", f"{name} is no seat of this table")
        return seat

    def cards(self) -> list[str]:
        cards = self.line.get("cards")
        texts = isinstance(cards, list) and all(isinstance(card, str) for card in cards)
        self.must(texts, "LOG", "cards is a list of card codes")
        return cards

    def by(self, seat: int, rule: str) -> None:
        found = self.seat()
        self.must(found == seat, rule, f"{self.line['type']} is for seat {seat}, not for seat {found}")


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def as_bytes(text: object) -> bytes | None:
    """What hexadecimal text stands for; None if it is no such text."""
    if not isinstance(text, str) or not re.fullmatch(r"(?:[0-9a-fA-F]{2})*", text):
        return None
    return bytes.fromhex(text)
