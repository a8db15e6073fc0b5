"""What the stream of an online table brings along: what the viewer's own page would fetch, and nothing else."""

import asyncio
import contextlib
import json
import re
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.http import Http404, QueryDict
from django.test import Client, RequestFactory

from league import hooks
from league.hooks import Shown
from league.live import push as pushes
from league.live import stream as live
from league.live.push import look_at
from league.models import Table
from tests.apart import run_apart
from tests.games.casual_table import deal_me_in
from tests.served import Served, Stream, Visitor

PREPARE = """
from games.models import OnlineSettings
from league.access.signed_links import player_token
from league.models import Entry
from games.online.play.deals import open_deal
from tests.games.online_table import everybody_ready, put_online, standing
made = cast.tournament()
OnlineSettings.objects.create(tournament=made, move_seconds=600)
start(tournament=made, by=made.owner)
deals = [everybody_ready(put_online(cast.table(made, 1, number))) for number in (1, 2)]
tables = []
for deal in deals:
    public = standing(deal).hand.public
    order = [deal.places[seat]["entry"] for seat in (public.turn, public.after(public.turn))]
    tables.append([deal.table_id, [player_token(Entry.objects.get(pk=key)) for key in order], order])
print(json.dumps([made.slug, tables]))
"""
END_LINK = """
from league.models import Entry
from league.by_link.player_links import end_player_link
entry = Entry.objects.get(pk={entry})
end_player_link(entry=entry, by=entry.tournament.owner)
print(0)
"""
TELL = """
from django.db import transaction
from games.online.play.notify import notify_page
from games.hands.locks import lock_table
with transaction.atomic():
    notify_page(lock_table({table}))
print(0)
"""
# What differs between two answers of one moment and the next: tokens, and the clock.
TOKENS = re.compile(r'name="(?:csrfmiddlewaretoken|key)" value="[^"]*"|data-now="\d+"|\d+:\d\d|width="[\d.]+"')


class Player(Visitor):
    """Somebody who has opened their own link."""

    speaks = {}

    def __init__(self, port, token):
        super().__init__(port)
        self.get(f"/me/{token}/")
        assert self.post(f"/me/{token}/", {})[0] == 303

    def look(self, table):
        return json.loads(self._ask("GET", f"/tables/{table}/play/", None, {"Accept": "application/json"})[1])

    def part(self, table):
        seen = self.look(table)["play"]
        me = seen["places"][seen["you"]]["player_id"]
        return self._ask("GET", f"/tables/{table}/play/?as={me}", None, {"Wild-Live": "1", **self.speaks})[1]

    def act(self, table, **fields):
        seen = self.look(table)["play"]
        fields |= {"deal": seen["deal"], "answers": seen["decision"]}
        assert self.post(f"/tables/{table}/play/act/", fields)[0] == 303


@pytest.fixture(scope="module")
def hall(programs, tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("pushes"))
    slug, tables = served.prepare(PREPARE.splitlines())
    yield served.start(), slug, tables
    served.stop()


def opened(hall, table, viewer=None, show="json", **headers):
    """A stream of a table, and its first event."""
    served, slug, _tables = hall
    stream = Stream(served.port, slug, viewer, f"?table={table}&show={show}&since=0", **headers)
    return stream, stream.event()


def told(event):
    """What a stream of JSON has brought; the clock went on since."""
    assert event["event"] == "shown"
    brought = json.loads(event["data"])
    assert event["id"] == brought["live"]
    return timeless(brought)


def timeless(answer):
    answer["play"]["clock"].pop("now")
    return answer


def draw_and_keep(player, table):
    """A move, or two where what was drawn could be played."""
    if player.look(table)["play"]["hand"]["step"] == "color":
        player.act(table, kind="color", color="R")
    player.act(table, kind="draw")
    if player.look(table)["play"]["hand"]["step"] == "drawn":
        player.act(table, kind="pass")


def newest(stream, version):
    """Events until the one of this version."""
    while (event := stream.event())["id"] != version:
        assert event["event"] == "shown"
    return event


