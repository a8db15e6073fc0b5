"""Define teams: two fixed partners meet every other pair, once in a leg (TEAM-1).

Pure: numbers of teams and rounds in, seatings of teams 0, 1, … out. A leg uses the circle method: one team stays, the
others move one place a round; with an odd number the fixed place is empty, and its opponent has a bye.
"""

import functools
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.sentences import Sentence, mark, sentence
from league.formats.estimate import Evening, minutes_a_hand
from league.formats.protocol import TEAMS, Demo, Format, SeatedBefore, Seating
from league.formats.seating.late_rounds import matches_to_come
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import Chosen, bye_points_setting, hands_setting, schedule_settings

SEATS = 4
FEWEST_TEAMS, MOST_TEAMS = 2, 200
MOST_LEGS = 10
MOST_ROUNDS = 200
AT_TABLE = 2
"""Players of a team at a table: its places there are 0 and 1."""

Place = tuple[int, int]
"""(team, 0 or 1)."""
Table = tuple[Place, Place, Place, Place]
Match = tuple[int, int]
"""Two teams; the first has seats 0 and 2, and deals first."""


@dataclass(frozen=True)
class RoundSeating:
    """One round. A table lists its places by seat 0 to 3: one team has seats 0 and 2, the other 1 and 3."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True)
class Properties:
    """Measures of a schedule. Each pair of numbers is (fewest, most), over all pairs of teams or all teams."""

    teams: int
    rounds: int
    met: tuple[int, int]
    dealt_first: tuple[int, int]
    """Rounds in which a team had seats 0 and 2."""
    side_spread: int
    """Largest difference of one team's times on the two sides."""
    byes: tuple[int, int]


def check_teams(teams: int) -> None:
    """Raise NotPossible for a wrong number of teams."""
    if not FEWEST_TEAMS <= teams <= MOST_TEAMS:
        raise NotPossible(_wrong_number(teams))


def _wrong_number(teams: int) -> Sentence:
    return sentence(
        "Choose %(fewest)d to %(most)d teams, not %(teams)d.", fewest=FEWEST_TEAMS, most=MOST_TEAMS, teams=teams
    )


def leg_rounds(teams: int) -> int:
    """Return the rounds in which all teams meet once. Raises NotPossible."""
    check_teams(teams)
    return teams - 1 if teams % 2 == 0 else teams


def count_rounds(teams: int, rounds: int | None = None, legs: int = 1) -> int:
    """Return the number of rounds: all of the legs unless fewer are chosen. Raises NotPossible."""
    once = leg_rounds(teams)
    if not 1 <= legs <= MOST_LEGS:
        raise NotPossible(_wrong_legs(legs))
    if rounds is None and legs * once > MOST_ROUNDS:
        raise NotPossible(
            sentence(
                "A tournament has at most %(most)d rounds; a leg of %(teams)d teams has %(once)d. Choose "
                "fewer legs, or set the rounds.",
                most=MOST_ROUNDS,
                teams=teams,
                once=once,
            )
        )
    total = legs * once if rounds is None else rounds
    if not 1 <= total <= min(legs * once, MOST_ROUNDS):
        raise NotPossible(
            sentence(
                "%(teams)d teams have 1 to %(most)d rounds, not %(rounds)d.",
                teams=teams,
                most=min(legs * once, MOST_ROUNDS),
                rounds=total,
            )
        )
    return total


def _wrong_legs(legs: int) -> Sentence:
    return sentence("All can meet 1 to %(most)d times, not %(legs)d.", most=MOST_LEGS, legs=legs)


@functools.lru_cache(maxsize=8)  # preview and action have the same arguments
def plan(teams: int, rounds: int | None = None, legs: int = 1) -> tuple[RoundSeating, ...]:
    """Return the seating of each round. Equal arguments give equal seatings. Raises NotPossible.

    The next leg swaps sides. Over all rounds a team's times on the two sides, and so of dealing first, differ by at
    most 1, as do those of its two players.
    """
    total = count_rounds(teams, rounds, legs)
    leg, byes = _circle(teams)
    part = total % len(leg)
    # The part of the leg that the last leg plays is evened alone: after an even number of legs only its sides are
    # uneven, after an odd number only those of the other rounds, which no further leg evens out.
    oriented = [*_even_sides(leg[:part], Counter()), *_even_sides(leg[part:], Counter())]
    matches = []
    for number in range(total):
        swapped = number // len(leg) % 2 == 1
        matches.append([(b, a) if swapped else (a, b) for a, b in oriented[number % len(leg)]])
    tables = seat_matches(matches)
    return tuple(RoundSeating(tables[number], byes[number % len(leg)]) for number in range(total))


