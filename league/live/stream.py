"""Live pages: a stream of events says that a tournament changed, never what changed.

Every change of a tournament adds a log row in its transaction; the last row's number is the version. Play at an online
table is counted in the table's row, and its page's version has both: "412.37". Each process has one hub. It gets
committed changes from `league/lib/wake.py`, polls the versions of all watched topics, since wakes may be lost, and
wakes the streams. Pages then reload themselves through the usual access checks. Streams of online tables can send the
new view (league/live/push.py).
"""

import asyncio
import contextlib
import secrets
import zlib
from collections.abc import AsyncGenerator, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from django.conf import settings
from django.db import Error
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_GET
from redis import RedisError

from league.access import scoring_for, screen_for, tournament_for
from league.access.session_links import visitor_of
from league.hooks import Shown
from league.lib import wake as wakes
from league.live.open_streams import NOT_HELD, STREAM, open_streams
from league.live.push import close_connections, look_at, pushes
from league.models import ClubRole, Entry, LogHead, Round, Table, Tournament

EVERY = 0.2  # seconds between polls
HEARING = 1.0  # the same while wakes of other processes arrive
BEAT = 15.0  # seconds of silence before a comment, so that proxies keep the connection
HEARTBEAT = 2.0  # the same as an event, for pages that report a lost connection (league/static/league/stream.js)
LIFETIME = 600.0  # seconds; then the browser reconnects, and access is checked again
SHOWS = ("page", "json")
SHOWING = 50.0  # the same for a stream that sends views, which doesn't reread its session
GZIP, WINDOW, MEMORY = 16, 14, 6  # zlib's: 16 kB window, 96 kB a stream
PATIENCE = 5.0  # seconds for a view of a table; then its pages fetch themselves
SPREAD = 20  # seconds, so that streams don't all reconnect at once
RETRY_AFTER = 20  # seconds
LISTEN_AGAIN = 5.0  # seconds before reconnecting to Redis


class Topic(NamedTuple):
    """Subject of a stream: a tournament, or also the play at one of its tables. Both are keys."""

    tournament: int
    table: int | None = None


class Mark(NamedTuple):
    """State of a topic: tournament version, everything that decides its audience, and the table's play."""

    version: int
    audience: tuple[int, ...] | None  # None: anyone with the address
    play: int | None = None

    def __str__(self) -> str:
        """Return the version as pages and streams write it."""
        return str(self.version) if self.play is None else f"{self.version}.{self.play}"


def version_of_table(table: Table) -> str:
    """Return the version of an online table's page, from loaded rows.

    Load the table and the end of the log in one query (`select_related("round__tournament__log_head")`), before all
    other data of the page.
    """
    head = getattr(table.round.tournament, "log_head", None)
    return f"{head.number if head else 0}.{table.play_version}"


def version_of(tournament: Tournament) -> int:
    """Return the version for a page. Read it before the page's data, so that no change is missed."""
    return LogHead.objects.filter(tournament=tournament).values_list("number", flat=True).first() or 0


def marks(tournaments: QuerySet[Tournament]) -> dict[int, Mark]:
    """Return {key of a tournament: mark}, in one query."""
    entries = Entry.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    links = Subquery(entries.annotate(links=Sum("link_generation")).values("links"))  # changes when a link is replaced
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
    """Return the marks of existing topics: one query, and one more for all tables."""
    marks_by_key = marks(Tournament.objects.filter(pk__in={topic.tournament for topic in topics}))
    tables = [topic.table for topic in topics if topic.table is not None]
    plays: dict[int | None, int | None] = {None: None}
    if tables:
        plays |= Table.objects.filter(pk__in=tables).values_list("pk", "play_version")
    return {
        topic: marks_by_key[topic.tournament]._replace(play=plays[topic.table])
        for topic in topics
        if topic.tournament in marks_by_key and topic.table in plays
    }


