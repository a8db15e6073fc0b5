"""Moves that wait at one moment are answered in one transaction (config/groups.py), as they would be one by one."""

import asyncio
import json
import random
import threading
from typing import NamedTuple
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from config.web import live_application
from games.models import Deal, Move
from games.online.play import append
from league.access.signed_links import player_token
from league.by_link.player_links import end_player_link
from league.models import Table, Tournament
from league.rounds.pause import pause, resume
from league.rounds.steps import start
from tests import cast
from tests.apart import run_apart
from tests.games.online_table import at_place, everybody_ready, put_online, standing
from tests.online_seats import JSON, choice

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "b" * 32


class Answer(NamedTuple):
    status: int
    data: dict


@pytest.fixture
def deals():
    """The hands of two tables, dealt."""
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return [everybody_ready(put_online(cast.table(made, 1, number))) for number in (1, 2)]


@pytest.fixture
def application():
    return live_application()


@pytest.fixture
def groups(monkeypatch):
    """How many moves each group wrote."""
    sizes, write = [], append.Group.write

    def noted(group):
        sizes.append(len(group._pending))
        return write(group)

    monkeypatch.setattr(append.Group, "write", noted)
    return sizes


def turn_of(deal):
    """A browser of whoever is to play, and what a legal move sends."""
    entry = at_place(deal, standing(deal).hand.public.turn)
    browser = Client()
    browser.post(f"/me/{player_token(entry)}/")
    shown = browser.get(f"/tables/{deal.table_id}/play/?as={entry.plays_as}", headers=JSON).json()
    return browser, choice(shown["play"], random.Random(1)) | {"as": entry.plays_as}


