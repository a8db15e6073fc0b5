"""Standings from the ledger: rows in, ranked rows out. It stores nothing and looks at nothing else.

Standings are a function of the living scores, the adjustments and the entrants, so a correction of an old hand is right
everywhere at once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from league.formats.progression import Line
from league.standings.tie_breaks import DEFAULT_ORDER, TIE_BREAKS, History, Played, TieBreak

# The parts of the list, best first. Ranks run through them; entrants of another status (stand-ins) are not ranked.
RANKED_STATUSES = ("active", "out", "dropped")
PODIUM = 3  # places


class Score(NamedTuple):
    """One living row of the ledger: one seat in one hand.

    table is the table's id, unique over rounds; hand counts up at the table. went_out is about this seat, not about
    the partner. points_left is None where nobody wrote it down. score is what the hand adds to the total.
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
"""The columns of a `Score` as a database gives them: there are thousands of rows, and naming columns costs time."""


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
class Ending:
    """How far an entrant came where the points of all rounds are not added up. `result_in_words` words it.

    line: where only some advance from a round; None in a Challenge UNO. is_over: whether the last table is over.
    before_final: how many levels of a tree come after it, 0 for the final; None: not known. is_duel, against: whether
    two met there, and what the opponent made.
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

    tie_breaks: one value for each tie-break asked for, in that order; None where it was not reached or does not apply.
    Head-to-head shows the points against all with whom this line was tied when it was reached.
    decided_by: the code of the tie-break that fixed this line's place among those with the same total; None where the
    total alone did, or where nothing could.
    by_round: points of each round with its adjustments; points carried over are in no round.
    out_in_round, out_in_hand, out_at_table: where somebody left a Challenge UNO. Hand 0 and no table: before they
    played in that round.
    group: from 1 in a stage of groups, in which the rank is; else 0. stage: of those who did not go on, the one from
    which they did not and whose figures these are; 0: the stage whose standings these are. ending: where the total does
    not say what somebody came to.
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
    """The part of a `Standing` that an action of the day can change."""

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
    """The entrants in the order of their ranks: the active, then those out, then those who dropped, then stand-ins.

    lowest_wins: the lowest total is the best one; the tie-breaks keep their own directions.
    as_of_round: only rounds up to this one count, for scores and adjustments alike.
    ValueError: a tie-break that is not in the registry.
    """
    by_id = {entrant.id: entrant for entrant in entrants}
    return Ranking(by_id, played_by_entry(scores), adjustments, tie_breaks, lot_seed, lowest_wins, as_of_round).lines()


class Ranking:
    """`standings` from grouped rows, and in parts: a caller that needs only ranks does not pay for lines.

    by_id: the entrants. played: by entrant, for those who have played (`played_by_entry`).
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
        """Rank and whether it is shared, by entry, the best first."""
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
    """Breaks ties, and remembers the values of each tie-break and which one decided."""

    def __init__(self, history: History, order: Sequence[TieBreak]) -> None:
        self.history = history
        self.order = order
        self.decided_by: dict[str, str] = {}
        # The values among the tied alone, by code.
        self.among_tied: dict[str, dict[str, int]] = {code.code: {} for code in order if code.among_tied}

    def break_up(self, tied: list[str], position: int = 0) -> list[list[str]]:
        """The tied, ordered by the tie-breaks from `position` on; those they cannot separate stay in one list."""
        if len(tied) == 1 or position == len(self.order):
            return [tied]
        tie_break = self.order[position]
        values = tie_break.values(tied, self.history)
        if tie_break.among_tied:
            # Where it starts again among some of the tied, the column keeps the first values, those of the whole group:
            # these run down the list in order, which values from different groups would not.
            self.among_tied[tie_break.code] = (values or {}) | self.among_tied[tie_break.code]
        groups = _sorted_groups(tied, values, least_first=tie_break.direction == "least") if values else [tied]
        if len(groups) == 1:
            return self.break_up(tied, position + 1)
        self.decided_by.update(dict.fromkeys(tied, tie_break.code))
        # Head-to-head may separate more when it is asked again for each part; the others cannot, and the next follows.
        return [smaller for group in groups for smaller in self.break_up(group, position)]

    def columns(self) -> list[dict[str, int]]:
        """For each tie-break its value by entry: of everybody, or of those for whom it was worked out."""
        everybody = list(self.history.played)
        return [
            self.among_tied[tie_break.code] if tie_break.among_tied else tie_break.values(everybody, self.history) or {}
            for tie_break in self.order
        ]


def _sorted_groups(entries: Iterable[str], values: dict[str, int], *, least_first: bool) -> list[list[str]]:
    """The entries with equal values together, the best first."""
    groups: dict[int, list[str]] = defaultdict(list)
    for entry in entries:
        groups[values[entry]].append(entry)
    return [groups[value] for value in sorted(groups, reverse=not least_first)]


def on_podium(lines: Iterable[Standing]) -> list[Standing]:
    """The lines of the first three places, best first, with everyone who shares them; none where more than six do."""
    first = [line for line in lines if line.rank is not None and line.rank <= PODIUM]
    return first if len(first) <= 2 * PODIUM else []


def _listing_order(entrant: Entrant) -> tuple[int, str, str]:
    return entrant.number, entrant.name, entrant.id


def played_by_entry(rows: Iterable[ScoreRow]) -> dict[str, list[Played]]:
    """What each entry played, in the order of rounds. Entries that have not played are not in it."""
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
    """The scores of hands between teams, with each hand once for a team."""
    hands: dict[tuple[int, int], list[Score]] = defaultdict(list)
    for score in scores:
        hands[score.table, score.hand].append(score)
    return [score for of_hand in hands.values() for score in _one_row_a_team(of_hand)]


def _one_row_a_team(of_hand: Iterable[Score]) -> list[Score]:
    """Two seats of one entry both carry the hand's score: the first seat's row counts, with the points left of both."""
    teams: dict[str, Score] = {}
    for seat in sorted(of_hand, key=attrgetter("seat")):
        first = teams.setdefault(seat.entry, seat)
        if first is not seat:
            teams[seat.entry] = first._replace(
                went_out=first.went_out or seat.went_out, points_left=(first.points_left or 0) + (seat.points_left or 0)
            )
    return list(teams.values())


def _best_partner(entry: str, played: Sequence[Played], by_id: Mapping[str, Entrant]) -> str | None:
    """The name of the partner with the most points together, the first listed of several; None without points."""
    together: dict[str, int] = defaultdict(int)
    for spell in played:
        if spell.partner is not None and spell.partner in by_id and spell.partner != entry:
            together[spell.partner] += spell.points_for
    partners = [partner for partner, points in together.items() if points > 0]
    if not partners:
        return None
    return by_id[min(partners, key=lambda partner: (-together[partner], _listing_order(by_id[partner])))].name
