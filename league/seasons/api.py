"""The seasons of a club over the API: rules, evenings, tables, and the step to the next one."""

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
        summary="The seasons of a club, the latest first",
        responses=documented(list[shapes.SeasonOut]),
    )
    def get(self, request: Request, club_slug: str) -> Response:
        access = club_for(request.user, club_slug)
        return Response([shapes.season_json(season) for season in access.club.seasons.order_by("-pk")])

    @extend_schema(
        operation_id="seasons_create",
        summary="Make a season",
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
        summary="A season: its rules and its evenings",
        responses=documented(shapes.SeasonDetail),
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
    """Describe the GET of a table in the schema."""
    return extend_schema(
        operation_id=name,
        summary=summary,
        parameters=[FORMAT],
        responses={(200, "application/json"): documented(shape), **FILES},
    )


@extend_schema_view(
    get=_rows("seasons_standings", "The table of a season, division by division", list[export_rows.SeasonStanding])
)
class Standings(Rows):
    export = "standings"


class Step(StepView):
    """Something done to a season; the answer is the season after it."""

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
        sentence = _("There is no such evening here.")
        raise Refused("no-evening", sentence, fields={"tournament": [sentence]})
    within = division_of(season, division)
    put_in_season(tournament=evening, season=season if counts else None, division=within if counts else None, by=by)


@extend_schema_view(get=_rows("seasons_evenings", "What each evening gave to whom", list[export_rows.SeasonEveningRow]))
class EveningRows(Step, Rows):
    export = "evenings"


Evenings = step(
    EveningRows,
    "seasons_set_evening",
    _set_evening,
    "Let a tournament of the club count in the season, or no longer",
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
    "Say in which division players are",
    description="Whoever is not named stays where they are.",
    shape=shapes.PlacesIn,
    examples={"To Silver": {"players": [{"player_id": "b3nq7xw2", "division": 2}]}},
)
CloseSeason = step(
    Step,
    "seasons_close",
    lambda *, access, move_on, **fields: (end_and_move_on if move_on else close_season)(**fields),
    "End a season: its table stays as it is now",
    description="409 while one of its evenings is not final; with `move_on` only while one is running.",
    shape=shapes.CloseSeasonIn,
    examples={"Move the next evening on": {"move_on": True}},
)
ReopenSeason = step(
    Step,
    "seasons_reopen",
    lambda *, access, **fields: reopen_season(**fields),
    "Let the evenings of an ended season decide again",
    description="409 once another season was made of its table.",
    shape=shapes.ReopenSeasonIn,
    examples={"A correction": {"reason": "Hand 2 was counted wrong"}},
)


class RollOver(ApiView):
    @extend_schema(
        operation_id="seasons_roll_over",
        summary="Make the next season: who goes up, who goes down, the rules once more",
        description="Done already, the answer is the same and nothing changes. 409 while the season goes on.",
        request=shapes.RollOverIn,
        responses={200: documented(shapes.RollOverOut)},
        examples=[OpenApiExample("A look", {"preview": True}, request_only=True)],
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
    """Return a division by its number; None has none. Raises `Refused`."""
    if number is None:
        return None
    division = season.divisions.filter(number=number).first()
    if division is None:
        sentence = _("The season has no division %(number)d.") % {"number": number}
        raise Refused("no-division", sentence, fields={"division": [sentence]})
    return division
