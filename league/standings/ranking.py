"""Rank entries from ledger rows. Stores nothing and reads nothing else.

Standings are a function of living scores, adjustments and entrants. A correction of an old hand is right everywhere at
once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from league.formats.progression import Line
from league.standings.tie_breaks import DEFAULT_ORDER, TIE_BREAKS, History, Played, TieBreak

# Parts of the list, best first. Ranks run through them; other statuses (stand-ins) are unranked.
RANKED_STATUSES = ("active", "out", "dropped")
PODIUM = 3  # places


class Score(NamedTuple):
    """One living row of the ledger: one seat in one hand.

    table: the table's id, unique over rounds. hand: counts up at the table. went_out: this seat, not the partner.
    points_left: None if not recorded. score: points added to the total.
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


ScoreRow = tuple[int, int, int, int, str, str | None, bool, int | None, int, int, int]
"""The columns of a `Score` as the database returns them: naming columns of thousands of rows is slow."""


@dataclass(frozen=True)
class Entrant:
    """status: "active", "dropped", "out" or "standin". number: position in the draw."""

    id: str
    name: str
    club: str
    status: str
    number: int


@dataclass(frozen=True)
class AdjustmentRow:
    """Points added to an entry; negative to subtract. round None: carried over, counted from the start."""

    entry: str
    round: int | None
    points: int


@dataclass(frozen=True)
class Ending:
    """How far an entrant came in a format without summed points. `result_in_words` words it.

    line: of an elimination stage; None in a Challenge UNO. is_over: the last table is over. before_final: number of
    tree levels after it, 0 for the final; None: not known. is_duel, against: two met there, and the opponent's points.
    """

    has_won: bool
    line: Line | None = None
    is_over: bool = False
    before_final: int | None = None
    is_duel: bool = False
    against: int | None = None


