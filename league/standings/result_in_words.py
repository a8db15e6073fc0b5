"""Word an entrant's result by format. Pages, lists, screen and prints all call this.

Summed points give the total: “320 points”. A knockout gives the last match, “won the final 129-45”; heats the last
table; a Challenge UNO the elimination, or “last player in, 443”.
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.progression import ACTIVE, LOT, OUT, Line
from league.lib.translate import figure, names
from league.standings.progression_in_words import decided_in_words, line_in_words
from league.standings.race_in_words import left_in_words, status_in_words
from league.standings.ranking import Ending, Standing

FINAL, SEMI_FINAL, QUARTER_FINAL = 0, 1, 2  # levels before the final


def result_in_words(line: Standing, name_of: Mapping[str, str] | None = None) -> str:
    """Return an entrant's result, without a capital or a full stop. name_of: names the opponent of a lost match.

    “320 points”, “won the final 129-45”, “lost in the semi-final 30-80 against Ana”, “last player in, 443”.
    """
    ending = line.ending
    if ending is None:
        return points_in_words(line.total)
    if ending.line is None:
        return _race_in_words(line, ending)
    return _progression_in_words(ending, ending.line, name_of or {})


def progress_in_words(line: Standing, name_of: Mapping[str, str]) -> str:
    """Return an entrant's progress in an elimination stage: “qualified”, and the result once known."""
    if line.ending is None or line.ending.line is None:
        return ""
    if line.ending.line.status == ACTIVE and not line.ending.is_over:
        return line_in_words(line.ending.line, name_of)
    return result_in_words(line, name_of)


def remark_in_words(line: Standing, name_of: Mapping[str, str], target: int | None = None) -> str:
    """Return the words after a name if the total has its own column. target: marks players in danger."""
    if line.ending is None:
        return ""
    return status_in_words(line, target) if line.ending.line is None else progress_in_words(line, name_of)


def winners_in_words(lines: Sequence[Standing]) -> str:
    """Return the winner and the result, without a full stop; empty without a winner."""
    first = [line for line in lines if line.rank == 1]
    if not first:
        return ""
    who, ending = names(line.entrant.name for line in first), first[0].ending
    if len(first) > 1:
        words = {"names": who, "points": points_in_words(first[0].total)}
        return _("%(names)s share first place with %(points)s") % words
    if ending is None:
        return _("Won by %(winners)s with %(points)s") % {"winners": who, "points": points_in_words(first[0].total)}
    result = {"name": who, "result": result_in_words(first[0])}
    is_a_match = ending.line is not None and ending.has_won
    return (_("%(name)s %(result)s") if is_a_match else _("%(name)s: %(result)s")) % result


def points_in_words(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", points) % {"count": figure(points)}


def _race_in_words(line: Standing, ending: Ending) -> str:
    words = {"points": figure(line.total)}
    if ending.has_won:
        return _("last player in, %(points)s") % words
    if departure := left_in_words(line):
        return _("%(what)s, with %(points)s") % {"what": departure, **words}
    return _("still in, %(points)s") % words


def _progression_in_words(ending: Ending, line: Line, name_of: Mapping[str, str]) -> str:
    result = _match_in_words(ending, line)
    if not result:
        return line_in_words(line, name_of) or _("still in")
    if ending.against is None:
        if line.table:
            result = _("%(what)s, with %(points)s") % {"what": result, "points": figure(line.points)}
    elif line.points or ending.against:  # otherwise no hand was played
        result = _("%(what)s %(own)s-%(other)s") % {"what": result, "own": line.points, "other": ending.against}
    if line.by is not None and line.by in name_of:
        result = _("%(what)s against %(name)s") % {"what": result, "name": name_of[line.by]}
    decided = decided_in_words(LOT if line.by_lot else line.decided_by or "")
    return ", ".join(filter(None, (result, decided)))


def _match_in_words(ending: Ending, line: Line) -> str:
    """Return the outcome of the last match or final table; empty if `line_in_words` has better words."""
    if ending.has_won and ending.before_final != FINAL:
        return _("won")  # the opponent was missing
    if not ending.is_over or line.table is None or line.status not in (ACTIVE, OUT):
        return ""
    if line.for_third:
        return _("won third place") if line.by is None else _("lost third place")
    if ending.before_final == FINAL:
        if ending.has_won:
            return _("shared first place in the final") if line.tied else _("won the final")
        if ending.is_duel:
            return _("lost the final")
        return _("place %(place)d in the final") % {"place": line.place or 0}
    if line.by is None:
        return ""
    if ending.before_final == SEMI_FINAL:
        return _("lost in the semi-final")
    if ending.before_final == QUARTER_FINAL:
        return _("lost in the quarter-final")
    return ""
