"""Compute the values of each team member from the ledger; never stored."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from league.ledger.lineups import members_of
from league.models import Entry, HandScore, Tournament
from league.standings.read import read

Row = dict[str, Any]
FIGURES = (
    "rounds_played", "hands_played", "hands_won", "times_out", "points_for", "points_against", "points_caught",
)  # fmt: skip
HEADER = ("player_id", "player", "member_id", "member", "partner_id", "partner", *FIGURES)
SEATS = 4


def member_rows(tournament: Tournament, as_of_round: int | None = None) -> Iterator[Row]:
    """Yield a row for each member and partner, teams in list order, captains first.

    Members without hands have one row of zeros; substitutes who played follow the members. Empty without teams.
    """
    if not tournament.stage.has_teams:
        return
    entries = list(tournament.entries.select_related("player").order_by("number", "id"))
    members = members_of(entries)
    played = _hands_by_team(tournament, as_of_round)
    for entry in entries:
        together = played[entry.public_id]
        people = {member.player.public_id: member.player.name for member in members[entry.pk]}
        people |= {half.member_id: half.member for hands in together.values() for half, _other in hands}
        for member_id, name in people.items():
            yield from _rows_of_member(entry, member_id, name, together)


class _Half(NamedTuple):
    """One of a team's two rows of a hand."""

    round: int
    table: int
    hand: int
    seat: int
    member_id: str
    member: str
    out: bool
    points_for: int
    points_against: int
    points_left: int | None


Pair = tuple[str, str]
"""Public ids of a member and a partner."""
Together = dict[Pair, list[tuple[_Half, _Half]]]
"""Both halves of each hand a pair played, under both orders of the pair."""


def _hands_by_team(tournament: Tournament, as_of_round: int | None) -> dict[str, Together]:
    """Return hands by the team's public id."""
    scores = HandScore.objects.living().filter(table__round__tournament=tournament).exclude(played_by=None)
    if as_of_round is not None:
        scores = scores.filter(table__round__number__lte=as_of_round)
    counts = _hands_that_count(tournament)
    halves: dict[tuple[int, int], dict[int, tuple[str, _Half]]] = defaultdict(dict)
    for team, *row in scores.values_list(
        "entry__public_id", "table__round__number", "table_id", "hand", "seat", "played_by__public_id",
        "played_by__name", "went_out", "points_for", "points_against", "points_left",
    ):  # fmt: skip
        half = _Half._make(row)
        if counts is None or (half.table, half.hand) in counts:
            halves[half.table, half.hand][half.seat] = (team, half)
    by_team: dict[str, Together] = defaultdict(lambda: defaultdict(list))
    for of_hand in halves.values():
        for seat, (team, half) in of_hand.items():
            other = of_hand.get((seat + SEATS // 2) % SEATS)
            if other is not None:
                by_team[team][half.member_id, other[1].member_id].append((half, other[1]))
    return by_team


def _hands_that_count(tournament: Tournament) -> set[tuple[int, int]] | None:
    """Return counted hands by table and hand, if a table may end early; None if all hands count."""
    stages = list(tournament.stages.all())
    if all(stage.drawn_ahead for stage in stages):
        return None
    books = (read(tournament, stage=stage) for stage in stages)
    return {(score.table, score.hand) for book in books for score in book.counted}


def _rows_of_member(entry: Entry, member_id: str, name: str, together: Together) -> Iterator[Row]:
    about = {"player_id": entry.public_id, "player": entry.name, "member_id": member_id, "member": name}
    own = {pair[1]: hands for pair, hands in together.items() if pair[0] == member_id}
    if not own:
        yield {**about, "partner_id": None, "partner": None, **dict.fromkeys(FIGURES, 0)}
    for partner_id, hands in sorted(
        own.items(), key=lambda item: (-sum(half.points_for for half, _o in item[1]), item[0])
    ):
        yield {**about, "partner_id": partner_id, "partner": hands[0][1].member, **_figures(hands)}


def _figures(hands: Sequence[tuple[_Half, _Half]]) -> Row:
    return {
        "rounds_played": len({half.round for half, _other in hands}),
        "hands_played": len(hands),
        "hands_won": sum(half.out or other.out for half, other in hands),
        "times_out": sum(half.out for half, _other in hands),
        "points_for": sum(half.points_for for half, _other in hands),
        "points_against": sum(half.points_against for half, _other in hands),
        "points_caught": sum(half.points_left or 0 for half, _other in hands),
    }


@dataclass(frozen=True)
class Member:
    """A line of the page: a member's totals, and (partner, points with them)."""

    team_id: str
    team: str
    name: str
    figures: Row
    partners: tuple[tuple[str, int], ...]


def members_in_lines(rows: Iterable[Row]) -> list[Member]:
    """Merge rows of members.csv to one line a member, most points first."""
    together: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        together[row["player_id"], row["member_id"]].append(row)
    lines = [
        Member(
            team_id,
            of_member[0]["player"],
            of_member[0]["member"],
            {figure: sum(row[figure] for row in of_member) for figure in FIGURES},
            tuple((row["partner"], row["points_for"]) for row in of_member if row["partner"]),
        )
        for (team_id, _member), of_member in together.items()
    ]
    return sorted(lines, key=lambda line: (-line.figures["points_for"], line.name))


def names_in_teams(rows: Iterable[Row]) -> dict[str, list[str]]:
    """Return {player_id: names of the team's members}."""
    names: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        names[row["player_id"]][row["member_id"]] = row["member"]
    return {team: list(people.values()) for team, people in names.items()}


def rows_with_players(rows: Iterable[Row]) -> list[Row]:
    """Return rows of hands.csv with the seated people's names in place of the team's."""
    rows = list(rows)
    names = {(*_slot(row), row["seat"]): row["played_by"] or row["player"] for row in rows}
    return [
        row
        | {
            "player": names[*_slot(row), row["seat"]],
            "partner": names.get((*_slot(row), (row["seat"] + SEATS // 2) % SEATS)),
        }
        for row in rows
    ]


def _slot(row: Row) -> tuple[Any, ...]:
    return row["table_id"], row["hand"], row["recorded_at"]
