"""How often something may be sent to a table: so often that players never notice a limit."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import ngettext

from league.lib.rate_limits import BY_ADDRESS, address_of, wait_after, wait_of_visitor
from league.models import Entry
from league.pages.answers import too_many

TEN_SECONDS = 10
COUNTED = "wild.play_wait"  # in the environ of a request, which a group of moves may leave to be asked once more, alone


def too_often(request: HttpRequest, action: str, most: int) -> HttpResponse | None:
    """The answer to somebody who did something more often in this minute than `most`; else None."""
    wait = wait_of_visitor(request, action, most)
    return _tell_wait(too_many(request), wait) if wait else None


def too_fast(request: HttpRequest, me: Entry | None) -> HttpResponse | None:
    """The answer to a player who sent more than `PLAY_RATE` in ten seconds; else None. Others are counted by session,
    and by address too.

    Each web process counts for itself: asking Redis would cost a good part of what a move costs.
    """
    most = settings.PLAY_RATE
    if not most:
        return None
    if COUNTED not in request.META:
        request.META[COUNTED] = _count_in_play(request, me, most)
    if not (wait := request.META[COUNTED]):
        return None
    if request.headers.get("Accept") != "application/json":
        return _tell_wait(too_many(request), wait)
    sentence = ngettext(
        "Too many moves at once. Wait %(count)d second.",
        "Too many moves at once. Wait %(count)d seconds.",
        wait,
    )
    return _tell_wait(
        JsonResponse({"code": "too-many-requests", "message": sentence % {"count": wait}}, status=429), wait
    )


def _count_in_play(request: HttpRequest, me: Entry | None, most: int) -> int | None:
    sender = me.public_id if me else request.session.session_key
    wait = _wait_in_play(sender, most) if sender else None
    return wait if wait or me else _wait_in_play(address_of(request), BY_ADDRESS * most)


def _wait_in_play(sender: str, most: int) -> int | None:
    return wait_after("play", sender, most, seconds=TEN_SECONDS, cache="moves")


def _tell_wait(answer: HttpResponse, seconds: int) -> HttpResponse:
    answer["Retry-After"] = str(seconds)
    return answer
