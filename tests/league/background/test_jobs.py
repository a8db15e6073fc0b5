"""Work in the background: asked for once, claimed once, and told what came of it."""

import csv
import io
import json
import zipfile
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from league.background import jobs
from league.lib.errors import Conflict, Refused
from league.models import Job
from league.public.tables import EXPORTS
from tests import cast
from tests.spreadsheets import cells_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def played_once(module_world):
    return cast.play(cast.tournament(), rounds=1)


@pytest.fixture
def played(played_once):
    return cast.again(played_once)


@pytest.fixture
def job(played):
    return jobs.request(tournament=played, kind=jobs.EXPORT_ALL, by=played.owner)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def made_by(monkeypatch, make):
    monkeypatch.setitem(jobs.KINDS, jobs.EXPORT_ALL, jobs.Kind("Everything", make))


def work(job, **later):
    count = jobs.work(timezone.now() + timedelta(**later))
    job.refresh_from_db()
    return count


def test_the_zip_has_every_table_with_the_rows_of_the_pages(job, olga):
    assert work(job) == 1
    assert (job.state, job.done, job.of) == (Job.State.DONE, len(EXPORTS), len(EXPORTS))
    answer = olga.get(f"/t/{job.tournament.slug}/jobs/{job.pk}/file/")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{job.tournament.slug}.zip"'
    assert answer.headers["Cache-Control"] == "private, no-store"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        files = [*(f"{job.tournament.slug}_{table}.csv" for table in EXPORTS), f"{job.tournament.slug}.xlsx"]
        assert archive.namelist() == [*files, "MANIFEST"]
        manifest = json.loads(archive.read("MANIFEST"))
        assert manifest["files"] == {
            name: sha256(archive.read(name)).hexdigest() for name in archive.namelist() if name != "MANIFEST"
        }
        last = job.tournament.log.get(number=manifest["logs"][job.tournament.public_id]["number"])
        assert last.hash == manifest["logs"][job.tournament.public_id]["hash"] and manifest["made_at"]
        for table in ("standings", "players"):
            page = olga.get(f"/t/{job.tournament.slug}/{table}.csv").content
            assert archive.read(f"{job.tournament.slug}_{table}.csv") == page
        hands = archive.read(f"{job.tournament.slug}_hands.csv").decode()
        assert len(list(csv.DictReader(io.StringIO(hands)))) == 32
        book = archive.read(f"{job.tournament.slug}.xlsx")
        assert cells_of(book, "hands") == list(csv.reader(io.StringIO(hands, newline="")))


def test_progress_is_told_table_by_table(job, monkeypatch):
    seen = []

    def make(tournament, progress):
        for done in range(3):
            progress(done, 3)
            seen.append(Job.objects.values_list("state", "done", "of").get(pk=job.pk))
        return "x.zip", b"x"

    made_by(monkeypatch, make)
    work(job)
    assert seen == [("running", 0, 3), ("running", 1, 3), ("running", 2, 3)]


def test_pressing_twice_asks_once(job):
    again = jobs.request(tournament=job.tournament, kind=jobs.EXPORT_ALL, by=job.tournament.owner)
    assert again == job
    work(job)
    assert jobs.request(tournament=job.tournament, kind=jobs.EXPORT_ALL, by=None) != job


def test_who_exported_is_in_the_log(job):
    assert job.tournament.log.get(action="export-all").by == job.tournament.owner


def test_a_claimed_job_is_not_claimed_again(job, monkeypatch):
    made = []

    def make(tournament, progress):
        made.append(tournament)
        assert jobs.work(timezone.now()) == 0  # another worker looks meanwhile
        return "x.zip", b"x"

    made_by(monkeypatch, make)
    assert work(job) == 1
    assert work(job) == 0
    assert len(made) == 1


def test_a_refusal_is_the_reason_and_another_try_can_work(job, monkeypatch):
    def make(tournament, progress):
        raise Refused("no", "There is no paper left.")

    with monkeypatch.context() as broken:
        made_by(broken, make)
        work(job)
    assert (job.state, job.reason) == (Job.State.FAILED, "There is no paper left.")
    assert work(job) == 0
    jobs.retry(job=job, by=job.tournament.owner)
    assert work(job) == 1
    assert (job.state, job.reason, job.attempts) == (Job.State.DONE, "", 2)
    assert job.tournament.log.filter(action="retry-job", by=job.tournament.owner).count() == 1


