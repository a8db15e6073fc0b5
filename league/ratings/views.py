"""Pages of a club's ratings: list, and history of one rating."""

from collections.abc import Sequence
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import club_for
from league.pages.club_page import render_club
from league.pages.downloads import download
from league.ratings import page_rows as rating_rows
from league.ratings.model import FIRST_FIGURE, PROVISIONAL_FROM
from league.ratings.page_rows import rated_member

MOST_EVENINGS = 100
MOST_DATES = 6  # below a chart


@require_safe
def ratings(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug)
    ratings = rating_rows.ratings_of(access)
    return render_club(
        request,
        access,
        "league/ratings/ratings.html",
        page="ratings",
        title=_("Ratings"),
        shown=ratings,
        progress=rating_rows.progress_of(access),
        first=FIRST_FIGURE,
        provisional_from=PROVISIONAL_FROM,
    )


@require_safe
def ratings_csv(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug)
    rows = rating_rows.list_rows(rating_rows.ratings_of(access).lines)
    return download(request, f"{access.club.slug}_ratings.csv", rating_rows.COLUMNS, rows)


@require_safe
def rating(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Show the history of a rating: the latest year, or all with `?all=1`."""
    access, player = rated_member(request.user, club_slug, member_id)
    if player.public_id != member_id:  # the record was merged
        return redirect("rating", club_slug, player.public_id)
    steps = rating_rows.history_of(access, player)
    years = sorted({step.day.year for step in steps})
    everything = len(years) < 2 or request.GET.get("all") == "1"
    drawn = steps if everything else [step for step in steps if step.day.year == years[-1]]
    ratings = rating_rows.ratings_of(access)
    return render_club(
        request,
        access,
        "league/ratings/rating.html",
        page="ratings",
        title=_("Rating"),
        player=player,
        name=access.name_of(player),
        mine=player == access.me,
        own=ratings.of(player),
        ranked=ratings.ranked,
        opens=access.sees_profile(player),
        steps=drawn[::-1][:MOST_EVENINGS],
        highest=max(steps, key=lambda step: step.after.mu, default=None),
        since=steps[0].day if steps else None,
        evenings=len(steps),
        chart=rating_rows.chart_of(drawn),
        dates=_dates([step.day for step in drawn]),
        several_years=everything and len(years) > 1,
        year=years[-1] if len(years) > 1 else None,
        progress=rating_rows.progress_of(access),
    )


@require_safe
def rating_csv(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    access, player = rated_member(request.user, club_slug, member_id)
    rows = rating_rows.history_rows(rating_rows.history_of(access, player))
    return download(request, f"{access.club.slug}_rating_{player.public_id}.csv", rating_rows.HISTORY_COLUMNS, rows)


def _dates(days: Sequence[date]) -> list[date | None]:
    """Return a few evenly spread dates, None for the others: labels need room."""
    apart = -(-len(days) // MOST_DATES)
    return [day if place % apart == 0 else None for place, day in enumerate(days)]
