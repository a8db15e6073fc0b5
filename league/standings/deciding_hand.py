"""Find the hand that decided a tournament."""

from collections import defaultdict
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.standings.ranking import Standing
from league.standings.read import Ledger

START = 0  # before the first hand of a round


class At(NamedTuple):
    """A hand of a round. Tables play in parallel, so it is this hand at every table."""

    round: int
    hand: int


def decision_in_words(book: Ledger) -> str:
    """Return how the only winner won: “Decided in round 7, hand 3”; empty if no hand decided."""
    at = deciding_hand(book)
    if at is None:
        return ""
    if book.race is None and book.progression is None and at == min(_hands(book)):
        return _("In the lead from the first hand")
    return _("Decided in round %(round)d, hand %(hand)d") % {"round": at.round, "hand": at.hand}


def deciding_hand(book: Ledger) -> At | None:
    """Return the hand since which the winner led alone; in elimination formats the winner's last one.

    None without a single winner, or if a tie-break decided. Adjustments count from the start of their round.
    """
    lines = book.standings()
    first = [line for line in lines if line.rank == 1]
    if len(first) != 1:
        return None
    winner = first[0].entrant.id
    if book.race is not None or book.progression is not None:
        return max((At(score.round, score.hand) for score in book.counted if score.entry == winner), default=None)
    return _lead_for_good(book, winner, {line.entrant.id for line in lines if _is_rival(line, first[0])})


def _is_rival(line: Standing, winner: Standing) -> bool:
    """Return whether a line could have won: ranked, and in the winner's final if finals are apart."""
    return line.rank is not None and line.rank > 1 and not line.stage and line.group == winner.group


def _hands(book: Ledger) -> set[At]:
    return {At(score.round, score.hand) for score in book.counted}


def _lead_for_good(book: Ledger, winner: str, rivals: set[str]) -> At | None:
    points: dict[At, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for score in book.counted:
        points[At(score.round, score.hand)][score.entry] += score.score
    for row in book.adjustments:
        points[At(row.round or 0, START)][row.entry] += row.points
    sign = -1 if book.stage.lowest_wins else 1
    totals: dict[str, int] = defaultdict(int)
    since: At | None = None
    for at in sorted(points):
        for entry, gained in points[at].items():
            totals[entry] += sign * gained
        if any(totals[rival] >= totals[winner] for rival in rivals):
            since = None
        elif since is None and at.hand != START:
            since = at
    return since
