"""How often something may be sent to a table: generous, so that whoever plays never notices."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import ngettext
from rest_framework.request import Request

from league.api.limits import wait_after
from league.api.tokens import address_of
from league.models import Entry
from league.views.pages import too_many

TEN_SECONDS = 10


def too_often(request: HttpRequest, what: str, most: int) -> HttpResponse | None:
    """The answer to who did something more often in this minute than `most`, from one address; else None."""
    wait = wait_after(what, address_of(Request(request)), most)
    return _wait(too_many(request), wait) if wait else None


def too_fast(request: HttpRequest, me: Entry | None) -> HttpResponse | None:
    """The answer to a player who sent more than `PLAY_RATE` in ten seconds; else None. Who is no player has an address.

    Each web process counts for itself: to ask Redis would cost as much as a good part of a move.
    """
    if not settings.PLAY_RATE:
        return None
    who = me.public_id if me else address_of(Request(request))
    wait = wait_after("play", who, settings.PLAY_RATE, seconds=TEN_SECONDS, cache="moves")
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


def _wait(answer: HttpResponse, seconds: int) -> HttpResponse:
    answer["Retry-After"] = str(seconds)
    return answer
