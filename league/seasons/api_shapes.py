"""Request and response shapes of seasons in the API."""

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
        help_text="For the first place, the second, …; later places get the last value",
    )
    best_of = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        default=None,
        allow_null=True,
        help_text="Number of best tournaments that count; null: all",
    )
    min_evenings = serializers.IntegerField(min_value=1, max_value=1000, default=1, help_text="Minimum for a rank")
    divisions = DivisionIn(many=True, default=list, help_text=f"Highest first, at most {MOST_DIVISIONS}")


class CountsIn(serializers.Serializer):
    tournament = serializers.CharField(max_length=120, help_text="Slug")
    division = serializers.IntegerField(
        min_value=1, max_value=MOST_DIVISIONS, default=None, allow_null=True, help_text="Number; null: for all"
    )
    counts = serializers.BooleanField(default=True, help_text="false removes it from the season")


class PlacedIn(serializers.Serializer):
    player_id = serializers.CharField(max_length=12, help_text="Member id, as in the address of their page")
    division = serializers.IntegerField(
        min_value=1, max_value=MOST_DIVISIONS, default=None, allow_null=True, help_text="Number; null: none"
    )


class PlacesIn(serializers.Serializer):
    players = serializers.ListField(child=PlacedIn(), max_length=MOST_MOVED)


class CloseSeasonIn(serializers.Serializer):
    move_on = serializers.BooleanField(
        default=False, help_text="Also create the next season, and move tournaments that have not started into it"
    )


class ReopenSeasonIn(serializers.Serializer):
    reason = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="Recorded in the log")


class RollOverIn(serializers.Serializer):
    name = serializers.CharField(
        max_length=80, default="", allow_blank=True, help_text="Of the new season; empty: numbered on"
    )
    preview = serializers.BooleanField(default=False, help_text="Only return what would change")


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
    decided: Annotated[bool, "Whether it has ended and its standings are frozen"]


class EveningOfSeason(TypedDict):
    number: int
    day: Day
    tournament: Annotated[str | None, "null if not visible to the caller"]
    final: bool
    division: Annotated[int | None, "null: for all divisions"]


class SeasonDetail(SeasonOut):
    differs: Annotated[bool, "Whether results have changed since the end"]
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
    season: Annotated[str | None, "Slug of the new season; null in a preview"]
    name: str
    up: list[ChangeOut]
    down: list[ChangeOut]
    stays: list[ChangeOut]
    joins: Annotated[list[ChangeOut], "Players without a division so far"]


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
