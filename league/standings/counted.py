"""Select the hands that count and their worth, by format."""

from collections.abc import Mapping, Sequence

from league.formats import Chosen, Format
from league.standings.ranking import ScoreRow


def rows_that_count(rows: Sequence[ScoreRow], plays: Format, values: Mapping[int, Chosen]) -> Sequence[ScoreRow]:
    """Return the rows of counted hands: none after the hand that finished its table.

    If the format doesn't sum points, each player's last row at a table holds the table's worth; their other rows hold
    0. values: settings by round. If every row counts unchanged, return the same `rows` object.
    """
    if plays.sums_points and not any(plays.ends_early(of_round) for of_round in values.values()):
        return rows
    hands: dict[int, dict[int, dict[str, int]]] = {}  # by table and number; columns by place as in `Score`
    round_of: dict[int, int] = {}
    for row in rows:
        round_of[row[0]] = row[1]
        hands.setdefault(row[0], {}).setdefault(row[2], {})[row[4]] = row[10]
    done = {table: plays.over_in(played, values[round_of[table]]) for table, played in hands.items()}
    counting = [row for row in rows if (last := done[row[0]]) is None or row[2] <= last]
    if plays.sums_points:
        return counting
    worth: dict[tuple[int, str], int] = {}
    for table, played in hands.items():
        last = done[table]
        counted = {number: scores for number, scores in played.items() if last is None or number <= last}
        for entry, points in plays.worth(counted, values[round_of[table]]).items():
            worth[table, entry] = points
    last_row = {(row[0], row[4]): at for at, row in sorted(enumerate(counting), key=lambda pair: pair[1][2])}
    return [
        (*row[:10], worth.get((row[0], row[4]), 0) if last_row[row[0], row[4]] == at else 0)
        for at, row in enumerate(counting)
    ]