def _circle(teams: int) -> tuple[list[list[Match]], list[tuple[int, ...]]]:
    """Return the rounds of a leg, and the byes of each."""
    places = teams + teams % 2
    ring = places - 1
    rounds: list[list[Match]] = []
    byes: list[tuple[int, ...]] = []
    for number in range(ring):
        met = [(number, ring), *(((number + step) % ring, (number - step) % ring) for step in range(1, places // 2))]
        rounds.append([match for match in met if max(match) < teams])
        byes.append((number,) if teams % 2 else ())
    return rounds, byes


def _even_sides(rounds: Sequence[Sequence[Match]], lean: Counter[int]) -> list[list[Match]]:
    """Order each match so that every team is first as often as second, or once more or less.

    lean: how many times more each team was first than second before; the result is as even as possible with it.
    """
    lean = Counter(lean)
    ways: dict[int, list[list[int]]] = defaultdict(list)  # by team, the matches in which it is first
    oriented: list[list[list[int]]] = []
    for matches in rounds:
        oriented.append([])
        for first, second in matches:
            match = [first, second] if (lean[first], first) <= (lean[second], second) else [second, first]
            oriented[-1].append(match)
            ways[match[0]].append(match)
            lean.update({match[0]: 1, match[1]: -1})
    while path := next(filter(None, (_turnable_path(team, ways, lean) for team, _more in lean.most_common())), None):
        lean.update({path[0][0]: -2, path[-1][1]: 2})
        for match in path:
            ways[match[0]].remove(match)
            match.reverse()
            ways[match[0]].append(match)
    return [[(first, second) for first, second in matches] for matches in oriented]


def _turnable_path(team: int, ways: Mapping[int, Sequence[list[int]]], lean: Mapping[int, int]) -> list[list[int]]:
    """Return matches that lead from a team to one whose lean is lower by more than two: turning them evens out both."""
    came_by: dict[int, list[int]] = {}
    looked_at = deque([team])
    while looked_at:
        here = looked_at.popleft()
        if lean[team] - lean[here] > 2:
            path = [came_by[here]]
            while path[0][0] != team:
                path.insert(0, came_by[path[0][0]])
            return path
        for match in ways.get(here, ()):
            if match[1] != team and match[1] not in came_by:
                came_by[match[1]] = match
                looked_at.append(match[1])
    return []


def seat_matches(rounds: Sequence[Sequence[Match]], sat: Iterable[tuple[int, int]] = ()) -> list[tuple[Table, ...]]:
    """Return the tables of each round: team members take turns in the lower seat of their side.

    sat: (team, 0 or 1 for its side) of every earlier round.
    """
    times = Counter(sat)

    def places(team: int, side: int) -> tuple[Place, Place]:
        first = times[team, side] % AT_TABLE
        times[team, side] += 1
        return (team, first), (team, 1 - first)

    seated = []
    for matches in rounds:
        tables: list[Table] = []
        for north_team, east_team in matches:
            (north, south), (east, west) = places(north_team, 0), places(east_team, 1)
            tables.append((north, east, south, west))
        seated.append(tuple(tables))
    return seated


@functools.lru_cache(maxsize=8)
def to_come(
    teams: int, rounds: int, played: tuple[tuple[tuple[int | None, int | None], ...], ...], *, seed: str
) -> tuple[RoundSeating, ...]:
    """Return `rounds` more rounds for the remaining teams, numbered from 0, after the played ones.

    played: earlier rounds as matches, with None for a team that left. Few teams meet again; byes and sides are as even
    as possible. Raises NotPossible.
    """
    leg, _byes = _circle(teams)
    check_teams(teams)
    design = [leg[number % len(leg)] for number in range(rounds)]
    pairings = matches_to_come(design, teams, played, seed=seed)
    sat = [(team, side) for past in played for match in past for side, team in enumerate(match) if team is not None]
    lean = Counter(team for team, side in sat if side == 0)
    lean.subtract(team for team, side in sat if side == 1)
    matches = _even_sides(pairings, lean)
    all_teams = set(range(teams))
    return tuple(
        RoundSeating(tables, tuple(sorted(all_teams.difference(*met))))
        for met, tables in zip(matches, seat_matches(matches, sat), strict=True)
    )


def properties(teams: int, seatings: Sequence[RoundSeating]) -> Properties:
    """Count what a schedule gives each team and each pair of teams."""
    met: Counter[tuple[int, int]] = Counter()
    sides: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for seating in seatings:
        byes.update(seating.byes)
        for (team, _north), (other, _east), *_partners in seating.tables:
            met[min(team, other), max(team, other)] += 1
            sides.update([(team, 0), (other, 1)])
    first = [sides[team, 0] for team in range(teams)]
    counts = [met[pair] for pair in combinations(range(teams), 2)]
    sat_out = [byes[team] for team in range(teams)]
    return Properties(
        teams=teams,
        rounds=len(seatings),
        met=(min(counts), max(counts)),
        dealt_first=(min(first), max(first)),
        side_spread=max(abs(sides[team, 0] - sides[team, 1]) for team in range(teams)),
        byes=(min(sat_out), max(sat_out)),
    )


class Teams(Format):
    key = "teams"
    name = mark("Teams")
    about = mark("Two partners stay together. Every team meets every other; substitutes allowed. 2 to 200 teams")
    on_the_way = mark("Opponents change each round")
    enters = TEAMS
    settings = (
        hands_setting(),
        *schedule_settings(MOST_LEGS, most_rounds=MOST_ROUNDS),
        bye_points_setting(),
    )
    demos = (Demo("Team Night", 14),)
    partners = True
    drawn_ahead = True
    has_groups = True
    fewest, most = FEWEST_TEAMS, MOST_TEAMS

    def describe_possible(self) -> Sentence:
        return sentence("Choose %(fewest)d to %(most)d teams.", fewest=FEWEST_TEAMS, most=MOST_TEAMS)

    def wrong_number(self, players: int) -> Sentence:
        return _wrong_number(players)

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        if not players or players not in self.possible():
            return {}
        try:
            self.rounds(values, players)
        except NotPossible as exc:
            return {"cycles" if values["rounds"] is None else "rounds": exc.sentence}
        return {}

    def schedule(self, entries: int, values: Chosen) -> list[Seating]:
        return [Seating(row.tables, row.byes) for row in plan(entries, values["rounds"], values["cycles"] or 1)]

    def more_rounds(
        self, entries: int, rounds: int, played: SeatedBefore, values: Chosen, *, seed: str
    ) -> list[Seating]:
        matches = tuple(tuple((first, second) for first, second in tables) for tables in played)
        return [Seating(row.tables, row.byes) for row in to_come(entries, rounds, matches, seed=seed)]

    def rounds(self, values: Chosen, players: int) -> int:
        return count_rounds(players, values["rounds"], values["cycles"] or 1)

    def byes(self, entries: int, values: Chosen) -> int:
        return entries % 2

    def counts(self, entries: int, rounds: Sequence[Seating]) -> dict[str, tuple[int, int]]:
        counted = properties(entries, [RoundSeating(row.tables, tuple(row.byes)) for row in rounds])  # type: ignore[arg-type]
        return {"Times met": counted.met, "Deals first": counted.dealt_first, "Byes": counted.byes}

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        rounds, hands = self.rounds(values, players), values["hands_per_round"] or 0
        return Evening(
            players=players,
            tables=((players // AT_TABLE, SEATS),),
            rounds=rounds,
            hands=(rounds - (-(-rounds // players) if players % 2 else 0)) * hands,
            minutes=round(rounds * hands * minutes_a_hand(SEATS)),
            byes=players % 2,
            cycles=values["cycles"] or 1,
            of_teams=True,
        )
