"""Standings from the ledger: rows in, ranked rows out. Nothing is stored and nothing else is looked at.

Standings are a function of the living scores, the adjustments and the entrants, so a correction of an old hand is right
everywhere at once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from league.tie_breaks import DEFAULT_ORDER, TIE_BREAKS, History, Played, TieBreak

# The parts of the list, best first. Ranks run through them; whoever has another status (a stand-in) is not ranked.
RANKED_STATUSES = ("active", "out", "dropped")


@dataclass(frozen=True)
class Score:
    """One living row of the ledger: one seat in one hand.

    table is the table's id, unique over rounds; hand numbers through the table. went_out is the seat's own doing, not
    the partner's. points_left is None where nobody wrote it down. score is what the hand adds to the total.
    """

    table: int
    round: int
    hand: int
    seat: int
    entry: str
    partner: str | None
    went_out: bool
    points_left: int | None
    points_for: int
    points_against: int
    score: int


@dataclass(frozen=True)
class Entrant:
    """status: "active", "dropped", "out" or "standin". number: the order of the draw."""

    id: str
    name: str
    club: str
    status: str
    number: int


@dataclass(frozen=True)
class AdjustmentRow:
    """Points added to (or, negative, taken from) an entry. round None: carried over, counted from the start."""

    entry: str
    round: int | None
    points: int


@dataclass(frozen=True)
class Standing:
    """One line of the standings.

    tie_breaks: one value for each tie-break asked for, in that order; None where it was not reached or does not apply.
    Head-to-head shows the points against all with whom this line was tied when it was reached.
    decided_by: the code of the tie-break that fixed this line's place among those with the same total; None where the
    total alone did, or where nothing could.
    by_round: points of each round with its adjustments; what was carried over is in no round.
    """

    rank: int | None
    tied: bool
    entrant: Entrant
    rounds_played: int
    hands_played: int
    hands_won: int
    points_for: int
    points_against: int
    difference: int
    points_caught: int
    adjustments: int
    total: int
    tie_breaks: tuple[int | None, ...]
    decided_by: str | None
    best_partner: str | None
    by_round: dict[int, int]


def standings(
    *,
    entrants: Iterable[Entrant],
    scores: Iterable[Score],
    adjustments: Iterable[AdjustmentRow] = (),
    tie_breaks: Sequence[str] = DEFAULT_ORDER,
    lot_seed: str = "",
    lowest_wins: bool = False,
    as_of_round: int | None = None,
) -> list[Standing]:
    """The entrants in the order of their ranks: the active, then who is out, then who dropped, then the stand-ins.

    lowest_wins: the lowest total is the best one; the tie-breaks keep their own directions.
    as_of_round: only rounds up to this one count, for scores and adjustments alike.
    ValueError: a tie-break that is not in the registry.
    """
    return standings_of_hands(
        entrants=entrants,
        hands=hands_by_entry(scores),
        adjustments=adjustments,
        tie_breaks=tie_breaks,
        lot_seed=lot_seed,
        lowest_wins=lowest_wins,
        as_of_round=as_of_round,
    )


def standings_of_hands(
    *,
    entrants: Iterable[Entrant],
    hands: Mapping[str, Sequence[Played]],
    adjustments: Iterable[AdjustmentRow] = (),
    tie_breaks: Sequence[str] = DEFAULT_ORDER,
    lot_seed: str = "",
    lowest_wins: bool = False,
    as_of_round: int | None = None,
) -> list[Standing]:
    """`standings` from hands that are grouped already: who ranks as of many rounds groups them once."""
    unknown = [code for code in tie_breaks if code not in TIE_BREAKS]
    if unknown:
        raise ValueError(f"No such tie-break: {', '.join(unknown)}. There are: {', '.join(TIE_BREAKS)}.")
    by_id = {entrant.id: entrant for entrant in entrants}
    if as_of_round is not None:
        hands = {entry: [hand for hand in played if hand.round <= as_of_round] for entry, played in hands.items()}
    added: dict[str, list[AdjustmentRow]] = defaultdict(list)
    for adjustment in adjustments:
        if as_of_round is None or adjustment.round is None or adjustment.round <= as_of_round:
            added[adjustment.entry].append(adjustment)

    lines = {entry: _unranked(entrant, hands.get(entry, []), added[entry], by_id) for entry, entrant in by_id.items()}
    totals = {entry: line.total for entry, line in lines.items()}
    history = History({entry: hands.get(entry, []) for entry in by_id}, lot_seed)
    ties = _Ties(history, [TIE_BREAKS[code] for code in tie_breaks])

    ranked: list[Standing] = []
    for status in RANKED_STATUSES:
        group = [entry for entry, entrant in by_id.items() if entrant.status == status]
        for with_same_total in _sorted_groups(group, totals, least_first=lowest_wins):
            for shared in ties.break_up(with_same_total):
                rank = len(ranked) + 1
                shared.sort(key=lambda entry: _listing_order(by_id[entry]))
                ranked += [replace(lines[entry], rank=rank, tied=len(shared) > 1) for entry in shared]
    unranked = [line for line in lines.values() if line.entrant.status not in RANKED_STATUSES]
    unranked.sort(key=lambda line: _listing_order(line.entrant))
    return [
        replace(line, tie_breaks=ties.shown(line.entrant.id), decided_by=ties.decided_by.get(line.entrant.id))
        for line in ranked + unranked
    ]


class _Ties:
    """Breaks ties, and remembers what each tie-break said and which one decided."""

    def __init__(self, history: History, order: Sequence[TieBreak]) -> None:
        self.history = history
        self.order = order
        self.decided_by: dict[str, str] = {}
        everybody = list(history.hands)
        # What is said among the tied alone is filled in when it is asked.
        self.columns: dict[str, dict[str, int]] = {
            tie_break.code: {} if tie_break.among_tied else tie_break.values(everybody, history) or {}
            for tie_break in order
        }

    def break_up(self, tied: list[str], position: int = 0) -> list[list[str]]:
        """The tied, ordered by the tie-breaks from `position` on; those they cannot separate stay in one list."""
        if len(tied) == 1 or position == len(self.order):
            return [tied]
        tie_break = self.order[position]
        values = self._values(tie_break, tied)
        groups = _sorted_groups(tied, values, least_first=tie_break.direction == "least") if values else [tied]
        if len(groups) == 1:
            return self.break_up(tied, position + 1)
        self.decided_by.update(dict.fromkeys(tied, tie_break.code))
        # Asked again of each part, head-to-head may separate more; the others cannot, and the next one follows.
        return [smaller for group in groups for smaller in self.break_up(group, position)]

    def _values(self, tie_break: TieBreak, tied: list[str]) -> dict[str, int] | None:
        column = self.columns[tie_break.code]
        if not tie_break.among_tied:
            return column
        values = tie_break.values(tied, self.history)
        # Where it starts again among some of the tied, the column keeps the first values, those of the whole group:
        # they run down the list in order, and values from different groups in one column would not.
        for entry, value in (values or {}).items():
            column.setdefault(entry, value)
        return values

    def shown(self, entry: str) -> tuple[int | None, ...]:
        return tuple(self.columns[tie_break.code].get(entry) for tie_break in self.order)


def _sorted_groups(entries: Iterable[str], values: dict[str, int], *, least_first: bool) -> list[list[str]]:
    """The entries with equal values together, the best first."""
    groups: dict[int, list[str]] = defaultdict(list)
    for entry in entries:
        groups[values[entry]].append(entry)
    return [groups[value] for value in sorted(groups, reverse=not least_first)]


def _listing_order(entrant: Entrant) -> tuple[int, str, str]:
    return entrant.number, entrant.name, entrant.id


def hands_by_entry(scores: Iterable[Score]) -> dict[str, list[Played]]:
    """What each entry played, hand by hand, in the order of rounds. Who has not played is not in it."""
    hands: dict[tuple[int, int], list[Score]] = defaultdict(list)
    for row in sorted(scores, key=lambda row: (row.round, row.table, row.hand, row.seat)):
        hands[row.table, row.hand].append(row)
    played: dict[str, list[Played]] = defaultdict(list)
    for rows in hands.values():
        went_out = {row.entry for row in rows if row.went_out}
        seats: dict[str, list[Score]] = defaultdict(list)
        for row in rows:
            seats[row.entry].append(row)
        for entry, own in seats.items():
            side = {entry} | {row.partner for row in own if row.partner}
            # In a teams tournament two seats belong to one entry and both carry the hand's score: take it once.
            first = own[0]
            played[entry].append(
                Played(
                    round=first.round,
                    partner=first.partner,
                    opponents=frozenset(seats) - side,
                    won=not side.isdisjoint(went_out),
                    points_for=first.points_for,
                    points_against=first.points_against,
                    points_caught=sum(row.points_left or 0 for row in own),
                    score=first.score,
                )
            )
    return played


def _best_partner(entry: str, hands: Sequence[Played], by_id: dict[str, Entrant]) -> str | None:
    """The name of the partner with whom most points were made, of several the first by name; None without points."""
    together: dict[str, int] = defaultdict(int)
    for hand in hands:
        if hand.partner in by_id and hand.partner != entry:
            together[by_id[hand.partner].id] += hand.points_for
    partners = [partner for partner, points in together.items() if points > 0]
    if not partners:
        return None
    return by_id[min(partners, key=lambda partner: (-together[partner], by_id[partner].name))].name


def _unranked(
    entrant: Entrant, hands: Sequence[Played], added: Sequence[AdjustmentRow], by_id: dict[str, Entrant]
) -> Standing:
    """The entrant's own line, before it is compared with any other."""
    by_round: dict[int, int] = defaultdict(int)
    for hand in hands:
        by_round[hand.round] += hand.score
    for adjustment in added:
        if adjustment.round is not None:
            by_round[adjustment.round] += adjustment.points
    points_for = sum(hand.points_for for hand in hands)
    points_against = sum(hand.points_against for hand in hands)
    adjustments = sum(adjustment.points for adjustment in added)
    return Standing(
        rank=None,
        tied=False,
        entrant=entrant,
        rounds_played=len({hand.round for hand in hands}),
        hands_played=len(hands),
        hands_won=sum(hand.won for hand in hands),
        points_for=points_for,
        points_against=points_against,
        difference=points_for - points_against,
        points_caught=sum(hand.points_caught for hand in hands),
        adjustments=adjustments,
        total=sum(hand.score for hand in hands) + adjustments,
        tie_breaks=(),
        decided_by=None,
        best_partner=_best_partner(entrant.id, hands, by_id),
        by_round=dict(sorted(by_round.items())),
    )
