"""The odds of a running tournament over the API: the rows of its page."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import tournament_for
from league.api.base import ApiView
from league.api.rows import row_json
from league.odds import page_rows as forecast
from league.pages.api_files import FILES, FORMAT, TABLE_RENDERERS, api_file, wants_file
from league.pages.downloads import file_name


class OddsRow(serializers.Serializer):
    player_id = serializers.CharField()
    player = serializers.CharField()
    total = serializers.IntegerField()
    hands_left = serializers.IntegerField(allow_null=True, help_text="null where that hangs on the results")
    won = serializers.IntegerField(allow_null=True, help_text="Of the simulations; null before the first are counted")
    simulations = serializers.IntegerField()
    chance = serializers.FloatField(allow_null=True, help_text="Of 1")
    low = serializers.FloatField(allow_null=True, help_text="The chance lies between low and high, 19 times in 20")
    high = serializers.FloatField(allow_null=True)
    enough = serializers.IntegerField(
        allow_null=True,
        help_text="Points from here on with which half of them were won; with low totals, at most. Never below 0",
    )
    spare = serializers.IntegerField(allow_null=True, help_text="Challenge UNO: with so many points more one is out")


class OddsOut(serializers.Serializer):
    why_not = serializers.CharField(allow_null=True, help_text="A sentence where nothing can be said")
    simulations = serializers.IntegerField(help_text="Counted so far")
    up_to_date = serializers.BooleanField(help_text="Whether they were made from the results as they are now")
    complete = serializers.BooleanField(help_text="False: more are being counted, ask again in some seconds")
    odds = OddsRow(many=True)


class Odds(ApiView):
    renderer_classes = TABLE_RENDERERS

    @extend_schema(
        operation_id="tournaments_odds",
        summary="Who will win how likely, from simulated hands; asking has them counted",
        parameters=[FORMAT],
        responses={(200, "application/json"): OddsOut, **FILES},
    )
    def get(self, request: Request, slug: str) -> HttpResponse | Response:
        access = tournament_for(request.user, slug)
        odds = forecast.odds_of(access.tournament)
        rows = forecast.odds_rows(odds)
        if wants_file(request):
            name = file_name(access.tournament, "odds", None)
            return api_file(request, name, forecast.COLUMNS, rows, of=access.tournament)
        return Response(
            {
                "why_not": odds.why_not or None,
                "simulations": odds.simulations,
                "up_to_date": odds.is_current,
                "complete": odds.is_complete,
                "odds": [row_json(forecast.COLUMNS, row) for row in rows],
            }
        )
