"""Reminders by mail: when they go out, to whom, and how somebody says that they want none."""

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from league import letters
from league.background import deadlines
from league.entries.sign_up import set_sign_up, sign_up, withdraw
from league.erasure.erase import erase_player, erase_sign_up
from league.log.in_words import in_words
from league.models import Deadline, Letter, SignUp
from league.rounds.draw import draw
from league.rounds.steps import start
from league.setup.call_off import call_off, hold_after_all
from league.setup.create import change_details
from tests import cast
from tests.api import Program
from tests.games.pages import said

pytestmark = pytest.mark.django_db

START = datetime(2036, 10, 26, 18, 30, tzinfo=UTC)  # 19:30 in Paris, after the night in which the clocks went back
DUE = datetime(2036, 10, 25, 17, 30, tzinfo=UTC)  # 19:30 the day before


@pytest.fixture(autouse=True)
def _mail_goes_out(settings):
    settings.MAIL_GOES_OUT = True


def evening(capacity=4, **settings):
    wanted = {"starts_on": date(2036, 10, 26), "starts_at": time(19, 30), "time_zone": "Europe/Paris", "players": 0}
    made = cast.tournament(**(wanted | settings))
    set_sign_up(tournament=made, capacity=capacity, by=made.owner)
    return made


def come(made, *names, **more):
    """They sign up, and their first mails go out."""
    more |= {"site": "http://testserver/", "is_certain": True}
    signed = [sign_up(tournament=made, name=name, email=f"{name}@example.org".lower(), **more)[0] for name in names]
    letters.send(START)
    mail.outbox.clear()
    return signed


def reminder(made):
    return made.deadlines.filter(kind=Deadline.Kind.REMIND).order_by("pk").last()


def sent(at):
    """To whom what is due goes out at a moment."""
    mail.outbox.clear()
    deadlines.sweep(at)
    letters.send(at + timedelta(days=1))  # later than anything that was written just now
    return sorted(address for one in mail.outbox for address in one.to)


def test_who_has_a_place_is_reminded_once_at_the_same_hour_of_the_day_before():
    made = evening(place="Café Ludo")
    *_others, gone, _waits = come(made, "Ana", "Chidi", "Farah", "Zoe", "Xiaoming")
    withdraw(sign_up=gone)
    letters.send(START)
    assert reminder(made).due_at == DUE and sent(DUE - timedelta(seconds=1)) == []
    assert sent(DUE) == ["ana@example.org", "chidi@example.org", "farah@example.org", "xiaoming@example.org"]
    one = mail.outbox[0]
    assert one.subject == "Reminder: Autumn Pairs"
    assert "Sunday 26 October 2036, 19:30, Café Ludo (Europe/Paris)." in one.body
    assert re.search(r"http://testserver/sign-up/\S+", one.body)
    assert sent(DUE + timedelta(minutes=1)) == []
    assert [in_words(row) for row in made.log.filter(action="remind")] == ["Reminders to 4 players"]


def test_it_is_in_the_language_in_which_somebody_signed_up():
    made = evening()
    come(made, "Ana", language="fr")
    assert sent(DUE) == ["ana@example.org"]
    assert "dimanche 26 octobre 2036" in mail.outbox[0].body and "Reminder" not in mail.outbox[0].subject


def test_it_moves_with_the_start_and_follows_a_day_that_was_put_off():
    made = evening()
    come(made, "Ana")
    change_details(tournament=made, by=made.owner, starts_at=time(18, 0))
    assert reminder(made).due_at == DUE - timedelta(minutes=90)
    assert sent(DUE - timedelta(minutes=90)) == ["ana@example.org"]
    change_details(tournament=made, by=made.owner, place="The library")  # moves nothing
    change_details(tournament=made, by=made.owner, starts_on=date(2036, 11, 2))
    assert sent(DUE) == []
    assert sent(reminder(made).due_at) == ["ana@example.org"]
    assert reminder(made).due_at == datetime(2036, 11, 1, 17, 0, tzinfo=UTC)


def test_who_makes_it_earlier_than_the_reminder_has_it_sent_at_once_and_one_of_the_past_reminds_nobody():
    made = evening()
    come(made, "Ana")
    tomorrow = datetime.now(UTC) + timedelta(hours=20)
    change_details(
        tournament=made, by=made.owner, starts_on=tomorrow.date(), starts_at=tomorrow.time(), time_zone="UTC"
    )
    assert sent(datetime.now(UTC)) == ["ana@example.org"]
    late = evening(name="Late")
    come(late, "Chidi")
    change_details(tournament=late, by=late.owner, starts_on=date(2020, 1, 1))
    assert sent(START) == [] and reminder(late).state == Deadline.State.DONE
    soon = evening(starts_on=tomorrow.date(), starts_at=tomorrow.time(), time_zone="UTC", name="Soon")
    assert reminder(soon) is None  # whoever signs up now has a mail of today


