"""Serve a tournament's tables as JSON or CSV: the rows that the pages show."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import tournament_for
from league.api.base import NOT_EMPTY, ApiView
from league.api.problems import Problem
from league.api.rows import row_json
from league.pages.api_files import FILES, FORMAT, TABLE_RENDERERS, api_file, wants_file
from league.pages.downloads import file_name
from league.public.csv_views import requested_round, requested_stage
from league.public.tables import EXPORTS, TIE_BREAK_COLUMNS, WITH_VOIDED, Wanted

TEXTS = ("player_id", "player", "member_id", "member", "status", "kind", "reason", "source")
TEXTS_OR_NULL = ("club", "partner_id", "partner", "played_by", "decided_by", "best_partner", "group")
BOOLEANS = ("tied", "went_out", "out")
MAY_BE_NULL = (
    "rank", "round", "seat", "cards_left", "points_left", "as_of_round", "out_in_round", "out_in_hand", "place",
)  # fmt: skip

TABLES = ("standings", "members", "seating", "hands", "adjustments", "events", "race")


class Rows(ApiView):
    renderer_classes = TABLE_RENDERERS
    query: Mapping[str, str] = {"all": "1", "as_of_round": NOT_EMPTY, "stage": NOT_EMPTY}
    table = ""

    def get(self, request: Request, slug: str) -> HttpResponse | Response:
        access = tournament_for(request.user, slug)
        django_request: HttpRequest = request._request
        try:
            as_of_round = requested_round(django_request, access)
        except ValueError as exc:
            raise Problem("malformed", str(exc), errors=[{"field": "as_of_round", "message": str(exc)}]) from exc
        try:
            stage = requested_stage(django_request, access)
        except ValueError as exc:
            raise Problem("malformed", str(exc), errors=[{"field": "stage", "message": str(exc)}]) from exc
        everything = access.sees_drafts and django_request.GET.get("all") == "1"
        selection = Wanted(as_of_round=as_of_round, everything=everything, stage=stage)
        export = EXPORTS[self.table]
        columns, rows = export.columns(selection), export.rows(access.tournament, selection)
        if wants_file(request):
            name = file_name(access.tournament, self.table, as_of_round)
            return api_file(request, name, columns, rows, of=access.tournament)
        return Response([row_json(columns, row) for row in rows])


SUMMARIES = {
    "standings": "The standings, today's or as of a round",
    "members": "Points of each team member, a row for each partner; other formats have no rows",
    "seating": "Who sits where, a row for each seat",
    "hands": "A row for each seat and hand",
    "adjustments": "Points adjustments with their reasons",
    "events": "Late entries, departures and returns",
    "race": "Challenge UNO hand by hand, a row for each player and hand",
}


def rows_view(table: str) -> type[Rows]:
    shape = row_shape(table)(many=True)
    described = extend_schema(
        operation_id=f"tournaments_{table}",
        summary=SUMMARIES[table],
        parameters=[
            OpenApiParameter("as_of_round", int, description="Rounds up to this one"),
            OpenApiParameter("stage", int, description="Standings of this stage; by default, the current stage"),
            OpenApiParameter(
                "all", str, enum=["1"], description="Include voided rows and drafts, if the caller may see drafts"
            ),
            FORMAT,
        ],
        responses={(200, "application/json"): shape, **FILES},
    )
    view: type[Rows] = extend_schema_view(get=described)(type(f"{table.capitalize()}Rows", (Rows,), {"table": table}))
    return view


def _column(table: str, name: str) -> serializers.Field:
    if name in TEXTS or name in TEXTS_OR_NULL:
        return serializers.CharField(allow_null=name in TEXTS_OR_NULL)
    if name in BOOLEANS:
        return serializers.BooleanField()
    if name in ("recorded_at", "counted_at", "voided_at"):
        return serializers.DateTimeField(allow_null=name == "voided_at", required=name != "voided_at")
    if table == "seating" and name == "table":
        return serializers.JSONField(help_text="The table's number, or the word bye")
    if name in TIE_BREAK_COLUMNS:
        return serializers.FloatField(allow_null=True)
    may_be_null = name in MAY_BE_NULL or (table, name) in (
        ("events", "hand"),
        ("events", "stage"),
        ("adjustments", "stage"),
    )
    return serializers.IntegerField(allow_null=may_be_null)


def row_shape(table: str) -> type[serializers.Serializer]:
    """Return the shape of a row of `EXPORTS[table]`: a field for each column."""
    export = EXPORTS[table]
    names = (*export.header, *(("voided_at",) if table in WITH_VOIDED else ()))
    fields: dict[str, Any] = {name: _column(table, name) for name in names}
    return type(f"{table.capitalize()}Row", (serializers.Serializer,), fields)
