"""API of a club's ratings."""

from typing import Annotated, TypedDict

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import club_for
from league.api.answers import documented
from league.api.base import ApiView
from league.api.rows import row_json
from league.pages.api_files import FILES, FORMAT, TABLE_RENDERERS, api_file, wants_file
from league.ratings import page_rows as rating_rows
from league.ratings.page_rows import COLUMNS, HISTORY_COLUMNS, RatingRow, RatingStep


class RatingsOut(TypedDict):
    up_to_date: Annotated[bool, "Whether the ratings include all current results"]
    tables_to_go: Annotated[int, "Tables still to compute"]
    ratings: list[RatingRow]


class Ratings(ApiView):
    renderer_classes = TABLE_RENDERERS

    @extend_schema(
        operation_id="clubs_ratings",
        summary="Ratings of a club’s members, highest first",
        parameters=[FORMAT],
        responses={(200, "application/json"): documented(RatingsOut), **FILES},
    )
    def get(self, request: Request, club_slug: str) -> HttpResponse | Response:
        access = club_for(request.user, club_slug)
        rows = rating_rows.list_rows(rating_rows.ratings_of(access).lines)
        if wants_file(request):
            return api_file(request, f"{access.club.slug}_ratings.csv", COLUMNS, rows)
        progress = rating_rows.progress_of(access)
        return Response(
            RatingsOut(
                up_to_date=progress is None,
                tables_to_go=progress.tables_to_go if progress else 0,
                ratings=[row_json(COLUMNS, row) for row in rows],
            )
        )


class RatingHistory(ApiView):
    renderer_classes = TABLE_RENDERERS

    @extend_schema(
        operation_id="clubs_rating_history",
        summary="History of a member’s rating by tournament",
        parameters=[FORMAT],
        responses={(200, "application/json"): documented(list[RatingStep]), **FILES},
    )
    def get(self, request: Request, club_slug: str, member_id: str) -> HttpResponse | Response:
        access, player = rating_rows.rated_member(request.user, club_slug, member_id)
        rows = rating_rows.history_rows(rating_rows.history_of(access, player))
        if wants_file(request):
            name = f"{access.club.slug}_rating_{player.public_id}.csv"
            return api_file(request, name, HISTORY_COLUMNS, rows)
        return Response([row_json(HISTORY_COLUMNS, row) for row in rows])
