"""What the query string of a page asks for: a number, a round."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest

from league.models import Round


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A whole number of the query string, None when it is not there. Nonsense leads nowhere: 404."""
    given = request.GET.get(name, "")
    if not given:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > 6:
        raise Http404
    return int(given)


def asked_round(request: HttpRequest, rounds: Sequence[Round], name: str = "round") -> Round | None:
    """The round of the query string, None when none is asked for. A round that the viewer may not see is 404."""
    number = asked_number(request, name)
    if number is None:
        return None
    found = next((one for one in rounds if one.number == number), None)
    if found is None:
        raise Http404
    return found


def current_round(rounds: Sequence[Round]) -> Round | None:
    """The open round, else the last one that was, else (for organisers) the first draft."""
    published = [one for one in rounds if one.state != Round.State.DRAFT]
    return next((one for one in published if one.is_open), published[-1] if published else next(iter(rounds), None))
