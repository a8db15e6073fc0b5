"""Read a list of names with their divisions, pasted or from a file, and place everyone on it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from league.entries.roster.find_table import split_cells
from league.entries.roster.headers import FIRST, LAST, NAME, uses_of
from league.entries.roster.pasted import read_line
from league.entries.roster.rows import shortened
from league.lib.errors import Refused
from league.lib.names import fold, name_key
from league.lib.translate import label_text
from league.models import Division, Player, Season, User
from league.seasons.divisions.placing import Placed, badge_of, people_to_place, place_all
from league.seasons.seasons import lock_season

COLUMNS = ("name", "player_id", "division")
DELIMITERS = ("\t", ";", ",")
NO_DIVISION = {"-", "none"}  # folded; a dash of any length is "-"


@dataclass(frozen=True)
class Row:
    """One person on the list. player_id: empty unless the list has that column. division: as written."""

    line: int
    name: str
    player_id: str
    division: str


class ListFaults(Refused):
    """The list has errors. lines: one sentence each."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("list", _("No one was placed. Correct these lines and send the list again."))
        self.lines = lines


@transaction.atomic
def place_list(*, season: Season, text: str, by: User | None) -> Placed:
    """Put everyone on the list into their division.

    Raises `ListFaults` with every line that can't be understood, and `Conflict` if the season has ended.
    """
    season = lock_season(season)
    divisions = list(season.divisions.order_by("number"))
    reader = _Reader(people_to_place(season), divisions)
    places = reader.places(_rows(text, reader.by_word))
    if reader.faults:
        raise ListFaults(reader.faults)
    return place_all(season=season, places=places, by=by)


class _Reader:
    """Match rows with people and divisions. faults: errors so far."""

    def __init__(self, people: Sequence[Player], divisions: Sequence[Division]) -> None:
        self.by_word = _words_of(divisions)
        self.faults: list[str] = []
        self._by_id = {player.public_id: player for player in people}
        self._by_name: dict[str, list[Player]] = defaultdict(list)
        self._by_key: dict[str, list[Player]] = defaultdict(list)
        for player in people:
            self._by_name[fold(player.name)].append(player)
            self._by_key[name_key(player.name)].append(player)

    def places(self, rows: Iterator[Row]) -> dict[Player, Division | None]:
        places: dict[Player, Division | None] = {}
        line_of: dict[Player, int] = {}
        for row in rows:
            people = self._people_of(row)
            fault = self._fault_of(row, people)
            if not fault:
                player, to = people[0], self.by_word[_word(row.division)]
                if places.setdefault(player, to) == to:
                    line_of.setdefault(player, row.line)
                    continue
                words = _("“%(name)s” is also on line %(line)d, in another division.")
                fault = words % {"name": player.name, "line": line_of[player]}
            self.faults.append(label_text(_("Line %(line)d") % {"line": row.line}, fault))
        if not places and not self.faults:
            self.faults.append(_("The list is empty. Write a name and a division on each line."))
        return places

    def _people_of(self, row: Row) -> Sequence[Player]:
        if row.player_id:
            player = self._by_id.get(row.player_id)
            return [player] if player else []
        for name in (row.name, read_line(row.name).name):
            if people := self._by_name.get(fold(name)) or self._by_key.get(name_key(name)):
                return people
        return []

    def _fault_of(self, row: Row, people: Sequence[Player]) -> str:
        name = {"name": shortened(row.name or row.player_id)}
        if not people:
            return _("“%(name)s” isn’t a member and hasn’t played in this season. Check the name.") % name
        if len(people) > 1:
            return _(
                "%(count)d people are called “%(name)s”. Save the divisions as a file and use its column player_id."
            ) % {"count": len(people), **name}
        if _word(row.division) not in self.by_word:
            if not row.division:
                return _("“%(name)s” has no division. Write it after the name.") % name
            words = _("This season has no division “%(division)s”. Check the spelling.")
            return words % {"division": shortened(row.division)}
        return ""


def _words_of(divisions: Sequence[Division]) -> Mapping[str, Division | None]:
    """Return {word: division}: its name, letter or number, and words for no division."""
    words: dict[str, Division | None] = {_word(division.name): division for division in divisions}
    for division in divisions:
        words.setdefault(_word(badge_of(division)), division)
    for division in divisions:
        words.setdefault(str(division.number), division)
    return words | dict.fromkeys(NO_DIVISION | {_word(_("No division"))} - set(words))


def _word(text: str) -> str:
    return fold(text).rstrip(":").strip()


def _rows(text: str, words: Mapping[str, Division | None]) -> Iterator[Row]:
    """Yield a row a name: from a table with headings, names with divisions, or names below their division."""
    lines = [line for line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1) if line[1].strip()]
    delimiter = next((mark for mark in DELIMITERS if any(mark in line for _number, line in lines)), ",")
    if not lines:
        return
    headings = [fold(cell) for cell in split_cells(lines[0][1], delimiter)]
    if len(headings) > 1 and "division" in headings:
        yield from _rows_of_table(lines[1:], delimiter, headings)
        return
    under = None
    for number, line in lines:
        cells = split_cells(line, delimiter)
        row = Row(number, ", ".join(filter(None, cells[:-1])), "", cells[-1] if cells else "")
        if len(cells) > 1 and (_word(row.division) in words or under is None):
            yield row
        elif _word(line) in words:
            under = _word(line)
        else:
            yield replace(row, name=line.strip(), division=under or "")


def _rows_of_table(lines: Sequence[tuple[int, str]], delimiter: str, headings: Sequence[str]) -> Iterator[Row]:
    own = ("player_id", "division")
    uses = [head if head in own else use for head, use in zip(headings, uses_of(headings), strict=True)]
    for number, line in lines:
        cells = dict(zip(uses, split_cells(line, delimiter), strict=False))
        name = cells.get(NAME) or " ".join(filter(None, (cells.get(FIRST), cells.get(LAST))))
        if name or cells.get("player_id"):
            # An empty division in a table means no division, as in the exported file.
            yield Row(number, name, cells.get("player_id", ""), cells.get("division", "") or "-")