def test_the_organiser_chooses_when_and_whether(client):
    made = evening()
    come(made, "Ana")
    client.force_login(made.owner)
    page = f"/t/{made.slug}/sign-up/settings/"
    assert client.get(page).context["form"]["reminder"].value() == "1-day"
    for choice, due_at in (
        ("3-hours", START - timedelta(hours=3)),
        ("7-days", datetime(2036, 10, 19, 17, 30, tzinfo=UTC)),
    ):
        assert client.post(page, {"capacity": 4, "reminder": choice}).status_code == 302
        assert reminder(made).due_at == due_at and client.get(page).context["form"]["reminder"].value() == choice
    client.post(page, {"capacity": 4, "reminder": "none"})
    change_details(tournament=made, by=made.owner, starts_at=time(20, 0))
    assert client.get(page).context["form"]["reminder"].value() == "none" and sent(START) == []
    client.post(page, {"capacity": 4, "reminder": "2-days"})
    client.post(page, {"capacity": 4})  # says nothing of it
    assert sent(START - timedelta(hours=47)) == ["ana@example.org"]
    words = [in_words(row) for row in made.log.filter(action="set-reminder").order_by("pk")]
    assert words[-2:] == ["Reminder by e-mail: none", "Reminder by e-mail: 2 days before"]


def test_the_link_in_a_reminder_ends_those_of_all_tournaments_and_only_its_button_does():
    made, other = evening(), evening(name="Other Pairs")
    for one in (made, other):
        come(one, "Ana", "Chidi")
    assert len(sent(DUE)) == 4
    ours = next(one for one in mail.outbox if one.to == ["ana@example.org"])
    link = re.search(r"http://testserver(/reminders/\S+)", ours.body)[1]
    assert ours.extra_headers["List-Unsubscribe"] == f"<http://testserver{link}>"
    browser = Client()
    assert "Turn off reminders" in browser.get(link).content.decode()
    for one in (made, other):
        change_details(tournament=one, by=one.owner, starts_on=date(2036, 11, 2))
    browser.post(link, {"want": "no"})
    browser.post(link, {"want": "no"})
    assert sent(datetime(2036, 11, 1, 18, 30, tzinfo=UTC)) == ["chidi@example.org"] * 2
    assert Letter.objects.filter(kind=letters.NO_REMINDERS).count() == 1
    for one in (made, other):
        change_details(tournament=one, by=one.owner, starts_on=date(2036, 11, 9))
    browser.post(link, {"want": "yes"})
    assert len(sent(datetime(2036, 11, 8, 18, 30, tzinfo=UTC))) == 4
    assert browser.get("/reminders/forged-token/").status_code == 404


def test_a_time_for_a_day_that_had_none_reminds_nobody_again():
    made = evening(starts_at=None)
    come(made, "Ana")
    at_noon = reminder(made).due_at
    assert sent(at_noon) == ["ana@example.org"]
    change_details(tournament=made, by=made.owner, starts_at=time(19, 30))
    set_sign_up(tournament=made, capacity=5, by=made.owner, reminder="1-day")
    assert sent(START - timedelta(minutes=1)) == []
    change_details(tournament=made, by=made.owner, starts_at=time(21, 30))
    assert reminder(made).state == Deadline.State.PENDING


def test_who_wants_no_reminders_gets_not_even_one_that_waited_and_another_sign_up_remembers_it():
    made, other = evening(), evening(name="Other Pairs")
    [ours], [theirs] = come(made, "Ana"), come(other, "Ana")
    deadlines.sweep(DUE)
    Letter.objects.create(kind=letters.NO_REMINDERS, sign_up=ours, state=Letter.State.SENT)  # at the same moment
    letters.send(DUE + timedelta(days=1))
    assert mail.outbox == []
    withdraw(sign_up=ours)
    erase_sign_up(sign_up=ours, by=made.owner)
    assert not letters.wants_reminders(theirs)
    erase_player(player=theirs.entry.player, by=other.owner)
    assert not Letter.objects.exists()