@dataclass(frozen=True)
class Standing:
    """One line of the standings.

    tie_breaks: one value for each requested tie-break, in order; None if not reached or not applicable. Head-to-head
    shows the points against all entries tied when it was reached.

    decided_by: code of the tie-break that fixed this line's place among equal totals; None if the total decided, or
    nothing could.

    by_round: points of each round with its adjustments; carried points are in no round.

    out_in_round, out_in_hand, out_at_table: departure from a Challenge UNO. Hand 0 and no table: before playing in
    that round.

    group: from 1 in a stage of groups, where ranks are per group; else 0. stage: the earlier stage from which the
    entry did not advance, and whose values these are; 0: this stage. ending: result if the total doesn't describe it.
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
    out_in_round: int | None = None
    out_in_hand: int | None = None
    out_at_table: int | None = None
    group: int = 0
    stage: int = 0
    ending: Ending | None = None


class Place(NamedTuple):
    """The part of a `Standing` that an action during play can change."""

    rank: int | None
    tied: bool
    total: int
    status: str
    out_in_round: int | None
    out_in_hand: int | None


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
    """Rank entrants: active first, then eliminated, withdrawn, and stand-ins.

    lowest_wins: the lowest total is best; tie-breaks keep their own directions. as_of_round: only scores and
    adjustments up to this round count. Raises ValueError for an unknown tie-break.
    """
    by_id = {entrant.id: entrant for entrant in entrants}
    return Ranking(by_id, played_by_entry(scores), adjustments, tie_breaks, lot_seed, lowest_wins, as_of_round).lines()


class Ranking:
    """`standings` from grouped rows, in parts: a caller that needs only ranks doesn't pay for lines.

    by_id: the entrants. played: by entrant with hands (`played_by_entry`).
    """

    def __init__(
        self,
        by_id: Mapping[str, Entrant],
        played: Mapping[str, Sequence[Played]],
        adjustments: Iterable[AdjustmentRow],
        tie_breaks: Sequence[str],
        lot_seed: str,
        lowest_wins: bool,
        as_of_round: int | None,
    ) -> None:
        unknown = [code for code in tie_breaks if code not in TIE_BREAKS]
        if unknown:
            raise ValueError(f"No such tie-break: {', '.join(unknown)}. There are: {', '.join(TIE_BREAKS)}.")
        self.by_id = by_id
        self.played = {
            entry: [spell for spell in played.get(entry, ()) if as_of_round is None or spell.round <= as_of_round]
            for entry in by_id
        }
        self.added: dict[str, list[AdjustmentRow]] = {entry: [] for entry in by_id}
        for row in adjustments:
            if row.entry in by_id and (as_of_round is None or row.round is None or row.round <= as_of_round):
                self.added[row.entry].append(row)
        self.totals = {
            entry: sum(spell.score for spell in self.played[entry]) + sum(row.points for row in self.added[entry])
            for entry in by_id
        }
        self.ties = _Ties(History(self.played, lot_seed), [TIE_BREAKS[code] for code in tie_breaks])
        self.places = self._places(lowest_wins)

    def _places(self, lowest_wins: bool) -> dict[str, tuple[int, bool]]:
        """Return the rank of each entry, best first, and whether it is shared."""
        places: dict[str, tuple[int, bool]] = {}
        for status in RANKED_STATUSES:
            group = [entry for entry, entrant in self.by_id.items() if entrant.status == status]
            for with_same_total in _sorted_groups(group, self.totals, least_first=lowest_wins):
                for shared in self.ties.break_up(with_same_total):
                    place = len(places) + 1, len(shared) > 1
                    if len(shared) > 1:
                        shared.sort(key=lambda entry: _listing_order(self.by_id[entry]))
                    places |= dict.fromkeys(shared, place)
        return places

    def ranks(self) -> dict[str, int | None]:
        return {entry: self.places[entry][0] if entry in self.places else None for entry in self.by_id}

    def lines(self) -> list[Standing]:
        unranked = [entrant for entry, entrant in self.by_id.items() if entry not in self.places]
        unranked.sort(key=_listing_order)
        columns = self.ties.columns()
        return [
            self._line(entry, tuple(column.get(entry) for column in columns))
            for entry in [*self.places, *(entrant.id for entrant in unranked)]
        ]

    def _line(self, entry: str, tie_breaks: tuple[int | None, ...]) -> Standing:
        rank, tied = self.places.get(entry, (None, False))
        played, added = self.played[entry], self.added[entry]
        by_round: dict[int, int] = defaultdict(int)
        for spell in played:
            by_round[spell.round] += spell.score
        for row in added:
            if row.round is not None:
                by_round[row.round] += row.points
        points_for = sum(spell.points_for for spell in played)
        points_against = sum(spell.points_against for spell in played)
        return Standing(
            rank=rank,
            tied=tied,
            entrant=self.by_id[entry],
            rounds_played=len({spell.round for spell in played}),
            hands_played=sum(spell.hands for spell in played),
            hands_won=sum(spell.won for spell in played),
            points_for=points_for,
            points_against=points_against,
            difference=points_for - points_against,
            points_caught=sum(spell.points_caught for spell in played),
            adjustments=sum(row.points for row in added),
            total=self.totals[entry],
            tie_breaks=tie_breaks,
            decided_by=self.ties.decided_by.get(entry),
            best_partner=_best_partner(entry, played, self.by_id),
            by_round=dict(sorted(by_round.items())),
        )


class _Ties:
    """Break ties; store the values of each tie-break and the one that decided."""

    def __init__(self, history: History, order: Sequence[TieBreak]) -> None:
        self.history = history
        self.order = order
        self.decided_by: dict[str, str] = {}
        # Values among tied entries, by code.
        self.among_tied: dict[str, dict[str, int]] = {code.code: {} for code in order if code.among_tied}

    def break_up(self, tied: list[str], position: int = 0) -> list[list[str]]:
        """Order tied entries by the tie-breaks from `position` on; entries that can't be separated stay in one list."""
        if len(tied) == 1 or position == len(self.order):
            return [tied]
        tie_break = self.order[position]
        values = tie_break.values(tied, self.history)
        if tie_break.among_tied:
            # If the comparison restarts among some of the tied, keep the first values of the whole group. They run down
            # the list in order; values from different groups wouldn't.
            self.among_tied[tie_break.code] = (values or {}) | self.among_tied[tie_break.code]
        groups = _sorted_groups(tied, values, least_first=tie_break.direction == "least") if values else [tied]
        if len(groups) == 1:
            return self.break_up(tied, position + 1)
        self.decided_by.update(dict.fromkeys(tied, tie_break.code))
        # Head-to-head may separate more when repeated for each part. Other tie-breaks can't, so the next one follows.
        return [smaller for group in groups for smaller in self.break_up(group, position)]

    def columns(self) -> list[dict[str, int]]:
        """Return the values of each tie-break by entry: of all entries, or only of those compared."""
        everyone = list(self.history.played)
        return [
            self.among_tied[tie_break.code] if tie_break.among_tied else tie_break.values(everyone, self.history) or {}
            for tie_break in self.order
        ]


