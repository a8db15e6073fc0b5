"""Lists of players that programs send."""

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.base import Checked
from league.api.problems import Problem
from league.entries.roster import parse as roster
from league.entries.roster import teams as team_roster
from league.entries.roster.rows import RosterRow
from league.lib.translate import translate


class PlayerIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    club = serializers.CharField(max_length=80, required=False, allow_blank=True)
    email = serializers.CharField(max_length=254, required=False, allow_blank=True)
    birthday = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="1991-07-30 or 07-30; the year is not kept"
    )
    team = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        help_text="Teams: whom they play for. The first of a team is its captain, the third and later ones substitutes",
    )


def roster_of(players: list[Checked], *, of_teams: bool = False) -> tuple[RosterRow, ...]:
    """The players, or teams, checked like a list that is pasted into the page."""
    if not players:
        return ()
    result = team_roster.from_rows(players) if of_teams else roster.from_rows(players)
    if result.errors:
        raise Problem(
            "malformed",
            _("Nobody was added. Mend these players and send the list again."),
            errors=[
                {
                    "line": error.line,
                    "field": f"players.{error.column or ''}".rstrip("."),
                    "message": translate(error.sentence),
                }
                for error in result.errors
            ],
        )
    return result.rows
