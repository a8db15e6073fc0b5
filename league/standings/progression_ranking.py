"""Standings where only some go on from a round: the figures of the ledger, in the order of who came how far.

Pure, as league/standings/ranking.py.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from league.formats.progression import OUT, State
from league.standings.ranking import AdjustmentRow, Entrant, Ranking, Standing
from league.standings.tie_breaks import Played


def progression_standings(
    *,
    by_id: Mapping[str, Entrant],
    played: Mapping[str, Sequence[Played]],
    adjustments: Iterable[AdjustmentRow],
    state: State,
    as_of_round: int | None = None,
) -> list[Standing]:
    """The lines, the best first, then stand-ins. `total` is what somebody made in the last round they sat in."""
    ranking = Ranking(by_id, played, adjustments, (), "", lowest_wins=False, as_of_round=as_of_round)
    lines = {line.entrant.id: line for line in ranking.lines()}
    ranked = [
        replace(
            lines[entry],
            entrant=replace(by_id[entry], status=line.status),
            rank=line.rank,
            tied=line.tied,
            total=line.points,
            out_in_round=line.round if line.status == OUT else None,
            out_at_table=line.table if line.status == OUT else None,
        )
        for entry, line in state.lines.items()
        if entry in by_id
    ]
    return [*ranked, *(line for entry, line in lines.items() if entry not in state.lines)]
