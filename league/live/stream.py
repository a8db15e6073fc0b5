"""Open pages that change by themselves: a stream of events says that a tournament changed, and never what.

Every change of a tournament adds a row to its log, in its own transaction; the number of the last row is the version.
What happens in play at an online table is counted in the table's row, and its page is of both: "412.37".
One hub a process hears of a change when it is committed (league/live/wake.py), and asks the database for the versions
of all that somebody watches besides, since what is heard may be lost. It wakes the streams. Pages then fetch themselves
anew, so that who may see what is decided where it always is. The stream of an online table brings what there is to be
seen along, if it is asked to (league/live/push.py).
"""

import asyncio
import contextlib
import secrets
import threading
import zlib
from collections.abc import AsyncGenerator, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import Error
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_GET
from redis import RedisError

from league.access import scoring_for, screen_for, tournament_for
from league.access.session_links import links_in, players_in
from league.hooks import Shown
from league.live import wake as wakes
from league.live.open_streams import NOT_HELD, open_streams
from league.live.push import let_go, look_at, pushes
from league.models import ClubRole, Entry, LogHead, Round, Table, Tournament

EVERY = 0.2  # seconds between two looks at the versions
HEARING = 1.0  # the same while other processes are heard
BEAT = 15.0  # seconds after which a silent stream sends a comment, so that nothing on the way takes it for dead
HEARTBEAT = 2.0  # the same as an event, for pages that say when their line is lost (league/static/league/stream.js)
LIFETIME = 600.0  # seconds; then the browser comes again, through the check of who may look
SHOWS = ("page", "json")
SHOWING = 50.0  # the same for a stream that brings what is to be seen: what its session holds is not read again
GZIP, WINDOW, MEMORY = 16, 14, 6  # zlib's: 16 kB back, 96 kB for each stream
PATIENCE = 5.0  # seconds for a look at a table; then its pages ask for themselves
SPREAD = 20  # seconds, so that not all come again in one moment
RETRY_AFTER = 20  # seconds
LISTEN_AGAIN = 5.0  # seconds after which a Redis that went is tried again


class Topic(NamedTuple):
    """What a stream watches: a tournament, or what is shown at one of its tables too. Keys."""

    tournament: int
    table: int | None = None


class Mark(NamedTuple):
    """Where a topic stands: the tournament's version, what may change who looks at it, and the table's play."""

    version: int
    audience: tuple[int, ...] | None  # None: everybody with the address
    play: int | None = None

    def __str__(self) -> str:
        """As pages and streams name it."""
        return str(self.version) if self.play is None else f"{self.version}.{self.play}"


def version_of_table(table: Table) -> str:
    """For the page of an online table, from the rows of the table and the end of the log as they were loaded.

    Load both in one query (`select_related("round__tournament__log_head")`), before anything else that the page shows.
    """
    head = getattr(table.round.tournament, "log_head", None)
    return f"{head.number if head else 0}.{table.play_version}"


def version_of(tournament: Tournament) -> int:
    """For a page: read before anything that the page shows, so that no change falls between the two."""
    return LogHead.objects.filter(tournament=tournament).values_list("number", flat=True).first() or 0


def marks(tournaments: QuerySet[Tournament]) -> dict[int, Mark]:
    """{tournament's key: mark}, in one query."""
    entries = Entry.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    links = Subquery(entries.annotate(links=Sum("link_generation")).values("links"))  # another when one is ended
    in_club = ClubRole.objects.filter(club=OuterRef("club")).order_by().values("club")
    by_club = Subquery(in_club.annotate(changes=Count("pk") + Count("revoked_at")).values("changes"))
    rows = (
        tournaments.order_by()
        .values_list("pk", "log_head__number", "visibility", "owner_id", "screen_generation", "club__owner_id")
        .annotate(ever=Count("roles"), now=Count("roles", filter=Q(roles__revoked_at=None)), links=links, club=by_club)
    )
    return {
        key: Mark(version or 0, (owner, *others) if visibility == Tournament.Visibility.PRIVATE else None)
        for key, version, visibility, owner, *others in rows
    }


