"""Serve the rule book: one page for all editions, and a page for each edition with only its own cards and rules."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from engine.rules import EDITIONS, Edition
from league.rulebook.book import book
from league.rulebook.page import rules_page

LONGEST_QUERY = 80


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return _page(request, None)


@require_safe
def rules_of(request: HttpRequest, edition: str) -> HttpResponse:
    if edition not in EDITIONS:
        raise Http404
    return _page(request, EDITIONS[edition])


def _page(request: HttpRequest, edition: Edition | None) -> HttpResponse:
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    page = rules_page(book(get_language()), edition, query)
    return render(request, "league/rulebook/rules.html", {"rules": page})
