"""Tables as files to download: their names, and the answers that have them."""

from collections.abc import Iterable, Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from league.lib import csv
from league.lib.csv import Row
from league.log import anchors
from league.log.anchors import log_hash_of
from league.models import Tournament


def csv_file(
    request: HttpRequest, name: str, header: Sequence[str], rows: Iterable[Row], of: Tournament | None = None
) -> HttpResponse:
    """A file to download; with a tournament in `of` it says where its log ended before the rows were read."""
    disposition = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    headers = {"Content-Disposition": disposition}
    if of is not None:
        headers[anchors.HEADER] = log_hash_of(of)
    text = csv.text(header, rows, bom=request.GET.get("bom") == "1")
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def file_name(tournament: Tournament, table: str, as_of_round: int | None) -> str:
    """`slug_standings_r3.csv`."""
    return f"{tournament.slug}_{table}{f'_r{as_of_round}' if as_of_round is not None else ''}.csv"