class Watcher:
    """One stream in the hub. It stores only the newest mark, so a slow stream skips older ones."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.by: str | None = None  # player of the last move, if known
        self.unsent = 0  # log rows since the last view for which nothing was sent
        self.ended = False
        self._woken = False
        self._waits: asyncio.Future[None] | None = None

    def hear(self, news: wakes.Wake, *, elsewhere: bool = False) -> None:
        """Apply a wake; a late or repeated one changes nothing.

        elsewhere: a hand ended at another table. Only record the number, or each ended hand would reload all pages of a
        hall.
        """
        now = self.mark
        if elsewhere and news.number == now.version + 1:
            self.mark = now._replace(version=news.number)
            self.unsent += 1
        elif news.table is None and news.number > now.version:
            self.tell(now._replace(version=news.number))
        elif news.table is not None and news.number > (now.play or 0):
            self.tell(now._replace(play=news.number), news.by)

    def tell(self, mark: Mark | None, by: str | None = None) -> None:
        """Wake the stream if something changed. End it if the tournament is gone or its audience changed."""
        if mark is None or mark.audience != self.mark.audience:
            self.ended = True
        elif mark == self.mark:
            return
        else:
            self.mark, self.by = mark, by
        self._woken = True
        self._stop_waiting()

    async def changed(self, seconds: float) -> bool:
        """Wait for the next change, at most this long. Return whether there was one."""
        if not self._woken:
            loop = asyncio.get_running_loop()
            self._waits = loop.create_future()
            late = loop.call_later(seconds, self._stop_waiting)  # cheaper than asyncio.wait_for
            try:
                await self._waits
            finally:
                late.cancel()
                self._waits = None
        woken, self._woken = self._woken, False
        return woken

    def _stop_waiting(self) -> None:
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)


class Hub:
    """Notify all streams of this process."""

    def __init__(self) -> None:
        self._watchers: dict[Topic, set[Watcher]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hears = False  # whether wakes of other processes arrive
        # One thread, so one connection for any number of streams.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live")

    @property
    def streams(self) -> int:
        return sum(len(watchers) for watchers in self._watchers.values())

    @contextlib.contextmanager
    def watch(self, topic: Topic, mark: Mark) -> Iterator[Watcher]:
        """Yield a watcher that knows `mark` and is notified of later ones."""
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

    def wake(self, news: wakes.Wake) -> None:
        """Notify from any thread, after a commit."""
        if (loop := self._loop) is not None:
            with contextlib.suppress(RuntimeError):  # closed: the process is stopping
                loop.call_soon_threadsafe(self._wake_watchers, news)

    def end(self) -> None:
        """End all streams: the process is stopping, or no longer learns of changes."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.tell(None)

    def _wake_watchers(self, news: wakes.Wake) -> None:
        if news.table is not None:  # many times a second
            for watcher in self._watchers.get(Topic(news.tournament, news.table), ()):
                watcher.hear(news)
            return
        for topic, watchers in self._watchers.items():
            if topic.tournament == news.tournament:
                elsewhere = news.about is not None and topic.table not in (None, news.about)
                for watcher in watchers:
                    watcher.hear(news, elsewhere=elsewhere)

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._watchers:
                # A watcher added or woken during the query is newer: the next poll covers it.
                watching = {
                    topic: [(watcher, watcher.mark) for watcher in all_of] for topic, all_of in self._watchers.items()
                }
                new_marks = await loop.run_in_executor(self._thread, _read, tuple(watching))
                for topic, watchers in watching.items():
                    for watcher, known in watchers:
                        if watcher.mark is known:
                            watcher.tell(new_marks.get(topic))
                await asyncio.sleep(HEARING if self._hears else EVERY)
        except Error:
            pass
        finally:
            # Also if the database is down: pages reconnect, and report it.
            self._looking = self._loop = None
            self.end()
            self._thread.submit(close_connections)
            pushes.rest()

    async def _listen(self) -> None:
        """Receive changes of other processes. Without Redis, only polling finds them.

        Keeps running without watchers: when the database is down, streams come and go many times a second, and a Redis
        client cancelled while connecting may hang.
        """
        try:
            while True:
                with contextlib.suppress(RedisError, OSError):
                    async for news in wakes.incoming_wakes():
                        self._hears = True
                        if news is not None:
                            self._wake_watchers(news)
                self._hears = False
                await asyncio.sleep(LISTEN_AGAIN)
        finally:
            self._hears = False


def _read(topics: Collection[Topic]) -> dict[Topic, Mark]:
    return marks_of(topics)


hub = Hub()
wakes.add_listener(hub.wake)


