"""A team of a club as a page or a program is told of it."""

from typing import Any

from league.access import ClubAccess
from league.models import Team


def team_line(access: ClubAccess, team: Team) -> dict[str, Any]:
    """Who plays, the captain first, and who is a substitute, as the viewer may see them called."""
    members = [one for one in team.members.all() if one.player.erased_at is None]
    return {
        "team_id": team.player.public_id,
        "name": team.player.name,
        "plays": [access.name_of(one.player) for one in members if not one.is_substitute],
        "substitutes": [access.name_of(one.player) for one in members if one.is_substitute],
    }
