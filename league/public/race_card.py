"""A player's evening in a Challenge UNO, hand by hand: what they caught, the total with it, when they were out."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.formats.race import Step
from league.models import Round
from league.standings.read import Ledger


@dataclass(frozen=True)
class Catch:
    """A hand. `won`: went out. `counts` is False for a hand that is for nobody, or not for this player."""

    hand: int
    points: int
    won: bool
    out: bool
    counts: bool
    disputed: bool


@dataclass(frozen=True)
class Line:
    """One round. `seat` is the player's row of `exports.seating_rows`; `total` is the one after it, None before."""

    seat: Mapping[str, Any]
    others: tuple[str, ...]
    catches: tuple[Catch, ...]
    caught: int
    total: int | None
    open: bool

    @property
    def is_bye(self) -> bool:
        return bool(self.seat["table"] == "bye")


def lines(
    book: Ledger,
    player_id: str,
    seats: Sequence[Mapping[str, Any]],
    others: Mapping[int, Sequence[str]],
    disputed: Container[tuple[int, int]] = (),
) -> list[Line]:
    """A line for each of the player's seats, in the order given.

    others: by round, who sat there too. disputed: (table's key, hand).
    """
    assert book.race is not None
    steps: dict[tuple[int, int], Step] = {
        (step.round, step.hand): step for step in book.race.state.race if step.entry == player_id
    }
    made = []
    for seat in seats:
        number = seat["round"]
        own = sorted((one for one in book.scores if one.entry == player_id and one.round == number), key=_by_hand)
        catches = []
        for score in own:
            step = steps.get((number, score.hand))
            out = step is not None and step.out
            disputed_now = (score.table, score.hand) in disputed
            catches.append(Catch(score.hand, score.score, score.went_out, out, step is not None, disputed_now))
        counted = [steps[number, one.hand] for one in catches if one.counts]
        made.append(
            Line(
                seat=seat,
                others=tuple(others.get(number, ())),
                catches=tuple(catches),
                caught=sum(step.caught for step in counted),
                total=counted[-1].total if counted else None,
                open=seat["round_state"] in (Round.State.PUBLISHED, Round.State.RUNNING),
            )
        )
    return made


def _by_hand(score: Any) -> int:
    hand: int = score.hand
    return hand