def marks_of(topics: Collection[Topic]) -> dict[Topic, Mark]:
    """Where topics stand, those that are gone left out: one query, and one more for all tables."""
    found = marks(Tournament.objects.filter(pk__in={topic.tournament for topic in topics}))
    tables = [topic.table for topic in topics if topic.table is not None]
    plays: dict[int | None, int | None] = {None: None}
    if tables:
        plays |= Table.objects.filter(pk__in=tables).values_list("pk", "play_version")
    return {
        topic: found[topic.tournament]._replace(play=plays[topic.table])
        for topic in topics
        if topic.tournament in found and topic.table in plays
    }


class Watcher:
    """One stream's place in the hub. It remembers the newest mark alone: who is slow skips what lies between."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.by: str | None = None  # whose move the last change was, where that is known
        self.ended = False
        self._woken = asyncio.Event()

    def hear(self, what: wakes.Wake, *, elsewhere: bool = False) -> None:
        """A change that a wake tells of; what is heard late, or twice, is none.

        `elsewhere`: a hand that ended at another table. The stream takes note of its number and sends nothing, or a
        hall full of tables would fetch all its pages whenever a hand ends.
        """
        now = self.mark
        if elsewhere and what.number == now.version + 1:
            self.mark = now._replace(version=what.number)
        elif what.table is None and what.number > now.version:
            self.tell(now._replace(version=what.number))
        elif what.table is not None and what.number > (now.play or 0):
            self.tell(now._replace(play=what.number), what.by)

    def tell(self, mark: Mark | None, by: str | None = None) -> None:
        """Wake the stream if something changed. It ends when its tournament is gone, or others may look now."""
        if mark is None or mark.audience != self.mark.audience:
            self.ended = True
        elif mark == self.mark:
            return
        else:
            self.mark, self.by = mark, by
        self._woken.set()

    async def changed(self, seconds: float) -> bool:
        """Wait for the next change, at most so long; whether there was one."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), seconds)
        woken = self._woken.is_set()
        self._woken.clear()
        return woken


