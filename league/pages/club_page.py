"""The head and the navigation that all pages of a club share."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.access import ClubAccess
from league.pages import places


def render_club(
    request: HttpRequest,
    access: ClubAccess,
    template: str,
    *,
    page: str,
    title: str,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render a page with the club's head. page: name of its URL."""
    context |= {
        "access": access,
        "club": access.club,
        "page": page,
        "page_title": title,
        "nav": places.of_club(access, page),
    }
    return render(request, template, context, status=status)
