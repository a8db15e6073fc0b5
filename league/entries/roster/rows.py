"""The rows of a list of players, collected one by one, with the faults of each line.

Messages are English templates with separate parameters (engine.sentences), so that a page can translate them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from engine.sentences import Sentence, mark
from league.lib.names import MAX_NAME, has_control_characters, is_visible, without_joiners

MAX_ROWS = 2000
MAX_EMAIL = 254

COLUMNS = ("name", "club", "email", "birthday")
TEAM = "team"  # the additional column of a list of teams

Birthday = tuple[int, int]
"""(month, day)."""


@dataclass(frozen=True)
class RosterRow:
    """line: its number in the text, from 1. birthday: (month, day); the year is never stored.

    A team is a row with `members`, the captain first; a member's row has the team's name as `team`.
    """

    line: int
    name: str
    club: str = ""
    email: str = ""
    birthday: Birthday | None = None
    team: str = ""
    members: tuple["RosterRow", ...] = ()


@dataclass(frozen=True)
class LineError:
    """A fault in a line or, as a warning, something odd. column: None if the whole line is meant."""

    line: int
    column: str | None
    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> Sentence:
        return Sentence(self.template, self.params)

    @property
    def message(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True)
class Roster:
    """rows is empty if there is any error: half a list is never imported.

    columns: the first line of a table of which nobody knows yet in which column the names are.
    """

    rows: tuple[RosterRow, ...]
    errors: tuple[LineError, ...] = ()
    warnings: tuple[LineError, ...] = ()
    columns: tuple[str, ...] = ()


class Reader:
    """Collects rows, errors and warnings. full: there are enough of them, so reading stops."""

    def __init__(self, teams: bool, once: bool = False) -> None:
        self.teams = teams
        self.once = once
        self.rows: list[RosterRow] = []
        self.errors: list[LineError] = []
        self.warnings: list[LineError] = []
        self.full = False

    def error(self, line: int, column: str | None, template: str, **params: object) -> None:
        self.errors.append(LineError(line, column, template, params))
        self.full = self.full or len(self.errors) >= MAX_ROWS

    def warn(self, line: int, column: str | None, template: str, **params: object) -> None:
        if len(self.warnings) < MAX_ROWS:
            self.warnings.append(LineError(line, column, template, params))

    def add(self, line: int, cells: Mapping[str, str]) -> None:
        """Check the cells of one player, which are tidied already, and add the row."""
        if len(self.rows) == MAX_ROWS:
            self.full = True
            self.error(
                line, None, mark("A list holds up to %(limit)s players. Import the rest afterwards."), limit=MAX_ROWS
            )
            return
        self._check_text(line, "name", cells["name"], needed=mark("The name is missing."))
        if self.teams:
            self._check_text(line, TEAM, cells.get(TEAM, ""), needed=mark("The team is missing."))
        self._check_text(line, "club", cells.get("club", ""))
        email = cells.get("email", "")
        if email and not is_email(email):
            self.error(line, "email", mark("This is not an e-mail address. Write ana@example.org, or leave it empty."))
        birthday = None
        if text := cells.get("birthday", ""):
            birthday = birthday_of(text)
            if birthday is None:
                self.error(
                    line,
                    "birthday",
                    mark(
                        "This is not a day we can read. Write the birthday as 1991-07-30 or 07-30, or leave it empty."
                    ),
                )
        # A faulty row is added too, so that the count of players and the duplicates are right.
        self.rows.append(RosterRow(line, cells["name"], cells.get("club", ""), email, birthday, cells.get(TEAM, "")))

    def _check_text(self, line: int, column: str, text: str, *, needed: str = "") -> None:
        if has_control_characters(text):
            self.error(
                line, column, mark("There are control characters in this cell. Type it again instead of pasting it.")
            )
        elif not is_visible(text):
            if needed:
                self.error(line, column, needed)
        elif len(text) > MAX_NAME:
            self.error(
                line,
                column,
                mark("This has %(length)s characters; up to %(limit)s fit."),
                length=len(text),
                limit=MAX_NAME,
            )

    def roster(self) -> Roster:
        if not self.rows and not self.errors:
            nobody = mark("There are no names here. Give one name a line, or a CSV file with a column “name”.")
            if self.teams:
                nobody = mark(
                    "There are no teams here. Give one team a line, as “Blue Foxes: Ana, Ben”, or a CSV file with the "
                    "columns “team” and “name”."
                )
            self.error(1, None, nobody)
        if not self.teams:
            self._warn_of_duplicates()
        self.warnings.sort(key=lambda warning: warning.line)
        return Roster(() if self.errors else tuple(self.rows), tuple(self.errors), tuple(self.warnings))

    def _warn_of_duplicates(self) -> None:
        same: dict[str, list[RosterRow]] = defaultdict(list)
        for row in self.rows:
            if row.name:
                name = row.name.casefold()
                same[name if self.once else without_joiners(name)].append(row)
        template = mark(
            "“%(name)s” is on the lines %(lines)s. They are kept as different players; "
            "if it is one person, take the others out."
        )
        if self.once:
            template = mark(
                "“%(name)s” is on the lines %(lines)s, and is kept once; "
                "if they are two people, give one of them something to tell them apart."
            )
        for rows in same.values():
            if len(rows) > 1:
                self.warn(
                    rows[1].line,
                    "name",
                    template,
                    name=rows[0].name,
                    lines=", ".join(str(row.line) for row in rows),
                )


_LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_](?:[\w-]{0,61}[^\W_])")


def is_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or len(text) > MAX_EMAIL or "_" in domain:
        return False
    return bool(_LOCAL_PART.fullmatch(local) and _DOMAIN.fullmatch(domain))


_YEAR_MONTH_DAY = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_MONTH_DAY = re.compile(r"(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_DAY_MONTH = re.compile(r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.?(?: ?(?<=[. ])(?P<year>[0-9]{4}))?")

_LEAP_YEAR = 2000


def birthday_of(text: str) -> Birthday | None:
    """Month and day of 1991-07-30, 07-30, 30.07.1991 or 30.07., if the day exists (without a year 29 February does)."""
    match = _YEAR_MONTH_DAY.fullmatch(text) or _MONTH_DAY.fullmatch(text) or _DAY_MONTH.fullmatch(text)
    if match is None:
        return None
    year, month, day = match.groupdict().get("year"), int(match["month"]), int(match["day"])
    try:
        date(int(year) if year else _LEAP_YEAR, month, day)
    except ValueError:
        return None
    return month, day
