"""PostgreSQL goes away and comes back: visitors are told to come again, nothing is restarted, no hand is lost.

The server of these tests is real and is killed as a loss of power would end it. WILD_KILLS=30 kills it more often.
"""

import csv
import http.client
import io
import json
import os
import threading
import time
import uuid
from collections import Counter

import psycopg
import pytest

from tests.served import Served, Stream, migrated_on

KILLS = int(os.environ.get("WILD_KILLS") or 1)
TYPED = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W", "seating_version": "1"}


@pytest.fixture
def served(postgres, tmp_path):
    served = Served(tmp_path, migrated_on(postgres))
    yield served
    served.stop()


def prepared(served, hands):
    """The tables of round 1 of a tournament that has begun."""
    return served.prepare(
        [
            f"made = cast.tournament(hands_per_round={hands}); start(tournament=made, by=made.owner)",
            "print(json.dumps([table.pk for table in made.rounds.get(number=1).tables.order_by('number')]))",
        ]
    )


def ask(visitor, path):
    """(status, headers, text) of a page, as the signed-in visitor gets it."""
    connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=60)
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    connection.request("GET", path, headers={"Cookie": cookies})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def rows_by_hand(visitor):
    """{(table, hand): rows in the download}."""
    status, _headers, text = ask(visitor, "/t/autumn-pairs/hands.csv")
    assert status == 200
    return Counter((int(row["table"]), int(row["hand"])) for row in csv.DictReader(io.StringIO(text)))


def test_an_answered_commit_survives_the_servers_death(postgres):
    url = postgres.new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (number int)")
        connection.execute("INSERT INTO kept VALUES (28)")
    postgres.kill()
    postgres.launch()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(28,)]
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


@pytest.mark.parametrize("keep", ["0", "60"], ids=["a connection a request", "kept connections"])
def test_while_it_is_down_everything_answers_503_and_afterwards_all_is_as_before(served, postgres, keep):
    served.environment["WILD_DATABASE_KEEP"] = keep
    table, _other = prepared(served, hands=4)
    visitor = served.start().visitor()
    pages = ("/", "/t/autumn-pairs/", "/t/autumn-pairs/standings/", "/t/autumn-pairs/hands.csv", f"/tables/{table}/")
    assert {path: ask(visitor, path)[0] for path in pages} == dict.fromkeys(pages, 200)
    form = TYPED | {"hand": "1", "key": str(uuid.uuid4())}
    stream = Stream(visitor.port, "autumn-pairs", visitor)

    postgres.kill()
    try:
        assert stream.event() is None, "it ends, and the page comes again"
        for path in (*pages, "/nowhere/", "/accounts/login/", "/readyz"):
            status, headers, _text = ask(visitor, path)
            assert (path, status, headers["Retry-After"]) == (path, 503, "5")
        status, headers, text = ask(visitor, "/api/v1/tournaments/")
        assert (status, headers["Retry-After"], headers["Content-Type"]) == (503, "5", "application/problem+json")
        assert json.loads(text)["status"] == 503
        status, text = visitor.post(f"/tables/{table}/", form)
        assert status == 503
        assert "Nothing is lost" in text
        assert ask(visitor, "/healthz")[0] == 200
        assert ask(visitor, "/static/league/wild.css")[0] == 200
        _status, _headers, text = ask(visitor, "/readyz")
        assert json.loads(text)["checks"]["database"]["ok"] is False
    finally:
        postgres.launch()

    assert {path: ask(visitor, path)[0] for path in pages} == dict.fromkeys(pages, 200)
    assert ask(visitor, "/readyz")[0] == 200
    assert rows_by_hand(visitor) == {}, "what was answered with 503 was not saved"
    stream = Stream(visitor.port, "autumn-pairs", visitor)
    assert visitor.post(f"/tables/{table}/", form)[0] == 303
    assert stream.event()["event"] == "changed"
    assert visitor.post(f"/tables/{table}/", form)[0] == 303, "the same form again"
    assert rows_by_hand(visitor) == {(1, 1): 4}


class Scorer(threading.Thread):
    """Enters the hands of a table one after the other; whatever is answered with 503 is sent again, as it was."""

    def __init__(self, visitor, table, hands, progress):
        super().__init__()
        self.visitor, self.table, self.hands, self.progress = visitor, table, hands, progress
        self.refused, self.wrong = 0, ""

    def run(self):
        for hand in self.hands:
            form = TYPED | {"hand": str(hand), "key": str(uuid.uuid4())}
            while not self.sent(form):
                if self.wrong:
                    return
                self.refused += 1
                time.sleep(0.05)
            self.progress.release()

    def sent(self, form):
        try:
            status, text = self.visitor.post(f"/tables/{self.table}/", form)
        except (OSError, http.client.HTTPException) as error:
            self.wrong = f"the service itself went away: {error}"
            return False
        if status not in (303, 503):
            self.wrong = f"{status}: {text}"
        return status == 303


def test_no_acknowledged_hand_is_lost_or_doubled_when_it_is_killed(served, postgres):
    hands = 20
    assert 2 * hands > KILLS, "each kill needs a hand before it"
    tables = prepared(served, hands=hands)
    served.start()
    progress = threading.Semaphore(0)
    scorers = [Scorer(served.visitor(), table, range(1, hands + 1), progress) for table in tables]
    for scorer in scorers:
        scorer.start()
    try:
        for number in range(KILLS):
            assert progress.acquire(timeout=60), [scorer.wrong for scorer in scorers]
            time.sleep(0.005 * (number % 5))  # each time a little later within the hand that follows
            postgres.kill()
            time.sleep(0.2)
            postgres.launch()
    finally:
        for scorer in scorers:
            scorer.join(120)

    assert [scorer.wrong for scorer in scorers] == ["", ""]
    assert sum(scorer.refused for scorer in scorers) > 0, "no kill fell between two hands"
    expected = {(number, hand): 4 for number in (1, 2) for hand in range(1, hands + 1)}
    assert rows_by_hand(served.visitor()) == expected