async def _ask(application, path, browser, fields, token=TOKEN):
    cookies = {name: value.value for name, value in browser.cookies.items()} | {settings.CSRF_COOKIE_NAME: TOKEN}
    headers = {
        "host": "localhost",
        "accept": "application/json",
        "content-type": "application/x-www-form-urlencoded",
        "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "x-csrftoken": token,
    }
    scope = {
        "type": "http", "method": "POST", "path": path, "query_string": b"", "http_version": "1.1",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    received = [{"type": "http.request", "body": urlencode(fields).encode()}]
    sent = []

    async def receive():
        return received.pop()

    async def send(message):
        sent.append(message)

    await application(scope, receive, send)
    body = sent[1]["body"]
    return Answer(sent[0]["status"], json.loads(body) if body.startswith(b"{") else {"page": body.decode()})


def ask_at_once(application, *asked):
    """Send all at one moment; each is (deal, browser, fields)."""

    async def ask_all():
        paths = [f"/tables/{deal.table_id}/play/act/" for deal, _browser, _fields in asked]
        asks = [_ask(application, path, *what[1:]) for path, what in zip(paths, asked, strict=True)]
        return await asyncio.gather(*asks)

    return run_apart(ask_all())


def moves_of(deal):
    return list(Move.objects.filter(deal=deal).order_by("number").values_list("number", "key"))


def test_what_waits_at_two_tables_is_written_together_and_each_has_their_own_answer(application, deals, groups):
    answers = ask_at_once(application, *((deal, *turn_of(deal)) for deal in deals))
    assert groups == [2]
    for deal, answer in zip(deals, answers, strict=True):
        assert answer.status == 200 and answer.data["play"]["deal"] == deal.pk
        assert answer.data["play"]["version"] == 1 == Deal.objects.get(pk=deal.pk).moves_made
        log_head = Tournament.objects.get().log_head
        play_version = Table.objects.get(pk=deal.table_id).play_version
        assert answer.data["live"] == f"{log_head.number}.{play_version}"


def test_the_answer_is_what_a_look_shows_afterwards(application, deals):
    browser, fields = turn_of(deals[0])
    [answer] = ask_at_once(application, (deals[0], browser, fields))
    path = f"/tables/{deals[0].table_id}/play/?as={fields['as']}"
    looked = browser.get(path, headers=JSON).json()
    for seen in (looked, answer.data):
        del seen["play"]["clock"]["now"]
    assert looked == answer.data


def test_of_two_moves_at_a_table_one_is_made_and_the_other_told_that_it_comes_too_late(application, deals, groups):
    first, second = turn_of(deals[0]), turn_of(deals[0])
    answers = ask_at_once(application, (deals[0], *first), (deals[0], *second))
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert {answer.data.get("code") for answer in answers} == {None, "decided"}
    assert len(moves_of(deals[0])) == 1 and groups == [1, 0]


def test_a_key_that_was_used_is_answered_alone_and_holds_up_no_other(application, deals, groups):
    browser, fields = turn_of(deals[0])
    fields["key"] = "mine"
    for _time in range(2):  # the same again: the move was made, and is shown
        [answer] = ask_at_once(application, (deals[0], browser, fields))
        assert answer.status == 200 and answer.data["play"]["version"] == 1
    after = turn_of(deals[0])
    after[1]["key"] = "mine"
    taken, other = ask_at_once(application, (deals[0], *after), (deals[1], *turn_of(deals[1])))
    assert (taken.status, taken.data["code"], other.status) == (422, "key-reused", 200)
    assert [len(moves_of(deal)) for deal in deals] == [1, 1] and groups == [1, 0, 2]


def test_a_move_during_a_pause_is_refused_and_changes_nothing(application, deals):
    asked, made = turn_of(deals[0]), Tournament.objects.get()
    pause(tournament=made, reason="Fire alarm", by=made.owner)
    [answer] = ask_at_once(application, (deals[0], *asked))
    assert (answer.status, answer.data["code"]) == (409, "paused") and moves_of(deals[0]) == []
    resume(tournament=made, by=made.owner)
    assert ask_at_once(application, (deals[0], *asked))[0].status == 200


def test_what_a_group_leaves_to_be_asked_alone_counts_once_for_how_fast_somebody_plays(application, deals, settings):
    settings.PLAY_RATE = 2
    browser, fields = turn_of(deals[0])
    stale = fields | {"answers": 99}
    asked = [ask_at_once(application, (deals[0], browser, stale))[0].status for _time in range(3)]
    assert asked == [409, 409, 429]


def test_who_holds_no_seat_any_more_moves_no_card(application, deals):
    browser, fields = turn_of(deals[0])
    [answer] = ask_at_once(application, (deals[0], Client(), fields))
    assert (answer.status, answer.data["code"]) == (422, "not-seated")
    entry = at_place(deals[0], standing(deals[0]).hand.public.turn)
    end_player_link(entry=entry, by=Tournament.objects.get().owner)
    [answer] = ask_at_once(application, (deals[0], browser, fields))
    assert answer.status == 422 and moves_of(deals[0]) == []


def test_without_the_token_of_forms_nothing_is_done(application, deals):
    browser, fields = turn_of(deals[0])
    path = f"/tables/{deals[0].table_id}/play/act/"
    assert run_apart(_ask(application, path, browser, fields, token="c" * 32)).status == 403
    assert moves_of(deals[0]) == []


def test_a_table_at_which_somebody_else_works_holds_up_no_other(application, deals, groups):
    if connection.vendor == "sqlite":
        pytest.skip("on SQLite one transaction writes at a time")
    locked, done = threading.Event(), threading.Event()

    def work():
        with transaction.atomic():
            Table.objects.select_for_update().get(pk=deals[0].table_id)
            locked.set()
            done.wait(10)

    async def both():
        path = "/tables/{}/play/act/".format
        held = asyncio.create_task(_ask(application, path(deals[0].table_id), *turns[0]))
        other = await _ask(application, path(deals[1].table_id), *turns[1])
        waits = not held.done()
        done.set()
        return other, waits, await held

    turns = [turn_of(deal) for deal in deals]
    thread = threading.Thread(target=work)
    thread.start()
    assert locked.wait(10)
    other, waits, held = run_apart(both())
    thread.join()
    assert (other.status, waits, held.status) == (200, True, 200)


def test_where_a_group_cannot_be_written_each_is_asked_alone(application, deals, monkeypatch):
    monkeypatch.setattr(append.Group, "write", lambda group: 1 / 0)
    answers = ask_at_once(application, *((deal, *turn_of(deal)) for deal in deals))
    assert [answer.status for answer in answers] == [200, 200]
    assert [len(moves_of(deal)) for deal in deals] == [1, 1]


def test_a_hand_is_played_to_its_end_and_recorded(application, deals):
    deal = deals[0]
    while Deal.objects.get(pk=deal.pk).state == Deal.State.PLAYING:
        [answer] = ask_at_once(application, (deal, *turn_of(deal)))
        assert answer.status == 200
    assert Deal.objects.get(pk=deal.pk).hand is not None
    assert len(Deal.objects.filter(table=deal.table_id)) == 2  # the next deck is sealed