def test_an_error_of_our_own_is_told_without_its_insides(job, monkeypatch):
    made_by(monkeypatch, lambda tournament, progress: 1 / 0)
    work(job)
    assert job.state == Job.State.FAILED
    assert "ZeroDivision" not in job.reason and job.reason.startswith("Internal error")


def test_what_has_not_failed_is_not_tried_again(job):
    work(job)
    with pytest.raises(Conflict):
        jobs.retry(job=job, by=None)


class TestADeadWorker:
    @pytest.fixture
    def stuck(self, job, monkeypatch):
        """A worker claimed the job and is heard of no more."""

        def make(tournament, progress):
            raise OperationalError("killed here")

        with monkeypatch.context() as killed, pytest.raises(OperationalError):
            made_by(killed, make)
            jobs.work(timezone.now())
        job.refresh_from_db()
        assert job.state == Job.State.RUNNING
        return job

    def test_its_job_is_left_alone_for_as_long_as_it_may_run(self, stuck):
        assert work(stuck, seconds=150) == 0

    def test_then_another_worker_does_it(self, stuck):
        assert work(stuck, minutes=4) == 1
        assert (stuck.state, stuck.attempts) == (Job.State.DONE, 2)

    def test_a_job_that_kills_every_worker_fails_at_last(self, stuck):
        Job.objects.filter(pk=stuck.pk).update(attempts=jobs.MOST_CLAIMS)
        assert work(stuck, minutes=4) == 0
        assert (stuck.state, stuck.reason) == (Job.State.FAILED, "The worker stopped during each attempt.")

    def test_when_it_comes_back_it_writes_nothing(self, job, monkeypatch):
        def overtaken(tournament, progress):
            with monkeypatch.context() as other:
                made_by(other, lambda tournament, progress: ("second.zip", b"second"))
                assert jobs.work(timezone.now() + timedelta(minutes=4)) == 1
            return "first.zip", b"first"

        made_by(monkeypatch, overtaken)
        work(job)
        assert (job.file_name, bytes(job.result), job.attempts) == ("second.zip", b"second", 2)


def test_a_file_is_kept_for_a_day(job, olga):
    work(job)
    url = f"/t/{job.tournament.slug}/jobs/{job.pk}/file/"
    work(job, hours=23)
    assert olga.get(url).status_code == 200
    work(job, hours=25)
    assert (job.state, bytes(job.result)) == (Job.State.DONE, b"")
    assert "has expired" in olga.get(url, follow=True).content.decode()


class TestThePage:
    def page(self, client, job, **headers):
        return client.get(f"/t/{job.tournament.slug}/jobs/", headers=headers).content.decode()

    def test_it_asks_and_shows_and_hands_out(self, played, olga):
        url = f"/t/{played.slug}/jobs/"
        assert "Export everything" in olga.get(url).content.decode()
        assert olga.post(url).status_code == 302
        job = Job.objects.get()
        waiting = self.page(olga, job)
        assert "Waiting to start." in waiting and 'hx-trigger="every 2s"' in waiting
        work(job)
        done = self.page(olga, job)
        assert "every 2s" not in done and f"/jobs/{job.pk}/file/" in done

    def test_the_middle_alone_is_what_the_page_asks_for_again(self, job, olga):
        middle = self.page(olga, job, hx_request="true")
        assert middle.lstrip().startswith("<div") and "<html" not in middle

    def test_a_failure_shows_its_reason_and_a_button(self, job, olga, monkeypatch):
        made_by(monkeypatch, lambda tournament, progress: 1 / 0)
        work(job)
        assert "Internal error" in self.page(olga, job)
        olga.post(f"/t/{job.tournament.slug}/jobs/{job.pk}/retry/")
        job.refresh_from_db()
        assert job.state == Job.State.QUEUED

    def test_jobs_are_for_those_who_run_the_tournament(self, job):
        work(job)
        sven = Client()
        sven.force_login(cast.someone_else())
        for client in (sven, Client()):
            for address in ("", f"{job.pk}/file/"):
                assert client.get(f"/t/{job.tournament.slug}/jobs/{address}").status_code == 404
        assert ">Jobs<" not in sven.get(f"/t/{job.tournament.slug}/").content.decode()

    def test_a_job_of_another_tournament_is_not_there(self, job, olga):
        other = cast.tournament(owner=cast.someone_else(), name="Other Pairs")
        foreign = jobs.request(tournament=other, kind=jobs.EXPORT_ALL, by=None)
        work(foreign)
        assert olga.get(f"/t/{job.tournament.slug}/jobs/{foreign.pk}/file/").status_code == 404
