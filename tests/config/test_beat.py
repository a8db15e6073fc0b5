"""Beat calls the tasks whose rows are due, and else sleeps until the next one or a wake."""

import threading
from datetime import timedelta

import pytest
from celery import Celery
from django.core.cache import caches
from django.db import OperationalError, transaction
from django.utils import timezone

from config.celery import app, broker_url
from config.idle import beat, in_memory
from config.idle.alarm import Alarm
from config.idle.beat import MOST_WAITING, WORK, DueScheduler
from config.idle.queues import QUEUES, messages_waiting
from league.background import cleanup
from league.lib.wake import WORK as WORK_WAKE
from league.lib.wake import Wake, call_worker_after_commit, wake
from league.models import Deadline, Job, Tournament
from league.rounds.draw import draw
from tests import cast
from tests.games.online_table import put_online

pytestmark = pytest.mark.django_db

OF_ROWS = tuple(work for work in WORK if work.after_change is None and work.task != "league.clean_up")


@pytest.fixture
def scheduler(monkeypatch):
    """A beat on its process's memory, without what it calls at its start; it doesn't really sleep."""
    in_memory.Channel.queues.clear()
    monkeypatch.setattr(beat, "WORK", OF_ROWS)
    made = DueScheduler(app=app)
    made.slept = []

    def wait(seconds):
        made.slept.append(seconds)
        return False

    made.alarm.wait = wait
    yield made
    made.close()
    in_memory.Channel.queues.clear()


@pytest.fixture
def on_redis(redis_server, settings, monkeypatch):
    settings.REDIS_URL = redis_server.url
    monkeypatch.setattr(beat, "WORK", OF_ROWS)
    made = DueScheduler(app=Celery(broker=broker_url(redis_server.url)))
    made.alarm.wait = lambda seconds: False
    yield made
    made.app.control.purge()
    made.close()


def deadline(**later):
    tournament = cast.tournament()
    draw(tournament=tournament, by=tournament.owner)
    due_at = timezone.now() + timedelta(**later)
    return Deadline.objects.create(
        kind=Deadline.Kind.PUBLISH, tournament=tournament, round=tournament.rounds.first(), due_at=due_at
    )


def waiting():
    return {queue: number for queue in QUEUES if (number := messages_waiting(queue))}


def test_each_kind_of_work_has_a_task_and_a_queue():
    app.loader.import_default_modules()
    assert {work.task for work in WORK} <= set(app.tasks)
    assert {work.queue for work in WORK} == set(QUEUES) == set(app.conf.task_queues)


def test_with_nothing_due_it_calls_nothing_and_sleeps(scheduler):
    cast.tournament()
    scheduler.tick()
    assert waiting() == {}
    assert scheduler.slept == [beat.LOOK_EVERY]


def test_it_sleeps_until_the_next_row_is_due_and_then_calls_its_task(scheduler):
    row = deadline(seconds=3)
    scheduler.tick()
    assert waiting() == {}
    assert 2 < scheduler.slept[0] <= 3
    Deadline.objects.filter(pk=row.pk).update(due_at=timezone.now())
    scheduler.tick()
    assert waiting() == {"deadlines": 1}


def test_a_queued_job_is_called_for_and_a_running_one_when_its_worker_must_be_dead(scheduler):
    job = Job.objects.create(kind="export-all", tournament=cast.tournament())
    scheduler.tick()
    assert waiting() == {"jobs": 1}
    in_memory.Channel.queues.clear()
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, started_at=timezone.now())
    scheduler.tick()
    assert waiting() == {}
    Job.objects.filter(pk=job.pk).update(started_at=timezone.now() - timedelta(minutes=4))
    scheduler._called.clear()
    scheduler.tick()
    assert waiting() == {"jobs": 1}


def test_a_round_that_waits_for_the_end_of_a_pause_is_called_once_it_is_over(scheduler):
    row = deadline(seconds=-3)
    Deadline.objects.filter(pk=row.pk).update(reason="Play is paused.")
    tournaments = Tournament.objects.filter(pk=row.tournament_id)
    tournaments.update(paused_at=timezone.now())
    scheduler.tick()
    assert waiting() == {}
    tournaments.update(paused_at=None)
    scheduler.tick()
    assert waiting() == {"deadlines": 1}


