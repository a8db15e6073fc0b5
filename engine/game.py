"""Who deals, and hands that add up to a game."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from engine.cards import WILDS
from engine.rules import DEFAULT_TARGET, Edition
from engine.scoring import GameScore, score_game
from engine.state import Rules


def draw_for_dealer(
    edition: Edition, seats: Sequence[int], below: Callable[[int], int] = secrets.randbelow
) -> list[dict[int, str]]:
    """DEAL-1: each of these seats draws a card, the highest number deals, a symbol counts 0; who ties draws again.

    Returns the rounds of draws, seat to card; the seat with the best card of the last round deals. `below(n)` gives
    0..n-1: the place of the drawn card among those left of the unshuffled deck.
    """
    rounds: list[dict[int, str]] = []
    drawing = list(seats)
    while len(drawing) > 1 or not rounds:
        deck = list(edition.deck)
        drawn = {seat: deck.pop(below(len(deck))) for seat in drawing}
        rounds.append(drawn)
        best = max(map(_number, drawn.values()))
        drawing = [seat for seat, card in drawn.items() if _number(card) == best]
    return rounds


def dealer_of(rounds: Sequence[dict[int, str]]) -> int:
    """Return the seat that deals after `draw_for_dealer`."""
    return max(rounds[-1], key=lambda seat: _number(rounds[-1][seat]))


def _number(card: str) -> int:
    return int(card[1]) if card not in WILDS and card[1].isdigit() else 0


def dealers_by_birthday(edition: Edition, birthdays: Mapping[int, tuple[int, int] | None]) -> list[int]:
    """DEAL-2: the seats whose birthday is nearest to the edition's day, before or after, across the new year.

    `birthdays` by seat: month and day. More than one seat when they are equally near; none when the edition has no such
    day or a birthday is unknown: then DEAL-1 decides (among them).
    """
    known = {seat: birthday for seat, birthday in birthdays.items() if birthday is not None}
    if edition.dealer_birthday is None or len(known) < len(birthdays) or not known:
        return []
    edition_day = _day_of_year(*edition.dealer_birthday)
    away = {}
    for seat, birthday in known.items():
        apart = abs(_day_of_year(*birthday) - edition_day)
        away[seat] = min(apart, 366 - apart)
    return [seat for seat, days in away.items() if days == min(away.values())]


def _day_of_year(month: int, day: int) -> int:
    return date(2000, month, day).timetuple().tm_yday  # a leap year, so that 29 February has its place


def next_dealer(dealer: int, playing: Sequence[int]) -> int:
    """DEAL-3: the next seat to the left that still plays. `playing` are seats in order, not empty."""
    return next((seat for seat in playing if seat > dealer), playing[0])


@dataclass
class Game:
    """Hands until the target (SCORE-2 to SCORE-5); in a challenge, a player who is out is dealt no cards (SCORE-4).

    Seats are those of the table, 0 to players - 1; a hand's seats are the places in `playing`.
    """

    rules: Rules
    players: int
    dealer: int
    target: int = DEFAULT_TARGET
    hands: list[tuple[int, ...]] = field(default_factory=list)  # scores by seat of the table

    def __post_init__(self) -> None:
        self.rules.check_players(self.players)

    @property
    def score(self) -> GameScore:
        return score_game(
            self.rules.scoring, self.hands, players=self.players, target=self.target, teams=self.rules.teams
        )

    @property
    def playing(self) -> list[int]:
        """Return the seats that are dealt cards in the next hand."""
        return [seat for seat, out in enumerate(self.score.out_in_hand) if out is None]

    def add(self, scores: Sequence[int]) -> None:
        """Add a hand's scores, by its own seats, and pass the deal on."""
        playing = self.playing
        by_seat = dict(zip(playing, scores, strict=True))
        self.hands.append(tuple(by_seat.get(seat, 0) for seat in range(self.players)))
        if not self.score.over:
            self.dealer = next_dealer(self.dealer, self.playing)
