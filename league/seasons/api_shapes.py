"""Shapes of seasons in the API: what is sent, and what is answered."""

from typing import Any

from rest_framework import serializers

from league.access import ClubAccess
from league.models import Division, Season
from league.seasons.next_season import Change, RollOver
from league.seasons.seasons import MOST_DIVISIONS, MOST_PLACES, MOST_POINTS, PLACE_POINTS, RULES
from league.seasons.table import SeasonTable

MOST_MOVED = 1000


class DivisionIn(serializers.Serializer):
    name = serializers.CharField(max_length=40)
    up = serializers.IntegerField(min_value=0, max_value=MOST_POINTS, default=0)
    down = serializers.IntegerField(min_value=0, max_value=MOST_POINTS, default=0)


class SeasonIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    counts = serializers.ChoiceField(choices=Season.Counts.choices, default=Season.Counts.PLACES)
    place_points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MOST_POINTS),
        max_length=MOST_PLACES,
        default=list(PLACE_POINTS),
        help_text="Of the first place, the second, …; whoever is behind them gets the last",
    )
    best_of = serializers.IntegerField(
        min_value=1, max_value=1000, default=None, allow_null=True, help_text="So many evenings count; null: all"
    )
    min_evenings = serializers.IntegerField(min_value=1, max_value=1000, default=1, help_text="For a rank")
    divisions = DivisionIn(many=True, default=list, help_text=f"The highest first, at most {MOST_DIVISIONS}")


class CountsIn(serializers.Serializer):
    tournament = serializers.CharField(max_length=120, help_text="Its slug")
    division = serializers.IntegerField(
        min_value=1, max_value=MOST_DIVISIONS, default=None, allow_null=True, help_text="Its number; null: for all"
    )
    counts = serializers.BooleanField(default=True, help_text="false takes it out of the season")


class PlacedIn(serializers.Serializer):
    player_id = serializers.CharField(max_length=12, help_text="Of the member: as in the address of their page")
    division = serializers.IntegerField(
        min_value=1, max_value=MOST_DIVISIONS, default=None, allow_null=True, help_text="Its number; null: in none"
    )


class PlacesIn(serializers.Serializer):
    players = serializers.ListField(child=PlacedIn(), max_length=MOST_MOVED)


class CloseSeasonIn(serializers.Serializer):
    move_on = serializers.BooleanField(
        default=False, help_text="Make the next season too, and move evenings that have not begun into it"
    )


class ReopenSeasonIn(serializers.Serializer):
    reason = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="Stays in the log")


class RollOverIn(serializers.Serializer):
    name = serializers.CharField(
        max_length=80, default="", allow_blank=True, help_text="Of the new season; empty: counted on"
    )
    preview = serializers.BooleanField(default=False, help_text="Only tell what would be done")


class DivisionOut(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    up = serializers.IntegerField()
    down = serializers.IntegerField()


class SeasonOut(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    counts = serializers.ChoiceField(choices=Season.Counts.choices)
    place_points = serializers.ListField(child=serializers.IntegerField())
    best_of = serializers.IntegerField(allow_null=True)
    min_evenings = serializers.IntegerField()
    decided = serializers.BooleanField(help_text="Whether it has ended: its table is then as it was at that moment")


class EveningOfSeason(serializers.Serializer):
    number = serializers.IntegerField()
    day = serializers.DateField()
    tournament = serializers.CharField(allow_null=True, help_text="null where it may not be seen")
    final = serializers.BooleanField()
    division = serializers.IntegerField(allow_null=True, help_text="null: for all divisions")


class SeasonDetail(SeasonOut):
    differs = serializers.BooleanField(help_text="Whether its evenings say otherwise by now")
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)
    divisions = DivisionOut(many=True)
    evenings = EveningOfSeason(many=True)


class SeasonStanding(serializers.Serializer):
    division = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="null with fewer evenings than the season asks for")
    tied = serializers.BooleanField()
    player_id = serializers.CharField(allow_null=True, help_text="Of the member, not of one tournament; null: unnamed")
    player = serializers.CharField()
    evenings_played = serializers.IntegerField()
    evenings_counted = serializers.IntegerField()
    total = serializers.IntegerField()
    moves = serializers.ChoiceField(choices=["up", "down"], allow_null=True)


class SeasonEveningRow(serializers.Serializer):
    evening = serializers.IntegerField()
    day = serializers.DateField()
    tournament = serializers.CharField(allow_null=True)
    final = serializers.BooleanField()
    division = serializers.CharField(allow_null=True)
    player_id = serializers.CharField(allow_null=True)
    player = serializers.CharField()
    place = serializers.IntegerField()
    points = serializers.IntegerField(help_text="In that evening")
    gives = serializers.IntegerField(help_text="What that is worth in the season")
    counts = serializers.BooleanField(help_text="Whether it is among the best that count")


class ChangeOut(serializers.Serializer):
    player_id = serializers.CharField()
    player = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    division = serializers.CharField()


class RollOverOut(serializers.Serializer):
    season = serializers.CharField(allow_null=True, help_text="The new one; null in a preview")
    name = serializers.CharField()
    up = ChangeOut(many=True)
    down = ChangeOut(many=True)
    stays = ChangeOut(many=True)
    joins = ChangeOut(many=True, help_text="Who played and was in no division")


def season_json(season: Season) -> dict[str, Any]:
    return {
        "slug": season.slug,
        **{field: getattr(season, field) for field in RULES},
        "decided": season.closed_at is not None,
    }


def season_detail(access: ClubAccess, season: Season, table: SeasonTable) -> dict[str, Any]:
    seen = set(access.tournaments().values_list("pk", flat=True))
    after = Season.objects.filter(before=season).first()
    return season_json(season) | {
        "differs": table.differs,
        "before": season.before.slug if season.before else None,
        "after": after.slug if after else None,
        "divisions": [division_json(division) for division in season.divisions.order_by("number")],
        "evenings": [
            {
                "number": evening.number,
                "day": evening.day.isoformat(),
                "tournament": evening.tournament.slug if evening.tournament.pk in seen else None,
                "final": evening.is_final,
                "division": evening.division.number if evening.division else None,
            }
            for evening in table.evenings
        ],
    }


def division_json(division: Division) -> dict[str, Any]:
    return {field: getattr(division, field) for field in ("number", "name", "up", "down")}


def roll_over_json(access: ClubAccess, done: RollOver, *, preview: bool) -> dict[str, Any]:
    def change_json(change: Change) -> dict[str, Any]:
        return {
            "player_id": change.player.public_id,
            "player": access.name_of(change.player),
            "before": change.before.name if change.before else None,
            "division": change.division.name,
        }

    return {
        "season": None if preview else done.season.slug,
        "name": done.season.name,
        **{way: [change_json(change) for change in getattr(done, way)] for way in ("up", "down", "stays", "joins")},
    }
