"""Open pages that change by themselves: a stream of events says that a tournament changed, and never what changed.

Every change of a tournament adds a row to its log, in its own transaction; the number of the last row is the version.
What happens in play at an online table is counted in the table's row, and the version of its page has both: "412.37".
Each process has one hub that hears of a change when it is committed (league/lib/wake.py). It also asks the database
for the versions of all that somebody watches, since wakes may be lost. It wakes the streams. Pages then fetch
themselves anew, so that the usual place decides who may see what. The stream of an online table sends the new view
along, if it is asked to (league/live/push.py).
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

EVERY = 0.2  # seconds between two looks at the versions
HEARING = 1.0  # the same while other processes are heard
BEAT = 15.0  # seconds after which a silent stream sends a comment, so that no proxy takes it for dead
HEARTBEAT = 2.0  # the same as an event, for pages that say when their line is lost (league/static/league/stream.js)
LIFETIME = 600.0  # seconds; then the browser comes again, through the check of who may look
SHOWS = ("page", "json")
SHOWING = 50.0  # the same for a stream that sends views, since it does not read its session again
GZIP, WINDOW, MEMORY = 16, 14, 6  # zlib's: 16 kB back, 96 kB for each stream
PATIENCE = 5.0  # seconds for a look at a table; then its pages ask for themselves
SPREAD = 20  # seconds, so that not all streams come again at the same moment
RETRY_AFTER = 20  # seconds
LISTEN_AGAIN = 5.0  # seconds after which a Redis that went away is tried again


class Topic(NamedTuple):
    """What a stream watches: a tournament, or also the play at one of its tables. Both are keys."""

    tournament: int
    table: int | None = None


class Mark(NamedTuple):
    """The state of a topic: the tournament's version, what decides who may look at it, and the table's play."""

    version: int
    audience: tuple[int, ...] | None  # None: everybody with the address
    play: int | None = None

    def __str__(self) -> str:
        """The version as pages and streams write it."""
        return str(self.version) if self.play is None else f"{self.version}.{self.play}"


def version_of_table(table: Table) -> str:
    """The version for the page of an online table, from the loaded rows of the table and of the end of the log.

    Load both in one query (`select_related("round__tournament__log_head")`), before anything else that the page shows.
    """
    head = getattr(table.round.tournament, "log_head", None)
    return f"{head.number if head else 0}.{table.play_version}"


def version_of(tournament: Tournament) -> int:
    """The version for a page. Read it before anything that the page shows, so that no change falls between the two."""
    return LogHead.objects.filter(tournament=tournament).values_list("number", flat=True).first() or 0


def marks(tournaments: QuerySet[Tournament]) -> dict[int, Mark]:
    """{tournament's key: mark}, in one query."""
    entries = Entry.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    links = Subquery(entries.annotate(links=Sum("link_generation")).values("links"))  # changes when a link is ended
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
    """The marks of the topics that still exist: one query, and one more for all tables."""
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
    """One stream's place in the hub. It remembers only the newest mark, so a slow stream skips those in between."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.by: str | None = None  # the player whose move the last change was, where that is known
        self.unsent = 0  # rows of the log that were heard of since the last view, and sent nothing
        self.ended = False
        self._woken = False
        self._waits: asyncio.Future[None] | None = None

    def hear(self, news: wakes.Wake, *, elsewhere: bool = False) -> None:
        """Hear of a change by a wake; a wake that comes late or twice changes nothing.

        `elsewhere`: a hand ended at another table. The stream notes its number and sends nothing, or a hall full of
        tables would fetch all its pages whenever a hand ends.
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
        """Wake the stream if something changed. It ends when its tournament is gone, or others may look now."""
        if mark is None or mark.audience != self.mark.audience:
            self.ended = True
        elif mark == self.mark:
            return
        else:
            self.mark, self.by = mark, by
        self._woken = True
        self._stop_waiting()

    async def changed(self, seconds: float) -> bool:
        """Wait for the next change, at most so long. Returns whether there was one."""
        if not self._woken:
            loop = asyncio.get_running_loop()
            self._waits = loop.create_future()
            late = loop.call_later(seconds, self._stop_waiting)  # asyncio's own ways make more of it
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
    """Tells all streams of this process of changes, while there are any."""

    def __init__(self) -> None:
        self._watchers: dict[Topic, set[Watcher]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hears = False  # whether it hears of the changes of other processes
        # Its own thread, so that there is one connection, however many streams there are.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live")

    @property
    def streams(self) -> int:
        return sum(len(watchers) for watchers in self._watchers.values())

    @contextlib.contextmanager
    def watch(self, topic: Topic, mark: Mark) -> Iterator[Watcher]:
        """A watcher that knows `mark` and is told of later ones from now on."""
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
        """Called in any thread, after the commit of a change."""
        if (loop := self._loop) is not None:
            with contextlib.suppress(RuntimeError):  # closed: the process stops
                loop.call_soon_threadsafe(self._wake_watchers, news)

    def end(self) -> None:
        """End every stream: the process stops, or does not hear of changes any more."""
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
                # A watcher that comes or hears of a change while the query runs knows more: the next one tells it.
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
            # Also when the database does not answer: the pages come again, and say so while it does not.
            self._looking = self._loop = None
            self.end()
            self._thread.submit(close_connections)
            pushes.rest()

    async def _listen(self) -> None:
        """Hear what other processes changed. Without Redis there are only the looks at the database.

        It goes on while nobody watches: when the database is away, streams come and go many times a second, and a
        Redis client that is cancelled while it connects may never end.
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
wakes.hear(hub.wake)


@require_GET
def live(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The stream of one open page: an event "changed" with the version as its id, and nothing else.

    With `?table=` (its key) it is the stream of an online table's page, and also tells of what happens in play there.
    With `show=page` or `show=json` too, each change is an event "shown" with the answer that the table's address would
    give this viewer (`as`, as there). "changed" comes instead where that cannot be told, and after a move of the player
    whom `as` names, since the answer to the move shows what follows. With `beat=1` the stream says every two seconds
    that it is there ("beat").

    `Last-Event-ID`, or `?since=`, is the version that the page shows; if there is another one by now, an event is sent
    at once. 503 if too many streams are open; 204, which tells a browser that there is no stream, from a server that
    keeps none.
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
    """The topic of a request and its mark, for those who may look at it."""
    # Before the check, so that a later change of who may look has another mark.
    marks_by_key = marks(Tournament.objects.filter(slug=slug))
    _check(request, slug)
    try:
        [(tournament, mark)] = marks_by_key.items()
    except ValueError:
        raise Http404 from None  # the tournament was made at this very moment
    if "table" not in request.GET:
        return Topic(tournament), mark
    table, play = _table_of(tournament, request.GET["table"])
    return Topic(tournament, table), mark._replace(play=play)


def _first_look(request: HttpRequest, topic: Topic) -> Shown | None:
    """The first view; None where the table cannot be shown: then the page asks for itself and is told why."""
    assert topic.table is not None
    try:
        return look_at(request, topic.table)
    except Http404:
        return None


def _check(request: HttpRequest, slug: str) -> None:
    """Raises Http404 for those who may not look. Scorers by a link may know that a private tournament changed."""
    if "screen" in request.GET and screen_for(request.user, request.GET["screen"]).tournament.slug == slug:
        return
    try:
        tournament_for(visitor_of(request), slug)
    except Http404:
        scoring_for(visitor_of(request), slug)


def _table_of(tournament: int, key: str) -> tuple[int, int]:
    """A table's key and its count of play. Raises Http404 where its page would not show it either."""
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
    """What a stream sends, until it is cut or has lived long enough.

    `missed`: whether it begins with an event, or the view that this one sends. `showing`: its request, if events send
    the viewer's view of the topic's table. `place`: the room that it holds until its end. `beats`: whether a silent
    stream says so with events, which a script can hear.
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
                with contextlib.suppress(TimeoutError):  # if the database hangs, the stream must not
                    async with asyncio.timeout(PATIENCE):
                        view = await pushes.look(showing, topic.table)
            sent = view.version if view else str(watcher.mark)
            # The answer to a move may have been made before a hand ended elsewhere, and is no older for that.
            watcher.unsent *= moved
            yield _shown_event(view) if view else _changed_event(watcher.mark, watcher.unsent)


async def compress_parts(parts: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The parts, compressed so that each can be read at once. A view shares much with the one before, so 10 kB of a
    page become 400 bytes."""
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
    # The line ends of event streams; `splitlines` knows more, which JSON has in its texts.
    lines = "".join(f"data: {line}\n" for line in view.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return f"id: {view.version}\nevent: shown\n{lines}\n".encode()
