"""Rank an elimination stage: ledger values in the order of elimination.

Pure, like league/standings/ranking.py.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from league.formats.progression import OUT, Line, State
from league.formats.seating.slots import level_where, levels, slot_of
from league.formats.tree import DUEL
from league.ledger.progression import ProgressionLedger
from league.standings.ranking import AdjustmentRow, Ending, Entrant, Ranking, Standing
from league.standings.tie_breaks import Played


def progression_standings(
    *,
    by_id: Mapping[str, Entrant],
    played: Mapping[str, Sequence[Played]],
    adjustments: Iterable[AdjustmentRow],
    state: State,
    ledger: ProgressionLedger,
    decided: Collection[int] = (),
    as_of_round: int | None = None,
) -> list[Standing]:
    """Return the lines, best first, then stand-ins. `total`: points of the last round the entrant played.

    decided: tables of the open round whose duel is over.
    """
    ranking = Ranking(by_id, played, adjustments, (), "", lowest_wins=False, as_of_round=as_of_round)
    lines = {line.entrant.id: line for line in ranking.lines()}
    ends = _Endings(state, ledger, decided)
    ranked = [
        replace(
            lines[entry],
            entrant=replace(by_id[entry], status=line.status),
            rank=line.rank,
            tied=line.tied,
            total=line.points,
            decided_by=line.decided_by,
            out_in_round=line.round if line.status == OUT else None,
            out_at_table=line.table if line.status == OUT else None,
            ending=ends.of(line),
        )
        for entry, line in state.lines.items()
        if entry in by_id
    ]
    return [*ranked, *(line for entry, line in lines.items() if entry not in state.lines)]


class _Endings:
    """Compute how far each entrant came, from the rounds as seated."""

    def __init__(self, state: State, ledger: ProgressionLedger, decided: Collection[int]) -> None:
        self.state, self.decided = state, decided
        self.rounds = {seated.number: seated for seated in ledger.rounds}
        seeds = () if ledger.plays.forgives(ledger.values) else ledger.began.seeds
        self.slot, self.top = (slot_of(seeds), levels(len(seeds))) if seeds else ({}, 0)

    def of(self, line: Line) -> Ending:
        seated = self.rounds.get(line.round or 0)
        table = seated.tables.get(line.table or 0, ()) if seated else ()
        is_duel = len(table) == DUEL
        return Ending(
            has_won=line.entry in self.state.winners,
            line=line,
            is_over=seated is not None and (seated.is_over or line.table in self.decided),
            before_final=self._before_final(line, [result.entry for result in table]),
            is_duel=is_duel,
            against=next((result.points for result in table if result.entry != line.entry), None) if is_duel else None,
        )

    def _before_final(self, line: Line, table: Sequence[str]) -> int | None:
        if line.round is not None and line.round == self.state.final and not line.second:
            return 0
        if len(table) == DUEL and all(entry in self.slot for entry in table):
            one, other = table
            return self.top - level_where(self.slot[one], self.slot[other])
        return None
