"""Players at online tables for benchmarks/load.py: each has a stream and a connection, as an open page has.

The stream brings the table as JSON with each change; whose turn it is plays the first card that fits. Every ten seconds
a player fetches it, as a page does to say that it is there. Nothing here is of the product: a player knows what its
answers say.
"""

import asyncio
import contextlib
import json
import random
import time
import uuid
import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

PATIENCE = 60.0  # seconds for an answer
MOST_LINE = 1 << 20  # bytes of an event
TOKEN = "b" * 32  # a CSRF token is right when cookie and header are equal
HERE = 10.0  # seconds between two looks of a page to which nothing happens
BETWEEN_HANDS = 0.05  # seconds before somebody says that they are ready


@dataclass
class Tally:
    """What happened between `begin` and `end`: seconds, and numbers of requests."""

    begin: float = float("inf")
    end: float = float("inf")
    moves: int = 0
    late: int = 0  # paced moves for which the player was told too late to move in time
    refused: int = 0
    looks: int = 0
    pages: int = 0  # views as HTML
    answered: list[float] = field(default_factory=list)  # from sending a move to its answer
    seen: list[float] = field(default_factory=list)  # from sending a move to the data of another player

    def counts(self, moment: float) -> bool:
        return self.begin <= moment < self.end


class Line:
    """A connection for one request at a time, opened anew where the server has closed it."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port, self._cookie = port, cookie
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[int, bytes]:
        body = urlencode(fields or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self._cookie}\r\nAccept: application/json\r\n"
        if method == "POST":
            head += f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            head += f"Content-Length: {len(body)}\r\n"
        async with self._turn:
            for again in (True, False):
                try:
                    async with asyncio.timeout(PATIENCE):
                        return await self._asked(head.encode() + b"\r\n" + body)
                except (OSError, asyncio.IncompleteReadError):
                    self.close()
                    if not again:
                        raise
        raise AssertionError

    async def _asked(self, request: bytes) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r")[0])
        body = await reader.readexactly(length)
        if b"connection: close" in head:
            self.close()
        return int(head[9:12]), body

    def close(self) -> None:
        if self._streams:
            self._streams[1].transport.abort()
        self._streams = None


class Game:
    """A table: when its moves were sent, and when the next one is due."""

    def __init__(self, key: int, slug: str, begun: asyncio.Event, every: float | None, first: float) -> None:
        self.key, self.slug, self._begun = key, slug, begun
        self.every, self.next = every, first  # seconds from one move to the next; None: as soon as somebody can
        self.sent: dict[tuple[int, int], float] = {}

    async def turn(self) -> bool:
        """Wait until a move is due; whether it is late."""
        await self._begun.wait()
        if self.every is None:
            return False
        left = self.next - time.perf_counter()
        self.next = max(self.next, time.perf_counter() - self.every) + self.every
        await asyncio.sleep(max(0.0, left))
        return left < 0


class Player:
    def __init__(self, game: Game, cookie: str, port: int, tally: Tally, *, html: bool) -> None:
        self.game, self.tally, self._html = game, tally, html
        self._cookie, self._port = cookie, port
        self._line = Line(port, cookie)
        self._version: tuple[int, ...] = (0, 0)  # what it has
        self._told: tuple[int, ...] = ()  # what it was told that there is
        self._brought: dict[str, Any] | None = None  # by the stream; none where that only told of a change
        self._seen = (0, 0)  # deal, moves
        self._me = ""  # as whom the stream is asked for
        self._asked = 0.0
        self._stale = asyncio.Event()
        self.listens, self.looked = asyncio.Event(), asyncio.Event()  # at least once
        self._path = f"/tables/{game.key}/play/"

    async def play(self) -> None:
        """Until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen())
            tasks.create_task(self._follow())
            tasks.create_task(self._say_here())
            if self._html:
                tasks.create_task(self._watch_page())

    async def _watch_page(self) -> None:
        """A second stream, with what a browser would show, compressed as for browsers."""
        await self.looked.wait()
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                async for event in self._page_events():
                    if event.startswith(b"id: ") and b"event: shown" in event:
                        self.tally.pages += self.tally.counts(time.perf_counter())
            await asyncio.sleep(0.5)

    async def _page_events(self) -> AsyncIterator[bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=MOST_LINE)
        try:
            path = f"/t/{self.game.slug}/live/?table={self.game.key}&show=page&as={self._me}"
            head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self._cookie}\r\nAccept-Encoding: gzip\r\n\r\n"
            writer.write(head.encode())
            if b"content-encoding: gzip" not in (await reader.readuntil(b"\r\n\r\n")).lower():
                raise RuntimeError("A stream of pages was refused.")
            unpack, rest = zlib.decompressobj(31), b""
            while size := int(await reader.readuntil(b"\r\n"), 16):
                *events, rest = (rest + unpack.decompress(await reader.readexactly(size))).split(b"\n\n")
                await reader.readexactly(2)
                for event in events:
                    yield event
        finally:
            writer.transport.abort()

    async def _say_here(self) -> None:
        while True:
            await asyncio.sleep(HERE * random.uniform(0.9, 1.1))
            if time.perf_counter() - self._asked > HERE:
                await self._ask("GET", self._path)
                self.tally.looks += self.tally.counts(time.perf_counter())

    async def _listen(self) -> None:
        await self.looked.wait()
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                async for version, brought in self._events():
                    self._told, self._brought = version, brought
                    self._stale.set()
            await asyncio.sleep(0.5)

    async def _events(self) -> AsyncIterator[tuple[tuple[int, ...], dict[str, Any] | None]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=MOST_LINE)
        try:
            since = ".".join(map(str, self._version))
            path = f"/t/{self.game.slug}/live/?table={self.game.key}&show=json&as={self._me}&since={since}"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self._cookie}\r\n\r\n".encode())
            if b" 200 " not in (await reader.readuntil(b"\r\n\r\n"))[:20]:
                raise RuntimeError("A stream was refused.")
            self.listens.set()
            while True:
                message = await reader.readuntil(b"\n\n")
                if b"event: " in message:
                    version, data = (message.partition(name)[2].partition(b"\n")[0] for name in (b"id: ", b"data: "))
                    yield _version(version.decode()), json.loads(data) if b"event: shown" in message else None
        finally:
            writer.transport.abort()

    async def _follow(self) -> None:
        self._stale.set()
        while True:
            await self._stale.wait()
            self._stale.clear()
            answer, self._brought = self._brought, None
            if self._told and self._told <= self._version:  # its own move
                continue
            if answer is None:
                answer = await self._ask("GET", self._path)
                self.tally.looks += self.tally.counts(time.perf_counter())
                if answer is not None:
                    self._me = answer["play"]["places"][answer["play"]["you"]]["player_id"]
                    self.looked.set()
            while answer is not None:
                answer = await self._do(self._take(answer))

    async def _ask(self, method: str, path: str, fields: dict[str, Any] | None = None) -> dict[str, Any] | None:
        self._asked = time.perf_counter()
        status, body = await self._line.ask(method, path, fields)
        if status not in (200, 409):
            raise RuntimeError(f"{method} {path}: {status} {body[:300]!r}")
        if status == 409:
            self.tally.refused += 1
            self._stale.set()
            return None
        found: dict[str, Any] = json.loads(body)
        return found

    def _take(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Note what is new in an answer; returns what is to be seen."""
        self._version, view = _version(answer["live"]), answer["play"]
        now, (deal, moves) = time.perf_counter(), self._seen
        there = (view["deal"], view.get("version", 0))
        for one in [one for one in self.game.sent if (deal, moves) < one <= there]:
            if self.tally.counts(self.game.sent[one]):
                self.tally.seen.append(now - self.game.sent[one])
        self._seen = max(self._seen, there)
        return view  # type: ignore[no-any-return]

    async def _do(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Whatever this player is to do, and the answer to it; None when others are to do something."""
        if view["state"] == "waiting" and not view["places"][view["you"]]["ready"]:
            await asyncio.sleep(BETWEEN_HANDS)
            return await self._ask("POST", f"{self._path}ready/", {"deal": view["deal"]})
        if view["state"] != "playing" or view["hand"]["turn"] != view["you"]:
            return None
        late = await self.game.turn()
        fields = chosen(view["hand"]) | {"deal": view["deal"], "answers": view["decision"], "key": uuid.uuid4().hex}
        sent, number = time.perf_counter(), view["version"] + 1
        self.game.sent = {one: at for one, at in self.game.sent.items() if at > sent - PATIENCE}
        self.game.sent[view["deal"], number] = sent
        self._seen = (view["deal"], number)  # its own move is no news
        answer = await self._ask("POST", f"{self._path}act/", fields)
        if self.tally.counts(sent):
            self.tally.moves += 1
            self.tally.late += late
            self.tally.answered.append(time.perf_counter() - sent)
        return answer


def _version(text: str) -> tuple[int, ...]:
    """“412.37”: both parts only grow."""
    return tuple(map(int, text.split(".")))


def chosen(hand: dict[str, Any]) -> dict[str, Any]:
    """The first card that fits, else to draw, else to keep; UNO is never forgotten."""
    if hand["step"] == "color":
        return {"kind": "color", "color": "R"}
    if hand["step"] == "answer":
        return {"kind": "accept"}
    if hand["playable"]:
        card = hand["playable"][0]
        wild = {"color": "R"} if card.startswith("W") else {}
        return {"kind": "play", "card": card} | wild | ({"uno": "on"} if len(hand["cards"]) == 2 else {})
    can_draw = hand["step"] == "turn" and (hand["pile"] or len(hand["discard"]) > 1)
    return {"kind": "draw" if can_draw else "pass"}


async def play(
    seats: list[tuple[int, str, str]],
    ports: tuple[int, ...],
    *,
    pace: float | None,
    warm_up: float,
    seconds: float,
    at: Callable[[str], None],
    html: bool = False,
) -> Tally:
    """Play for a while. `seats`: (table's key, slug, cookie) for each player; `pace`: moves a second of all tables;
    `html`: each also has a stream that brings the table as a page.

    Nobody moves before all are there, and nothing is counted in the seconds of `warm_up` after that. `at` is called
    with "begin" and "end" of what is counted.
    """
    tally, begun = Tally(), asyncio.Event()
    slugs = {key: slug for key, slug, _cookie in seats}
    every = len(slugs) / pace if pace else None
    games = {key: Game(key, slug, begun, every, n / (pace or 1)) for n, (key, slug) in enumerate(slugs.items())}
    # As docker/Caddyfile has it: streams of a table and moves there go to one process.
    players = [Player(games[key], cookie, ports[key % len(ports)], tally, html=html) for key, _slug, cookie in seats]
    playing = [asyncio.create_task(player.play()) for player in players]
    try:
        await _all_there(players, playing)
        for game in games.values():
            game.next += time.perf_counter()
        begun.set()
        await _while_they_play(playing, warm_up)
        at("begin")
        tally.begin = time.perf_counter()
        tally.end = tally.begin + seconds
        await _while_they_play(playing, seconds)
        at("end")
        await _while_they_play(playing, 1.0)  # for the last moves to be seen
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return tally


async def _all_there(players: list[Player], playing: list[asyncio.Task[None]]) -> None:
    there = asyncio.gather(*(event.wait() for player in players for event in (player.listens, player.looked)))
    done, _waiting = await asyncio.wait([there, *playing], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    if there not in done:
        there.cancel()
        for task in done:
            task.result()
        raise RuntimeError("Not all streams were opened in a minute.")


async def _while_they_play(playing: list[asyncio.Task[None]], seconds: float) -> None:
    done, _going_on = await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()  # a player never stops by itself
