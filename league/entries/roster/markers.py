"""Recognise lines that are no person: totals, headings, the start of a waiting list. Pure."""

import re
from collections.abc import Sequence

from engine.sentences import counted
from league.entries.roster.rows import WAITING, Question, Reader, shortened
from league.lib.names import fold

_TOTAL_WORDS = (
    "total|totals|grand total|sum|summe|gesamt|insgesamt|anzahl|count|number of players|nombre total|en tout|somme|"
    "totale|totaal|aantal|suma|razem|celkem|summa|antal|yhteensa"
)
_TOTAL = re.compile(rf"(?:{_TOTAL_WORDS})\s*(?:[:=]?\s*[0-9]+(?:\s+[\w']+)?|:)")
_TOTAL_ALONE = re.compile(rf"(?:{_TOTAL_WORDS})\s*:?")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_WAITING_WORDS = (
    "waiting list|waitlist|wait list|waiting|reserve|reserves|reserve list|standby|stand-by|liste d'attente|en attente|"
    "remplacants|warteliste|nachrucker|nachruckliste|ersatz|ersatzliste|lista de espera|en espera|suplentes|"
    "lista d'attesa|riserve|em espera|wachtlijst|reservelijst|lista rezerwowa|rezerwa|lista oczekujacych|vantelista|"
    "reserver|reservlista|cekaci listina|cekaci list|nahradnici|venteliste|varasijat"
)
_WAITING = re.compile(rf"\W*(?:{_WAITING_WORDS})\W*(?:\([^)]*\)|[0-9]*)\W*")
MOST_HEADING = 60  # characters


def is_total(text: str) -> bool:
    """Return whether a line is a total, such as “Total: 4” or “Summe 12 Spieler”. “Suma” may be a name."""
    return bool(_TOTAL.fullmatch(fold(text)))


def is_total_row(cells: Sequence[str]) -> bool:
    """Return whether a row, without its empty cells, is a total."""
    if any(map(is_total, cells)):
        return True
    return bool(_TOTAL_ALONE.fullmatch(fold(cells[0]))) and len(cells) > 1 and all(map(_NUMBER.fullmatch, cells[1:]))


def is_waiting(text: str) -> bool:
    """Return whether a line is the heading of a waiting list."""
    return bool(_WAITING.fullmatch(fold(text)))


def is_heading(text: str) -> bool:
    return text.startswith("#") or (text.endswith(":") and len(text) <= MOST_HEADING)


def note_waiting(reader: Reader, heading: str, left_out: int) -> None:
    """Ask about the names below a waiting list's heading; report the names left out."""
    if not heading:
        return
    if not reader.choices.certain_only:
        reader.questions.append(Question(WAITING, shortened(heading)))
    if left_out:
        reader.notes.append(
            counted(
                "%(count)d name below “%(heading)s” is left out.",
                "%(count)d names below “%(heading)s” are left out.",
                left_out,
                heading=shortened(heading),
            )
        )
