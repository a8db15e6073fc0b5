"""How often something may be sent to a table: generous, so that whoever plays never notices."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import ngettext

from league.lib.rate_limits import BY_ADDRESS, address_of, wait_after, wait_of_visitor
from league.models import Entry
from league.pages.answers import too_many

TEN_SECONDS = 10


def too_often(request: HttpRequest, what: str, most: int) -> HttpResponse | None:
    """The answer to who did something more often in this minute than `most`; else None."""
    wait = wait_of_visitor(request, what, most)
    return _wait(too_many(request), wait) if wait else None


def too_fast(request: HttpRequest, me: Entry | None) -> HttpResponse | None:
    """The answer to a player who sent more than `PLAY_RATE` in ten seconds; else None. Who is no player has a session,
    and is counted by address too.

    Each web process counts for itself: to ask Redis would cost as much as a good part of a move.
    """
    most = settings.PLAY_RATE
    if not most:
        return None
    who = me.public_id if me else request.session.session_key
    wait = _wait_in_play(who, most) if who else None
    if me is None and not wait:
        wait = _wait_in_play(address_of(request), BY_ADDRESS * most)
    if not wait:
        return None
    if request.headers.get("Accept") != "application/json":
        return _wait(too_many(request), wait)
    said = ngettext(
        "This came faster than anybody plays. Wait %(count)d second.",
        "This came faster than anybody plays. Wait %(count)d seconds.",
        wait,
    )
    return _wait(JsonResponse({"code": "too-many-requests", "message": said % {"count": wait}}, status=429), wait)


def _wait_in_play(who: str, most: int) -> int | None:
    return wait_after("play", who, most, seconds=TEN_SECONDS, cache="moves")


def _wait(answer: HttpResponse, seconds: int) -> HttpResponse:
    answer["Retry-After"] = str(seconds)
    return answer
