"""Tables of the API as files: `Accept` or `?format=` picks one of the file formats of the pages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from league.models import Tournament
from league.pages.downloads import download
from league.pages.table_files import XLSX_TYPE, Form


class FileRenderer(BaseRenderer):
    """Let a request pick a file format; the view itself returns the file."""

    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return str(data).encode()


class CsvRenderer(FileRenderer):
    media_type, format = "text/csv", Form.CSV.value
    parameters = {"bom": "0|1"}  # see league/pages/downloads.py


class SemicolonRenderer(FileRenderer):
    media_type, format = "text/csv", Form.SEMICOLONS.value


class XlsxRenderer(FileRenderer):
    media_type, format = XLSX_TYPE, Form.XLSX.value
    charset = None  # type: ignore[assignment]  # binary


TABLE_RENDERERS: tuple[type[BaseRenderer], ...] = (JSONRenderer, CsvRenderer, SemicolonRenderer, XlsxRenderer)
FORMAT = OpenApiParameter(
    "format", str, enum=[renderer.format for renderer in TABLE_RENDERERS], description="Wins over `Accept`"
)
FILES = {(200, "text/csv"): OpenApiTypes.STR, (200, XLSX_TYPE): OpenApiTypes.BINARY}
"""The non-JSON responses of a table, for the OpenAPI document."""


def wants_file(request: Request) -> bool:
    return request.accepted_renderer.format != JSONRenderer.format


def api_file(
    request: Request, name: str, header: Sequence[str], rows: Iterable[Mapping[str, Any]], of: Tournament | None = None
) -> HttpResponse:
    """Return a table in the format that the request accepts."""
    return download(request._request, name, header, rows, of=of, form=request.accepted_renderer.format)