class Hub:
    """Tells all streams of this process of changes, while there are any."""

    def __init__(self) -> None:
        self._watchers: dict[Topic, set[Watcher]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hears = False  # what other processes change
        # A thread of its own: one connection, however many streams there are.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live")

    @property
    def streams(self) -> int:
        return sum(len(watchers) for watchers in self._watchers.values())

    @contextlib.contextmanager
    def watch(self, topic: Topic, mark: Mark) -> Iterator[Watcher]:
        """A watcher that knows `mark`, told of any other from now on."""
        watcher = Watcher(mark)
        self._watchers.setdefault(topic, set()).add(watcher)
        if self._looking is None:
            self._loop = asyncio.get_running_loop()
            self._looking = self._loop.create_task(self._look())
        if settings.REDIS_URL and (self._listening is None or self._listening.done()):
            self._listening = asyncio.get_running_loop().create_task(self._listen())
        try:
            yield watcher
        finally:
            watchers = self._watchers.get(topic, set())
            watchers.discard(watcher)
            if not watchers:
                self._watchers.pop(topic, None)

    def wake(self, what: wakes.Wake) -> None:
        """Called in any thread, after the commit of a change."""
        if (loop := self._loop) is not None:
            with contextlib.suppress(RuntimeError):  # closed: the process stops
                loop.call_soon_threadsafe(self._woken, what)

    def end(self) -> None:
        """End every stream: the process stops, or cannot tell any more."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.tell(None)

    def _woken(self, what: wakes.Wake) -> None:
        for topic, watchers in self._watchers.items():
            if topic.tournament == what.tournament and what.table in (None, topic.table):
                elsewhere = what.about is not None and topic.table not in (None, what.about)
                for watcher in watchers:
                    watcher.hear(what, elsewhere=elsewhere)

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._watchers:
                # Whoever comes while the query runs, or hears of a change, knows more than it: they are told next time.
                watching = {topic: [(one, one.mark) for one in all_of] for topic, all_of in self._watchers.items()}
                found = await loop.run_in_executor(self._thread, _read, tuple(watching))
                for topic, watchers in watching.items():
                    for watcher, known in watchers:
                        if watcher.mark is known:
                            watcher.tell(found.get(topic))
                await asyncio.sleep(HEARING if self._hears else EVERY)
        except Error:
            pass
        finally:
            # Also when the database does not answer: the pages come again, and say so while they cannot.
            self._looking = self._loop = None
            self.end()
            self._thread.submit(let_go)
            pushes.rest()

    async def _listen(self) -> None:
        """Hear what other processes changed. Without Redis the looks are all there is.

        Goes on while nobody watches: where the database is away, streams come and go many times a second, and a client
        of Redis that is cancelled while it connects may never end.
        """
        try:
            while True:
                with contextlib.suppress(RedisError, OSError):
                    async for what in wakes.arriving():
                        self._hears = True
                        if what is not None:
                            self._woken(what)
                self._hears = False
                await asyncio.sleep(LISTEN_AGAIN)
        finally:
            self._hears = False


def _read(topics: Collection[Topic]) -> dict[Topic, Mark]:
    return marks_of(topics)


hub = Hub()
wakes.hear(hub.wake)


@require_GET
async def live(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The stream of one open page: an event "changed" with the version as its id, and nothing else.

    With `?table=` (its key) it is that of an online table's page, and tells of what happens in play there too. With
    `show=page` or `show=json` besides, each change is an event "shown" with what the address of the table would answer
    this viewer (`as`, as there). "changed" comes where that cannot be told, and of a move of whom `as` names: what
    follows from it is the answer to it. With `beat=1` it says every two seconds that it is there ("beat").

    `Last-Event-ID`, or `?since=`, is the version that the page shows; if it is another one by now, an event is sent at
    once. 503 where too many streams are open; 204, which tells a browser that there is no stream, from a server that
    cannot keep one (gunicorn's threads).
    """
    # Before anything is waited for, so that of all that come in one moment none slips in beside the others.
    place = open_streams.take(request) if isinstance(request, ASGIRequest) else NOT_HELD
    if place is None:
        return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"})
    with contextlib.ExitStack() as unless_opened:
        unless_opened.push(place)
        try:
            topic, mark = await sync_to_async(_may_watch)(request, slug)
        except Http404:
            return HttpResponse(status=404)
        headers = {"Cache-Control": "no-store" if mark.audience is None else "private, no-store"}
        if place is NOT_HELD:
            return HttpResponse(status=204, headers=headers)
        since = request.headers.get("Last-Event-ID") or request.GET.get("since")
        missed = since is not None and since != str(mark)
        showing = request if topic.table is not None and request.GET.get("show") in SHOWS else None
        first = await sync_to_async(_first_look)(request, topic) if missed and showing else None
        unless_opened.pop_all()
    parts = events(topic, mark, first or missed, showing, place, beats="beat" in request.GET)
    if showing is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        parts, headers["Content-Encoding"] = packed(parts), "gzip"
    headers["X-Accel-Buffering"] = "no"
    return StreamingHttpResponse(parts, content_type="text/event-stream", headers=headers)


def _may_watch(request: HttpRequest, slug: str) -> tuple[Topic, Mark]:
    """What is to be watched and where it stands, for who may look at it."""
    with _few:
        return _looked_up(request, slug)


# After an outage a whole hall comes back in one moment; so many may be at the database then.
_few = threading.BoundedSemaphore(8)


def _looked_up(request: HttpRequest, slug: str) -> tuple[Topic, Mark]:
    try:
        # Before the check: whatever changes who may look from here on is another mark.
        found = marks(Tournament.objects.filter(slug=slug))
        _check(request, slug)
        [(tournament, mark)] = found.items()
        if "table" not in request.GET:
            return Topic(tournament), mark
        table, play = _table_of(tournament, request.GET["table"])
        return Topic(tournament, table), mark._replace(play=play)
    except ValueError:
        raise Http404 from None  # made this very moment
    finally:
        let_go()


def _first_look(request: HttpRequest, topic: Topic) -> Shown | None:
    """None where it cannot be shown: the page asks, and is told why."""
    assert topic.table is not None
    with _few:
        try:
            return look_at(request, topic.table)
        except Http404:
            return None
        finally:
            let_go()


def _check(request: HttpRequest, slug: str) -> None:
    """Raises Http404 for who may not look. Whoever scores a private tournament by a link may know that it changed."""
    if "screen" in request.GET and screen_for(request.user, request.GET["screen"]).tournament.slug == slug:
        return
    try:
        tournament_for(request.user, slug, players=players_in(request))
    except Http404:
        scoring_for(request.user, slug, links_in(request))


def _table_of(tournament: int, key: str) -> tuple[int, int]:
    """A table's key and what was played there. Raises Http404 where its page would not show it either."""
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        raise Http404
    hidden = (Round.State.DRAFT, Round.State.VOID)
    shown = Table.objects.filter(round__tournament=tournament).exclude(round__state__in=hidden)
    found = shown.exclude(state=Table.State.VOID).filter(pk=int(key)).values_list("pk", "play_version").first()
    if found is None:
        raise Http404
    return found


async def events(
    topic: Topic,
    mark: Mark,
    missed: Shown | bool,
    showing: HttpRequest | None = None,
    place: contextlib.AbstractContextManager[None] = NOT_HELD,
    *,
    beats: bool = False,
) -> AsyncGenerator[bytes, None]:
    """What a stream sends, until it is cut or has lived long enough.

    `missed`: whether it begins with an event, or what that one shows. `showing`: its request, where events say what the
    viewer may see of the topic's table. `place`: what it holds until then. `beats`: whether a silent stream says
    so where a script can hear it.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + (LIFETIME if showing is None else SHOWING + secrets.randbelow(SPREAD))
    every, beat = (HEARTBEAT, BEATS) if beats else (BEAT, NOTHING)
    with place, hub.watch(topic, mark) as watcher:
        sent = ""
        if isinstance(missed, Shown):
            sent = missed.version
            yield _shown(missed)
        else:
            yield _changed(mark) if missed else NOTHING
        while not watcher.ended and (left := end - loop.time()) > 0:
            changed = await watcher.changed(min(every, left))
            if watcher.ended:
                break
            if not changed or str(watcher.mark) == sent:
                yield beat
                continue
            shown = None
            if showing is not None and topic.table is not None and watcher.by != (showing.GET.get("as") or ""):
                with contextlib.suppress(TimeoutError):  # the database hangs: what is sent must not hang with it
                    shown = await asyncio.wait_for(pushes.look(showing, topic.table), PATIENCE)
            sent = shown.version if shown else str(watcher.mark)
            yield _shown(shown) if shown else _changed(watcher.mark)


async def packed(parts: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Each part so that it can be read at once. A table is packed by what it has in common with the one before: 10 kB
    of a page come to 400 bytes."""
    pack = zlib.compressobj(6, zlib.DEFLATED, GZIP + WINDOW, MEMORY)
    async with contextlib.aclosing(parts) as sent:
        async for part in sent:
            yield pack.compress(part) + pack.flush(zlib.Z_SYNC_FLUSH)


NOTHING = b":\n\n"  # a comment
BEATS = b"event: beat\ndata: 1\n\n"


def _changed(mark: Mark) -> bytes:
    return f"id: {mark}\nevent: changed\ndata: {mark}\n\n".encode()


def _shown(shown: Shown) -> bytes:
    lines = "".join(f"data: {line}\n" for line in shown.text.splitlines())
    return f"id: {shown.version}\nevent: shown\n{lines}\n".encode()
