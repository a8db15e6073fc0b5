"""Rate limits of a table, so high that players never notice them."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import ngettext

from league.lib.rate_limits import BY_ADDRESS, address_of, wait_after, wait_of_visitor
from league.models import Entry
from league.pages.answers import too_many

TEN_SECONDS = 10
COUNTED = "wild.play_wait"  # in the request's environ, since a group may retry the request alone


def too_often(request: HttpRequest, action: str, most: int) -> HttpResponse | None:
    """Return an error response after more than `most` actions in this minute; else None."""
    wait = wait_of_visitor(request, action, most)
    return _with_retry_after(too_many(request), wait) if wait else None


def too_fast(request: HttpRequest, me: Entry | None) -> HttpResponse | None:
    """Return an error response to a player who sent more than `PLAY_RATE` requests in ten seconds; else None.

    Spectators are counted by session and by address. Each web process counts alone, since Redis would cost much of a
    move's time.
    """
    most = settings.PLAY_RATE
    if not most:
        return None
    if COUNTED not in request.META:
        request.META[COUNTED] = _count_in_play(request, me, most)
    if not (wait := request.META[COUNTED]):
        return None
    if request.headers.get("Accept") != "application/json":
        return _with_retry_after(too_many(request), wait)
    sentence = ngettext(
        "Too many moves at once. Wait %(count)d second.",
        "Too many moves at once. Wait %(count)d seconds.",
        wait,
    )
    return _with_retry_after(
        JsonResponse({"code": "too-many-requests", "message": sentence % {"count": wait}}, status=429), wait
    )


def _count_in_play(request: HttpRequest, me: Entry | None, most: int) -> int | None:
    sender = me.public_id if me else request.session.session_key
    wait = _wait_in_play(sender, most) if sender else None
    return wait if wait or me else _wait_in_play(address_of(request), BY_ADDRESS * most)


def _wait_in_play(sender: str, most: int) -> int | None:
    return wait_after("play", sender, most, seconds=TEN_SECONDS, cache="moves")


def _with_retry_after(answer: HttpResponse, seconds: int) -> HttpResponse:
    answer["Retry-After"] = str(seconds)
    return answer
