"""Draw by rating: the strength of each entry, and the pots of a first round."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from league.ledger.lineups import members_of, usual_players
from league.models import Entry, Stage
from league.ratings.model import NEW
from league.ratings.results import latest_ratings

P = TypeVar("P")

BY_RATING = "rating"  # value of Stage.order_seed instead of a seed


def figures_of(stage: Stage, entries: Sequence[Entry]) -> dict[str, int]:
    """Return {player_id: rating}; empty unless the draw is by rating.

    Players without a rating, or with a hidden one, count as new; a team counts as the mean of its two players.
    """
    club = stage.tournament.club
    if stage.order_seed != BY_RATING or club is None:
        return {}
    members = members_of(entries) if stage.has_teams else {}
    player_keys = {
        entry.public_id: [member.pk for member in usual_players(members.get(entry.pk, ()))] or [entry.player_id]
        for entry in entries
    }
    ratings = latest_ratings(club, [player for people in player_keys.values() for player in people])
    return {
        player_id: round(sum(ratings.get(player, NEW).figure for player in people) / len(people))
        for player_id, people in player_keys.items()
    }


def pots(players: Sequence[P], tables: int) -> list[Sequence[P]]:
    """Split players into pots of as many as there are tables, the strongest first. Players of one pot don't meet."""
    return [players[start : start + tables] for start in range(0, len(players), tables)]


def log_of(figures: Mapping[str, int]) -> dict[str, Any]:
    """Return the ratings of a draw for its log row, so that the draw can be repeated."""
    strongest_first = sorted(figures.items(), key=lambda item: -item[1])
    return (
        {"ratings": [{"player_id": player_id, "rating": figure} for player_id, figure in strongest_first]}
        if figures
        else {}
    )
