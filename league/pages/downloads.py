"""Tables as files to download: their names, and the answers that have them."""

from collections.abc import Iterable, Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import content_disposition_header, url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from league.lib import csv
from league.lib.csv import Row
from league.log import anchors
from league.log.anchors import log_hash_of
from league.models import Tournament

MARK = "csv_mark"  # the cookie of a browser whose spreadsheet wants the mark of UTF-8
YEAR = 365 * 24 * 3600


def has_mark(request: HttpRequest) -> bool:
    """Whether this browser's CSV files begin with the mark that Excel knows UTF-8 by; those of the API on demand."""
    kept = None if request.path_info.startswith("/api/") else request.COOKIES.get(MARK)
    return request.GET.get("bom", kept) == "1"


@require_POST
def choose_mark(request: HttpRequest) -> HttpResponse:
    """Keep for this browser whether its CSV files begin with the mark, and go back to the page that asked."""
    back = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    answer = HttpResponseRedirect(back if here and back.startswith("/") else "/")
    wanted = "1" if request.POST.get("mark") == "1" else "0"
    answer.set_cookie(MARK, wanted, max_age=YEAR, secure=request.is_secure(), httponly=True, samesite="Lax")
    return answer


def csv_file(
    request: HttpRequest, name: str, header: Sequence[str], rows: Iterable[Row], of: Tournament | None = None
) -> HttpResponse:
    """A file to download; with a tournament in `of` it says where its log ended before the rows were read."""
    disposition = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    headers = {"Content-Disposition": disposition}
    if of is not None:
        headers[anchors.HEADER] = log_hash_of(of)
    text = csv.text(header, rows, bom=has_mark(request))
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def file_name(tournament: Tournament, table: str, as_of_round: int | None) -> str:
    """`slug_standings_r3.csv`."""
    return f"{tournament.slug}_{table}{f'_r{as_of_round}' if as_of_round is not None else ''}.csv"
