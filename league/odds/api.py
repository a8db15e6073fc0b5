"""Serve the odds of a running tournament over the API: the rows of its page."""

from typing import Annotated, TypedDict

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import tournament_for
from league.api.answers import documented
from league.api.base import ApiView
from league.api.rows import row_json
from league.odds import page_rows as forecast
from league.odds.page_rows import OddsRow
from league.pages.api_files import FILES, FORMAT, TABLE_RENDERERS, api_file, wants_file
from league.pages.downloads import file_name


class OddsOut(TypedDict):
    why_not: Annotated[str | None, "The reason if there are no odds"]
    simulations: Annotated[int, "Number of simulations so far"]
    up_to_date: Annotated[bool, "Whether they include the latest results"]
    complete: Annotated[bool, "False: more simulations are running, try again in some seconds"]
    odds: list[OddsRow]


class Odds(ApiView):
    renderer_classes = TABLE_RENDERERS

    @extend_schema(
        operation_id="tournaments_odds",
        summary="Who will win how likely, from simulated hands; asking has them counted",
        parameters=[FORMAT],
        responses={(200, "application/json"): documented(OddsOut), **FILES},
    )
    def get(self, request: Request, slug: str) -> HttpResponse | Response:
        access = tournament_for(request.user, slug)
        odds = forecast.odds_of(access.tournament)
        rows = forecast.odds_rows(odds)
        if wants_file(request):
            name = file_name(access.tournament, "odds", None)
            return api_file(request, name, forecast.COLUMNS, rows, of=access.tournament)
        return Response(
            OddsOut(
                why_not=odds.why_not or None,
                simulations=odds.simulations,
                up_to_date=odds.is_current,
                complete=odds.is_complete,
                odds=[row_json(forecast.COLUMNS, row) for row in rows],
            )
        )
