"""The tasks that beat calls."""

import threading

import pytest
from django.db import OperationalError

from league import letters, tasks
from league.background import cleanup, deadlines, jobs, turns
from league.odds import compute as forecasting
from league.ratings import compute as rating
from league.setup.series import repeat


@pytest.mark.parametrize(
    ("module", "name", "task"),
    [
        (deadlines, "sweep", tasks.sweep_deadlines),
        (repeat, "make_due_events", tasks.make_due_events),
        (jobs, "work", tasks.work_on_jobs),
        (letters, "send", tasks.send_letters),
        (rating, "rate_what_changed", tasks.rate_clubs),
        (forecasting, "run_forecasts", tasks.forecast),
        (cleanup, "clean_up", tasks.clean_up),
    ],
)
def test_a_database_that_is_gone_is_one_line_in_the_log(module, name, task, monkeypatch, caplog):
    def gone(*now):
        raise OperationalError("connection refused")

    monkeypatch.setattr(module, name, gone)
    task()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "wait for the database: connection refused" in caplog.text


def test_a_process_works_on_one_job_at_a_time_so_that_a_thread_is_left_for_deadlines(monkeypatch):
    inside, let_go, worked = threading.Event(), threading.Event(), []

    def work(now):
        worked.append(now)
        inside.set()
        assert let_go.wait(10)

    monkeypatch.setattr(jobs, "work", work)
    first = threading.Thread(target=tasks.work_on_jobs)
    first.start()
    assert inside.wait(10)
    tasks.work_on_jobs()
    assert len(worked) == 1
    let_go.set()
    first.join()
    tasks.work_on_jobs()
    assert len(worked) == 2


def test_mails_do_not_lie_there_because_the_jobs_were_looked_at_in_the_same_instant(monkeypatch):
    inside, let_go, sent = threading.Event(), threading.Event(), []

    def work(now):
        inside.set()
        assert let_go.wait(10)

    monkeypatch.setattr(jobs, "work", work)
    monkeypatch.setattr(letters, "send", sent.append)
    monkeypatch.setattr(turns, "PATIENCE", 10)
    monkeypatch.setattr(turns, "LONG", 10)
    first = threading.Thread(target=tasks.work_on_jobs)
    first.start()
    assert inside.wait(10)
    second = threading.Thread(target=tasks.send_letters)
    second.start()
    let_go.set()
    first.join()
    second.join()
    assert len(sent) == 1
