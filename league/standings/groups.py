"""Rank a stage's groups, and entries that did not advance from the previous stage."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import inf

from league.formats.cut import Result, measure, order_of
from league.formats.progression import LOT
from league.standings.ranking import Standing


def results_by_group(lines: Iterable[Standing], groups: int) -> list[list[Result]]:
    """Return ranked lines as results for the cut, by group; a group without active entries is empty."""
    by_group: list[list[Result]] = [[] for _group in range(groups)]
    for line in lines:
        by_group[max(line.group, 1) - 1].append(result_of(line))
    return by_group


def result_of(line: Standing) -> Result:
    return Result(line.entrant.id, line.rank or 0, line.total, line.hands_played, line.hands_won)


def best_first(of_groups: Iterable[Sequence[Standing]], *, lowest_wins: bool) -> list[Standing]:
    """Merge the lines of all groups in the order of the cut; unranked entries come last."""
    by_group = list(of_groups)
    lines = {line.entrant.id: line for of_group in by_group for line in of_group}
    ranked = [line for line in lines.values() if line.rank is not None]
    order = order_of(results_by_group(ranked, len(by_group)), seed="", lowest_wins=lowest_wins)
    return [*(lines[one.entry] for one in order), *(line for line in lines.values() if line.rank is None)]


def final_by_final(of_finals: Iterable[Sequence[Standing]]) -> list[Standing]:
    """Merge the lines of parallel finals: all of one final rank before the next final."""
    ranked: list[Standing] = []
    rest: list[Standing] = []
    for lines in of_finals:
        before = len(ranked)
        ranked += [replace(line, rank=line.rank + before) for line in lines if line.rank is not None]
        rest += [line for line in lines if line.rank is None]
    return [*ranked, *rest]


def stayed_behind(
    before: Sequence[Standing], members: Collection[str], stage: int, *, lowest_wins: bool
) -> list[Standing]:
    """Return entries that did not advance, best first, ranked from 1 over all groups. before: standings of their
    stage.
    """
    stayed = [line for line in before if line.rank is not None and line.entrant.id not in members]
    went_on = [line for line in before if line.entrant.id in members]

    def lost_by_lot(line: Standing) -> bool:
        mine = line.rank, measure(result_of(line), lowest_wins=lowest_wins)
        return line.entrant.status == "active" and any(
            (other.group, other.rank) == (line.group, line.rank)
            or (other.rank, measure(result_of(other), lowest_wins=lowest_wins)) == mine
            for other in went_on
        )

    return [
        _as_stayed(line, stage, by_lot=lost_by_lot(line)) for line in rank_together(stayed, lowest_wins=lowest_wins)
    ]


def rank_together(lines: Sequence[Standing], *, lowest_wins: bool) -> list[Standing]:
    """Rank the lines of all groups in one list: by rank in the group, then as the cut compares.

    Entries of a later stage come before entries that did not advance. Equals share a rank; withdrawn entries come last
    in their stage, then unranked entries.
    """

    def key(line: Standing) -> tuple[object, ...]:
        compared = measure(result_of(line), lowest_wins=lowest_wins) if line.group else ()
        return -line.stage if line.stage else -inf, line.entrant.status == "dropped", line.rank, compared

    ranked = sorted((line for line in lines if line.rank is not None), key=key)
    keys = [key(line) for line in ranked]
    first: dict[tuple[object, ...], int] = {}
    for at, one in enumerate(keys, 1):
        first.setdefault(one, at)
    shared = Counter(keys)
    together = [replace(line, rank=first[one], tied=shared[one] > 1) for line, one in zip(ranked, keys, strict=True)]
    return [*together, *(line for line in lines if line.rank is None)]


def _as_stayed(line: Standing, stage: int, *, by_lot: bool) -> Standing:
    status = "out" if line.entrant.status == "active" else line.entrant.status
    last = max(line.by_round, default=None)
    return replace(
        line,
        entrant=replace(line.entrant, status=status),
        stage=line.stage or stage,
        tie_breaks=(),
        decided_by=line.decided_by if line.stage else LOT if by_lot else None,
        out_in_round=line.out_in_round or last,
    )
