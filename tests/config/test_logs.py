"""What the log says: one JSON line for each request, with ids, and nothing that would let its reader in."""

import http.client
import json
import logging
import re
import sys

import pytest

from config import logs
from tests import cast
from tests.served import Served

pytestmark = pytest.mark.slow

PLANTED = "PLANTEDd4189d761b3f4b7c9f97b200630aa108"  # fixed, since it is part of the names of tests


@pytest.fixture
def served(tmp_path):
    served = Served(tmp_path)
    served.environment["WILD_LOG"] = "json"
    yield served
    served.stop()


def lines(served):
    return [json.loads(line) for line in served.errors.read_text().splitlines()]


def ask(served, method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_requests_are_told_with_their_ids_and_without_planted_secrets(served):
    slug, user = served.prepare(
        [
            "made = cast.tournament(); start(tournament=made, by=made.owner)",
            "print(json.dumps([made.slug, made.owner_id]))",
        ]
    )
    visitor = served.start().visitor()
    visitor.get(f"/t/{slug}/standings/?as_of_round=1")
    for path in (
        f"/join/{PLANTED}",
        f"/join/{PLANTED}/",
        f"/s/{PLANTED}",
        f"/me/{PLANTED}/",
        f"/screen/{PLANTED}",
        f"/calendar/{PLANTED}.ics",
        f"/reminders/{PLANTED}/",
        f"/sign-up/{PLANTED}/",
    ):
        ask(served, "GET", path)
    ask(served, "GET", f"/t/{slug}/?token={PLANTED}", Authorization=f"Token {PLANTED}", Cookie=f"sessionid={PLANTED}")
    ask(served, "GET", f"/accounts/password/reset/key/1-{PLANTED}/")
    ask(served, "POST", "/accounts/login/", f"login=olga@example.org&password={PLANTED}")
    answer = ask(served, "GET", "/healthz", X_Request_ID="from-the-proxy", User_Agent=PLANTED)
    ask(served, "GET", "/healthz", X_Request_ID=f'{{"{PLANTED}"}}')
    assert answer.headers["X-Request-ID"] == "from-the-proxy"
    served.kill()

    text = served.errors.read_text()
    assert PLANTED not in text
    assert cast.PASSWORD not in text
    assert visitor.cookies["sessionid"] not in text
    told = {line["request"]: line for line in lines(served) if line["event"] == "request_finished"}
    page = told[f"GET /t/{slug}/standings/"]
    assert (page["tournament"], page["user_id"], page["view"], page["code"]) == (slug, user, "standings", 200)
    assert re.fullmatch(r"[0-9a-f-]{36}", page["request_id"])
    assert "GET /join/[redacted]" in told
    ids = [line["request_id"] for line in lines(served) if line["event"] == "request_finished"]
    assert len(ids) == len(set(ids)), "each request has an id of its own"
    assert "from-the-proxy" in ids


SECRETS = (
    f"GET /join/{PLANTED}",
    f"Not Found: /join/{PLANTED}/",
    f"POST /s/{PLANTED}/",
    f"Authorization: Token {PLANTED}",
    f"'Authorization': 'Bearer {PLANTED}'",
    f"/t/autumn-pairs/?next=%2F&x={PLANTED}",
    f"password={PLANTED}&next=/",
    f'{{"password": "{PLANTED}"}}',
    f"csrfmiddlewaretoken={PLANTED}",
    f"Cookie: sessionid={PLANTED}; theme=dark",
    f"could not connect to postgres://wild:{PLANTED}@database/wild",
    f"redis://:{PLANTED}@redis:6379/0",
    f"smtp+tls://user:{PLANTED}@mail.example.org:587",
    f"/accounts/confirm-email/{PLANTED}/",
)


@pytest.mark.parametrize("sentence", SECRETS)
def test_a_secret_in_a_sentence_is_taken_out(sentence):
    cleaned = logs.clean(sentence)
    assert PLANTED not in cleaned
    assert logs.GONE in cleaned


@pytest.mark.parametrize(
    "sentence",
    [
        "GET /t/autumn-pairs/standings/",
        "The token is missing.",
        "Round 2 is closed: correct the hand instead.",
        "http://localhost:8000/readyz",
    ],
)
def test_what_is_no_secret_stays(sentence):
    assert logs.clean(sentence) == sentence


def test_a_field_of_a_secrets_name_is_never_written_at_any_depth():
    event = {"event": "x", "token": PLANTED, "sent": {"Set-Cookie": PLANTED, "rows": [{"new_password": PLANTED}]}}
    assert PLANTED not in json.dumps(logs.redact(None, "info", event))


@pytest.mark.parametrize("as_json", [True, False])
def test_a_traceback_is_told_without_what_was_in_it(as_json, capsys):
    formatter = logs.logging_settings(as_json=as_json)["formatters"]["lines"]
    build = formatter.pop("()")
    try:
        secret = PLANTED
        raise ValueError(f"bad password={secret}")
    except ValueError:
        record = logging.getLogger("league").makeRecord("league", 40, "f", 1, "It failed", (), sys.exc_info())
    line = build(**formatter).format(record)
    assert "It failed" in line
    assert "ValueError" in line
    assert PLANTED not in line
    assert as_json is (line[0] == "{")


def test_plain_serving_says_nothing_of_requests(tmp_path):
    served = Served(tmp_path)
    served.environment.pop("WILD_LOG", None)
    try:
        served.prepare(["cast.organiser(); print(0)"])
        served.start().visitor()
        assert ask(served, "GET", "/nowhere/").status == 404
        assert served.errors.read_text() == ""
    finally:
        served.stop()
