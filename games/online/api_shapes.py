"""Shapes of the API for online tables: their settings, and the online tables of a round."""

from typing import Any

from rest_framework import serializers

from engine.rules import OPTIONS
from engine.simulation.bots import BOTS
from games.models import OnlineSettings
from games.online.play.deals import settings_of
from games.online.play.settings import LIMITS, SETTINGS
from league.models import Tournament
from league.rounds.tables import MOST_TABLES

MOST_ROUNDS = 9999


def _number(name: str, help_text: str) -> serializers.IntegerField:
    least, most = LIMITS[name]
    return serializers.IntegerField(min_value=least, max_value=most, help_text=help_text)


class OnlineOut(serializers.Serializer):
    online = serializers.CharField(
        max_length=300,
        allow_blank=True,
        help_text="Online tables of future rounds: all, or 1-3, 5",
    )
    options = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(OPTIONS)),
        max_length=len(OPTIONS),
        help_text="House rules; fixed from the start of round 1",
    )
    move_seconds = _number("move_seconds", "For a move")
    bank_seconds = _number("bank_seconds", "Reserve for a whole hand")
    absent = serializers.ChoiceField(
        choices=OnlineSettings.Absent.choices, help_text="Replacement when a player’s time runs out"
    )
    misses = _number("misses", "Moves missed in a row before a bot takes over")
    no_show_seconds = _number("no_show_seconds", "To come to the first hand of a round")
    no_show = serializers.ChoiceField(
        choices=OnlineSettings.NoShow.choices, help_text="What happens when a player does not come"
    )
    between_seconds = _number("between_seconds", "Between two hands")
    bot = serializers.ChoiceField(choices=sorted(BOTS))
    spectator_delay = _number("spectator_delay", "Delay for spectators (moves)")


class OnlineIn(OnlineOut):
    """The fields to change; everything else stays as it is."""

    def get_fields(self) -> dict[str, serializers.Field]:
        fields: dict[str, serializers.Field] = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


def online_json(tournament: Tournament) -> dict[str, Any]:
    """Return the settings, read from the database."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    settings = settings_of(tournament)
    return {
        "online": tournament.online,
        "options": sorted(tournament.stage.options),
        **{name: getattr(settings, name) for name in SETTINGS},
    }


def _numbers(help_text: str) -> serializers.ListField:
    table = serializers.IntegerField(min_value=1, max_value=MOST_TABLES)
    return serializers.ListField(child=table, default=list, max_length=MOST_TABLES, help_text=help_text)


class TablesIn(serializers.Serializer):
    round = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS, help_text="Its number")
    online = _numbers("Numbers of tables to be played online from the next hand on")
    paper = _numbers("Numbers of tables to be played with real cards; tables in neither list stay as they are")