def test_held_after_all_a_round_whose_time_passed_meanwhile_waits_for_the_organiser():
    made = evening(players=4)
    draw(tournament=made, by=made.owner)
    wall, an_hour_ago = datetime(2036, 10, 26, 19, 0), datetime.now(UTC) - timedelta(hours=1)
    deadline = deadlines.set_deadline(tournament=made, round_number=1, wall=wall, by=made.owner, now=DUE)
    call_off(tournament=made, reason="No hall", by=made.owner)
    Deadline.objects.filter(pk=deadline.pk).update(due_at=an_hour_ago)
    deadlines.sweep(datetime.now(UTC))
    hold_after_all(tournament=made, by=made.owner)
    deadlines.sweep(datetime.now(UTC))
    deadline.refresh_from_db()
    assert deadline.state == Deadline.State.CANCELLED and made.rounds.get(number=1).state == "draft"
    assert [one.action for one in made.log.filter(action__in=["cancel-time", "publish"])] == ["cancel-time"]


def test_places_that_came_free_while_it_was_called_off_are_given_when_it_is_held_after_all():
    made = evening(players=4, capacity=6)
    *_placed, waits = come(made, "Farah", "Zoe", "Xiaoming")
    call_off(tournament=made, reason="No hall", by=made.owner)
    set_sign_up(tournament=made, capacity=7, by=made.owner)
    waits.refresh_from_db()
    assert waits.entry is None
    hold_after_all(tournament=made, by=made.owner)
    waits.refresh_from_db()
    assert waits.entry is not None


def test_nobody_is_reminded_of_what_has_begun_not_even_by_a_mail_that_waited():
    made = evening(players=4)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    come(made, "Farah", "Xiaoming", "Zoe", "Gul")
    deadlines.sweep(DUE)
    start(tournament=made, by=made.owner)
    mail.outbox.clear()
    assert letters.send(START) == 4 and mail.outbox == []
    begun = evening(name="Begun", players=4)
    start(tournament=begun, by=begun.owner)
    assert sent(DUE) == [] and not begun.log.filter(action="remind").exists()


def test_a_server_without_mail_offers_no_reminder_and_saving_changes_none(client, settings):
    made = evening()
    come(made, "Ana")
    client.force_login(made.owner)
    page = f"/t/{made.slug}/sign-up/settings/"
    assert "Reminder by e-mail" in client.get(page).content.decode()
    settings.MAIL_GOES_OUT = False
    assert "Reminder by e-mail" not in client.get(page).content.decode()
    assert client.post(page, {"capacity": 5}).status_code == 302
    assert reminder(made).due_at == DUE


def test_who_calls_off_is_told_to_tell_the_players_where_the_service_sends_no_mail(client, settings):
    made = evening()
    client.force_login(made.owner)
    page, calls_off = f"/t/{made.slug}/settings/", f"/t/{made.slug}/call-off/"
    for sends, words in ((True, "gets an e-mail"), (False, "sends no e-mail")):
        settings.MAIL_GOES_OUT = sends
        for do in ("off", "hold"):
            assert words in client.get(page).content.decode(), (sends, do)
            answer = client.post(calls_off, {"do": do, "reason": "No hall"}, follow=True)
            assert words in str(*answer.context["messages"]), (sends, do)


def test_what_is_called_off_reminds_nobody_takes_nobody_and_does_not_begin_until_it_is_held_after_all(client):
    made = evening(players=4, capacity=8)
    come(made, "Ana")
    client.force_login(made.owner)
    at = f"/t/{made.slug}/"
    client.post(f"{at}call-off/", {"do": "off", "reason": " "})
    made.refresh_from_db()
    assert not made.is_called_off
    for _twice in range(2):
        client.post(f"{at}call-off/", {"do": "off", "reason": "No hall"})
    letters.send(START)
    assert [one.subject for one in mail.outbox] == ["Cancelled: Autumn Pairs"] and "No hall" in mail.outbox[0].body
    for page in (at, "/", f"{at}sign-up/"):
        assert "Cancelled" in Client().get(page).content.decode(), page
    late = {"name": "Late", "email": "late@example.org"}
    assert Client().post(f"{at}sign-up/", late).status_code == 409
    assert sent(DUE) == []
    draw(tournament=made, by=made.owner)
    answer = client.post(f"{at}advance/", {"step": "publish-1"})
    assert (
        answer.status_code == 409
        and "The tournament is cancelled. Reinstate it in Settings first." in answer.content.decode()
    )
    client.post(f"{at}day/pause/", {"do": "resume"})  # is another thing
    made.refresh_from_db()
    assert made.is_called_off
    mail.outbox.clear()
    client.post(f"{at}call-off/", {"do": "hold"})
    letters.send(START)
    assert [one.subject for one in mail.outbox] == ["Reinstated: Autumn Pairs"]
    assert client.post(f"{at}advance/", {"step": "publish-1"}).status_code == 302
    cast.record(cast.table(made, 1, 1), 1)
    assert client.post(f"{at}call-off/", {"do": "off", "reason": "Too late"}).status_code == 409
    made.refresh_from_db()
    assert made.paused_at is None