@require_GET
def live(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Stream one open page: an event "changed" with the version as id, and nothing else.

    `?table=` (key) streams an online table, including its play. With `show=page` or `show=json`, each change is an
    event "shown" with the response that the table's address would give this viewer (`as` as there). "changed" replaces
    it if the view isn't available, and after a move of the player in `as`, whose response already shows the result.
    `beat=1` sends "beat" every two seconds.

    `Last-Event-ID` or `?since=` is the page's version; if it is outdated, an event follows at once. 503 if too many
    streams are open; 204 from a server without streams, which tells browsers not to retry.
    """
    keeps_streams = STREAM in request.META
    place = open_streams.take(request) if keeps_streams else NOT_HELD
    if place is None:
        return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"})
    with contextlib.ExitStack() as unless_opened:
        unless_opened.push(place)
        try:
            topic, mark = _look_up(request, slug)
        except Http404:
            return HttpResponse(status=404)
        headers = {"Cache-Control": "no-store" if mark.audience is None else "private, no-store"}
        if not keeps_streams:
            return HttpResponse(status=204, headers=headers)
        since = request.headers.get("Last-Event-ID") or request.GET.get("since")
        missed = since is not None and since != str(mark)
        showing = request if topic.table is not None and request.GET.get("show") in SHOWS else None
        first = _first_look(request, topic) if missed and showing else None
        unless_opened.pop_all()
    parts = events(topic, mark, first or missed, showing, place, beats="beat" in request.GET)
    if showing is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        parts, headers["Content-Encoding"] = compress_parts(parts), "gzip"
    headers["X-Accel-Buffering"] = "no"
    request.META[STREAM] = parts
    return StreamingHttpResponse((), content_type="text/event-stream", headers=headers)


def _look_up(request: HttpRequest, slug: str) -> tuple[Topic, Mark]:
    """Return topic and mark of a request. Raises Http404 for viewers without access."""
    # Before the check, so that a later change of access has another mark.
    marks_by_key = marks(Tournament.objects.filter(slug=slug))
    _check(request, slug)
    try:
        [(tournament, mark)] = marks_by_key.items()
    except ValueError:
        raise Http404 from None  # the tournament was created just now
    if "table" not in request.GET:
        return Topic(tournament), mark
    table, play = _table_of(tournament, request.GET["table"])
    return Topic(tournament, table), mark._replace(play=play)


def _first_look(request: HttpRequest, topic: Topic) -> Shown | None:
    """Return the first view; None if the table can't be shown: the page then fetches itself and shows why."""
    assert topic.table is not None
    try:
        return look_at(request, topic.table)
    except Http404:
        return None


def _check(request: HttpRequest, slug: str) -> None:
    """Raise Http404 for viewers without access. Scorers by link may follow a private tournament."""
    if "screen" in request.GET and screen_for(request.user, request.GET["screen"]).tournament.slug == slug:
        return
    try:
        tournament_for(visitor_of(request), slug)
    except Http404:
        scoring_for(visitor_of(request), slug)


def _table_of(tournament: int, key: str) -> tuple[int, int]:
    """Return key and play count of a table. Raises Http404 if its page wouldn't be shown."""
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        raise Http404
    hidden = (Round.State.DRAFT, Round.State.VOID)
    visible = Table.objects.filter(round__tournament=tournament).exclude(round__state__in=hidden)
    row = visible.exclude(state=Table.State.VOID).filter(pk=int(key)).values_list("pk", "play_version").first()
    if row is None:
        raise Http404
    return row


async def events(
    topic: Topic,
    mark: Mark,
    missed: Shown | bool,
    showing: HttpRequest | None = None,
    place: contextlib.AbstractContextManager[None] = NOT_HELD,
    *,
    beats: bool = False,
) -> AsyncGenerator[bytes, None]:
    """Yield a stream's events, until it is cut or reaches its lifetime.

    missed: whether to start with an event, or the view to start with. showing: the request, if events carry views of
    the table. place: the stream's slot, held until the end. beats: whether a silent stream sends events that scripts
    can hear.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + (LIFETIME if showing is None else SHOWING + secrets.randbelow(SPREAD))
    every, beat = (HEARTBEAT, BEATS) if beats else (BEAT, NOTHING)
    with place, hub.watch(topic, mark) as watcher:
        sent = ""
        if isinstance(missed, Shown):
            sent = missed.version
            yield _shown_event(missed)
        else:
            yield _changed_event(mark) if missed else NOTHING
        while not watcher.ended and (remaining := end - loop.time()) > 0:
            changed = await watcher.changed(min(every, remaining))
            if watcher.ended:
                break
            if not changed or str(watcher.mark) == sent:
                yield beat
                continue
            view, moved = None, showing is not None and watcher.by == (showing.GET.get("as") or "")
            if showing is not None and topic.table is not None and not moved:
                with contextlib.suppress(TimeoutError):  # don't hang with the database
                    async with asyncio.timeout(PATIENCE):
                        view = await pushes.look(showing, topic.table)
            sent = view.version if view else str(watcher.mark)
            # The response to a move may predate the end of a hand elsewhere, without being outdated.
            watcher.unsent *= moved
            yield _shown_event(view) if view else _changed_event(watcher.mark, watcher.unsent)


async def compress_parts(parts: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Compress the parts so that each is readable at once. Consecutive views are similar: 10 kB become 400 bytes."""
    pack = zlib.compressobj(6, zlib.DEFLATED, GZIP + WINDOW, MEMORY)
    async with contextlib.aclosing(parts) as sent:
        async for part in sent:
            yield pack.compress(part) + pack.flush(zlib.Z_SYNC_FLUSH)


NOTHING = b":\n\n"  # a comment
BEATS = b"event: beat\ndata: 1\n\n"


def _changed_event(mark: Mark, unsent: int = 0) -> bytes:
    mark = mark._replace(version=mark.version - unsent)
    return f"id: {mark}\nevent: changed\ndata: {mark}\n\n".encode()


def _shown_event(view: Shown) -> bytes:
    # Split at the line ends of event streams: `splitlines` knows more, which occur in JSON.
    lines = "".join(f"data: {line}\n" for line in view.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return f"id: {view.version}\nevent: shown\n{lines}\n".encode()
