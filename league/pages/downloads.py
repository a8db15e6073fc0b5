"""Tables as files to download: names and responses."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from league.log import anchors
from league.log.anchors import log_hash_of
from league.models import Tournament
from league.pages.table_files import Form, Table, table_file

COOKIE = "table_form"  # file format of this browser's last download
YEAR = 365 * 24 * 3600


def chosen_form(request: HttpRequest) -> Form:
    """Return the file format for links in this browser: the last one it used, at first Excel."""
    return _form(request.COOKIES.get(COOKIE, "")) or Form.XLSX


def _form(name: str) -> Form | None:
    return next((form for form in Form if form == name), None)


def download(
    request: HttpRequest,
    name: str,
    header: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    of: Tournament | None = None,
    form: str = "",
) -> HttpResponse:
    """Return a table as a file in the format of `?format=` (default CSV), and store that choice in a cookie.

    name: with `.csv`. form: the format of an API request, which stores no cookie. of: a tournament whose end of log,
    from before the rows were read, goes into a header.
    """
    requested = request.GET.get("format", "")
    chosen = _form(form or requested or Form.CSV)
    if chosen is None:
        sentence = _("format can be one of these: %(forms)s.") % {"forms": ", ".join(Form)}
        return HttpResponse(f"{sentence}\n", status=400, content_type="text/plain; charset=utf-8")
    name = name.removesuffix(".csv") + chosen.suffix
    headers = {"Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or "attachment"}
    if of is not None:
        headers[anchors.HEADER] = log_hash_of(of)
    content = table_file(chosen, Table(header, rows), bom=request.GET.get("bom") == "1")
    answer = HttpResponse(content, content_type=chosen.content_type, headers=headers)
    if requested and not form:
        path, secure = settings.BASE_PATH, request.is_secure()
        answer.set_cookie(COOKIE, chosen, max_age=YEAR, path=path, secure=secure, httponly=True, samesite="Lax")
    return answer


def file_name(tournament: Tournament, table: str, as_of_round: int | None) -> str:
    """Return a name like `slug_standings_r3.csv`."""
    return f"{tournament.slug}_{table}{f'_r{as_of_round}' if as_of_round is not None else ''}.csv"