def test_a_mailbox_ends_reminders_with_one_click_without_a_cookie_or_a_redirect():
    made = evening()
    site = "https://league.example.org"
    [ana] = sign_up(tournament=made, name="Ana", email="ana@example.org", site=site, is_certain=True)[:1]
    letters.send(START)
    assert not any("List-Unsubscribe" in one.extra_headers for one in mail.outbox)  # of a place that one has
    assert sent(DUE) == ["ana@example.org"]
    headers = mail.outbox[0].extra_headers
    link = re.fullmatch(r"<https://league\.example\.org(/reminders/\S+/)>", headers["List-Unsubscribe"])[1]
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    mailbox = Client(enforce_csrf_checks=True)
    assert mailbox.get(link).status_code == 200
    assert mailbox.get(f"{link}?List-Unsubscribe=One-Click").status_code == 200
    assert letters.wants_reminders(ana)
    mailbox.cookies.clear()
    body, form = "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"
    for _time in ("once", "again"):
        answer = mailbox.post(link, body, content_type=form)
        assert (answer.status_code, "Reminders are off" in answer.content.decode()) == (200, True)
    assert not letters.wants_reminders(ana)
    assert [in_words(row) for row in made.log.filter(action="want-no-reminders")] == ["Ana wants no reminders"]
    assert mailbox.post(link, {"want": "yes"}).status_code == 302
    assert mailbox.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200  # as multipart too
    assert not letters.wants_reminders(SignUp.objects.get())
    assert mailbox.post("/reminders/forged-token/", body, content_type=form).status_code == 404


def test_a_site_without_https_offers_no_one_click():
    made = evening()
    come(made, "Ana")
    assert sent(DUE) == ["ana@example.org"]
    assert "List-Unsubscribe-Post" not in mail.outbox[0].extra_headers


def test_a_program_says_when_players_are_reminded_and_whether():
    made = evening()
    come(made, "Ana")
    program, path = Program(made.owner), f"/api/v1/tournaments/{made.slug}/reminder/"
    assert program.get(path) == {"reminder": "1-day", "goes_out_at": DUE.isoformat(), "went_out_at": None}
    two_days = (DUE - timedelta(days=1) - timedelta(hours=1)).isoformat()  # before the clocks went back
    assert program.post(path, {"reminder": "none"}, key="a") == {
        "reminder": "none", "goes_out_at": None, "went_out_at": None,
    }  # fmt: skip
    assert sent(START - timedelta(hours=1)) == []
    program.post(path, {"reminder": "2-days"})
    assert program.get(path)["reminder"] == "2-days" and program.get(path)["goes_out_at"][:10] == two_days[:10]
    assert sent(reminder(made).due_at) == ["ana@example.org"]
    after = program.get(path)
    assert (after["goes_out_at"], after["went_out_at"] is None) == (None, False)
    assert program.post(path, {"reminder": "tomorrow"}, status=400)["errors"][0]["field"] == "reminder"
    words = [in_words(row) for row in made.log.filter(action="set-reminder").order_by("pk")]
    assert words == ["Reminder by e-mail: none", "Reminder by e-mail: 2 days before"]


def test_a_moment_that_has_passed_is_refused_and_nothing_says_that_it_was_chosen(client):
    made = evening(starts_on=timezone.localdate() + timedelta(days=3))
    come(made, "Ana")
    program, path = Program(made.owner), f"/api/v1/tournaments/{made.slug}/reminder/"
    program.post(path, {"reminder": "none"})
    refused = program.post(path, {"reminder": "7-days"}, status=422)
    assert refused["code"] == "reminder" and refused["errors"][0]["field"] == "reminder"
    assert program.get(path)["reminder"] == "none"
    assert made.log.filter(action="set-reminder").count() == 1
    client.force_login(made.owner)
    page = client.post(f"/t/{made.slug}/sign-up/settings/", {"capacity": "8", "reminder": "7-days"})
    assert page.status_code == 422 and "The tournament starts too soon" in said(page)


def test_where_nobody_can_sign_up_there_is_nobody_to_remind():
    made = cast.tournament(4)
    program, path = Program(made.owner), f"/api/v1/tournaments/{made.slug}/reminder/"
    assert program.get(path) == {"reminder": None, "goes_out_at": None, "went_out_at": None}
    assert program.post(path, {"reminder": "1-day"}, status=409)["code"] == "no-sign-up"
    assert not made.deadlines.exists()
