"""The page of this service with the form that was sent, to return to it."""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve

# Pages that a form may return to. Others need a form, or show a step that is over.
RETURNS_TO = (
    "tournament", "players", "check_in", "seating", "rounds", "hands", "manage", "day_late", "standings", "race",
    "bracket", "person", "table_sheet", "table", "log",
)  # fmt: skip


def came_from(request: HttpRequest) -> str:
    """Return that page's address without its opened parts; empty if it is unknown."""
    page = urlsplit(request.headers.get("Referer", ""))
    if page.netloc != request.get_host():
        return ""
    try:
        name = resolve(page.path).url_name
    except Resolver404:
        return ""
    if name not in RETURNS_TO:
        return ""
    return page.path if name in ("person", "table_sheet") or not page.query else f"{page.path}?{page.query}"
