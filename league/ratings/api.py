"""The ratings of a club over the API: the rows of its pages."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import club_for
from league.api.base import ApiView
from league.api.rows import row_json
from league.pages.api_files import FILES, FORMAT, TABLE_RENDERERS, api_file, wants_file
from league.ratings import page_rows as rating_rows


class RatingRow(serializers.Serializer):
    rank = serializers.IntegerField(allow_null=True, help_text="null while the rating is provisional")
    player_id = serializers.CharField(help_text="Of the member: as in the address of their page")
    player = serializers.CharField()
    rating = serializers.IntegerField()
    within = serializers.IntegerField(help_text="So many up or down lies the truth, nineteen times in twenty")
    provisional = serializers.BooleanField()
    tables = serializers.IntegerField()
    last_played = serializers.DateTimeField()


class RatingsOut(serializers.Serializer):
    up_to_date = serializers.BooleanField(help_text="Whether they are those of the results as they are now")
    tables_to_go = serializers.IntegerField(help_text="While they are being computed")
    ratings = RatingRow(many=True)


class RatingStep(serializers.Serializer):
    played = serializers.DateTimeField(help_text="When the last table of the evening was over")
    tournament = serializers.CharField(allow_null=True, help_text="null where it may not be seen")
    tables = serializers.IntegerField()
    rating = serializers.IntegerField(help_text="After that evening")
    within = serializers.IntegerField()
    change = serializers.IntegerField()


class Ratings(ApiView):
    renderer_classes = TABLE_RENDERERS

    @extend_schema(
        operation_id="clubs_ratings",
        summary="The ratings of a club’s members, the highest first",
        parameters=[FORMAT],
        responses={(200, "application/json"): RatingsOut, **FILES},
    )
    def get(self, request: Request, club_slug: str) -> HttpResponse | Response:
        access = club_for(request.user, club_slug)
        rows = rating_rows.list_rows(rating_rows.ratings_of(access).lines)
        if wants_file(request):
            return api_file(request, f"{access.club.slug}_ratings.csv", rating_rows.COLUMNS, rows)
        progress = rating_rows.progress_of(access)
        return Response(
            {
                "up_to_date": progress is None,
                "tables_to_go": progress.tables_to_go if progress else 0,
                "ratings": [row_json(rating_rows.COLUMNS, row) for row in rows],
            }
        )


class RatingHistory(ApiView):
    renderer_classes = TABLE_RENDERERS

    @extend_schema(
        operation_id="clubs_rating_history",
        summary="How a member’s rating moved, evening by evening",
        parameters=[FORMAT],
        responses={(200, "application/json"): RatingStep(many=True), **FILES},
    )
    def get(self, request: Request, club_slug: str, member_id: str) -> HttpResponse | Response:
        access, player = rating_rows.rated_member(request.user, club_slug, member_id)
        rows = rating_rows.history_rows(rating_rows.history_of(access, player))
        if wants_file(request):
            name = f"{access.club.slug}_rating_{player.public_id}.csv"
            return api_file(request, name, rating_rows.HISTORY_COLUMNS, rows)
        return Response([row_json(rating_rows.HISTORY_COLUMNS, row) for row in rows])
