"""Pages of a tournament that are the same for everybody who only looks, made once for all processes and kept.

They are kept in the cache “pages” (Redis, or this process's memory) under a version that the database says now, so none
is older than the last commit, in whichever process that was made, and nothing has to be told to forget.
See docs/decisions/0021.
"""

import re
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.messages.storage.session import SessionStorage
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from redis.exceptions import RedisError

from league.access import entries_held, note_in_log
from league.access.session_links import players_in
from league.lib.packed import TAKES_GZIP, pack, unpack
from league.lib.prepared_sql import Written
from league.models import Tournament

KEPT = 300  # seconds
CLAIMED = 30  # seconds for which nobody else makes a page, unless they have waited
PATIENCE = 2.0  # seconds to wait for another process that makes the page
LOOK_AGAIN = 0.02
BACK_OFF = 5.0  # seconds for which a Redis that did not answer is not asked

# A page has its own address in it, for the switch of languages. Whatever else is asked for gets a page of its own.
PLAIN = re.compile(r"((round|as_of_round|stage|from)=\d{1,3})?")
HEADERS = ("Content-Type", "Vary")

View = Callable[..., HttpResponse]


class Version(NamedTuple):
    """`log`: the hash at the end of the log, which has a row for every change of results, seats, names and settings.
    `club`: name, address and visibility, which stand in the head of the page."""

    tournament: int
    log: str
    visibility: str
    club: tuple[str | None, ...]


class Page(NamedTuple):
    version: Version
    headers: dict[str, str]
    packed: bytes


def kept(view: View) -> View:
    """For the view of a page at which anybody may look, with the tournament's slug as its only argument.

    Who has a role, an account or a message waiting gets a page of their own. Of the others one page is for those who
    play here, which their sessions say, and one for the rest. The view reads `live_version` before anything else; what
    it reads later may be newer than the version, and is then made again for the next who asks.
    """

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        if connection.in_atomic_block or not PLAIN.fullmatch(request.META["QUERY_STRING"]) or request.htmx:  # type: ignore[attr-defined]
            return view(request, slug)
        audience = _audience(request, slug)
        if audience is None:
            return view(request, slug)
        key = f"{audience}:{get_language()}:{request.get_full_path()}"
        _version, page = _look(slug, key)
        if page is None:
            with _in_turn(key):
                return _found_or_made(request, slug, key, lambda: view(request, slug))
        return _response_of(request, slug, page)

    return answer


def _audience(request: HttpRequest, slug: str) -> str | None:
    """Who gets the same page as this visitor; None: nobody."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return "all"
    if request.user.is_authenticated or request.session.get(SessionStorage.session_key):
        return None
    players = players_in(request)
    tournament = Tournament.objects.filter(slug=slug).only("pk").first() if players else None
    return "players" if tournament and entries_held(request.user, tournament, players) else "all"


# One small query, which is all that most answers take.
_CLUB = ("club__name", "club__slug", "club__visibility")
_VERSION = Written(
    lambda: Tournament.objects.filter(slug="").order_by().values_list("pk", "log_head__hash", "visibility", *_CLUB)
)


def _version_of(slug: str) -> Version | None:
    """None where no page is kept: of a private tournament the view decides each time who may look."""
    row = _VERSION.first(slug)
    if row is None or not row[1] or row[2] == Tournament.Visibility.PRIVATE:
        return None
    return Version(row[0], row[1], row[2], row[3:])


def _look(slug: str, key: str) -> tuple[Version | None, Page | None]:
    """The version that the database says now, and the page if one of that version is there."""
    version = _version_of(slug)
    page = _ask("get", key) if version is not None else None
    return version, page if page is not None and page.version == version else None


def _found_or_made(request: HttpRequest, slug: str, key: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The page that somebody else has made while this thread waited, or makes just now; else it is made here."""
    end = time.monotonic() + PATIENCE
    while True:
        version, page = _look(slug, key)
        if page is not None:
            return _response_of(request, slug, page)
        if version is None:
            return make()
        claim = f"claim:{version.log}:{key}"
        if _ask("add", claim, 1, CLAIMED) is not False:
            return _made(key, claim, version, make)
        if time.monotonic() > end:  # whoever has it may have died
            _ask("incr", claim)
            return _made(key, claim, version, make)
        time.sleep(LOOK_AGAIN)


def _made(key: str, claim: str, version: Version, make: Callable[[], HttpResponse]) -> HttpResponse:
    response = None
    try:
        response = make()
    finally:
        if response is None or response.status_code != 200:
            _ask("delete", claim)
    if response.status_code == 200:
        headers = {name: response[name] for name in HEADERS if name in response}
        _ask("set", key, Page(version, headers, pack(response.content)), KEPT)
    return response


def _response_of(request: HttpRequest, slug: str, page: Page) -> HttpResponse:
    note_in_log(request.user, slug)
    if TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")):
        response = HttpResponse(page.packed, headers=page.headers | {"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(unpack(page.packed), headers=page.headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


# The threads of a process wait here for each other, so that one of them makes a page. Pages with equal hashes do too.
_turns = tuple(threading.Lock() for _ in range(64))


def _in_turn(key: str) -> threading.Lock:
    return _turns[hash(key) % len(_turns)]


_silent_until = 0.0  # of `time.monotonic`


def _ask(command: str, *arguments: Any) -> Any:
    """The cache's answer; None while it is away: then each process makes its pages by itself."""
    global _silent_until
    if time.monotonic() < _silent_until:
        return None
    try:
        return getattr(caches["pages"], command)(*arguments)
    except (RedisError, ValueError) as error:  # ValueError: what it should count on was forgotten
        if isinstance(error, RedisError):
            _silent_until = time.monotonic() + BACK_OFF
        return None
