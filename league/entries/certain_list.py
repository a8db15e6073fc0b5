"""Read a list file for a program: take the certain parts and report the rest."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from engine.sentences import mark
from league.entries.forms import notes_in_words
from league.entries.roster import parse as roster
from league.entries.roster import teams as team_roster
from league.entries.roster.files import read_file
from league.entries.roster.rows import COLUMNS_ASKED, DAY_FIRST, WAITING, Choices, Roster

_QUESTIONS = {
    COLUMNS_ASKED: mark("The columns are unclear. Add the headings name, club, email."),
    DAY_FIRST: mark("The order of day and month is unclear. Write birthdays as 1991-07-30."),
    WAITING: mark("The list contains a waiting list. Remove it."),
}


class CertainList(NamedTuple):
    """The certain parts of a list.

    notes: how the list was read and what was left out. doubts: reasons for `strict` to refuse it.
    """

    roster: Roster
    notes: Sequence[str]
    doubts: Sequence[str]


def read_certain(data: bytes, *, of_teams: bool, strict: bool = False) -> CertainList:
    """Read a list from the bytes of a file. Faulty lines are in `roster.errors`.

    strict: also report doubts that are settled by leaving out data. Raises FileError.
    """
    text, encoding = read_file(data)
    choices = Choices(certain_only=not strict)
    listed = team_roster.parse(text, choices=choices) if of_teams else roster.parse(text, choices=choices)
    notes = list(notes_in_words(listed))
    if encoding:
        notes.append(_("Read as %(encoding)s.") % {"encoding": encoding})
    doubts = [_(_QUESTIONS[question.kind]) for question in listed.questions]
    is_doubtful = strict and bool(doubts or listed.warnings or encoding)
    return CertainList(listed, notes, [*doubts, *notes] if is_doubtful else [])