def test_an_online_table_without_a_hand_is_looked_at_twice_a_second(scheduler):
    made = cast.play(cast.tournament(), rounds=1)
    put_online(cast.table(made, 2, 1))
    Deadline.objects.all().delete()
    scheduler.tick()
    assert waiting() == {"deadlines": 1}
    assert scheduler.slept == [0.5]


def test_without_a_worker_few_calls_wait(scheduler):
    _fill(scheduler)
    assert waiting() == {"deadlines": MOST_WAITING, "jobs": MOST_WAITING}


def test_without_a_worker_few_calls_fill_redis(on_redis):
    _fill(on_redis)
    assert waiting() == {"deadlines": MOST_WAITING, "jobs": MOST_WAITING}


def test_a_queue_that_is_full_of_others_has_room_for_online_tables(scheduler):
    _fill(scheduler)
    put_online(cast.table(cast.play(cast.tournament(name="Online"), rounds=1), 2, 1))
    for _ in range(3 * MOST_WAITING):
        scheduler._called.clear()
        scheduler.tick()
    assert waiting() == {"deadlines": 2 * MOST_WAITING, "jobs": MOST_WAITING}


def _fill(scheduler):
    row = deadline(seconds=-3)
    Job.objects.create(kind="export-all", tournament=row.tournament)
    for _ in range(10 * MOST_WAITING):
        scheduler._called.clear()  # as if time had passed
        scheduler.tick()


def test_a_database_that_is_gone_is_one_line_and_the_next_look_finds_it_again(scheduler, monkeypatch, caplog):
    def gone():
        raise OperationalError("connection refused")

    due = deadline(seconds=-3)
    with monkeypatch.context() as patch:
        patch.setattr(beat, "WORK", (beat.Work("league.sweep_deadlines", "deadlines", 0.25, gone),))
        patch.setattr(beat.connection, "close", lambda: None)
        scheduler.tick()
        scheduler.tick()
    assert [record.getMessage() for record in caplog.records] == ["Scheduled work waits: connection refused"]
    scheduler.tick()
    assert due and waiting() == {"deadlines": 1}


def test_the_cleanup_is_called_when_beat_starts_and_six_hours_after_its_end(scheduler, monkeypatch):
    caches["limits"].delete(cleanup.ENDED)
    monkeypatch.setattr(beat, "WORK", tuple(work for work in WORK if work.task == "league.clean_up"))
    scheduler.tick()
    scheduler.tick()
    assert waiting() == {"jobs": 1}
    assert scheduler.slept == [beat.LOOK_EVERY, beat.LOOK_EVERY]
    cleanup.note_end()
    scheduler._called.clear()
    scheduler.tick()
    assert waiting() == {"jobs": 1}
    caches["limits"].set(cleanup.ENDED, timezone.now() - timedelta(hours=6))
    scheduler.tick()
    assert waiting() == {"jobs": 2}
    caches["limits"].delete(cleanup.ENDED)


def test_ratings_are_called_for_after_a_change_and_not_at_each_one(scheduler, monkeypatch):
    monkeypatch.setattr(beat, "WORK", tuple(work for work in WORK if work.task == "league.rate_clubs"))
    scheduler.tick()
    assert waiting() == {"jobs": 1}
    for _ in range(3):
        scheduler._changed = {"league.rate_clubs"}
        scheduler.tick()
    assert waiting() == {"jobs": 1}
    scheduler._called.clear()
    scheduler.tick()
    assert waiting() == {"jobs": 2}


@pytest.mark.django_db(transaction=True)
def test_a_row_for_the_worker_rings_the_alarm_after_its_commit():
    alarm = Alarm()
    with transaction.atomic():
        call_worker_after_commit()
        assert not alarm.wait(0)
    assert alarm.wait(60)
    assert not alarm.wait(0)


def test_moves_at_tables_ring_no_alarm_and_other_changes_do():
    alarm = Alarm()
    wake(Wake(tournament=1, table=7, number=3))
    assert not alarm.wait(0)
    wake(Wake(tournament=1, table=None, number=3))
    assert alarm.wait(60)


def test_another_process_rings_by_redis_and_many_rings_are_one(redis_server, settings):
    settings.REDIS_URL = redis_server.url
    alarm = Alarm()
    assert alarm.wait(60)  # it has subscribed; something may have happened before
    sender = threading.Thread(target=lambda: [wake(WORK_WAKE) for _ in range(20)])
    sender.start()
    assert alarm.wait(60)
    sender.join()
