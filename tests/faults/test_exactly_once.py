"""Commands that are sent again and again, late and in any order, over several connections: each has one effect.

50 of them on SQLite and a fifth of that on PostgreSQL; `WILD_COMMANDS=2000` makes it more.
"""

import http.client
import json
import os
import random
from collections import Counter

import pytest

from tests.served import Served, together

COMMANDS = int(os.environ.get("WILD_COMMANDS") or 50)
CONNECTIONS = 8
TABLES, HANDS = 10, 20  # of a tournament of 40 players
FACTS = """
from league.models import HandScore, LogEntry, Tournament
from games.models import Hand
print(json.dumps({
    "tournaments": Tournament.objects.count(),
    "hands": Hand.objects.count(),
    "living": Hand.objects.living().count(),
    "rows": HandScore.objects.living().count(),
    "log": {one: LogEntry.objects.filter(action=one).count() for one in ("create", "record", "correct", "void")},
}))
"""


@pytest.fixture(params=["sqlite", "postgres"])
def served(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    served = Served(tmp_path, url)
    served.environment["WILD_API_RATE"] = "1000000"
    served.commands = COMMANDS // 5 if url else COMMANDS
    yield served
    served.stop()


def hand(number):
    return {"hand": number, "went_out": 0, "seats": [{"seat": 1, "points_left": 10}, {"seat": 3, "points_left": 20}]}


def commands(tables, there, count):
    """[(path, body)]: three in four record a hand; the others make a tournament, correct a hand, take one back."""
    slots = [(table, number) for table in tables for number in range(1, HANDS + 1)]
    made = []
    for number in range(count):
        if number % 8 == 0:
            players = [{"name": f"Player {one}"} for one in range(4)]
            made.append(("/api/v1/tournaments/", {"name": f"Evening {number}", "players": players}))
        elif number % 8 == 4:
            corrected = {"went_out": 1, "seats": [{"seat": 0, "points_left": 7}, {"seat": 2, "points_left": 9}]}
            step, body = ("correct", corrected) if number % 16 == 4 else ("void", {})
            made.append((f"/api/v1/hands/{there.pop()}/{step}/", body | {"reason": "A slip"}))
        else:
            table, slot = slots.pop()
            made.append((f"/api/v1/tables/{table}/hands/", hand(slot)))
    return made


class Sender:
    """A program's connection, kept open over its requests."""

    def __init__(self, port, token, sends, answers):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self.sends, self.answers = sends, answers

    def __call__(self):
        for number, path, body in self.sends:
            headers = self.headers | {"Idempotency-Key": f"command-{number}"}
            for _try in range(5):
                self.connection.request("POST", path, json.dumps(body), headers)
                answer = self.connection.getresponse()
                if answer.status != 503:
                    break
                answer.read()  # a busy SQLite may say that nothing was done: a program comes again, as it is told to
            replayed = answer.headers.get("Idempotency-Replayed") == "true"
            body = json.dumps(json.loads(answer.read()), sort_keys=True)  # PostgreSQL keeps no order of fields
            self.answers.append((number, answer.status, replayed, body))
        self.connection.close()
        return len(self.sends)


def test_commands_sent_up_to_five_times_in_any_order_have_one_effect_each(served):
    count = served.commands
    tournaments, earlier = (commands // (TABLES * HANDS) + 1 for commands in (count, count // 8))
    tables, there, token = served.prepare(
        [
            "from league.accounts.tokens import make_token; from games.models import Hand",
            f"made = [cast.tournament({4 * TABLES}, hands_per_round={HANDS}) for _one in range({tournaments})]",
            "[start(tournament=one, by=one.owner) for one in made]",
            "tables = [table.pk for one in made for table in one.rounds.get(number=1).tables.all()]",
            f"before = [cast.tournament({4 * TABLES}, hands_per_round={HANDS}) for _one in range({earlier})]",
            "[start(tournament=one, by=one.owner) for one in before]",
            "played = [table for one in before for table in one.rounds.get(number=1).tables.all()]",
            f"[cast.record(played[one // {HANDS}], one % {HANDS} + 1) for one in range({count // 8 + 1})]",
            "there = list(Hand.objects.values_list('pk', flat=True))",
            "print(json.dumps([tables, there, make_token(user=cast.organiser())[1]]))",
        ]
    )
    before = served.prepare([FACTS])
    rng = random.Random(count)
    given = commands(tables, there, count)
    sends = [(number, *given[number]) for number in range(count) for _time in range(rng.randint(1, 5))]
    rng.shuffle(sends)
    served.start()
    answers: list[tuple[int, int, bool, str]] = []
    done = together(*(Sender(served.port, token, sends[one::CONNECTIONS], answers) for one in range(CONNECTIONS)))
    assert sum(done) == len(sends) == len(answers)

    wrong = [answer for answer in answers if answer[1] not in (200, 201)]
    assert not wrong, wrong[:3]
    by_command = {}
    for number, status, replayed, body in answers:
        by_command.setdefault(number, []).append((status, body, replayed))
    assert len(by_command) == count
    for number, got in by_command.items():
        assert len({(status, body) for status, body, _replayed in got}) == 1, given[number]
        assert Counter(replayed for *_answer, replayed in got)[False] == 1, given[number]

    kinds = Counter(path.rstrip("/").rpartition("/")[2] for path, _body in given)
    after = served.prepare([FACTS])
    gained = {name: after[name] - before[name] for name in ("tournaments", "hands", "living", "rows")}
    assert gained == {
        "tournaments": kinds["tournaments"],
        "hands": kinds["hands"] + kinds["correct"],
        "living": kinds["hands"] - kinds["void"],
        "rows": 4 * (kinds["hands"] - kinds["void"]),
    }
    assert {action: after["log"][action] - before["log"][action] for action in after["log"]} == {
        "create": kinds["tournaments"],
        "record": kinds["hands"],
        "correct": kinds["correct"],
        "void": kinds["void"],
    }
