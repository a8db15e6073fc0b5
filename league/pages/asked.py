"""What the query string of a page asks for: a number, a round."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest

from league.models import Round


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A whole number of the query string, None when it is not there. Raises Http404 for nonsense."""
    value = request.GET.get(name, "")
    if not value:
        return None
    if not value.isascii() or not value.isdigit() or len(value) > 6:
        raise Http404
    return int(value)


def asked_round(request: HttpRequest, rounds: Sequence[Round], name: str = "round") -> Round | None:
    """The round of the query string, None when it names none. Raises Http404 for one that the viewer may not see."""
    number = asked_number(request, name)
    if number is None:
        return None
    chosen = next((played for played in rounds if played.number == number), None)
    if chosen is None:
        raise Http404
    return chosen


def current_round(rounds: Sequence[Round]) -> Round | None:
    """The open round, else the last published one, else (for organisers) the first draft."""
    published = [played for played in rounds if played.state != Round.State.DRAFT]
    return next(
        (played for played in published if played.is_open), published[-1] if published else next(iter(rounds), None)
    )
