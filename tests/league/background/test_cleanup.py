"""What the nightly cleanup deletes, and what it leaves because a page shows it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league import letters, tasks
from league.background.cleanup import clean_up
from league.entries.sign_up import set_sign_up
from league.models import Deadline, Job, Letter, SignUp, Tournament
from tests import cast

pytestmark = pytest.mark.django_db

MONTHS = timedelta(days=60)


@pytest.fixture
def made():
    made = cast.tournament()
    Deadline.objects.all().delete()
    return made


def deadline(tournament, kind=Deadline.Kind.SNAPSHOT, state=Deadline.State.DONE, ago=MONTHS):
    return Deadline.objects.create(kind=kind, tournament=tournament, state=state, due_at=timezone.now() - ago)


def left(model):
    return set(model.objects.all())


def test_finished_jobs_go_after_a_month_and_others_stay(made):
    now = timezone.now()
    old, new = ({"finished_at": now - timedelta(days=days)} for days in (31, 29))
    for state in (Job.State.DONE, Job.State.FAILED):
        Job.objects.create(kind="export-all", tournament=made, state=state, **old)
    stay = {
        Job.objects.create(kind="export-all", tournament=made, state=Job.State.DONE, **new),
        Job.objects.create(kind="export-all", tournament=made, created_at=now - MONTHS),
    }
    assert clean_up(now) == 2
    assert left(Job) == stay


def test_past_deadlines_go_but_not_reminders_those_to_come_or_failures_that_a_page_shows(made):
    deadline(made)
    deadline(made, state=Deadline.State.CANCELLED)
    failed = deadline(made, kind=Deadline.Kind.PUBLISH, state=Deadline.State.FAILED)
    stay = {
        failed,
        deadline(made, ago=timedelta(days=29)),
        deadline(made, kind=Deadline.Kind.REMIND),
        deadline(made, state=Deadline.State.PENDING),
    }
    clean_up(timezone.now())
    assert left(Deadline) == stay
    Tournament.objects.update(state=Tournament.State.CLOSED)
    clean_up(timezone.now())
    assert left(Deadline) == stay - {failed}


def test_sent_e_mails_go_a_month_after_the_event_but_a_wish_for_no_reminders_stays(made):
    now = timezone.now()
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    signed = SignUp.objects.create(tournament=made, name="Zoe", email="zoe@example.org")

    def letter(kind, state=Letter.State.SENT):
        return Letter.objects.create(kind=kind, sign_up=signed, site="", state=state, sent_at=now - MONTHS)

    sent = letter("placed")
    stay = {letter(letters.NO_REMINDERS), letter("own-link", Letter.State.FAILED)}
    clean_up(now)
    assert left(Letter) == {sent, *stay}
    Tournament.objects.update(starts_on=(now - timedelta(days=32)).date())
    clean_up(now)
    assert left(Letter) == stay


def test_the_task_cleans_up_more_than_a_batch(made, monkeypatch):
    monkeypatch.setattr("league.background.cleanup.AT_ONCE", 2)
    for _ in range(5):
        deadline(made)
    tasks.clean_up()
    assert left(Deadline) == set()
