"""A list of teams, typed or as a CSV file, into teams with their members; every faulty line named at once.

A typed list has a team a line, `Blue Foxes: Ana, Ben, Cara`; a CSV file has a line for each player, with their team in
the column `team`, the lines of a team together or not. The captain comes first, the third and later ones are
substitutes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.sentences import mark
from league.entries.roster import parse as roster
from league.entries.roster.rows import TEAM, LineError, Roster, RosterRow

FEWEST_MEMBERS, MOST_MEMBERS = 2, 10


def parse(text: str) -> Roster:
    """The rows are the teams. Never raises: what is wrong stands in `errors`."""
    return _teams(roster.parse(text, teams=True))


def from_rows(players: Iterable[Mapping[str, str]]) -> Roster:
    """The same for players that come in columns already, as over the API; their lines count from 1."""
    return _teams(roster.from_rows(players, teams=True))


def _teams(listed: Roster) -> Roster:
    if listed.errors:
        return listed
    together: dict[str, list[RosterRow]] = {}
    for row in listed.rows:
        together.setdefault(row.team.casefold(), []).append(row)
    errors = [*_sizes(together.values()), *_twice(listed.rows)]
    errors.sort(key=lambda error: error.line)
    warnings = sorted([*listed.warnings, *_apart(together.values())], key=lambda warning: warning.line)
    made = () if errors else tuple(map(_team, together.values()))
    return Roster(made, tuple(errors), tuple(warnings))


def _team(members: Sequence[RosterRow]) -> RosterRow:
    captain = members[0]
    club = next((row.club for row in members if row.club), "")
    return RosterRow(captain.line, captain.team, club, captain.email, members=tuple(members))


def _sizes(teams: Iterable[Sequence[RosterRow]]) -> Iterator[LineError]:
    for members in teams:
        captain = members[0]
        if len(members) < FEWEST_MEMBERS:
            alone = mark("“%(team)s” has one player, %(name)s. A team needs at least two.")
            yield LineError(captain.line, TEAM, alone, {"team": captain.team, "name": captain.name})
        elif len(members) > MOST_MEMBERS:
            many = mark("“%(team)s” has %(count)s players. A team takes at most %(most)s.")
            about = {"team": captain.team, "count": len(members), "most": MOST_MEMBERS}
            yield LineError(captain.line, TEAM, many, about)


def _twice(rows: Iterable[RosterRow]) -> Iterator[LineError]:
    """Who is named again; two of one name in different teams may be told apart by their addresses."""
    first: dict[str, list[RosterRow]] = {}
    for row in rows:
        known = first.setdefault(row.name.casefold(), [])
        for other in known:
            same_team = other.team.casefold() == row.team.casefold()
            if not same_team and row.email and other.email and row.email.casefold() != other.email.casefold():
                continue
            yield _named_again(row, other, same_team)
            break
        known.append(row)


def _named_again(row: RosterRow, other: RosterRow, same_team: bool) -> LineError:
    about = {"name": row.name, "line": other.line, "team": other.team}
    if same_team:
        return LineError(row.line, "name", mark("“%(name)s” is in this team twice. Take one of them out."), about)
    again = mark(
        "“%(name)s” plays for “%(team)s” already, on line %(line)s. Take them out of one team; of two people, add "
        "something to one of the names."
    )
    return LineError(row.line, "name", again, about)


def _apart(teams: Iterable[Sequence[RosterRow]]) -> Iterator[LineError]:
    """Of typed lines: a team that is on several."""
    for members in teams:
        lines = sorted({row.line for row in members})
        if 1 < len(lines) < len(members):
            kept = mark("“%(team)s” is on the lines %(lines)s. They are taken as one team.")
            about = {"team": members[0].team, "lines": ", ".join(map(str, lines))}
            yield LineError(lines[1], None, kept, about)
