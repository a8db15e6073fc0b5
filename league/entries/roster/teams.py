"""Read a list of teams, typed or CSV, into teams with members, and report all faulty lines at once.

A typed list has a team per line, `Blue Foxes: Ana, Ben, Cara`. A table has a line per player with a column `team`, or a
line per team with a column per player. A team's lines need not be adjacent. The captain comes first, the third and
later players are substitutes.
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
    """Return the teams of players already in columns, as from the API; lines count from 1."""
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
    """Yield errors for repeated names; namesakes in different teams may have different addresses."""
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
        return LineError(row.line, "name", mark("“%(name)s” is in this team twice. Remove one of them."), about)
    again = mark("“%(name)s” already plays for “%(team)s” on line %(line)s. Remove one, or add an initial.")
    return LineError(row.line, "name", again, about)


def _split_warnings(teams: Iterable[Sequence[RosterRow]]) -> Iterator[LineError]:
    """Yield warnings for teams on several typed lines."""
    for members in teams:
        lines = sorted({row.line for row in members})
        if 1 < len(lines) < len(members):
            template = mark("“%(team)s” on lines %(lines)s is read as one team.")
            about = {"team": members[0].team, "lines": ", ".join(map(str, lines))}
            yield LineError(lines[1], None, template, about)
