"""The seasons of a club over the API: rules, evenings, tables, and the step to the next one."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, club_for, season_for
from league.access.rights import InClub
from league.api.base import Answer, ApiView, Checked, CsvRenderer, by
from league.api.rows import NothingIn, row_json
from league.lib.errors import Refused
from league.models import Division, Player, Season
from league.pages.downloads import csv_file
from league.seasons import api_shapes as shapes
from league.seasons import export_rows
from league.seasons.next_season import preview_roll_over, roll_over
from league.seasons.seasons import (
    DivisionWanted,
    close_season,
    create_season,
    delete_season,
    place_players,
    put_in_season,
    reopen_season,
)
from league.seasons.table import season_table

FORMAT = OpenApiParameter("format", str, enum=["json", "csv"], description="Wins over `Accept`")
SEASON = {
    "name": "League 2026",
    "best_of": 8,
    "divisions": [{"name": "Gold", "down": 2}, {"name": "Silver", "up": 2}],
}


class Seasons(ApiView):
    @extend_schema(
        operation_id="seasons_list",
        summary="The seasons of a club, the latest first",
        responses=shapes.SeasonOut(many=True),
    )
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([shapes.season_json(one) for one in access.club.seasons.order_by("-pk")])

    @extend_schema(
        operation_id="seasons_create",
        summary="Make a season",
        request=shapes.SeasonIn,
        responses={201: shapes.SeasonDetail},
        examples=[OpenApiExample("Two divisions", SEASON, request_only=True)],
    )
    def post(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug, InClub.SEASONS)
        data = self.checked(shapes.SeasonIn)
        data["divisions"] = [DivisionWanted(**one) for one in data["divisions"]]

        def create() -> Answer:
            made = create_season(club=access.club, by=by(request), **data)
            return 201, shapes.season_detail(access, made, season_table(made))

        return self.once(create)


class SeasonView(ApiView):
    http_method_names = [*ApiView.http_method_names, "delete"]

    @extend_schema(
        operation_id="seasons_read", summary="A season: its rules and its evenings", responses=shapes.SeasonDetail
    )
    def get(self, request: Request, club_slug: str, season_slug: str) -> Response:
        access, season = season_for(request.user, club_slug, season_slug)
        return Response(shapes.season_detail(access, season, season_table(season)))

    @extend_schema(
        operation_id="seasons_delete",
        summary="Delete a season that was made by mistake",
        description="For the owner of the club. 409 while an evening counts in it, and once it has ended.",
        responses={204: None},
    )
    def delete(self, request: Request, club_slug: str, season_slug: str) -> Response:
        _access, season = season_for(request.user, club_slug, season_slug, InClub.DELETE)
        delete_season(season=season, by=by(request))
        return Response(status=204)


class Rows(ApiView):
    """A table of a season, as JSON or CSV."""

    renderer_classes = (JSONRenderer, CsvRenderer)
    what = ""

    def get(self, request: Request, club_slug: str, season_slug: str) -> HttpResponse | Response:
        access, season = season_for(request.user, club_slug, season_slug)
        table = season_table(season)
        columns, rows = export_rows.COLUMNS[self.what], export_rows.rows(access, table, self.what)
        if request.accepted_renderer.format == "csv":
            return csv_file(request._request, export_rows.file_name(table, self.what), columns, rows)
        return Response([row_json(columns, row) for row in rows])


class Standings(Rows):
    what = "standings"

    @extend_schema(
        operation_id="seasons_standings",
        summary="The table of a season, division by division",
        parameters=[FORMAT],
        responses={
            (200, "application/json"): shapes.SeasonStanding(many=True),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, club_slug: str, season_slug: str) -> HttpResponse | Response:
        return super().get(request, club_slug, season_slug)


class Step(ApiView):
    """Something done to a season; the answer is the season after it."""

    shape: type[serializers.Serializer]

    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
        data = self.checked(self.shape)

        def step() -> Answer:
            self.take(access, season, data, request)
            now = Season.objects.select_related("club", "before").get(pk=season.pk)
            return 200, shapes.season_detail(access, now, season_table(now))

        return self.once(step)

    def take(self, access: ClubAccess, season: Season, data: Checked, request: Request) -> None:
        raise NotImplementedError


class Evenings(Step, Rows):
    what = "evenings"
    shape = shapes.CountsIn

    @extend_schema(
        operation_id="seasons_evenings",
        summary="What each evening gave to whom",
        parameters=[FORMAT],
        responses={
            (200, "application/json"): shapes.SeasonEveningRow(many=True),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, club_slug: str, season_slug: str) -> HttpResponse | Response:
        return super().get(request, club_slug, season_slug)

    @extend_schema(
        operation_id="seasons_set_evening",
        summary="Let a tournament of the club count in the season, or no longer",
        request=shapes.CountsIn,
        responses=shapes.SeasonDetail,
        examples=[OpenApiExample("For Gold", {"tournament": "gold-evening-1", "division": 1}, request_only=True)],
    )
    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        return super().post(request, club_slug, season_slug)

    def take(self, access: ClubAccess, season: Season, data: Checked, request: Request) -> None:
        tournament = access.tournaments().filter(slug=data["tournament"]).first()
        if tournament is None or (not data["counts"] and tournament.season_id != season.pk):
            sentence = _("There is no such evening here.")
            raise Refused("no-evening", sentence, fields={"tournament": [sentence]})
        division = division_of(season, data["division"])
        put_in_season(
            tournament=tournament,
            season=season if data["counts"] else None,
            division=division if data["counts"] else None,
            by=by(request),
        )


class Players(Step):
    shape = shapes.PlacesIn

    @extend_schema(
        operation_id="seasons_place_players",
        summary="Say in which division players are",
        description="Whoever is not named stays where they are.",
        request=shapes.PlacesIn,
        responses=shapes.SeasonDetail,
        examples=[
            OpenApiExample("To Silver", {"players": [{"player_id": "b3nq7xw2", "division": 2}]}, request_only=True)
        ],
    )
    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        return super().post(request, club_slug, season_slug)

    def take(self, access: ClubAccess, season: Season, data: Checked, request: Request) -> None:
        wanted = {one["player_id"]: division_of(season, one["division"]) for one in data["players"]}
        people = Player.objects.filter(public_id__in=wanted, merged_into=None, erased_at=None, team=None)
        mine = {one.public_id: one for one in people.filter(club=access.club)}
        if unknown := sorted(wanted.keys() - mine.keys()):
            sentence = _("Not members of the club: %(ids)s.") % {"ids": ", ".join(unknown)}
            raise Refused("no-member", sentence, fields={"players": [sentence]})
        place_players(season=season, places={mine[one]: division for one, division in wanted.items()}, by=by(request))


class CloseSeason(Step):
    shape = NothingIn

    @extend_schema(
        operation_id="seasons_close",
        summary="End a season: its table stays as it is now",
        description="409 while one of its evenings is not final.",
        request=NothingIn,
        responses=shapes.SeasonDetail,
    )
    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        return super().post(request, club_slug, season_slug)

    def take(self, access: ClubAccess, season: Season, data: Checked, request: Request) -> None:
        close_season(season=season, by=by(request))


class ReopenSeason(Step):
    shape = shapes.ReopenSeasonIn

    @extend_schema(
        operation_id="seasons_reopen",
        summary="Let the evenings of an ended season decide again",
        description="409 once another season was made of its table.",
        request=shapes.ReopenSeasonIn,
        responses=shapes.SeasonDetail,
        examples=[OpenApiExample("A correction", {"reason": "Hand 2 was counted wrong"}, request_only=True)],
    )
    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        return super().post(request, club_slug, season_slug)

    def take(self, access: ClubAccess, season: Season, data: Checked, request: Request) -> None:
        reopen_season(season=season, reason=data["reason"], by=by(request))


class RollOver(ApiView):
    @extend_schema(
        operation_id="seasons_roll_over",
        summary="Make the next season: who goes up, who goes down, the rules once more",
        description="Done already, the answer is the same and nothing changes. 409 while the season goes on.",
        request=shapes.RollOverIn,
        responses={200: shapes.RollOverOut},
        examples=[OpenApiExample("A look", {"preview": True}, request_only=True)],
    )
    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
        data = self.checked(shapes.RollOverIn)
        preview: bool = data["preview"]
        work = preview_roll_over if preview else roll_over

        def roll() -> Answer:
            done = work(season=season, by=by(request), name=data["name"])
            return 200, shapes.roll_over_json(access, done, preview=preview)

        return self.once(roll)


def division_of(season: Season, number: int | None) -> Division | None:
    """A division by its number; None for none. Raises `Refused`."""
    if number is None:
        return None
    division = season.divisions.filter(number=number).first()
    if division is None:
        sentence = _("The season has no division %(number)d.") % {"number": number}
        raise Refused("no-division", sentence, fields={"division": [sentence]})
    return division
