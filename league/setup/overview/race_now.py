"""The state of a Challenge UNO, for the words of *Now*."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.formats.race import HEAD_TO_HEAD
from league.models import Round
from league.standings.read import Ledger
from league.standings.table_lines import TableLine


@dataclass(frozen=True)
class RaceNow:
    """still_in: names. next: number of the round that closing publishes. some_unfinished: a table of the latest round
    isn't finished."""

    still_in: tuple[str, ...]
    winner: str
    goes_on: bool
    is_head_to_head: bool
    next: int
    some_unfinished: bool

    @property
    def last_two(self) -> bool:
        return len(self.still_in) == HEAD_TO_HEAD


def race_now(book: Ledger, latest: Round | None, tables: Sequence[TableLine]) -> RaceNow | None:
    """Return the state of the race; None in other formats. tables: of the latest round."""
    if book.race is None:
        return None
    state = book.race.state
    return RaceNow(
        still_in=tuple(book.names[entry] for entry in state.still_in),
        winner=book.names[state.winner] if state.winner else "",
        goes_on=state.has_more,
        is_head_to_head=len(tables) == 1 and len(tables[0].people) == HEAD_TO_HEAD,
        next=latest.number + 1 if latest else 1,
        some_unfinished=any(line.unfinished for line in tables),
    )
