"""Redirects from addresses of earlier releases."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from league.access import entry_for, tournament_for
from league.access.rights import Can
from league.access.session_links import visitor_of


@require_safe
def day(request: HttpRequest, slug: str) -> HttpResponse:
    tournament_for(request.user, slug, Can.CORRECT)
    return redirect("manage", slug, permanent=True)


@require_safe
def player(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    entry_for(request.user, slug, public_id, Can.CORRECT)
    return redirect("person", slug, public_id, permanent=True)


@require_safe
def adjustments(request: HttpRequest, slug: str) -> HttpResponse:
    tournament_for(visitor_of(request), slug)
    return redirect("standings", slug, permanent=True)