def test_a_move_comes_to_each_viewer_as_their_own_page_would_fetch_it(hall):
    served, _slug, [(table, tokens, _entries), _other] = hall
    one, other, stranger = Player(served.port, tokens[0]), Player(served.port, tokens[1]), Visitor(served.port)
    stream, first = opened(hall, table, other)
    watching, seen = opened(hall, table)
    assert told(first) == timeless(other.look(table))
    assert told(seen)["play"]["you"] is None
    mine, first = opened(hall, table, one, "json&as=" + tokens[0].partition("-")[0])
    assert told(first)["play"]["you"] == one.look(table)["play"]["you"]
    draw_and_keep(one, table)
    version = one.look(table)["live"]
    brought = told(newest(stream, version))
    assert brought == timeless(other.look(table))
    assert brought["play"]["hand"]["cards"]
    seen = told(newest(watching, version))
    assert seen["play"]["you"] is None and "cards" not in seen["play"]["hand"]
    assert seen == timeless(Player.look(stranger, table))
    # What follows from a move is the answer to it, and who made it is only told its number.
    assert mine.event()["event"] == "changed"


def test_a_page_gets_the_part_that_it_would_fetch_in_its_own_language(hall):
    served, _slug, [(table, tokens, _entries), _other] = hall
    one = Player(served.port, tokens[0])
    for speaks in ({"Accept-Language": "fr"}, {"Accept-Language": "en"}):
        one.speaks = speaks
        stream, first = opened(hall, table, one, "page", **speaks)
        stream.close()
        assert first["event"] == "shown"
        fetched = one.part(table)
        assert f'data-version="{first["id"]}"' in fetched
        assert TOKENS.sub("", first["data"]) == TOKENS.sub("", fetched).rstrip("\n")


def test_a_stream_is_packed_for_who_can_read_it_and_what_stays_the_same_takes_hardly_any_room(hall):
    served, slug, [_other, (table, _tokens, _entries)] = hall
    stream = Stream(served.port, slug, None, f"?table={table}&show=page&since=0", **{"Accept-Encoding": "br, gzip"})
    assert stream.answer.headers["Content-Encoding"] == "gzip"
    unpack = zlib.decompressobj(wbits=31)
    packed = stream.answer.read1()
    first = unpack.decompress(packed).decode()
    assert first.startswith("id: ") and first.endswith("\n\n") and 'id="play"' in first
    served.prepare(TELL.format(table=table).splitlines())
    again = stream.answer.read1()
    second = unpack.decompress(again).decode()
    assert 'id="play"' in second and second.endswith("\n\n") and second != first
    assert len(again) * 10 < len(second) and len(again) * 3 < len(packed)


def test_whose_link_was_ended_is_shown_from_the_next_move_on_what_everybody_may_see(hall):
    served, _slug, [_other, (table, tokens, entries)] = hall
    one, other = (Player(served.port, token) for token in tokens)
    stream, first = opened(hall, table, other)
    assert told(first)["play"]["hand"]["cards"]
    served.prepare(END_LINK.format(entry=entries[1]).splitlines())
    draw_and_keep(one, table)
    brought = told(newest(stream, one.look(table)["live"]))
    assert brought["play"]["you"] is None and "cards" not in brought["play"]["hand"]


def test_players_are_shown_a_change_before_spectators_and_who_is_signed_out_alike_is_asked_for_once(monkeypatch):
    asked = []

    def look(request, table):
        asked.append(request.GET["who"])
        if request.GET["who"] == "fails":
            raise ZeroDivisionError
        if request.GET["who"] == "may not":
            raise Http404
        return Shown("1.2", f"{table} for {request.GET['who']}")

    monkeypatch.setattr(hooks, "games", replace(hooks.games, show_table=look))
    signed_in = {settings.SESSION_COOKIE_NAME: "x"}

    def request(who, cookies=None, show="page"):
        made = RequestFactory().get("/", {"who": who, "show": show} | ({"as": who} if cookies else {}))
        made.COOKIES, made.LANGUAGE_CODE = cookies or {}, "en"
        return made

    async def wanted():
        ours = pushes.Pushes()
        people = [("one", {}), ("other", {}), ("Ana", signed_in), ("fails", signed_in), ("may not", signed_in)]
        looks = [ours.look(request(who, held), 7) for who, held in people]
        found = await asyncio.gather(*looks, ours.look(request("third", show="json"), 7))
        return [one and one.text for one in found]

    found = run_apart(wanted())
    assert asked[:3] == ["Ana", "fails", "may not"] and sorted(asked[3:]) == ["one", "third"]
    assert found == ["7 for one", "7 for one", "7 for Ana", None, None, "7 for third"]


