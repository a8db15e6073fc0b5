"""Tournament pages that are equal for all plain viewers, rendered once for all processes and cached.

The cache “pages” (Redis, or this process's memory) stores them under the version in the database. So no page is older
than the last commit of any process, and nothing needs invalidation. See docs/decisions/0021.
"""

import re
import threading
import time
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.messages.storage.session import SessionStorage
from django.core.cache import caches
from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q, Subquery
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from redis.exceptions import RedisError

from league.access import entries_held, note_in_log
from league.access.session_links import visitor_of
from league.lib.packed import TAKES_GZIP, pack, unpack
from league.lib.prepared_sql import PreparedQuery
from league.lib.versioned_cache import VersionedCache
from league.models import Round, Tournament
from league.pages.downloads import chosen_form

MAX_AGE = 300  # seconds
CLAIMED = 30  # seconds for which one request alone may render a page
PATIENCE = 2.0  # seconds to wait for that request
LOOK_AGAIN = 0.02
BACK_OFF = 5.0  # seconds before Redis is tried again after an error

NUMBERED = re.compile(r"(\w+)=([1-9]\d{0,2})")
HEADERS = ("Content-Type", "Vary", "Content-Disposition")

View = Callable[..., HttpResponse]


class Version(NamedTuple):
    """log: hash at the end of the log, which has a row for every change of results, seats, names and settings.

    club: name, address and visibility, which the page head shows. rounds: number of the last one. is_over: whether the
    time of the announcement is over, since pages must not show it longer.
    """

    tournament: int
    log: str
    visibility: str
    rounds: int
    club: tuple[str | None, ...]
    is_over: bool


Page = tuple[tuple[Any, ...], dict[str, str], bytes]
"""Version, headers and packed content: only types that another release can unpickle."""


def cached_page(*numbers: str) -> Callable[[View], View]:
    """Decorate the view of a public page whose only argument is the tournament's slug.

    numbers: query parameters of which one may be given, with the number of an existing round or stage. Other queries,
    accounts, roles and waiting messages bypass the cache. There is one cached page for players, known by their session,
    and one for other visitors. The view reads `live_version` first; if later reads are newer than that version, the
    page is rendered again for the next request.
    """

    def keeping(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, slug: str) -> HttpResponse:
            number = _number_in(request, numbers)
            if connection.in_atomic_block or number is None or request.htmx:  # type: ignore[attr-defined]
                return view(request, slug)
            audience = _audience(request, slug)
            if audience is None:
                return view(request, slug)
            # The page contains its own address (language switch) and links in the chosen file format.
            address = request.build_absolute_uri()
            key = f"page:{release()}:{audience}:{get_language()}:{chosen_form(request)}:{address}"
            return _found_or_made(request, slug, key, number, lambda: view(request, slug))

        return answer

    return keeping


def _number_in(request: HttpRequest, numbers: tuple[str, ...]) -> int | None:
    """Return the only number in the query, 0 without a query; None for any other query."""
    query = request.META["QUERY_STRING"]
    if not query:
        return 0
    match = NUMBERED.fullmatch(query)
    return int(match[2]) if match and match[1] in numbers else None


