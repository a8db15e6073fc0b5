"""The order of the draw by rating: who counts as how strong, and the pots from which a first round is drawn."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from league.ledger.lineups import members_of, who_plays
from league.models import Entry, Stage
from league.ratings.model import NEW
from league.ratings.results import latest_ratings

P = TypeVar("P")

BY_RATING = "rating"  # in the place of a seed (Stage.order_seed)


def figures_of(stage: Stage, entries: Sequence[Entry]) -> dict[str, int]:
    """{player_id: the rating by which they are seeded}; empty where the draw goes by the list or by lot.

    Whoever has none, or hides it, counts as somebody new; a team as the mean of the two who play.
    """
    club = stage.tournament.club
    if stage.order_seed != BY_RATING or club is None:
        return {}
    members = members_of(entries) if stage.has_teams else {}
    who = {
        entry.public_id: [one.pk for one in who_plays(members.get(entry.pk, ()))] or [entry.player_id]
        for entry in entries
    }
    ratings = latest_ratings(club, [player for people in who.values() for player in people])
    return {
        player_id: round(sum(ratings.get(player, NEW).figure for player in people) / len(people))
        for player_id, people in who.items()
    }


def pots(players: Sequence[P], tables: int) -> list[Sequence[P]]:
    """As many as there are tables at a time, the strongest first: of each pot nobody is to meet."""
    return [players[start : start + tables] for start in range(0, len(players), tables)]


def logged(figures: Mapping[str, int]) -> dict[str, Any]:
    """For the log's row of a draw: what it went by, so that it can be repeated."""
    strongest_first = sorted(figures.items(), key=lambda one: -one[1])
    return {"ratings": [{"player_id": who, "rating": figure} for who, figure in strongest_first]} if figures else {}
