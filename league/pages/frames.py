"""Pages for tournaments and clubs: their template extends `frame`, the head of one or the other."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from league.access import Access, ClubAccess
from league.pages.club_page import render_club
from league.pages.tournament_page import render_page


def render_framed(
    request: HttpRequest,
    access: Access | ClubAccess,
    template: str,
    *,
    page: str,
    title: str,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render a template with the head of a tournament or a club. page: name of its URL."""
    if isinstance(access, ClubAccess):
        context["frame"] = "shared/_club.html"
        return render_club(request, access, template, page=page, title=title, status=status, **context)
    context["frame"] = "shared/_tournament.html"
    return render_page(request, access, template, page=page, title=title, status=status, **context)
