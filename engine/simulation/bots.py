"""Players made of code, for empty seats, demo data and simulations. A bot is told what its seat may know and no more.

`random` decides only what a bot feels like; no card is shuffled with it.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from engine import cards as codes
from engine import legal
from engine.cards import COLORS, WILDS
from engine.state import ANSWER, COLOR, DRAWN, MATCHES, TURN, Action, Public

_COLORS: Final = tuple(COLORS)
BLUFFS = 0.1  # the share of possible bluffs that are played, as a sharp bot believes
FORGETS, OVERLOOKS, DARES = 0.25, 0.5, 0.25  # how often an easy bot fails to call, fails to catch, bluffs


class Bot(Protocol):
    """Answers for a seat. `cards` are its own and must not be changed; `drawn` is the card that it drew this turn."""

    def choose(self, public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
        """Return the action of the seat that the hand waits for."""
        ...

    def interrupt(self, public: Public, seat: int, cards: Sequence[str]) -> Action | None:
        """Call UNO late or catch a player while `public.uno` is not empty; None to do neither."""
        ...


class RandomBot:
    """Plays any card that fits; draws by choice, forgets UNO, bluffs, challenges and catches now and then.

    Two kinds make rare things common, for tests: a `stubborn` one draws whenever it can, so that the pile runs out and
    hands are blocked; a `bold` one mostly forgets UNO and bluffs, and challenges and catches half of the time.
    """

    def __init__(self, rng: random.Random, *, stubborn: bool = False, bold: bool = False) -> None:
        self.rng = rng
        self.random = rng.random
        self.bits = rng.getrandbits
        self.stubborn = stubborn
        self.by_choice = 0.97 if stubborn else 0.02  # how often it draws although a card fits
        self.honest = 0.1 if bold else 0.9
        self.calls = 0.3 if bold else 0.97  # how often it calls UNO with the play
        self.challenges = 0.5 if bold else 0.1
        self.sleeps = 0.5 if bold else 0.7  # how often it overlooks that it or another has forgotten UNO

    def choose(self, public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
        count = len(cards)
        if public.step == TURN:
            fitting = MATCHES[public.in_play]
            start = self.bits(16) % count
            for place in range(start - count, start):  # the first card that fits, from a random place on
                card = cards[place]
                if card in fitting:
                    break
            else:
                return ("draw", seat) if public.can_draw else ("pass", seat)
            if self.random() < self.by_choice and not public.rules.must_play:
                return self._instead(public, seat, cards)
            if card == "WD" and (self.random() < self.honest or public.rules.no_bluff):  # mostly honest
                card = next((other for other in cards if other in fitting and other != "WD"), "WD")
        elif public.step == DRAWN:
            if drawn is None or drawn not in MATCHES[public.in_play]:
                return ("pass", seat)
            if public.rules.options and drawn not in legal.playable(public, cards, drawn):
                return ("pass", seat)
            if self.stubborn and not legal.must_play(public, cards, drawn):
                return ("pass", seat)
            card = drawn
        elif public.step == ANSWER:
            return self._answer(public, seat, cards)
        else:
            return ("color", seat, self._color())
        uno = count == 2 and self.random() < self.calls
        if card not in WILDS:
            return ("play", seat, card, None, None, uno)
        return ("play", seat, card, self._color(), self._target(public, seat, card), uno)

    def _instead(self, public: Public, seat: int, cards: Sequence[str]) -> Action:
        """Draw although a card fits; or play a card that does not fit, where that costs something (PEN-1)."""
        wrong = [card for card in cards if card not in MATCHES[public.in_play]]
        if wrong and public.rules.penalise_wrong_card and self.random() < 0.5:
            return ("play", seat, self.rng.choice(wrong), None, None, False)
        return ("draw", seat) if public.can_draw else ("pass", seat)

    def _color(self) -> str:
        return _COLORS[int(self.random() * 4)]

    def _target(self, public: Public, seat: int, card: str) -> int | None:
        if card not in ("WH", "WL") or public.rules.edition.hat_target == "next":
            return None
        return (seat + 1 + int(self.random() * (public.players - 1))) % public.players

    def _answer(self, public: Public, seat: int, cards: Sequence[str]) -> Action:
        playable = legal.playable(public, cards, None)
        if playable and self.random() < 0.7:
            card = self.rng.choice(playable)
            uno = len(cards) == 2 and self.random() < self.calls
            return ("play", seat, card, self._color() if card in WILDS else None, None, uno)
        challenges = public.aimed == "WD" and self.random() < self.challenges
        return ("challenge", seat) if challenges else ("accept", seat)

    def interrupt(self, public: Public, seat: int, cards: Sequence[str]) -> Action | None:
        if self.random() < self.sleeps:
            return None
        if seat in public.uno:
            return ("uno", seat)
        return ("catch", seat, public.uno[0])


class CarefulBot:
    """Play simply: the most expensive matching card, wilds last; always call UNO and catch."""

    def __init__(self, rng: random.Random) -> None:
        """`rng` is not used: it is there because every bot is made with one."""

    def choose(self, public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
        if public.step == COLOR:
            return ("color", seat, self._color(cards))
        playable = [
            card
            for card in legal.playable(public, cards, drawn)
            if card != "WD" or public.step == ANSWER or not codes.holds_color(cards, public.color)
        ]
        if public.step == ANSWER:
            return self._answer(public, seat, cards, playable)
        if not playable:
            return ("draw", seat) if public.step == TURN and public.can_draw else ("pass", seat)
        return self._put_down(public, seat, cards, self._pick(public, seat, cards, playable))

    def interrupt(self, public: Public, seat: int, cards: Sequence[str]) -> Action | None:
        return ("uno", seat) if seat in public.uno else ("catch", seat, public.uno[0])

    def _pick(self, public: Public, seat: int, cards: Sequence[str], playable: Sequence[str]) -> str:
        return max(playable, key=lambda card: (card not in WILDS, codes.points(card), card))

    def _answer(self, public: Public, seat: int, cards: Sequence[str], playable: Sequence[str]) -> Action:
        if playable:
            return self._put_down(public, seat, cards, playable[0])
        challenges = public.aimed == "WD" and self._challenges(public, seat, cards)
        return ("challenge", seat) if challenges else ("accept", seat)

    def _challenges(self, public: Public, seat: int, cards: Sequence[str]) -> bool:
        return False

    def _put_down(self, public: Public, seat: int, cards: Sequence[str], card: str) -> Action:
        rest = list(cards)
        rest.remove(card)
        uno = len(rest) == 1
        if card not in WILDS:
            return ("play", seat, card, None, None, uno)
        return ("play", seat, card, self._color(rest), self._target(public, seat, card), uno)

    def _color(self, cards: Sequence[str]) -> str:
        """Return the colour that it holds most of."""
        colors = Counter(card[0] for card in cards if card not in WILDS)
        return max(_COLORS, key=lambda color: (colors[color], color))

    def _target(self, public: Public, seat: int, card: str) -> int | None:
        """Return the opponent who is nearest to going out."""
        if card not in ("WH", "WL") or public.rules.edition.hat_target == "next":
            return None
        return min(_opponents(public, seat), key=lambda other: (public.counts[other], (other - seat) % public.players))


class EasyBot(CarefulBot):
    """Play like a careful bot with a person's lapses: forget UNO, overlook others' and bluff."""

    def __init__(self, rng: random.Random) -> None:
        self.random = rng.random

    def choose(self, public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> Action:
        action = super().choose(public, seat, cards, drawn)
        if action[0] == "play" and action[2] not in WILDS and self._bluffs(public, cards, drawn):
            action = self._put_down(public, seat, cards, "WD")
        if action[0] == "play" and action[-1] and self.random() < FORGETS:
            return (*action[:-1], False)  # the call comes last
        return action

    def interrupt(self, public: Public, seat: int, cards: Sequence[str]) -> Action | None:
        return None if self.random() < OVERLOOKS else super().interrupt(public, seat, cards)

    def _bluffs(self, public: Public, cards: Sequence[str], drawn: str | None) -> bool:
        """Return whether to play a Wild Draw Four although it holds the colour in play (WD4-2)."""
        if public.step == ANSWER or "WD" not in legal.playable(public, cards, drawn):
            return False
        return codes.holds_color(cards, public.color) and self.random() < DARES


class SharpBot(CarefulBot):
    """Count cards: challenge when the unseen ones make a bluff likely, and attack a player with few cards."""

    def _pick(self, public: Public, seat: int, cards: Sequence[str], playable: Sequence[str]) -> str:
        """Attack a player with few cards; else play wilds last, and prefer the colour held most."""
        if public.players == 2:
            return self._pick_against_one(public, cards, playable)
        nearest = min(public.counts[other] for other in _opponents(public, seat))
        colors = Counter(card[0] for card in cards if card not in WILDS)

        def worth(card: str) -> tuple[bool, bool, int, int, str]:
            attack = nearest <= 2 and (card == "WD" or card[1:] in ("D", "S"))
            return attack, card not in WILDS, codes.points(card) // 10, colors[card[0]], card

        return max(playable, key=worth)

    def _pick_against_one(self, public: Public, cards: Sequence[str], playable: Sequence[str]) -> str:
        """Play wilds last. Prefer a colour of which few cards are unseen, and cards that no other held card follows.

        With these weights it wins 54.8 ± 0.9 % of 12 000 hands against a careful bot.
        """
        played = Counter(card[0] for card in public.discard)
        coloured = [card for card in cards if card not in WILDS]

        def worth(card: str) -> tuple[bool, float, str]:
            if card in WILDS:
                return False, -codes.points(card), card
            related = sum(other[0] == card[0] or other[1:] == card[1:] for other in coloured)
            return True, codes.points(card) / 10 + 0.6 * played[card[0]] - 2 * related, card

        return max(playable, key=worth)

    def _challenges(self, public: Public, seat: int, cards: Sequence[str]) -> bool:
        """Weigh a challenge: a loss costs 2 more cards, a win saves 4 and the turn. It pays if every third is won."""
        before = _color_before(public)
        unseen = Counter(public.rules.edition.deck)
        unseen.subtract(cards)
        unseen.subtract(public.discard)
        total = sum(unseen.values())
        of_color = sum(copies for card, copies in unseen.items() if card[0] == before)
        honest = 1.0  # how likely it is to hold no card of the colour
        for draw in range(min(public.counts[public.asker], total)):
            honest *= max(0, total - of_color - draw) / (total - draw)
        bluff = (1 - honest) * BLUFFS
        return bluff > (honest + bluff) / 3


def _opponents(public: Public, seat: int) -> list[int]:
    partner = (seat + 2) % public.players if public.rules.teams else seat
    return [other for other in range(public.players) if other not in (seat, partner)]


def _color_before(public: Public) -> str:
    """Return the colour in play before the Wild Draw Four on top, as far as the discard pile shows it."""
    below = public.discard[-2] if len(public.discard) > 1 else ""
    return below[:1] if below not in WILDS else ""


BOTS: Mapping[str, Callable[[random.Random], Bot]] = MappingProxyType(
    {"random": RandomBot, "easy": EasyBot, "careful": CarefulBot, "sharp": SharpBot}
)
