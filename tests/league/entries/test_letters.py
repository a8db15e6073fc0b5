"""Mails on their way: when they go out, what happens when they cannot, what they say."""

import smtplib
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone, translation

from league import letters
from league.entries.sign_up import set_sign_up, sign_up, withdraw
from league.letters import MOST_ATTEMPTS, RETRY_AFTER, outbox
from league.letters.texts import Kind
from league.models import Letter, SignUp
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

NOW = timezone.now() + timedelta(hours=1)  # later than anything that a test writes


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    made = cast.tournament(players=0, name="Autumn\nPairs", place="Café Ludo")
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def farah(made, **more):
    return sign_up(tournament=made, name="Farah", email="farah@example.org", site="http://testserver/", **more)[0]


@pytest.fixture
def broken(monkeypatch):
    """A mail server that takes nothing until `mend` is called; how often it was asked."""

    class Broken:
        def __init__(self):
            self.asked = 0
            self.error = smtplib.SMTPServerDisconnected("gone")
            monkeypatch.setattr(mail.EmailMessage, "send", self._send)

        def _send(self, *args, **kwargs):
            self.asked += 1
            raise self.error

        def mend(self):
            monkeypatch.undo()

    return Broken()


def test_a_letter_goes_out_once_and_of_what_it_said_nothing_is_kept(made):
    one = farah(made)
    assert letters.send(NOW) == 1
    assert letters.send(NOW) == 0
    [sent] = mail.outbox
    assert sent.to == ["farah@example.org"] and "\n" not in sent.subject
    assert "http://testserver/sign-up/" in sent.body and "Café Ludo" in sent.body
    letter = Letter.objects.get(sign_up=one)
    assert letter.state == Letter.State.SENT and letter.sent_at == NOW
    assert "/sign-up/" not in str(Letter.objects.values().get())


def test_a_letter_belongs_to_the_transaction_that_has_a_reason_to_write(made):
    from django.db import transaction

    with pytest.raises(RuntimeError), transaction.atomic():
        farah(made)
        raise RuntimeError
    assert not Letter.objects.exists() and letters.send(NOW) == 0


def test_what_fails_is_tried_again_ever_later_and_in_the_end_the_organiser_sees_why(made, broken, client):
    farah(made)
    at = NOW
    for wait in RETRY_AFTER:
        assert letters.send(at) == 0
        assert letters.send(at + wait - timedelta(seconds=1)) == 0  # not yet
        at += wait
    assert broken.asked == MOST_ATTEMPTS
    letter = Letter.objects.get()
    assert letter.state == Letter.State.FAILED and "mail server" in letter.reason
    assert letters.send(at + timedelta(days=1)) == 0 and broken.asked == MOST_ATTEMPTS
    client.force_login(made.owner)
    seen = said(client.get(f"/t/{made.slug}/sign-up/settings/"))
    assert "Undelivered e-mails" in seen and "farah@example.org" in seen


def test_a_mail_server_that_does_not_answer_is_waited_for_once_a_round(made, broken):
    for number in range(3):
        sign_up(tournament=made, name="P", email=f"p{number}@example.org", site="http://testserver")
    letters.send(NOW)
    assert broken.asked == 1
    broken.mend()
    assert letters.send(NOW) == 2
    assert letters.send(NOW + RETRY_AFTER[0]) == 1
    assert sorted(one.to[0] for one in mail.outbox) == [f"p{number}@example.org" for number in range(3)]


def test_a_refused_address_keeps_nobody_waiting_and_stands_in_no_line_of_the_operators_log(made, broken, caplog):
    farah(made)
    sign_up(tournament=made, name="Zoë", email="zoe@example.org", site="http://testserver/")
    broken.error = smtplib.SMTPRecipientsRefused({"farah@example.org": (550, b"<farah@example.org> unknown")})
    letters.send(NOW)
    assert broken.asked == 2
    assert "550" in caplog.messages[0] and "farah" not in caplog.messages[0]
    assert set(Letter.objects.values_list("state", "attempts")) == {(Letter.State.WAITING, 1)}


def test_a_service_killed_while_it_sends_sends_again_and_the_copies_are_known_as_one(made, monkeypatch):
    farah(made)
    send = mail.EmailMessage.send

    def killed(self, *args, **kwargs):
        send(self, *args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(mail.EmailMessage, "send", killed)
    with pytest.raises(KeyboardInterrupt):
        letters.send(NOW)
    monkeypatch.undo()
    assert letters.send(NOW) == 0  # whoever has it may still be at it
    assert letters.send(NOW + RETRY_AFTER[0]) == 1
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]


def test_a_service_killed_each_time_gives_up(made, monkeypatch):
    farah(made)

    def killed(self, *args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(mail.EmailMessage, "send", killed)
    for number in range(MOST_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            letters.send(NOW + timedelta(hours=3 * number))
    assert letters.send(NOW + timedelta(days=2)) == 0
    assert Letter.objects.get().state == Letter.State.FAILED


def test_of_two_who_send_at_once_one_has_the_letter(made):
    farah(made)
    pk = Letter.objects.get().pk
    assert outbox._claim(pk, 0, NOW) is not None
    assert outbox._claim(pk, 0, NOW) is None


def test_a_letter_that_is_not_true_any_more_is_dropped(made):
    withdraw(sign_up=farah(made))
    assert letters.send(NOW) == 2
    assert [one.subject.partition(":")[0] for one in mail.outbox] == ["You’re no longer on the list"]


def test_a_kind_that_nobody_knows_fails_and_keeps_nobody_waiting(made):
    one = farah(made)
    Letter.objects.update(kind="nonsense")
    letters.write(kind="signed-up", sign_up=one)
    assert letters.send(NOW) == 0
    assert letters.send(NOW) == 1
    assert Letter.objects.get(kind="nonsense").reason


def test_whoever_left_no_address_gets_no_letter(made):
    one = SignUp.objects.create(tournament=made, name="Walk-in")
    assert letters.write(kind="signed-up", sign_up=one) is None
    ana = cast.tournament().entries.get(player__name="Benoît")
    assert letters.write(kind="own-link", entry=ana) is None


def test_a_letter_is_in_the_language_in_which_one_signed_up(made, monkeypatch):
    seen = []
    farah(made, language="fr")

    def text(letter):
        seen.append(translation.get_language())
        return letters.Text("Subject", ["Body"])

    monkeypatch.setitem(outbox.KINDS, "signed-up", Kind(text))
    letters.send(NOW)
    assert seen == ["fr"]
