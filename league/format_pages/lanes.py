"""Draw the race to the target: a lane for each player, hand by hand, and the whole field as columns.

Returns coordinates for pages; prints draw the same blocks on paper.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from league.formats.race import ACTIVE, State, Step

WIDE, HIGH = 1000, 10  # size of a lane; pages stretch it to the room they have
GAP = 4  # after a block
COLUMN, BAR, TALL = 10, 8, 500  # sizes of the field: each player has a column with a bar in it


@dataclass(frozen=True)
class Block:
    """Points from a hand or an adjustment (`round` and `hand` 0); a lane's blocks add up to the total.

    Drawn from `start` to `end`, in points. Negative points cut off the ends of earlier blocks.
    """

    points: int
    round: int
    hand: int
    start: int
    end: int

    @property
    def is_adjustment(self) -> bool:
        return self.round == 0

    @property
    def shade(self) -> str:
        """Return the shade: colours alternate by round, equal in all lanes."""
        return "adjustment" if self.is_adjustment else "plain" if self.round % 2 else "alt"


@dataclass(frozen=True)
class Lane:
    """One player's lane. Paths in WIDE x HIGH: odd rounds, even rounds, points adjustments."""

    blocks: tuple[Block, ...]
    plain: str
    alt: str
    adjustment: str


@dataclass(frozen=True)
class Field:
    """All players from the lowest total to the first eliminated: paths in `width` x TALL.

    before, now: totals of active players, before and in the current round. mine: left edges of the marked columns;
    pointers: the triangles below them.
    """

    width: int
    before: str
    now: str
    out: str
    mine: tuple[int, ...]
    pointers: tuple[str, ...]


def lanes(state: State, target: int) -> dict[str, Lane]:
    """Return each entry's lane, best first."""
    steps: dict[str, list[Step]] = defaultdict(list)
    for step in state.race:
        steps[step.entry].append(step)
    return {entry: _lane(blocks_of(steps[entry], line.total), target) for entry, line in state.lines.items()}


def blocks_of(steps: Iterable[Step], total: int) -> tuple[Block, ...]:
    """Return the blocks of a player's steps, and of the adjustments implied by the totals."""
    points: list[tuple[int, int, int]] = []
    before = 0
    for step in steps:
        points.append((step.total - step.caught - before, 0, 0))
        points.append((step.caught, step.round, step.hand))
        before = step.total
    points.append((total - before, 0, 0))
    blocks: list[Block] = []
    at = 0
    for change, number, hand in points:
        if not change and not hand:
            continue
        end = at + change
        if change < 0:
            blocks = [replace(block, start=min(block.start, end), end=min(block.end, end)) for block in blocks]
        blocks.append(Block(change, number, hand, min(at, end), end))
        at = end
    return tuple(blocks)


def lane_x(points: int, target: int) -> int:
    """Return the x of a number of points in a lane, at most the target's."""
    return min(max(points, 0), target) * WIDE // target


def _lane(blocks: tuple[Block, ...], target: int) -> Lane:
    paths: dict[str, list[str]] = {"plain": [], "alt": [], "adjustment": []}
    for block in blocks:
        x, end = lane_x(block.start, target), lane_x(block.end, target)
        if end > x:
            paths[block.shade].append(_rect(x, 0, max(1, end - x - GAP), HIGH))
    return Lane(blocks, **{shade: "".join(drawn) for shade, drawn in paths.items()})


def field(state: State, target: int, round_now: int, mine: Sequence[str] = ()) -> Field:
    """mine: entries to mark."""
    now: Mapping[str, int] = _points_caught(state, round_now)
    paths: dict[str, list[str]] = {"before": [], "now": []}
    marked: list[int] = []
    outside = 0
    for at, line in enumerate(state.lines.values()):
        x = at * COLUMN
        if line.entry in mine:
            marked.append(x - 1)
        if line.status != ACTIVE:
            outside += 1
            continue
        top = TALL - _height(line.total, target)
        middle = max(top, TALL - _height(line.total - now.get(line.entry, 0), target))
        for shade, y, end in (("before", middle, TALL), ("now", top, middle)):
            if end > y:
                paths[shade].append(_rect(x, y, BAR, end - y))
    half = max(2, 14 * len(state.lines) // 100)
    return Field(
        width=max(1, len(state.lines)) * COLUMN,
        before="".join(paths["before"]),
        now="".join(paths["now"]),
        out=_rect((len(state.lines) - outside) * COLUMN, 0, outside * COLUMN, TALL) if outside else "",
        mine=tuple(marked),
        pointers=tuple(f"M{x + COLUMN // 2} 0l{half} 10h-{2 * half}Z" for x in marked),
    )


def _points_caught(state: State, number: int) -> dict[str, int]:
    caught: dict[str, int] = defaultdict(int)
    for step in state.race:
        if step.round == number:
            caught[step.entry] += step.caught
    return caught


def _height(points: int, target: int) -> int:
    return min(max(points, 0), target) * TALL // target


def _rect(x: int, y: int, width: int, height: int) -> str:
    return f"M{x} {y}h{width}v{height}h-{width}z"
