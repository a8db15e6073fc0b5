"""The formats a stage can be played in, one pure module each: players in, seating out."""

from league.formats import pairs
from league.seating.not_possible import NotPossible

FORMATS = {"pairs": pairs}

__all__ = ["FORMATS", "NotPossible"]
