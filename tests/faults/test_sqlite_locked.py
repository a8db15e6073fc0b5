"""Another process holds SQLite's lock for writing: what writes is answered within five seconds, to come again, and what
only reads goes on."""

import contextlib
import http.client
import sqlite3
import time
import uuid
from urllib.parse import urlencode

import pytest

from tests.served import Served, Visitor

WITHIN = 5.0  # seconds, in which somebody who waits for a page still looks at it
TYPED = {"hand": "1", "went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W", "seating_version": "1"}


@pytest.fixture
def served(tmp_path):
    served = Served(tmp_path)
    yield served
    served.stop()


@contextlib.contextmanager
def locked(folder):
    other = sqlite3.connect(folder / "wild.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def ask(visitor, method, path, body=None, **headers):
    """(status, headers, text) of what is answered in time."""
    connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=60)
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    begun = time.monotonic()
    connection.request(method, path, body, headers | {"Cookie": cookies})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert time.monotonic() - begun < WITHIN, path
    return answer.status, answer.headers, text


def post(visitor, path, **fields):
    form = {"X-CSRFToken": visitor.cookies["csrftoken"], "Content-Type": "application/x-www-form-urlencoded"}
    return ask(visitor, "POST", path, urlencode(fields), **form)


def test_what_writes_is_told_in_time_to_come_again_and_what_reads_goes_on(served, tmp_path):
    [slug, table, secret] = served.prepare(
        [
            "from league.accounts.tokens import make_token",
            "made = cast.tournament(); start(tournament=made, by=made.owner)",
            "table = made.rounds.get(number=1).tables.earliest('number')",
            "print(json.dumps([made.slug, table.pk, make_token(user=made.owner)[1]]))",
        ]
    )
    olga, stranger = served.start().visitor(), Visitor(served.port)
    stranger.get("/play/")
    hand = TYPED | {"key": str(uuid.uuid4())}
    program = {"Authorization": f"Token {secret}", "Content-Type": "application/json"}
    pages = ("/", f"/t/{slug}/", f"/t/{slug}/standings/", f"/t/{slug}/hands.csv", f"/api/v1/tournaments/{slug}/hands/")

    with locked(tmp_path):
        for path in pages:
            assert ask(stranger, "GET", path)[0] == ask(olga, "GET", path)[0] == 200, path
        assert ask(olga, "GET", f"/tables/{table}/")[0] == 200
        assert ask(Visitor(served.port), "GET", pages[-1], **program)[0] == 200, "though its use cannot be noted"
        for status, headers, text in (
            post(olga, f"/tables/{table}/", **hand),
            post(olga, f"/t/{slug}/settings/", form="odds"),
            post(olga, "/accounts/logout/"),
            post(stranger, "/play/", what="now", name="Nora", edition="classic"),
            ask(Visitor(served.port), "POST", f"/api/v1/tournaments/{slug}/advance/", "{}", **program),
        ):
            assert (status, headers["Retry-After"]) == (503, "5")
            assert "Nothing is lost" in text

    assert post(olga, f"/tables/{table}/", **hand)[0] == 303, "the same form again, and still signed in"
    assert len(ask(olga, "GET", f"/t/{slug}/hands.csv")[2].splitlines()) == 1 + 4