def asked_for(*people, look, monkeypatch):
    """What each of these requests is shown."""
    monkeypatch.setattr(hooks, "games", replace(hooks.games, show_table=look))

    async def wanted():
        ours = pushes.Pushes()
        return await asyncio.gather(*(ours.look(one, 7) for one in people))

    return run_apart(wanted())


def viewer(who, session="", show="page"):
    made = RequestFactory().get("/", {"as": who, "show": show})
    made.COOKIES, made.LANGUAGE_CODE = {settings.SESSION_COOKIE_NAME: session} if session else {}, "en"
    return made


def test_after_some_viewers_of_a_table_others_have_their_turn_and_everybody_is_shown_it(monkeypatch):
    moments = []

    @contextlib.contextmanager
    def one_moment():
        moments.append(0)
        yield

    def look(request, table):
        moments[-1] += 1
        return Shown("1.2", request.GET["as"])

    monkeypatch.setattr(pushes, "one_moment", one_moment)
    people = [viewer(str(number), "x") for number in range(2 * pushes.PIECE + 3)]
    found = asked_for(*people, look=look, monkeypatch=monkeypatch)
    assert [one.text for one in found] == [str(number) for number in range(2 * pushes.PIECE + 3)]
    assert moments == [pushes.PIECE, pushes.PIECE, 3]


def test_a_form_with_a_token_is_shown_to_nobody_else(monkeypatch):
    def look(request, table):
        return Shown("1.2", request.GET["as"], own=True)

    found = asked_for(viewer(""), viewer(""), viewer("Ana", "x"), look=look, monkeypatch=monkeypatch)
    assert [one and one.text for one in found] == [None, None, "Ana"]


@pytest.mark.django_db
def test_who_has_no_cookie_for_the_form_that_comes_up_asks_for_it():
    nora = Client()
    address = deal_me_in(nora)  # with bots, whose places whoever comes can take
    table = Table.objects.get()
    request = RequestFactory().get(address, {"show": "page"})
    request.user, request.session, request.LANGUAGE_CODE = AnonymousUser(), {}, "en"
    assert look_at(request, table.pk) is None
    request.META["CSRF_COOKIE"] = "a" * 32
    shown = look_at(request, table.pk)
    assert shown.own and "csrfmiddlewaretoken" in shown.text
    request.GET = QueryDict("show=json")
    assert not look_at(request, table.pk).own


def test_a_look_that_hangs_holds_up_no_stream(monkeypatch):
    hangs = threading.Event()
    monkeypatch.setattr(live, "PATIENCE", 0.05)
    monkeypatch.setattr(hooks, "games", replace(hooks.games, show_table=lambda request, table: hangs.wait(20)))
    monkeypatch.setattr(live.pushes, "_thread", ThreadPoolExecutor(1))
    monkeypatch.setattr(live, "hub", live.Hub())
    monkeypatch.setattr(live, "_read", lambda topics: {topic: live.Mark(2, None, 3) for topic in topics})

    async def first():
        parts = live.events(live.Topic(1, 5), live.Mark(1, None, 3), False, viewer(""))
        async with contextlib.aclosing(parts):
            while (part := await anext(parts)) == live.NOTHING:
                pass
        return part

    try:
        assert b"event: changed\n" in run_apart(first())
    finally:
        hangs.set()


def test_a_database_that_does_not_answer_lets_pages_ask_for_themselves(monkeypatch):
    def look(request, table):
        raise OperationalError("gone")

    monkeypatch.setattr(hooks, "games", replace(hooks.games, show_table=look))

    async def wanted():
        ours = pushes.Pushes()
        return await asyncio.gather(*(ours.look(RequestFactory().get("/"), 7) for _viewer in range(2)))

    assert run_apart(wanted()) == [None, None]
