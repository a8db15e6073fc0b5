"""The formats a stage can be played in, one pure module each: players in, seating out.

Every format has: `NAME`, `SETTINGS` (the fields in which an organiser chooses; those of other formats mean nothing to
it), `PARTNERS` (whether seats 0 and 2 play against 1 and 3, TEAM-1), `SCORING`, `TIE_BREAKS` (whether the tournament's
tie-breaks decide equal totals), `DRAWN_AHEAD` (whether all rounds are drawn before the first; else each is drawn when
the one before is closed), `possible_players`, `describe_possible` and `problems` (which of an organiser's choices
cannot be played, by field).
"""

from league.formats import challenge, pairs, points, teams
from league.formats.seating.not_possible import NotPossible
from league.formats.settings import Wanted

FORMATS = {"pairs": pairs, "teams": teams, "challenge": challenge, "points": points}

__all__ = ["FORMATS", "NotPossible", "Wanted"]