def _sorted_groups(entries: Iterable[str], values: dict[str, int], *, least_first: bool) -> list[list[str]]:
    """Return entries with equal values together, best first."""
    groups: dict[int, list[str]] = defaultdict(list)
    for entry in entries:
        groups[values[entry]].append(entry)
    return [groups[value] for value in sorted(groups, reverse=not least_first)]


def on_podium(lines: Iterable[Standing]) -> list[Standing]:
    """Return the lines of the first three places, including shared ones; empty if more than six."""
    first = [line for line in lines if line.rank is not None and line.rank <= PODIUM]
    return first if len(first) <= 2 * PODIUM else []


def _listing_order(entrant: Entrant) -> tuple[int, str, str]:
    return entrant.number, entrant.name, entrant.id


def played_by_entry(rows: Iterable[ScoreRow]) -> dict[str, list[Played]]:
    """Return what each entry played, in the order of rounds. Entries without hands are left out."""
    # Columns by place: 0 is the table, 2 the hand, 4 the entry, 6 whether that seat went out.
    hands: dict[tuple[int, int], list[ScoreRow]] = defaultdict(list)
    for row in rows:
        hands[row[0], row[2]].append(row)
    sums: dict[tuple[str, int, str | None, frozenset[str]], list[int]] = {}
    for of_hand in hands.values():
        seated = frozenset([row[4] for row in of_hand])
        if len(seated) < len(of_hand):
            of_hand = [*_one_row_a_team(map(Score._make, of_hand))]
        went_out = {row[4] for row in of_hand if row[6]}
        for (
            _table,
            number,
            _hand,
            _seat,
            entry,
            partner,
            _out,
            points_left,
            points_for,
            points_against,
            score,
        ) in of_hand:
            key = entry, number, partner, seated
            own = sums.get(key)
            if own is None:
                own = sums[key] = [0] * 6
            own[0] += 1
            own[1] += entry in went_out or partner in went_out
            own[2] += points_for
            own[3] += points_against
            own[4] += points_left or 0
            own[5] += score
    played: dict[str, list[Played]] = defaultdict(list)
    for (entry, number, partner, seated), own in sums.items():
        played[entry].append(Played(number, partner, seated - {entry, partner}, *own))
    for spells in played.values():
        spells.sort(key=attrgetter("round"))
    return played


def one_row_a_team(scores: Iterable[Score]) -> list[Score]:
    """Return the scores of hands between teams, each hand once for a team."""
    hands: dict[tuple[int, int], list[Score]] = defaultdict(list)
    for score in scores:
        hands[score.table, score.hand].append(score)
    return [score for of_hand in hands.values() for score in _one_row_a_team(of_hand)]


def _one_row_a_team(of_hand: Iterable[Score]) -> list[Score]:
    """Merge the two seats of an entry, which both carry the hand's score: first seat's row, points left of both."""
    teams: dict[str, Score] = {}
    for seat in sorted(of_hand, key=attrgetter("seat")):
        first = teams.setdefault(seat.entry, seat)
        if first is not seat:
            teams[seat.entry] = first._replace(
                went_out=first.went_out or seat.went_out, points_left=(first.points_left or 0) + (seat.points_left or 0)
            )
    return list(teams.values())


def _best_partner(entry: str, played: Sequence[Played], by_id: Mapping[str, Entrant]) -> str | None:
    """Return the partner with the most points together, the first listed if tied; None without points."""
    together: dict[str, int] = defaultdict(int)
    for spell in played:
        if spell.partner is not None and spell.partner in by_id and spell.partner != entry:
            together[spell.partner] += spell.points_for
    partners = [partner for partner, points in together.items() if points > 0]
    if not partners:
        return None
    return by_id[min(partners, key=lambda partner: (-together[partner], _listing_order(by_id[partner])))].name
