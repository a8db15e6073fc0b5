"""The lots of a seating, from a seed."""

from collections.abc import Hashable, Sequence
from hashlib import sha256
from typing import TypeVar

P = TypeVar("P", bound=Hashable)


class Dice:
    """Numbers from a seed, the same in every version of Python; fast, and not for cards."""

    def __init__(self, seed: str) -> None:
        self._state = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")

    def below(self, sides: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 33) * sides >> 31

    def shuffled(self, items: Sequence[P]) -> list[P]:
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed
