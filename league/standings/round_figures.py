"""Compute each player's values in each round, from hands and points adjustments."""

from collections import defaultdict
from typing import Any

from league.standings.read import Ledger

Figures = defaultdict[tuple[int, str], dict[str, Any]]
"""By (round, player_id); zeros for a player without hands in it."""


def round_figures(book: Ledger) -> Figures:
    figures = no_figures()
    winners = book.winners()
    for score in book.counted:
        row = figures[score.round, score.entry]
        row["hands_played"] += 1
        row["hands_won"] += score.entry in winners[score.table, score.hand]
        row["points_for"] += score.points_for
        row["points_against"] += score.points_against
        row["points_caught"] += score.points_left or 0
        row["total"] += score.score
    for adjustment in book.adjustments:
        if adjustment.round is not None:
            row = figures[adjustment.round, adjustment.entry]
            row["adjustments"] += adjustment.points
            row["total"] += adjustment.points
    return figures


def no_figures() -> Figures:
    names = (
        "hands_played", "hands_won", "points_for", "points_against", "points_caught", "adjustments", "total",
    )  # fmt: skip
    return defaultdict(lambda: dict.fromkeys(names, 0))
