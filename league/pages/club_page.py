"""What every page of a club shares: its head, and the way to the others."""

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
    """A page with the club's head. `page` is the name of its address."""
    context |= {
        "access": access,
        "club": access.club,
        "page": page,
        "page_title": title,
        "nav": places.of_club(access, page),
    }
    return render(request, template, context, status=status)
