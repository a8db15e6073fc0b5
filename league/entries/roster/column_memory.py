"""The columns of a club's last lists, as an organiser chose them.

A memory is used only where a person checks the result, never by commands or the API. It never costs a name: a list that
does not fit is read without it.
"""

from collections.abc import Sequence
from hashlib import sha256

from league.entries.roster.headers import BIRTHDAY, EMAIL, NAMING
from league.entries.roster.rows import Column, Roster
from league.lib.names import fold
from league.models import Club, ColumnMemory

MOST_MEMORIES = 50  # of a club


def recall(club: Club | None, columns: Sequence[Column], *, of_teams: bool) -> ColumnMemory | None:
    """Return the choices for columns with these headings; without headings, by number of columns."""
    if club is None or not columns:
        return None
    memory = ColumnMemory.objects.filter(club=club, key=_key(columns, of_teams)).first()
    return memory if memory is not None and len(memory.uses) == len(columns) else None


def remember(
    club: Club | None, columns: Sequence[Column], *, of_teams: bool, day_first: bool | None
) -> ColumnMemory | None:
    """Save the uses of these columns for the club's next list."""
    if club is None or not columns:
        return None
    chosen = {"uses": [column.use for column in columns], "day_first": day_first}
    memory, _new = ColumnMemory.objects.update_or_create(club=club, key=_key(columns, of_teams), defaults=chosen)
    old = ColumnMemory.objects.filter(club=club).order_by("-at", "-pk").values_list("pk", flat=True)[MOST_MEMORIES:]
    ColumnMemory.objects.filter(pk__in=list(old)).delete()
    return memory


def fits(read: Roster, guess: Roster) -> bool:
    """Return whether a list read by a memory has all names of the guess, and only names."""
    if read.errors or not read.rows or len(read.rows) < len(guess.rows):
        return False
    people = [person for row in read.rows for person in (row, *row.members)]
    certain = {EMAIL, BIRTHDAY}
    for column, guessed in zip(read.columns, guess.columns, strict=False):
        if column.use in NAMING and guessed.use in certain and not column.heading:
            return False
    return all(any(map(str.isalpha, person.name)) and "@" not in person.name for person in people)


def _key(columns: Sequence[Column], of_teams: bool) -> str:
    """Return a hash of the headings, because a supposed header may contain names."""
    headings = [fold(column.heading) for column in columns]
    text = "\0".join(headings) if any(headings) else f"{len(columns)} columns"
    return sha256(f"{of_teams}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
