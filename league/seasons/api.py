"""API of seasons: rules, events, standings, and the next season."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, club_for, season_for
from league.access.rights import InClub
from league.api.answers import documented
from league.api.base import Answer, ApiView, account_of
from league.api.rows import row_json
from league.api.step import StepView, step
from league.lib.errors import Refused
from league.models import Division, Player, Season, User
from league.pages.api_files import FILES, FORMAT, TABLE_RENDERERS, api_file, wants_file
from league.seasons import api_shapes as shapes
from league.seasons import export_rows
from league.seasons.next_season import end_and_move_on, preview_roll_over, roll_over
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

SEASON = {
    "name": "League 2026",
    "best_of": 8,
    "divisions": [{"name": "Gold", "down": 2}, {"name": "Silver", "up": 2}],
}


class Seasons(ApiView):
    @extend_schema(
        operation_id="seasons_list",
        summary="Seasons of a club, latest first",
        responses=documented(list[shapes.SeasonOut]),
    )
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([shapes.season_json(season) for season in access.club.seasons.order_by("-pk")])

    @extend_schema(
        operation_id="seasons_create",
        summary="Create a season",
        request=shapes.SeasonIn,
        responses={201: documented(shapes.SeasonDetail)},
        examples=[OpenApiExample("Two divisions", SEASON, request_only=True)],
    )
    def post(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug, InClub.SEASONS)
        data = self.read_body(shapes.SeasonIn)
        data["divisions"] = [DivisionWanted(**fields) for fields in data["divisions"]]

        def create() -> Answer:
            season = create_season(club=access.club, by=account_of(request), **data)
            return 201, shapes.season_detail(access, season, season_table(season))

        return self.once(create)


class SeasonView(ApiView):
    http_method_names = [*ApiView.http_method_names, "delete"]

    @extend_schema(
        operation_id="seasons_read",
        summary="A season with its rules and tournaments",
        responses=documented(shapes.SeasonDetail),
    )
    def get(self, request: Request, club_slug: str, season_slug: str) -> Response:
        access, season = season_for(request.user, club_slug, season_slug)
        return Response(shapes.season_detail(access, season, season_table(season)))

    @extend_schema(
        operation_id="seasons_delete",
        summary="Delete a season",
        description="Only for the owner of the club. 409 while a tournament counts in it, and once it has ended.",
        responses={204: None},
    )
    def delete(self, request: Request, club_slug: str, season_slug: str) -> Response:
        _access, season = season_for(request.user, club_slug, season_slug, InClub.DELETE)
        delete_season(season=season, by=account_of(request))
        return Response(status=204)


class Rows(ApiView):
    """A table of a season, as JSON or CSV."""

    renderer_classes = TABLE_RENDERERS
    export = ""

    def get(self, request: Request, club_slug: str, season_slug: str) -> HttpResponse | Response:
        access, season = season_for(request.user, club_slug, season_slug)
        table = season_table(season)
        columns, rows = export_rows.COLUMNS[self.export], export_rows.rows(access, table, self.export)
        if wants_file(request):
            return api_file(request, export_rows.file_name(table, self.export), columns, rows)
        return Response([row_json(columns, row) for row in rows])


def _rows(name: str, summary: str, shape: Any) -> Any:
    """Document the GET of a table."""
    return extend_schema(
        operation_id=name,
        summary=summary,
        parameters=[FORMAT],
        responses={(200, "application/json"): documented(shape), **FILES},
    )


@extend_schema_view(
    get=_rows("seasons_standings", "Standings of a season by division", list[export_rows.SeasonStanding])
)
class Standings(Rows):
    export = "standings"


class Step(StepView):
    """An action on a season; the response is the changed season."""

    answers = shapes.SeasonDetail

    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
        data = self.read_body(self.shape)

        def take() -> Answer:
            self.do(access=access, season=season, by=account_of(request), **data)
            now = Season.objects.select_related("club", "before").get(pk=season.pk)
            return 200, shapes.season_detail(access, now, season_table(now))

        return self.once(take)


def _set_evening(
    *, access: ClubAccess, season: Season, by: User, tournament: str, division: int | None, counts: bool
) -> None:
    evening = access.tournaments().filter(slug=tournament).first()
    if evening is None or (not counts and evening.season_id != season.pk):
        sentence = _("This club has no such tournament.")
        raise Refused("no-evening", sentence, fields={"tournament": [sentence]})
    within = division_of(season, division)
    put_in_season(tournament=evening, season=season if counts else None, division=within if counts else None, by=by)


@extend_schema_view(
    get=_rows("seasons_evenings", "Results of each tournament of the season", list[export_rows.SeasonEveningRow])
)
class EveningRows(Step, Rows):
    export = "evenings"


Evenings = step(
    EveningRows,
    "seasons_set_evening",
    _set_evening,
    "Add a tournament to the season, or remove it",
    shape=shapes.CountsIn,
    examples={"For Gold": {"tournament": "gold-evening-1", "division": 1}},
)


def _place_players(*, access: ClubAccess, season: Season, by: User, players: list[dict[str, Any]]) -> None:
    places = {row["player_id"]: division_of(season, row["division"]) for row in players}
    people = Player.objects.filter(public_id__in=places, merged_into=None, erased_at=None, team=None)
    mine = {player.public_id: player for player in people.filter(club=access.club)}
    if unknown := sorted(places.keys() - mine.keys()):
        sentence = _("Not members of the club: %(ids)s.") % {"ids": ", ".join(unknown)}
        raise Refused("no-member", sentence, fields={"players": [sentence]})
    place_players(season=season, places={mine[player_id]: division for player_id, division in places.items()}, by=by)


Players = step(
    Step,
    "seasons_place_players",
    _place_players,
    "Place players in divisions",
    description="Other players stay where they are.",
    shape=shapes.PlacesIn,
    examples={"To Silver": {"players": [{"player_id": "b3nq7xw2", "division": 2}]}},
)
CloseSeason = step(
    Step,
    "seasons_close",
    lambda *, access, move_on, **fields: (end_and_move_on if move_on else close_season)(**fields),
    "End a season and freeze its standings",
    description="409 while one of its tournaments is not final; with `move_on` only while one is running.",
    shape=shapes.CloseSeasonIn,
    examples={"Move planned tournaments to the next season": {"move_on": True}},
)
ReopenSeason = step(
    Step,
    "seasons_reopen",
    lambda *, access, **fields: reopen_season(**fields),
    "Reopen an ended season",
    description="409 once a next season exists.",
    shape=shapes.ReopenSeasonIn,
    examples={"A correction": {"reason": "Hand 2 was counted wrong"}},
)


class RollOver(ApiView):
    @extend_schema(
        operation_id="seasons_roll_over",
        summary="Create the next season with promotions and relegations",
        description="Repeating it changes nothing and gives the same response. 409 while the season is open.",
        request=shapes.RollOverIn,
        responses={200: documented(shapes.RollOverOut)},
        examples=[OpenApiExample("Preview", {"preview": True}, request_only=True)],
    )
    def post(self, request: Request, club_slug: str, season_slug: str) -> Response:
        access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
        data = self.read_body(shapes.RollOverIn)
        preview: bool = data["preview"]
        work = preview_roll_over if preview else roll_over

        def roll() -> Answer:
            done = work(season=season, by=account_of(request), name=data["name"])
            return 200, shapes.roll_over_json(access, done, preview=preview)

        return self.once(roll)


def division_of(season: Season, number: int | None) -> Division | None:
    """Return a division by its number, None for None. Raises `Refused`."""
    if number is None:
        return None
    division = season.divisions.filter(number=number).first()
    if division is None:
        sentence = _("The season has no division %(number)d.") % {"number": number}
        raise Refused("no-division", sentence, fields={"division": [sentence]})
    return division
