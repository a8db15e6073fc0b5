"""The rows of a list, collected with the faults of each line.

Messages are English templates with separate parameters (engine.sentences), for pages to translate.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.sentences import Sentence, counted, mark
from league.entries.roster.days import Birthday, day_of
from league.entries.roster.headers import BIRTHDAY, CLUB, EMAIL, NAME, TEAM
from league.lib.names import MAX_NAME, has_control_characters, is_visible, without_joiners

MAX_BYTES = 1_000_000  # of a list as text
MAX_ROWS = 2000
MAX_EMAIL = 254
MOST_SHOWN = 60  # characters of a line quoted in a sentence
MOST_SKIPPED = 5  # skipped lines quoted in a sentence

COLUMNS = (NAME, CLUB, EMAIL, BIRTHDAY)


@dataclass(frozen=True)
class RosterRow:
    """line: number in the text, from 1. birthday: (month, day); the year is never stored.

    A team is a row with `members`, the captain first; a member's row has the team's name in `team`.
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
    """A fault in a line, or a warning. column: None for the whole line."""

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
class Column:
    """A column of a table. heading: empty without a header. samples: its first filled cells."""

    heading: str
    use: str  # one of headers.USES
    samples: tuple[str, ...] = ()


COLUMNS_ASKED, DAY_FIRST, WAITING = "columns", "day-first", "waiting"


@dataclass(frozen=True)
class Question:
    """A question only a person can answer; the reader continues with a guess.

    kind: COLUMNS (uses of the columns), DAY_FIRST (day or month first in `sample`, such as 03.04.1988) or WAITING
    (include the names below the heading `sample`, a waiting list).
    """

    kind: str
    sample: str = ""


@dataclass(frozen=True)
class Choices:
    """A person's choices for a list; the reader guesses the rest.

    uses: of each column, in order. certain_only: leave out guesses, for lists without a preview: a column without a
    heading, an ambiguous day.
    """

    uses: tuple[str, ...] = ()
    day_first: bool | None = None
    with_waiting: bool | None = None
    certain_only: bool = False


GUESS = Choices()


@dataclass(frozen=True)
class Roster:
    """A list, read. rows is empty with any error, so that half a list is never imported.

    notes: sentences about the reading. columns: of a table. questions: the guesses.
    """

    rows: tuple[RosterRow, ...]
    errors: tuple[LineError, ...] = ()
    warnings: tuple[LineError, ...] = ()
    notes: tuple[Sentence, ...] = ()
    columns: tuple[Column, ...] = ()
    questions: tuple[Question, ...] = ()


class Reader:
    """Collects rows, errors, warnings and notes. full: limit reached, so reading stops."""

    def __init__(self, teams: bool = False, once: bool = False, choices: Choices = GUESS) -> None:
        self.teams = teams
        self.once = once
        self.choices = choices
        self.rows: list[RosterRow] = []
        self.errors: list[LineError] = []
        self.warnings: list[LineError] = []
        self.notes: list[Sentence] = []
        self.columns: tuple[Column, ...] = ()
        self.questions: list[Question] = []
        self.skipped: list[str] = []  # lines that are no person, as written
        self.day_first = choices.day_first
        self.full = False

    def error(self, line: int, column: str | None, template: str, **params: object) -> None:
        self.errors.append(LineError(line, column, template, params))
        self.full = self.full or len(self.errors) >= MAX_ROWS

    def warn(self, line: int, column: str | None, template: str, **params: object) -> None:
        if len(self.warnings) < MAX_ROWS:
            self.warnings.append(LineError(line, column, template, params))

    def skip(self, text: str) -> None:
        """Skip a line that is no person, and report it."""
        if len(self.skipped) < MAX_ROWS:
            self.skipped.append(shortened(text))

    def add(self, line: int, cells: Mapping[str, str]) -> None:
        """Check the tidied cells of a player and add the row.

        An unreadable address or birthday is left out with a warning; the name is added anyway.
        """
        if len(self.rows) == MAX_ROWS:
            self.full = True
            self.error(
                line, None, mark("A list takes up to %(limit)s players. Import the rest afterwards."), limit=MAX_ROWS
            )
            return
        self._check_text(line, NAME, cells["name"], needed=mark("The name is missing."))
        if self.teams:
            self._check_text(line, TEAM, cells.get(TEAM, ""), needed=mark("The team is missing."))
        self._check_text(line, CLUB, cells.get(CLUB, ""))
        email = cells.get(EMAIL, "")
        if email and not is_email(email):
            no_address = mark("“%(email)s” is not an e-mail address and is left out.")
            self.warn(line, EMAIL, no_address, email=shortened(email))
            email = ""
        birthday = None
        if text := cells.get(BIRTHDAY, ""):
            birthday = day_of(text, day_first=self.day_first)
            if birthday is None:
                self.warn(
                    line,
                    BIRTHDAY,
                    mark("“%(day)s” is left out. Write birthdays as 1991-07-30 or 30.07."),
                    day=shortened(text),
                )
        # Add faulty rows too, so that counts and duplicates are right.
        self.rows.append(RosterRow(line, cells[NAME], cells.get(CLUB, ""), email, birthday, cells.get(TEAM, "")))

    def _check_text(self, line: int, column: str, text: str, *, needed: str = "") -> None:
        if has_control_characters(text):
            self.error(line, column, mark("This cell contains control characters. Type it instead of pasting."))
        elif not is_visible(text):
            if needed:
                self.error(line, column, needed)
        elif len(text) > MAX_NAME:
            self.error(
                line,
                column,
                mark("%(length)s characters are too many; the limit is %(limit)s."),
                length=len(text),
                limit=MAX_NAME,
            )

    def roster(self) -> Roster:
        if not self.rows and not self.errors:
            message = mark("No names found. Write one name per line, or choose a file with a column “name”.")
            if self.teams:
                message = mark(
                    "No teams found. Write one team per line, “Blue Foxes: Ana, Ben”, or choose a file with columns "
                    "“team” and “name”."
                )
            self.error(1, None, message)
        if not self.teams:
            self._warn_of_duplicates()
        self.warnings.sort(key=lambda warning: warning.line)
        if self.skipped:
            shown = "; ".join(self.skipped[:MOST_SKIPPED]) + ("; …" if len(self.skipped) > MOST_SKIPPED else "")
            count = len(self.skipped)
            self.notes.append(
                counted("%(count)d line left out: %(lines)s", "%(count)d lines left out: %(lines)s", count, lines=shown)
            )
        return Roster(
            () if self.errors else tuple(self.rows),
            tuple(self.errors),
            tuple(self.warnings),
            tuple(self.notes),
            self.columns,
            tuple(self.questions),
        )

    def _warn_of_duplicates(self) -> None:
        same: dict[str, list[RosterRow]] = defaultdict(list)
        for row in self.rows:
            if row.name:
                name = row.name.casefold()
                same[name if self.once else without_joiners(name)].append(row)
        template = mark(
            "“%(name)s” is on lines %(lines)s, read as different players. If this is one person, delete the other"
            " lines."
        )
        if self.once:
            template = mark(
                "“%(name)s” is on lines %(lines)s and is added once. If these are two people, add an initial to one."
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


def shortened(text: str) -> str:
    """Return a cell or line for a sentence: without control characters, and short."""
    shown = "".join("\ufffd" if has_control_characters(char) else char for char in text[: MOST_SHOWN + 1])
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}…"


_LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_](?:[\w-]{0,61}[^\W_])")


def is_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or len(text) > MAX_EMAIL or "_" in domain:
        return False
    return bool(_LOCAL_PART.fullmatch(local) and _DOMAIN.fullmatch(domain))
