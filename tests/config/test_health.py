"""/healthz and /readyz: what a load balancer, a container and a person at a terminal ask."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from config import health
from config.version import VERSION
from league.lib import command
from league.models import Deadline
from tests import cast

pytestmark = pytest.mark.django_db


def deadline(seconds_ago, state=Deadline.State.PENDING):
    due = timezone.now() - timedelta(seconds=seconds_ago)
    return Deadline.objects.create(kind="publish", tournament=cast.tournament(), due_at=due, state=state)


def test_with_all_there_it_is_ready(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "version": VERSION,
        "checks": {name: {"ok": True} for name in health.CHECKS},
    }


def test_a_deadline_that_nobody_takes_makes_it_unready_and_says_so(client):
    deadline(90)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    checks = answer.json()["checks"]
    assert checks["database"] == {"ok": True}
    assert checks["deadlines"]["ok"] is False
    assert "is a worker running?" in checks["deadlines"]["why"]


@pytest.mark.parametrize(
    ("seconds_ago", "state"), [(-3600, "pending"), (30, "pending"), (90, "done"), (90, "failed"), (90, "cancelled")]
)
def test_deadlines_to_come_just_due_or_done_are_no_lag(client, seconds_ago, state):
    deadline(seconds_ago, state)
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    ("part", "check", "sentence"),
    [
        ("beat", "beat", "Beat is silent, so nothing scheduled happens: is it running?"),
        ("deadlines", "worker", "No worker takes calls of: deadlines. Is one running?"),
    ],
)
def test_a_part_without_a_heartbeat_makes_it_unready_and_is_named(client, monkeypatch, part, check, sentence):
    monkeypatch.setattr(health.heartbeats, "dead_parts", lambda: [part])
    answer = client.get("/readyz")
    assert answer.status_code == 503
    wrong = {name: result for name, result in answer.json()["checks"].items() if not result["ok"]}
    assert wrong == {check: {"ok": False, "why": sentence}}


def test_a_broker_that_is_down_is_named(client, settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["broker"] == {"ok": False, "why": "Redis doesn’t answer."}
    assert str(tmp_path) not in answer.text


def test_a_database_that_is_down_is_named_and_the_process_still_lives(client, monkeypatch):
    def gone():
        raise OperationalError("connection to server at 192.0.2.7 failed")

    monkeypatch.setattr(health.connection, "cursor", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == {"ok": False, "why": "The database doesn’t answer."}
    assert "192.0.2.7" not in answer.text
    assert client.get("/healthz").status_code == 200


def test_a_database_without_the_latest_migration_is_not_ready(client, monkeypatch):
    monkeypatch.setattr(command, "_code_migrations", lambda: frozenset({("league", "0001_initial")}))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["schema"] == {
        "ok": False,
        "why": "The database lacks 1 migration: run “wild-league migrate”.",
    }


def test_behind_a_proxy_that_speaks_https_both_answer_to_plain_http(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/").status_code == 301
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200
