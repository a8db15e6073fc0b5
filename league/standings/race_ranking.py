"""Rank a Challenge UNO: ledger values in the order of the race.

Pure, like league/standings/ranking.py.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from league.formats.race import State
from league.standings.ranking import AdjustmentRow, Ending, Entrant, Ranking, ScoreRow, Standing, played_by_entry


def race_standings(
    *,
    by_id: Mapping[str, Entrant],
    rows: Iterable[ScoreRow],
    numbers: Mapping[int, int],
    adjustments: Iterable[AdjustmentRow],
    state: State,
    as_of_round: int | None = None,
) -> list[Standing]:
    """Return the lines, best first, without late entries to come. numbers: {table id: number in its round}.

    Only counted steps are added up: no points of eliminated players, and no hands that don't count.
    """
    counts = {(step.round, step.table, step.hand, step.entry) for step in state.race}
    # Columns by place, as in standings.ScoreRow: 0 is the table, 1 the round, 2 the hand, 4 the entry.
    counted = [row for row in rows if (row[1], numbers.get(row[0]), row[2], row[4]) in counts]
    came = {entry: replace(by_id[entry], status=line.status) for entry, line in state.lines.items()}
    ranking = Ranking(came, played_by_entry(counted), adjustments, (), "", lowest_wins=True, as_of_round=as_of_round)
    lines = {line.entrant.id: line for line in ranking.lines()}
    sharing = Counter(line.rank for line in state.lines.values())
    return [
        replace(
            lines[entry],
            rank=line.rank,
            tied=sharing[line.rank] > 1,
            out_in_round=line.departure.round if line.departure else None,
            out_in_hand=line.departure.hand if line.departure else None,
            out_at_table=line.departure.table if line.departure else None,
            ending=Ending(has_won=state.winner == entry),
        )
        for entry, line in state.lines.items()
    ]