@cache
def release() -> str:
    """Return a key that differs between versions of the product, whose pages may differ.

    A version under development changes with its files. Looking at every file takes a moment, so a server calls this
    once before the first request: otherwise all of its threads would.
    """
    if ".dev" not in settings.VERSION:
        return str(settings.VERSION)
    root = Path(settings.BASE_DIR)
    files = [
        path for folder in ("templates", "league", "games", "engine") for path in sorted((root / folder).rglob("*.*"))
    ]
    files = [path for path in files if path.suffix != ".pyc"]
    stats = [(path.relative_to(root).as_posix(), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return sha256(repr(stats).encode()).hexdigest()[:12]


def _audience(request: HttpRequest, slug: str) -> str | None:
    """Return the group of visitors that shares this page; None if it must not be shared."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return "all"
    if request.user.is_authenticated or request.session.get(SessionStorage.session_key):
        return None
    visitor = visitor_of(request)
    tournament = Tournament.objects.filter(slug=slug).only("pk").first() if visitor.players else None
    return "players" if tournament and entries_held(visitor, tournament) else "all"


# Most responses need only this small query.
_LAST = Round.objects.filter(tournament=OuterRef("pk")).order_by("-number").values("number")[:1]
_IS_OVER = ExpressionWrapper(Q(announcement__ends_at__lte=Now()), output_field=BooleanField())
_VERSION = PreparedQuery(
    lambda: (
        Tournament.objects.filter(slug="")
        .order_by()
        .values_list(
            *("pk", "log_head__hash", "visibility", "club__name", "club__slug", "club__visibility"),
            *(Subquery(_LAST), _IS_OVER),
        )
    )
)


def _version_of(slug: str) -> Version | None:
    """Return None for uncached pages: for private tournaments the view checks access every time."""
    row = _VERSION.first(slug)
    if row is None or not row[1] or row[2] == Tournament.Visibility.PRIVATE:
        return None
    return Version(row[0], row[1], row[2], row[6] or 0, row[3:6], bool(row[7]))


def _look(slug: str, key: str) -> tuple[Version | None, Page | None]:
    """Return the current version in the database, and the cached page if it has that version."""
    version = _version_of(slug)
    if version is None:
        return None, None
    page = _ask("get", key) or _own.get(key, version)
    return version, page if page and page[0] == tuple(version) else None


def _found_or_made(
    request: HttpRequest, slug: str, key: str, number: int, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the cached page, or wait for another request that renders it, or render it here."""
    version, page = _look(slug, key)
    if version is None or number > max(version.rounds, 1):
        return make()
    if page is not None:
        return _response_of(request, slug, page)
    end = time.monotonic() + PATIENCE
    turn = _turns[hash(key) % len(_turns)]
    mine = turn.acquire(timeout=PATIENCE)
    try:
        while True:
            version, page = _look(slug, key)
            if page is not None:
                return _response_of(request, slug, page)
            if version is None:
                return make()
            claim = f"claim:{version.log}:{key}"
            if _ask("add", claim, 1, CLAIMED) is not False or time.monotonic() > end:  # the claimant may have died
                return _made(key, claim, version, make)
            time.sleep(LOOK_AGAIN)
    finally:
        if mine:
            turn.release()


def _made(key: str, claim: str, version: Version, make: Callable[[], HttpResponse]) -> HttpResponse:
    try:
        response = make()
        if response.status_code == 200:
            headers = {name: response[name] for name in HEADERS if name in response}
            page = tuple(version), headers, pack(response.content)
            _ask("set", key, page, MAX_AGE)
            if _is_silent():
                _own.put(key, version, page)
            _count()
        return response
    finally:
        _ask("delete", claim)


def _count() -> None:
    """Count the pages that all processes rendered, for benchmarks/live.py."""
    _ask("add", "pages-made", 0, None)
    _ask("incr", "pages-made")


def _response_of(request: HttpRequest, slug: str, page: Page) -> HttpResponse:
    note_in_log(request.user, slug)
    _version, headers, packed = page
    if TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")):
        response = HttpResponse(packed, headers=headers | {"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(unpack(packed), headers=headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


# Threads of a process queue here, so that one of them renders a page. Pages with equal hashes share a lock.
_turns = tuple(threading.Lock() for _ in range(64))
# While Redis is down, each process caches its own pages.
_own: VersionedCache[str, Page] = VersionedCache(64)
_silent_until = 0.0  # of `time.monotonic`


def _is_silent() -> bool:
    return time.monotonic() < _silent_until


def _ask(command: str, *arguments: Any) -> Any:
    """Return the cache's response; None while it is down."""
    global _silent_until
    if _is_silent():
        return None
    try:
        return getattr(caches["pages"], command)(*arguments)
    except RedisError:
        _silent_until = time.monotonic() + BACK_OFF
    except ValueError:  # the counter was evicted
        pass
    return None
