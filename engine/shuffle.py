"""Shuffles that neither the server nor a player can steer and that anybody can check afterwards.

The order of steps: draw a seed, publish its commitment, take the players' entropy, shuffle with the stream of both,
reveal the seed when the hand is over (docs/rules.md, "The shuffle").
"""

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count, islice
from struct import Struct
from typing import Final

SEED_BYTES = 72  # a deck of 112 cards has more orders than 256 bits can name
ENTROPY_BYTES = 32  # at most, for each player
DEALER = b"dealer"  # stands for entropy in the key of the stream that says who deals

_NUMBERS: Final = Struct(">16H")
_HASH: Final = re.compile("[0-9a-f]{64}")

Stream = Iterator[int]


def fresh_seed() -> bytes:
    """72 bytes from the operating system, for a real hand."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Return the commitment, published before any entropy is accepted, in hexadecimal."""
    return sha256(seed).hexdigest()


def promise(entropy: bytes) -> str:
    """Return the commitment to a player's entropy, published before any is revealed: its hash, in hexadecimal."""
    return sha256(entropy).hexdigest()


def check_promises(promised: Sequence[str | None], entropy: Sequence[bytes | None]) -> None:
    """Check that each seat revealed the share it committed to. Raises ValueError that names the seat."""
    if len(promised) != len(entropy):
        raise ValueError("What was promised is a list by seat.")
    for seat, (digest, opened) in enumerate(zip(promised, entropy, strict=True)):
        if digest is not None and not _HASH.fullmatch(digest):
            raise ValueError(f"Seat {seat} promised what is no SHA-256 in lower-case hexadecimal.")
        if opened is not None and digest != promise(opened):
            raise ValueError(f"Seat {seat} opened entropy that it had not promised.")


def stream(seed: bytes, entropy: Sequence[bytes | None] = ()) -> Stream:
    """Endless 16-bit numbers from SHA-256 of the key and a counter; the key is the seed and the entropy by seat.

    Raises ValueError for a seed of another length or entropy that is too long.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    parts = [extra for extra in entropy if extra is not None]
    if any(len(extra) > ENTROPY_BYTES for extra in parts):
        raise ValueError(f"A player gives at most {ENTROPY_BYTES} bytes of entropy.")
    keyed = sha256(b"".join((seed, *parts)))

    def block(counter: int) -> tuple[int, ...]:
        hashed = keyed.copy()
        hashed.update(counter.to_bytes(4, "big"))
        return _NUMBERS.unpack(hashed.digest())

    return chain.from_iterable(map(block, count()))


def dealer_numbers(seed: bytes) -> Stream:
    """Return the numbers for drawing who deals first (DEAL-1): a stream of its own, which takes nothing from the
    shuffle's."""
    return stream(seed, (DEALER,))


def chooser(numbers: Stream) -> Callable[[int], int]:
    """Return a function that gives 0..n-1, each as likely, n at most 65536; the shuffle takes its indices in the same
    way."""

    def below(choices: int) -> int:
        limit = 65536 - 65536 % choices
        return next(number for number in numbers if number < limit) % choices

    return below


class Shuffler:
    """The shuffles of one hand, all by one stream. A copy goes on where this one stands."""

    __slots__ = ("_entropy", "_rest", "_seed", "_taken")

    def __init__(self, seed: bytes, entropy: Sequence[bytes | None] = (), taken: int = 0) -> None:
        self._seed, self._entropy, self._taken = seed, tuple(entropy), taken
        self._rest: Stream | None = None  # made with the first shuffle: most copies never need one

    def copy(self) -> "Shuffler":
        return Shuffler(self._seed, self._entropy, self._taken)

    def shuffle(self, cards: list[str]) -> None:
        """Shuffle in place with the numbers after those of the last shuffle. Raises ValueError as `stream` does."""
        if self._rest is None:
            self._rest = stream(self._seed, self._entropy)
            next(islice(self._rest, self._taken, self._taken), None)  # go past what was taken
        self._taken += shuffle(cards, self._rest)


def shuffle(cards: list[str], numbers: Stream) -> int:
    """Fisher-Yates in place, from the last index down to 1. Returns how many numbers it took."""
    size = len(cards)
    taken = max(0, size - 1)
    # Index i takes numbers below 65536 - 65536 % (i + 1), so that 0..i are equally likely; `surely` is below them all.
    surely = 65536 - size
    # zip asks for the index first, so that no number is read after the last one.
    for i, choices, number in zip(range(size - 1, 0, -1), range(size, 1, -1), numbers):  # noqa: B905 compiled so
        while number >= surely and number >= 65536 - 65536 % choices:
            number = next(numbers)
            taken += 1
        j = number % choices
        cards[i], cards[j] = cards[j], cards[i]
    return taken
