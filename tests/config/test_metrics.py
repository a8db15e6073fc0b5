"""/metrics: what Prometheus reads, and who else does not."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import RequestFactory
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config import metrics
from league.live.open_streams import open_streams
from league.models import Deadline, Job, Letter, SignUp
from tests import cast
from tests.games.online_table import everybody_ready, put_online

pytestmark = pytest.mark.django_db

TOKEN = "a-long-token-for-prometheus"


def figures(client, **request):
    """{(name, labels as sorted pairs): value}"""
    answer = client.get("/metrics", **request)
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def count(read, name, **labels):
    return read.get((name, tuple(sorted(labels.items()))), 0)


def test_requests_are_counted_by_view_and_status_not_by_address(client):
    slug = cast.tournament().slug
    before = figures(client)
    for path in (f"/t/{slug}/", f"/t/{slug}/", "/t/nowhere/", "/no/such/page"):
        client.get(path)
    after = figures(client)
    for labels, more in (({"view": "tournament", "status": "200"}, 2), ({"view": "tournament", "status": "404"}, 1)):
        read = {"method": "GET", **labels}
        assert count(after, "wild_requests_total", **read) - count(before, "wild_requests_total", **read) == more
    seconds = "wild_request_seconds_count"
    assert count(after, seconds, view="tournament") - count(before, seconds, view="tournament") == 3
    assert not any(slug in str(key) for key in after)


def test_a_conflict_is_counted(client):
    made = cast.play(cast.tournament(), rounds=1)
    client.force_login(made.owner)
    before = figures(client)
    assert client.post(f"/t/{made.slug}/undo-draw/").status_code == 409
    assert count(figures(client), "wild_conflicts_total", view="undo_draw") == 1 + count(
        before, "wild_conflicts_total", view="undo_draw"
    )


def test_hands_jobs_and_lag_are_the_databases(client):
    made = cast.play(cast.tournament(), rounds=1)
    everybody_ready(put_online(cast.table(made, 2, 1)))
    Job.objects.create(kind="export", tournament=made, state=Job.State.FAILED)
    Deadline.objects.all().delete()
    read = figures(client)
    assert count(read, "wild_hands_recorded_total") == 8
    assert count(read, "wild_online_hands", state="playing") == 1
    assert count(read, "wild_online_hands", state="waiting") == 0
    assert count(read, "wild_jobs", state="failed") == 1
    assert count(read, "wild_jobs", state="queued") == 0
    assert count(read, "wild_deadline_lag_seconds") == 0
    assert count(read, "wild_database_up") == 1
    Deadline.objects.create(kind="publish", tournament=made, due_at=timezone.now() - timedelta(days=1))
    assert count(figures(client), "wild_deadline_lag_seconds") >= 86400


def test_with_the_database_down_the_rest_is_still_told(client, monkeypatch):
    def gone(now):
        raise OperationalError("gone")

    monkeypatch.setattr(metrics, "lag", gone)
    read = figures(client)
    assert count(read, "wild_database_up") == 0
    assert not any(name == "wild_hands_recorded_total" for name, _labels in read)


def test_what_waits_in_the_background_is_counted(client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    made = cast.tournament()
    signed = SignUp.objects.create(tournament=made, name="Zoe", email="zoe@example.org")
    for state in ("waiting", "failed", "failed", "sent"):
        Letter.objects.create(kind="placed", sign_up=signed, site="", state=state)
    read = figures(client)
    assert count(read, "wild_emails", state="waiting") == 1
    assert count(read, "wild_emails", state="failed") == 2
    assert count(read, "wild_queue_calls", queue="deadlines") == 0
    assert count(read, "wild_heartbeat_age_seconds", part="beat") == 0
    assert ("wild_backup_age_seconds", ()) not in read
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "wild-2026-11-24-030000.zip").write_bytes(b"")
    assert 0 <= count(figures(client), "wild_backup_age_seconds") < 3600


def test_open_and_refused_streams_are_counted(client, settings):
    settings.LIVE_STREAMS = 1
    before = figures(client)
    with open_streams.take(RequestFactory().get("/")):
        assert open_streams.take(RequestFactory().get("/")) is None
        read = figures(client)
        assert count(read, "wild_streams") - count(before, "wild_streams") == 1
        assert count(read, "wild_streams_refused_total") - count(before, "wild_streams_refused_total") == 1
    assert count(figures(client), "wild_streams") == count(before, "wild_streams")


def test_without_redis_the_rest_is_still_told(client, settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    read = figures(client)
    assert not any(name == "wild_queue_calls" for name, _labels in read)
    assert count(read, "wild_database_up") == 1


def test_a_scrape_takes_few_queries(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        figures(client)


@pytest.mark.parametrize(
    "request_", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}, {"REMOTE_ADDR": ""}]
)
def test_another_machine_needs_the_token(client, settings, request_):
    assert client.get("/metrics", **request_).status_code == 404
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ", **request_).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", **request_).status_code == 404
    assert client.get("/metrics", HTTP_AUTHORIZATION=f"Bearer {TOKEN}x", **request_).status_code == 404
    assert count(figures(client, HTTP_AUTHORIZATION=f"Bearer {TOKEN}", **request_), "wild_database_up") == 1
