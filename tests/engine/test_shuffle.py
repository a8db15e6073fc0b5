"""The shuffle against the rule book, worked out here once more, and against statistics.

`WILD_FUZZ=1000000` is the full size of the statistics. Their seeds are fixed: they pass or fail, always.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import chain, islice
from math import sqrt

import pytest

from engine.hand import apply, deal
from engine.rules import EDITIONS
from engine.shuffle import ENTROPY_BYTES, SEED_BYTES, Stream, commitment, fresh_seed, promise, shuffle, stream
from engine.state import Rules

SHUFFLES = max(int(os.environ.get("WILD_FUZZ") or 0), 20_000)
SEED = bytes(range(72))
NAMES = ("Ana Lucía", "Benoît")
pytestmark = [pytest.mark.timeout(3600), pytest.mark.slow]


# The rule book's words, as slowly as they are read


def numbers_of(key: bytes) -> Iterator[int]:
    """sha256(key ‖ counter as 4 bytes big-endian), counter 0, 1, 2, …, read as big-endian 16-bit numbers."""
    counter = 0
    while True:
        block = hashlib.sha256(key + bytes([counter >> 24, counter >> 16 & 255, counter >> 8 & 255, counter & 255]))
        digest = block.digest()
        for at in range(0, 32, 2):
            yield digest[at] * 256 + digest[at + 1]
        counter += 1


def shuffled(cards: list[str], numbers: Iterator[int]) -> list[str]:
    """Fisher-Yates from the last index down to 1; index i swaps with j in 0..i."""
    cards = list(cards)
    i = len(cards) - 1
    while i >= 1:
        x = next(numbers)
        if x < 65536 - 65536 % (i + 1):
            j = x % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]
            i -= 1
    return cards


def test_the_stream_is_sha256_of_key_and_counter() -> None:
    assert list(islice(stream(SEED), 16)) == [
        int(hashlib.sha256(SEED + b"\0\0\0\0").hexdigest()[at : at + 4], 16) for at in range(0, 64, 4)
    ]
    assert list(islice(stream(SEED), 5000)) == list(islice(numbers_of(SEED), 5000))


def test_the_first_numbers_of_known_keys_stay_as_they_are() -> None:
    """Written down once, from sha256sum: a log must be verifiable for ever."""
    assert list(islice(stream(bytes(72)), 4)) == [62144, 54597, 27288, 16077]
    assert list(islice(stream(SEED, [b"\xab\xcd", None]), 4)) == [50112, 9342, 12675, 49841]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_deck_is_dealt_in_the_order_that_the_rule_book_gives(edition: str) -> None:
    suits = {color: [color + face for face in "0112233445566778899SSRRDD"] for color in "RYGB"}
    special = {"minecraft-2017": ["WC"] * 4, "harry-potter-fr": ["WL", "WI"], "classic": []}.get(edition, ["WH"] * 4)
    deck = [*chain(*suits.values()), *["W"] * 4, *["WD"] * 4, *special]
    for number in range(20):
        seed = hashlib.sha512(bytes([number])).digest() + bytes(8)
        hand = deal(Rules(EDITIONS[edition]), ("Ana Lucía", "Benoît"), dealer=0, seed=seed)
        assert list(hand.deck) == shuffled(deck, numbers_of(seed))
        deals = {event[1]: event[2] for event in hand.log if event[0] == "deal"}
        assert deals == {1: hand.deck[0:14:2], 0: hand.deck[1:14:2]}  # DEAL-4: from the left of the dealer


def test_entropy_is_appended_by_seat_and_nulls_are_left_out() -> None:
    def first(*entropy: bytes | None) -> list[int]:
        return list(islice(stream(SEED, entropy), 40))

    assert first(b"one", None, b"two") == list(islice(numbers_of(SEED + b"one" + b"two"), 40))
    assert first(b"two", b"one") != first(b"one", b"two")
    assert first(None, b"") == first() == list(islice(numbers_of(SEED), 40))
    rules, names = Rules(EDITIONS["classic"]), ("Ana Lucía", "Benoît", "Chidi")
    given = (b"\1", None, b"\2\3")
    promises = [None if extra is None else hashlib.sha256(extra).hexdigest() for extra in given]
    hand = deal(rules, names, dealer=0, seed=SEED, entropy=given, promised=promises)
    assert list(hand.deck) == shuffled(list(EDITIONS["classic"].deck), numbers_of(SEED + b"\1\2\3"))
    assert hand.log[0][-1] == ("01", None, "0203")


def test_the_commitment_is_the_hash_of_the_72_bytes() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    hand = deal(Rules(EDITIONS["classic"]), ("Ana Lucía", "Benoît"), dealer=0, seed=SEED)
    assert hand.log[0][-3] == hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize(
    ("promised", "opened", "said"),
    [
        ((promise(b"x"), None), (b"x", b"y"), "Seat 1 opened entropy that it had not promised"),
        ((promise(b"x"), promise(b"z")), (b"x", b"y"), "Seat 1 opened entropy that it had not promised"),
        ((promise(b"x").upper(), None), (b"x", None), "Seat 0 promised what is no SHA-256"),
        (("x", None), (None, None), "Seat 0 promised what is no SHA-256"),
        ((promise(b"x"),), (b"x", None), "list by seat"),
        (None, (b"x", None), "Seat 0 opened"),
    ],
)  # fmt: skip
def test_what_was_not_promised_is_not_taken(promised, opened, said) -> None:
    with pytest.raises(ValueError, match=said):
        deal(Rules(EDITIONS["classic"]), NAMES, dealer=0, seed=SEED, entropy=opened, promised=promised)


def test_who_promised_may_refuse_to_open_and_the_log_says_so() -> None:
    rules, promises = Rules(EDITIONS["classic"]), (promise(b"x"), None)
    hand = deal(rules, NAMES, dealer=0, seed=SEED, entropy=(None, None), promised=promises)
    assert hand.deck == deal(rules, NAMES, dealer=0, seed=SEED).deck
    assert hand.log[0][-2:] == (promises, (None, None))


@pytest.mark.parametrize("length", [0, 71, 73])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="72 bytes"):
        stream(bytes(length))


def test_more_entropy_than_allowed_is_refused() -> None:
    assert next(stream(SEED, [bytes(ENTROPY_BYTES)])) == next(numbers_of(SEED + bytes(32)))
    with pytest.raises(ValueError, match="at most 32 bytes"):
        stream(SEED, [None, bytes(ENTROPY_BYTES + 1)])
    with pytest.raises(ValueError, match="list by seat"):
        deal(Rules(EDITIONS["classic"]), ("Ana Lucía", "Benoît"), dealer=0, seed=SEED, entropy=(None,))


def test_real_seeds_are_72_bytes_and_never_the_same() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {SEED_BYTES} == {72}


@pytest.mark.parametrize("size", [0, 1, 2, 3, 15, 16, 17, 54, 112, 256, 1120])
def test_shuffles_of_every_size_follow_the_rule_book_and_go_on_in_the_stream(size: int) -> None:
    cards, mine, theirs = [str(card) for card in range(size)], stream(SEED), numbers_of(SEED)
    rightful = list(cards)
    for _ in range(30):
        shuffle(cards, mine)
        rightful = shuffled(rightful, theirs)
        assert cards == rightful
    assert next(mine) == next(theirs)  # nothing was read ahead


def test_a_number_that_would_make_some_cards_likelier_is_not_taken() -> None:
    cards = ["a", "b", "c"]
    shuffle(cards, iter([65535, 65535, 2, 1]))  # 65535 would be the 21 846th that gives 0
    assert cards == ["a", "b", "c"]
    shuffle(cards, iter([65534, 65535]))
    assert cards == ["a", "b", "c"]
    shuffle(cards, iter([65533, 65534]))
    assert cards == ["c", "a", "b"]


def test_reshuffles_go_on_in_the_stream_over_the_cards_as_they_lie() -> None:
    """PLAY-6: the discard pile but its top, oldest first."""
    reshuffles = 0
    for number in range(40):
        seed = hashlib.sha512(b"reshuffle%d" % number).digest() + bytes(8)
        hand = deal(Rules(EDITIONS["classic"]), ("Ana Lucía", "Benoît"), dealer=0, seed=seed)
        numbers = numbers_of(seed)
        shuffled(list(hand.deck), numbers)
        if hand.log[3][2] or hand.public.step == "color":
            continue  # a card was returned, which is another test
        lying = list(hand.public.discard)
        for _ in range(400):
            turn = hand.public.turn
            cards = [card for card in hand.cards[turn] if card[0] == hand.public.color and card[1].isdigit()]
            before = len(hand.log)
            if cards and len(hand.cards[turn]) > 2 and hand.public.step == "turn":
                apply(hand, ("play", turn, cards[0], None, None, False))
                lying.append(cards[0])
            elif hand.public.step == "turn" and hand.public.can_draw:
                apply(hand, ("draw", turn))
            elif not hand.over:
                apply(hand, ("pass", turn))
            for event in hand.log[before:]:
                if event[0] == "reshuffle":
                    reshuffles += 1
                    assert list(event[1]) == shuffled(lying[:-1], numbers)
                    lying = lying[-1:]
    assert reshuffles > 20


def test_a_returned_card_is_shuffled_into_the_draw_pile_from_its_end() -> None:
    """OPEN-6."""
    returned = 0
    for number in range(400):
        seed = hashlib.sha512(b"returned%d" % number).digest() + bytes(8)
        hand = deal(Rules(EDITIONS["harry-potter-fr"]), ("Ana Lucía", "Benoît"), dealer=0, seed=seed)
        numbers = numbers_of(seed)
        shuffled(list(hand.deck), numbers)
        pile = list(hand.deck[14:])
        for event, following in zip(hand.log[3:], hand.log[4:], strict=False):
            if event[0] == "turn_up" and event[2]:
                returned += 1
                assert event[1] == pile[0]
                pile = shuffled([*pile[1:], pile[0]], numbers)
                assert following == ("reshuffle", tuple(pile))
    assert returned > 5


# Statistics

CARDS = 16


def limit(groups: int) -> float:
    """The 99 % quantile of chi-square for (groups - 1)² degrees of freedom, by Wilson and Hilferty."""
    freedom = (groups - 1) ** 2
    return freedom * (1 - 2 / (9 * freedom) + 2.3263 * sqrt(2 / (9 * freedom))) ** 3


Shuffle = Callable[[list[str], Stream], object]


def chi_square(shuffle: Shuffle, shuffles: int, numbers: Stream, cards: int = CARDS, together: int = 1) -> float:
    """How far cards × places are from equally often, over that many shuffles of one sorted deck.

    Cards, and places, are counted `together`. Each card has one place and each place one card; that makes Pearson's sum
    larger by cards / (cards - 1) than independent counts would be, which is taken back.
    """
    groups = cards // together
    counts = [[0] * groups for _ in range(groups)]
    sorted_deck = [str(card) for card in range(cards)]
    group = {card: number // together for number, card in enumerate(sorted_deck)}
    for _ in range(shuffles):
        deck = [*sorted_deck]
        shuffle(deck, numbers)
        for place, card in enumerate(deck):
            counts[place // together][group[card]] += 1
    expected = shuffles * cards / groups**2
    return sum((count - expected) ** 2 / expected for row in counts for count in row) * (cards - 1) / cards


def fixed(name: str) -> Stream:
    return stream(hashlib.sha512(name.encode()).digest() + bytes(8))


def any_index(cards: list[str], numbers: Stream) -> None:
    """Planted: every index swaps with any other, so that n^n ways make n! orders."""
    for i in range(len(cards)):
        j = next(numbers) % len(cards)
        cards[i], cards[j] = cards[j], cards[i]


def eight_bits(cards: list[str], numbers: Stream) -> None:
    """Planted: numbers of 8 bits, and none is left out, so that small ones are likelier."""
    for i in range(len(cards) - 1, 0, -1):
        j = next(numbers) % 256 % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]


def never_itself(cards: list[str], numbers: Stream) -> None:
    """Planted: j below i instead of up to i (Sattolo): no card stays where it is."""
    for i in range(len(cards) - 1, 0, -1):
        j = next(numbers) % i
        cards[i], cards[j] = cards[j], cards[i]


def not_the_last(cards: list[str], numbers: Stream) -> None:
    """Planted: one step too few, so that the first two cards are never swapped by it."""
    for i in range(len(cards) - 1, 1, -1):
        j = next(numbers) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]


def test_every_card_comes_to_every_place_equally_often() -> None:
    assert chi_square(shuffle, SHUFFLES, fixed("chi-square")) < limit(CARDS)


@pytest.mark.parametrize("planted", [any_index, eight_bits, never_itself, not_the_last])
def test_the_same_test_fails_on_a_biased_shuffle(planted: Shuffle) -> None:
    assert chi_square(planted, SHUFFLES, fixed("chi-square")) > limit(CARDS)


def test_a_whole_deck_comes_to_every_place_equally_often() -> None:
    """Sixteen cards and sixteen places together, which shows a drift over the deck."""
    found = chi_square(shuffle, SHUFFLES // 10, fixed("deck"), cards=112, together=16)
    assert found < limit(7)


def test_the_seeds_of_these_statistics_are_no_lucky_ones() -> None:
    """Of other seeds, too, about one in a hundred is over the line of 99 %: of 60 hardly more than 3."""
    others = [fixed(f"other {number}") for number in range(60)]
    found = [chi_square(shuffle, 800, numbers, cards=8) for numbers in others]
    assert sum(one > limit(8) for one in found) <= 3
    assert 45 < sum(found) / len(found) < 53  # 49 degrees of freedom
