"""Read a list of teams, typed or from a CSV file, into teams with their members, and report all faulty lines at once.

A typed list has a team a line, `Blue Foxes: Ana, Ben, Cara`. A table has a line for each player, with the team in the
column `team`, or a line for each team, with a column for each player. The lines of a team need not be together. The
captain comes first, the third and later ones are substitutes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from engine.sentences import mark
from league.entries.roster import parse as roster
from league.entries.roster.headers import TEAM
from league.entries.roster.rows import GUESS, Choices, LineError, Roster, RosterRow

FEWEST_MEMBERS, MOST_MEMBERS = 2, 10


def parse(text: str, *, choices: Choices = GUESS) -> Roster:
    """Return the teams as rows. Never raises: faults are in `errors`."""
    return _gather_teams(roster.parse(text, teams=True, choices=choices))


def from_rows(players: Iterable[Mapping[str, str]]) -> Roster:
    """The same for players that are in columns already, as from the API; their lines count from 1."""
    return _gather_teams(roster.from_rows(players, teams=True))


def _gather_teams(people: Roster) -> Roster:
    if people.errors:
        return people
    teams: dict[str, list[RosterRow]] = {}
    for row in people.rows:
        teams.setdefault(row.team.casefold(), []).append(row)
    errors = [*_size_errors(teams.values()), *_duplicate_errors(people.rows)]
    errors.sort(key=lambda error: error.line)
    warnings = sorted([*people.warnings, *_split_warnings(teams.values())], key=lambda warning: warning.line)
    rows = () if errors else tuple(map(_team_row, teams.values()))
    return replace(people, rows=rows, errors=tuple(errors), warnings=tuple(warnings))


def _team_row(members: Sequence[RosterRow]) -> RosterRow:
    captain = members[0]
    club = next((row.club for row in members if row.club), "")
    return RosterRow(captain.line, captain.team, club, captain.email, members=tuple(members))


def _size_errors(teams: Iterable[Sequence[RosterRow]]) -> Iterator[LineError]:
    for members in teams:
        captain = members[0]
        if len(members) < FEWEST_MEMBERS:
            alone = mark("“%(team)s” has one player, %(name)s. A team needs at least two.")
            yield LineError(captain.line, TEAM, alone, {"team": captain.team, "name": captain.name})
        elif len(members) > MOST_MEMBERS:
            many = mark("“%(team)s” has %(count)s players. A team takes at most %(most)s.")
            about = {"team": captain.team, "count": len(members), "most": MOST_MEMBERS}
            yield LineError(captain.line, TEAM, many, about)


def _duplicate_errors(rows: Iterable[RosterRow]) -> Iterator[LineError]:
    """Errors for names that come again; two people of one name in different teams may have different addresses."""
    first: dict[str, list[RosterRow]] = {}
    for row in rows:
        known = first.setdefault(row.name.casefold(), [])
        for other in known:
            same_team = other.team.casefold() == row.team.casefold()
            if not same_team and row.email and other.email and row.email.casefold() != other.email.casefold():
                continue
            yield _duplicate_error(row, other, same_team)
            break
        known.append(row)


def _duplicate_error(row: RosterRow, other: RosterRow, same_team: bool) -> LineError:
    about = {"name": row.name, "line": other.line, "team": other.team}
    if same_team:
        return LineError(row.line, "name", mark("“%(name)s” is in this team twice. Take one of them out."), about)
    again = mark(
        "“%(name)s” plays for “%(team)s” already, on line %(line)s. Take them out of one team; of two people, add "
        "something to one of the names."
    )
    return LineError(row.line, "name", again, about)


def _split_warnings(teams: Iterable[Sequence[RosterRow]]) -> Iterator[LineError]:
    """Warnings for teams that are on several typed lines."""
    for members in teams:
        lines = sorted({row.line for row in members})
        if 1 < len(lines) < len(members):
            template = mark("“%(team)s” is on the lines %(lines)s. They are taken as one team.")
            about = {"team": members[0].team, "lines": ", ".join(map(str, lines))}
            yield LineError(lines[1], None, template, about)
