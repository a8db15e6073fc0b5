"""A stranger, or an account that nobody knows, takes places and sends mail to people who never asked for it."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from league import letters
from league.access.signed_links import sign_up_token
from league.background import deadlines
from league.entries.sign_up import set_sign_up, sign_up, withdraw
from league.letters.limits import MOST_FROM_AN_ACCOUNT, MOST_TO_AN_ADDRESS, count_recipient
from league.models import Deadline, Invitation, Letter, SignUp, SignUpPage
from league.setup.call_off import call_off, hold_after_all
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db
SITE = "http://testserver"
STRANGER, FRIEND, SCHOOL = "203.0.113.7", "198.51.100.4", "192.0.2.9"


@pytest.fixture
def made():
    made = cast.tournament(players=0, format="points", rounds=3)
    set_sign_up(tournament=made, capacity=32, by=made.owner)
    return made


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


@pytest.fixture
def _mail(settings):
    settings.MAIL_GOES_OUT = True


def comes(made, name, address):
    """Somebody signs up in a new browser."""
    caches["limits"].clear()
    typed = {"name": name, "email": f"{name.lower()}@example.org"}
    return Client(REMOTE_ADDR=address).post(f"/t/{made.slug}/sign-up/", typed)


def settings_page(made):
    return f"/t/{made.slug}/sign-up/settings/"


def states(made):
    """How many sign-ups are in each state."""
    rows = list(made.sign_ups.values_list("state", flat=True))
    return {state: rows.count(state) for state in set(rows)}


def mails(at=None):
    """Everything that is due goes out: to whom."""
    mail.outbox.clear()
    letters.send(at or timezone.now())
    return [address for one in mail.outbox for address in one.to]


def verify(user, verified=True):
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": verified, "primary": True})


def test_one_stranger_takes_ten_places_and_the_organiser_removes_them_all(made, olga):
    for number in range(40):
        assert comes(made, f"Bot{number}", STRANGER).status_code == 303
    assert states(made) == {"placed": 10, "held": 30}
    assert comes(made, "Farah", FRIEND).status_code == 303
    page = olga.get(settings_page(made))
    assert "30 sign-ups are waiting for you" in said(page) and "10 more from this network" in said(page)
    assert STRANGER not in page.content.decode()
    [network] = set(made.sign_ups.filter(state="held").values_list("network", flat=True))
    assert olga.post(settings_page(made), {"what": "remove", "network": network}).status_code == 302
    assert list(made.entries.values_list("player__name", flat=True)) == ["Farah"]
    assert not made.sign_ups.filter(state="held").exists()
    assert "Too many sign-ups" not in said(olga.get(settings_page(made)))


def test_a_held_visitor_is_told_so_and_gets_a_place_when_the_organiser_accepts_all(made, olga):
    for number in range(10):
        comes(made, f"Pupil{number}", SCHOOL)
    phone = Client(REMOTE_ADDR=SCHOOL)
    seen = said(phone.post(f"/t/{made.slug}/sign-up/", {"name": "Last", "email": ""}, follow=True))
    assert "The organiser is checking your sign-up" in seen and "You have a place" not in seen
    last = made.sign_ups.get(name="Last")
    assert "The organiser is checking your sign-up" in said(Client().get(f"/sign-up/{sign_up_token(last)}/"))
    olga.post(settings_page(made), {"what": "accept", "network": last.network})
    assert states(made) == {"placed": 11}
    assert "You have a place" in said(phone.get(f"/t/{made.slug}/sign-up/"))


def test_the_switch_for_schools_lets_a_class_sign_up_at_once(made, olga):
    page = SignUpPage.objects.get()
    fields = {"what": "settings", "capacity": page.capacity, "reminder": "none", "many_at_once": "on"}
    assert olga.post(settings_page(made), fields).status_code == 302
    for number in range(14):
        comes(made, f"Pupil{number}", SCHOOL)
    assert states(made) == {"placed": 14}


def test_a_slow_class_is_not_held_and_one_ipv6_connection_is_one_network(made):
    for number in range(12):
        comes(made, f"Slow{number}", SCHOOL)
        SignUp.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    assert states(made) == {"placed": 12}
    for number in range(12):
        comes(made, f"Six{number}", f"2001:db8:1:2::{number + 1:x}")
    assert states(made) == {"placed": 22, "held": 2}


@pytest.mark.usefixtures("_mail")
def test_by_mail_a_stranger_reaches_ten_addresses_and_their_places_are_free_after_15_minutes(made):
    now = timezone.now()
    for number in range(30):
        comes(made, f"Victim{number}", STRANGER)
    assert len(mails()) == 10
    deadlines.sweep(now + timedelta(minutes=14))
    assert states(made) == {"placed": 10, "held": 20}
    first = made.sign_ups.get(name="Victim0")
    link = f"/sign-up/{sign_up_token(first)}/"
    for _look in range(2):
        assert "Your place is reserved until" in said(Client().get(link))  # looking confirms nothing
    second = f"/sign-up/{sign_up_token(made.sign_ups.get(name='Victim1'))}/"
    assert Client().post(second, {"what": "confirm"}).status_code == 302
    deadlines.sweep(now + timedelta(minutes=16))
    assert states(made) == {"placed": 1, "withdrawn": 9, "held": 20}
    assert mails() == []  # no more to anybody who never answered
    late = Client().post(link, {"what": "confirm"})
    assert late.status_code == 409 and "Sign up again" in said(late)
    assert not Deadline.objects.pending().filter(kind=Deadline.Kind.FREE).exists()
    call_off(tournament=made, reason="No hall", by=made.owner)
    assert mails() == ["victim1@example.org"]


@pytest.mark.usefixtures("_mail")
def test_who_has_not_confirmed_does_not_move_up_before_who_has(made):
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    first, *_others = [
        sign_up(tournament=made, name=f"P{number}", email=f"p{number}@x.org", site=SITE, is_certain=True)[0]
        for number in range(4)
    ]
    comes(made, "Slow", STRANGER)
    sign_up(tournament=made, name="Sure", email="sure@x.org", site=SITE, is_certain=True)
    withdraw(sign_up=first)
    assert made.sign_ups.get(name="Sure").state == "placed" and made.sign_ups.get(name="Slow").state == "waiting"


@pytest.mark.usefixtures("_mail")
def test_an_account_signs_up_with_its_own_verified_address_at_once(made):
    verify(sven := cast.someone_else())
    phone = Client()
    phone.force_login(sven)
    phone.post(f"/t/{made.slug}/sign-up/", {"name": "Sven", "email": "sven@example.org"})
    assert made.sign_ups.get().confirm_by is None and made.sign_ups.get().confirmed_at
    phone.post(f"/t/{made.slug}/sign-up/", {"name": "Other", "email": "other@example.org"})
    assert made.sign_ups.get(name="Other").must_confirm


def test_nobody_moves_up_once_sign_up_is_closed_until_the_organiser_gives_the_places(made, olga):
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    for number in range(6):
        comes(made, f"P{number}", FRIEND)
    SignUpPage.objects.update(closed=True)
    withdraw(sign_up=made.sign_ups.get(name="P0"))
    assert states(made) == {"placed": 3, "waiting": 2, "withdrawn": 1}
    assert "Move 1 player up" in said(olga.get(settings_page(made)))
    olga.post(settings_page(made), {"what": "fill"})
    assert states(made) == {"placed": 4, "waiting": 1, "withdrawn": 1}


@pytest.mark.usefixtures("_mail")
def test_an_unverified_account_sends_nothing_and_is_told_what_to_do(made, olga):
    verify(cast.organiser(), verified=False)
    answer = olga.post(f"/t/{made.slug}/people/", {"kind": "scorer", "email": "victim@example.org", "days": "14"})
    assert answer.status_code == 422 and "Verify your e-mail address first" in said(answer)
    assert not Invitation.objects.exists()
    page = Client().post(f"/t/{made.slug}/sign-up/", {"name": "Victim", "email": "victim@example.org"}, follow=True)
    assert "no e-mails are sent for this tournament" in said(page)  # and the place is theirs, with a link on the screen
    call_off(tournament=made, reason="No hall", by=made.owner)
    assert mails() == [] and not Letter.objects.exists()
    assert "Verify my address" in said(olga.get(settings_page(made)))


@pytest.mark.usefixtures("_mail")
def test_a_verified_club_writes_to_its_60_members_and_one_address_gets_twelve_mails(olga, monkeypatch):
    verify(cast.organiser())
    monkeypatch.setattr("league.roles.deliver.MAILS_A_MINUTE", 1000)
    club = cast.club(2)
    people = f"/clubs/{club.slug}/people/"
    typed = {"kind": "scorer", "days": "14"}
    for number in range(60):
        assert olga.post(people, typed | {"email": f"member{number}@example.org"}).status_code == 302
    answers = [olga.post(people, typed | {"email": "victim@example.org"}).status_code for _time in range(14)]
    assert answers.count(302) == MOST_TO_AN_ADDRESS and set(answers) == {302, 422}
    sent = 60 + MOST_TO_AN_ADDRESS
    assert len(mail.outbox) == sent
    for number in range(MOST_FROM_AN_ACCOUNT - sent + 3):
        answer = olga.post(people, typed | {"email": f"other{number}@example.org"})
    assert answer.status_code == 422 and "e-mails a day" in said(answer)
    assert len(mail.outbox) == MOST_FROM_AN_ACCOUNT


@pytest.mark.usefixtures("_mail")
def test_new_accounts_send_no_more_to_an_address_than_others_and_their_names_hold_no_link():
    typed = {"password1": cast.PASSWORD, "password2": cast.PASSWORD, "email": "victim@example.org"}
    refused = Client().post("/accounts/signup/", typed | {"name": "Win at evil。example"})
    assert "put a space after the dot" in said(refused) and mail.outbox == []
    for _mail in range(MOST_TO_AN_ADDRESS):
        count_recipient("victim@example.org", typed=True, now=timezone.now())
    assert Client().post("/accounts/signup/", typed | {"name": "Eve"}).status_code == 302
    assert mail.outbox == []


@pytest.mark.usefixtures("_mail")
def test_calling_off_and_reinstating_forty_times_sends_few_mails(made):
    now = timezone.now()
    sign_up(tournament=made, name="Farah", email="farah@example.org", site=SITE, is_certain=True)
    mails()
    sent = []
    for _time in range(40):
        call_off(tournament=made, reason="No hall", by=made.owner)
        sent += mails()
        hold_after_all(tournament=made, by=made.owner)
        sent += mails()
    assert len(sent) == 2
    call_off(tournament=made, reason="No hall, at last", by=made.owner)
    assert mails() == []
    assert mails(now + timedelta(minutes=11)) == ["farah@example.org"]
    assert "No hall, at last" in mail.outbox[0].body


@pytest.mark.usefixtures("_mail")
def test_no_mail_has_a_link_that_somebody_typed(made, olga):
    made.name, made.place = "Win at evil。example", "ｗｗｗ．evil．example"
    made.save()
    sign_up(tournament=made, name="Get rich evil.example/x", email="a@x.org", site=SITE, is_certain=True)
    assert mails() == ["a@x.org"]
    text = f"{mail.outbox[0].subject} {mail.outbox[0].body}"
    assert "evil. example" in text and "evil.example" not in text and "evil。example" not in text
    assert "www." not in text and "．" not in text
    answer = olga.post(f"/t/{made.slug}/call-off/", {"reason": "See https://evil.example"})
    assert answer.status_code == 422 and "can’t contain a link" in said(answer)
