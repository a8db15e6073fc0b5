"""A process that is killed while hands come in: what was answered is there afterwards, once.

WILD_KILLS=4 kills it at every moment of `MOMENTS`.
"""

import csv
import http.client
import io
import os
import threading
import uuid
from collections import Counter

import pytest

from tests.served import Served, Visitor

TYPED = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W", "seating_version": "1"}
HANDS = 20
# Killed after so many answers, each time a little later within the one that follows.
MOMENTS = ((4, 0.004), (6, 0.012), (1, 0), (5, 0.015))
KILLS = int(os.environ.get("WILD_KILLS") or 1)


@pytest.fixture(params=["sqlite", "postgres"])
def served(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    served = Served(tmp_path, url)
    served.moments = MOMENTS[::-1] if url else MOMENTS
    yield served
    served.stop()


class Scorer(threading.Thread):
    """Enters the hands of a table one after the other, and keeps what was answered, until nobody answers any more."""

    def __init__(self, visitor, table, hands, progress):
        super().__init__()
        self.visitor, self.table, self.hands, self.progress = visitor, table, hands, progress
        self.answered, self.open, self.wrong = [], None, ""

    def run(self):
        for hand in self.hands:
            self.open = TYPED | {"hand": str(hand), "key": str(uuid.uuid4())}
            try:
                status, text = self.visitor.post(f"/tables/{self.table}/", self.open)
            except (OSError, http.client.HTTPException):
                return
            if status != 303:
                self.wrong = text
                return
            self.answered.append(hand)
            self.open = None
            self.progress.release()


class Caller(threading.Thread):
    """A player who calls the director from their table, once, and may get no answer."""

    def __init__(self, port, table, link, progress):
        super().__init__()
        self.table, self.link, self.key, self.progress = table, link, str(uuid.uuid4()), progress
        self.is_answered = False
        self.open_link(port)

    def open_link(self, port):
        self.visitor = Visitor(port)
        self.visitor.get(self.link)
        assert self.visitor.post(self.link, {})[0] == 303

    def run(self):
        try:
            status, _text = self.visitor.post(f"/tables/{self.table}/call/", {"key": self.key, "reason": "rules"})
        except (OSError, http.client.HTTPException):
            return
        self.is_answered = status == 302
        self.progress.release()


CALLS = """
from league.models import Call, CallTap, LogEntry
actions = LogEntry.objects.filter(action__in=("call-director", "join-call"))
print(json.dumps({
    "calls": sorted(Call.objects.waiting().values_list("table", flat=True)),
    "callers": sorted(CallTap.objects.values_list("entry__public_id", flat=True)),
    "log": sorted(actions.values_list("player", flat=True)),
}))
"""


def rows_by_hand(visitor):
    """{(table, hand): rows in the download}."""
    status, text = visitor.get("/t/autumn-pairs/hands.csv")
    assert status == 200
    return Counter((int(row["table"]), int(row["hand"])) for row in csv.DictReader(io.StringIO(text)))


def test_no_answered_hand_is_lost_or_doubled_when_the_service_is_killed(served):
    tables = served.prepare(
        [
            f"made = cast.tournament(hands_per_round={HANDS}); start(tournament=made, by=made.owner)",
            "print(json.dumps([table.pk for table in made.rounds.get(number=1).tables.order_by('number')]))",
        ]
    )
    answered = {table: [] for table in tables}
    served.start()
    for answers, delay in served.moments[:KILLS]:
        progress = threading.Semaphore(0)
        scorers = [
            Scorer(served.visitor(), table, range(len(answered[table]) + 1, HANDS + 1), progress) for table in tables
        ]
        for scorer in scorers:
            scorer.start()
        for _answer in range(answers):
            assert progress.acquire(timeout=60)
        threading.Event().wait(delay)
        served.kill()
        for scorer in scorers:
            scorer.join()
            assert scorer.wrong == ""
            answered[scorer.table] += scorer.answered

        visitor = served.start().visitor()
        expected = {(number, hand): 4 for number, table in enumerate(tables, 1) for hand in answered[table]}
        there = rows_by_hand(visitor)
        assert {slot: there[slot] for slot in expected} == expected
        assert set(there.values()) <= {4}, "half a hand"
        for scorer in scorers:
            if scorer.open is not None:  # whoever got no answer sends the same form again
                assert visitor.post(f"/tables/{scorer.table}/", scorer.open)[0] == 303
                answered[scorer.table].append(int(scorer.open["hand"]))
        expected = {(number, hand): 4 for number, table in enumerate(tables, 1) for hand in answered[table]}
        assert rows_by_hand(visitor) == expected


def test_no_call_of_the_director_is_lost_or_doubled_when_the_service_is_killed(served):
    links = served.prepare(
        [
            "from league.access.signed_links import player_token",
            "made = cast.tournament(16); start(tournament=made, by=made.owner)",
            "seats = [seat for table in made.rounds.get(number=1).tables.all() for seat in table.seats.all()[:2]]",
            "print(json.dumps([[one.table_id, f'/me/{player_token(one.entry)}/'] for one in seats]))",
        ]
    )
    served.start()
    progress = threading.Semaphore(0)
    callers = [Caller(served.port, table, link, progress) for table, link in links]
    for caller in callers:
        caller.start()
    for _answer in range(4):
        assert progress.acquire(timeout=60)
    served.kill()
    for caller in callers:
        caller.join()
    answered = {caller.link.split("/")[2].partition("-")[0] for caller in callers if caller.is_answered}
    there = served.prepare([CALLS])
    assert answered <= set(there["callers"]) and there["log"] == there["callers"]

    served.start()
    for caller in callers:  # each phone sends its tap again, whether it was answered or not
        caller.open_link(served.port)
        caller.run()
        assert caller.is_answered
    everyone = sorted(link.split("/")[2].partition("-")[0] for _table, link in links)
    assert served.prepare([CALLS]) == {
        "calls": sorted({table for table, _link in links}),
        "callers": everyone,
        "log": everyone,
    }
