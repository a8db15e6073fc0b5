"""Shapes of seasons in the API: what is sent, and what is answered."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from rest_framework import serializers

from league.access import ClubAccess
from league.api.answers import Day, filled
from league.models import Season
from league.seasons.next_season import Change, RollOver
from league.seasons.seasons import MOST_DIVISIONS, MOST_PLACES, MOST_POINTS, PLACE_POINTS
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


class DivisionOut(TypedDict):
    number: int
    name: str
    up: int
    down: int


class SeasonOut(TypedDict):
    slug: str
    name: str
    counts: Annotated[str, Season.Counts]
    place_points: list[int]
    best_of: int | None
    min_evenings: int
    decided: Annotated[bool, "Whether it has ended: its table is then as it was at that moment"]


class EveningOfSeason(TypedDict):
    number: int
    day: Day
    tournament: Annotated[str | None, "null where it may not be seen"]
    final: bool
    division: Annotated[int | None, "null: for all divisions"]


class SeasonDetail(SeasonOut):
    differs: Annotated[bool, "Whether its evenings say otherwise by now"]
    before: str | None
    after: str | None
    divisions: list[DivisionOut]
    evenings: list[EveningOfSeason]


class ChangeOut(TypedDict):
    player_id: str
    player: str
    before: str | None
    division: str


class RollOverOut(TypedDict):
    season: Annotated[str | None, "The new one; null in a preview"]
    name: str
    up: list[ChangeOut]
    down: list[ChangeOut]
    stays: list[ChangeOut]
    joins: Annotated[list[ChangeOut], "Who played and was in no division"]


def season_json(season: Season) -> SeasonOut:
    return filled(SeasonOut, season, decided=season.closed_at is not None)


def season_detail(access: ClubAccess, season: Season, table: SeasonTable) -> SeasonDetail:
    seen = set(access.tournaments().values_list("pk", flat=True))
    after = Season.objects.filter(before=season).first()
    return {
        **season_json(season),
        "differs": table.differs,
        "before": season.before.slug if season.before else None,
        "after": after.slug if after else None,
        "divisions": [filled(DivisionOut, division) for division in season.divisions.order_by("number")],
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


def roll_over_json(access: ClubAccess, done: RollOver, *, preview: bool) -> RollOverOut:
    def changes(rows: Iterable[Change]) -> list[ChangeOut]:
        return [
            {
                "player_id": change.player.public_id,
                "player": access.name_of(change.player),
                "before": change.before.name if change.before else None,
                "division": change.division.name,
            }
            for change in rows
        ]

    return {
        "season": None if preview else done.season.slug,
        "name": done.season.name,
        "up": changes(done.up),
        "down": changes(done.down),
        "stays": changes(done.stays),
        "joins": changes(done.joins),
    }
