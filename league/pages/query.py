"""Read numbers and rounds from the query string of a page."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest

from league.models import Round


def number_in_query(request: HttpRequest, name: str) -> int | None:
    """Return a whole number from the query string; None if it is missing. Raises `Http404` if it is invalid."""
    value = request.GET.get(name, "")
    if not value:
        return None
    if not value.isascii() or not value.isdigit() or len(value) > 6:
        raise Http404
    return int(value)


def round_in_query(request: HttpRequest, rounds: Sequence[Round], name: str = "round") -> Round | None:
    """Return the round from the query string; None if it is missing. Raises `Http404` if the viewer may not see it."""
    number = number_in_query(request, name)
    if number is None:
        return None
    chosen = next((played for played in rounds if played.number == number), None)
    if chosen is None:
        raise Http404
    return chosen


def current_round(rounds: Sequence[Round]) -> Round | None:
    """Return the open round, otherwise the last published one, otherwise the first draft (for organisers)."""
    published = [played for played in rounds if played.state != Round.State.DRAFT]
    return next(
        (played for played in published if played.is_open), published[-1] if published else next(iter(rounds), None)
    )
