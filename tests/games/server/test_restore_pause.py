"""After a restore e-mails and timed actions wait until the owner resumes them."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from league import letters
from league.access import restore_pause
from league.background import deadlines
from league.models import Deadline, Letter, Series, SignUp, Tournament, User
from league.setup.series import repeat
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    """An event with an e-mail, a timed action and a series that are all due."""
    made = cast.tournament()
    due = timezone.now() - timedelta(hours=1)
    signed = SignUp.objects.create(tournament=made, name="Đorđe", email="djordje@example.org", confirmed_at=due)
    Letter.objects.create(kind="signed-up", sign_up=signed, site="https://cards.example.org", due_at=due)
    Deadline.objects.create(kind=Deadline.Kind.SNAPSHOT, tournament=made, due_at=due)
    day = made.starts_on + timedelta(weeks=500)
    made.series = Series.objects.create(
        created_by=made.owner, weekday=made.starts_on.weekday(), last_day=day, next_at=due
    )
    made.save()
    return made


def work() -> tuple[int, int, int]:
    now = timezone.now()
    return letters.send(now), deadlines.sweep(now), int(repeat.make_due_events(now) > 0)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def owner() -> Client:
    return signed_in(User.objects.create_superuser("vera@example.org", cast.PASSWORD, name="Vera"))


def test_nothing_is_sent_or_done_until_the_owner_resumes(event: Tournament, owner: Client) -> None:
    restore_pause.pause()
    assert work() == (0, 0, 0)
    assert (letters.next_due(), deadlines.next_due(), repeat.next_due()) == (None, None, None)
    assert deadlines.lag(timezone.now()) == timedelta()
    assert "When you resume, these happen at once: 1 e-mail, 1 timed action." in owner.get("/clubs/").text
    assert "E-mails and timed actions have resumed." in said(owner.post("/server/resume/", follow=True))
    assert letters.next_due() is not None
    assert work() == (1, 1, 1)
    assert not Letter.objects.filter(state=Letter.State.WAITING).exists()


def test_the_notice_is_for_the_owner_and_now_tells_organisers(event: Tournament, owner: Client) -> None:
    organiser, now = signed_in(event.owner), f"/t/{event.slug}/"
    assert "paused" not in organiser.get(now).text
    assert "Resume e-mails" not in owner.get("/").text
    restore_pause.pause()
    text = organiser.get(now).text
    assert "E-mails and timed actions are paused." in text
    assert "Resume e-mails" not in text
    assert organiser.post("/server/resume/").status_code == 404
    assert restore_pause.is_paused()


def test_a_command_resumes_too(capsys: pytest.CaptureFixture[str]) -> None:
    restore_pause.pause()
    call_command("resume")
    call_command("resume")
    assert capsys.readouterr().out == ("Resumed. 0 e-mails and 0 timed actions are due now.\nNothing is paused.\n")


def test_a_second_tap_resumes_nothing(owner: Client) -> None:
    assert "have resumed" not in said(owner.post("/server/resume/", follow=True))
