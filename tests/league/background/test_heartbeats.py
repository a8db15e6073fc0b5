"""A dead beat or worker: when it counts as dead, and what a director reads on *Now*."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone

from league.background import heartbeats
from league.models import Deadline, Tournament
from tests import cast
from tests.games.online_table import put_online

STOPPED = "Background work has stopped"


@pytest.fixture(autouse=True)
def an_hour_ago(monkeypatch):
    """This process has run for an hour, and all parts have just reported."""
    now = heartbeats.time.time()
    monkeypatch.setattr(heartbeats, "_started", now - 3600)
    heartbeats.report(heartbeats.PARTS)
    yield
    caches["limits"].delete_many([f"heartbeat-{part}" for part in heartbeats.PARTS])


def silent(part, seconds):
    caches["limits"].set(f"heartbeat-{part}", heartbeats.time.time() - seconds)


def test_a_part_is_dead_after_25_seconds_without_a_heartbeat():
    assert heartbeats.dead_parts() == []
    silent("beat", 20)
    assert heartbeats.dead_parts() == []
    silent("beat", 26)
    assert heartbeats.dead_parts() == ["beat"]
    heartbeats.report(["beat"])
    assert heartbeats.dead_parts() == []


def test_a_worker_that_never_ran_is_dead_but_not_for_a_process_that_has_just_started(monkeypatch):
    caches["limits"].delete("heartbeat-jobs")
    assert heartbeats.dead_parts() == ["jobs"]
    monkeypatch.setattr(heartbeats, "_started", heartbeats.time.time() - 5)
    assert heartbeats.dead_parts() == []


def test_without_redis_no_part_is_known_to_be_dead(settings, tmp_path):
    settings.CACHES = {
        **settings.CACHES,
        "limits": {"BACKEND": "config.cache.RedisCache", "LOCATION": f"unix://{tmp_path}/none.sock"},
    }
    heartbeats.report(heartbeats.PARTS)
    assert heartbeats.dead_parts() == []


@pytest.mark.django_db
def test_the_director_of_an_event_with_an_online_table_reads_that_it_waits(client):
    made = cast.play(cast.tournament(), rounds=1)
    Deadline.objects.all().delete()
    client.force_login(made.owner)
    silent("deadlines", 26)
    page = f"/t/{made.slug}/"
    assert STOPPED not in client.get(page).text
    Tournament.objects.filter(pk=made.pk).update(online="all")
    put_online(cast.table(made, 2, 1))
    assert client.get(page).text.count(STOPPED) == 1
    assert STOPPED not in type(client)().get(page).text  # players can't do anything about it
    heartbeats.report(["deadlines"])
    assert STOPPED not in client.get(page).text


@pytest.mark.django_db
def test_the_director_of_an_event_with_a_round_at_a_set_time_reads_it_and_exports_do_not_matter():
    made = cast.play(cast.tournament(), rounds=1)
    Deadline.objects.all().delete()
    silent("beat", 26)
    assert not heartbeats.warning(made)
    due_at = timezone.now() + timedelta(hours=1)
    Deadline.objects.create(kind=Deadline.Kind.PUBLISH, tournament=made, due_at=due_at)
    assert STOPPED in heartbeats.warning(made)
    heartbeats.report(["beat"])
    silent("jobs", 26)
    assert not heartbeats.warning(made)
