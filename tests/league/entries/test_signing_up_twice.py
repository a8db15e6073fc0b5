"""One person who signs up twice: from one device, from two, with an address and without."""

import re

import pytest
from django.test import Client

from league.access.signed_links import sign_up_token
from league.entries.sign_up import set_sign_up
from league.models import LogEntry, SignUp
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _mail(settings):
    settings.MAIL_GOES_OUT = False


@pytest.fixture
def made():
    made = cast.tournament(players=0)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    return made


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def address(made):
    return f"/t/{made.slug}/sign-up/"


def joins(browser, made, name, email=""):
    return said(browser.post(address(made), {"name": name, "email": email}, follow=True))


def names(made):
    return list(made.entries.order_by("number").values_list("player__name", flat=True))


def note(browser, made):
    """What the page says to this browser, without its own token."""
    page = browser.get(address(made)).content.decode()
    section = page[page.index("note note-ok") :]
    return re.sub(r"\S+@example.org", "ADDRESS", said_of(section[: section.index("Sign up someone else")]))


def said_of(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize("again", [("Zoë", ""), ("zoe", ""), ("Zoë", "zoe@example.org")])
def test_from_one_device_a_second_time_says_so_and_offers_to_change_or_cancel(again, made):
    phone = Client()
    joins(phone, made, "Zoë")
    seen = joins(phone, made, *again)
    assert "You’re already signed up" in seen and "You have a place" in seen
    assert "Change" in seen and "Cancel my sign-up" in seen
    assert names(made) == ["Zoë"]
    link = f"/sign-up/{sign_up_token(made.sign_ups.get())}/"
    assert f'href="{link}#name"' in phone.get(address(made)).content.decode()
    assert phone.post(link, {"what": "withdraw"}).context["ask"]  # once more
    assert names(made) == ["Zoë"]
    joins(phone, made, "Ana")  # another person from the same phone
    assert names(made) == ["Zoë", "Ana"]


def test_from_two_devices_without_an_address_both_are_listed_and_the_organiser_removes_the_second_with_one_tap(
    made, olga
):
    joins(Client(), made, "Zoë Đ")
    assert "Same person?" not in said(olga.get(f"{address(made)}settings/"))
    joins(Client(), made, "zoe  d")
    joins(Client(), made, "Ana")
    assert names(made) == ["Zoë Đ", "zoe d", "Ana"]
    settings = said(olga.get(f"{address(made)}settings/"))
    assert "Same name as Zoë Đ" in settings
    second = made.sign_ups.get(name="zoe d")
    remove = {"what": "remove-second", "sign_up": second.public_id}
    assert "Duplicate zoe d removed." in said(olga.post(f"{address(made)}settings/", remove, follow=True))
    assert names(made) == ["Zoë Đ", "Ana"]
    assert LogEntry.objects.filter(tournament=made, action="withdraw", by=made.owner).count() == 1
    assert "This sign-up is gone" in said(olga.post(f"{address(made)}settings/", remove, follow=True))
    first = {"what": "remove-second", "sign_up": made.sign_ups.get(name="Zoë Đ").public_id}
    olga.post(f"{address(made)}settings/", first)
    assert names(made) == ["Zoë Đ", "Ana"]


def test_who_was_entered_by_the_organiser_is_the_first_of_a_name(olga):
    made = cast.tournament(players=4)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    joins(Client(), made, "chidi")
    assert "Same name as Chidi, Café Ludo" in said(olga.get(f"{address(made)}settings/"))
    olga.post(f"{address(made)}settings/", {"what": "remove-second", "sign_up": made.sign_ups.get().public_id})
    assert names(made) == list(cast.CAST[:4])


def test_only_the_organiser_removes_a_second_one(made):
    joins(Client(), made, "Zoë")
    joins(Client(), made, "Zoë")
    sven = Client()
    sven.force_login(cast.someone_else())
    for browser in (Client(), sven):
        remove = {"what": "remove-second", "sign_up": made.sign_ups.last().public_id}
        assert browser.post(f"{address(made)}settings/", remove).status_code == 404
    assert names(made) == ["Zoë", "Zoë"]


def test_the_answer_to_a_known_address_is_that_to_a_new_one(made, settings):
    settings.MAIL_GOES_OUT = True
    farah, again, new = Client(), Client(), Client()
    joins(farah, made, "Farah", "farah@example.org")
    joins(again, made, "Farah", "farah@example.org")
    joins(new, made, "Nora", "nora@example.org")
    assert names(made) == ["Farah", "Nora"]
    assert note(again, made) == note(new, made) == note(farah, made)
    signed = made.sign_ups.get(name="Farah")
    farah.post(f"/sign-up/{sign_up_token(signed)}/", {"what": "confirm"})
    joins(third := Client(), made, "Farah", "farah@example.org")
    assert note(third, made) == note(new, made)
    cancelled = [said(browser.post(address(made), {"what": "cancel"}, follow=True)) for browser in (third, new)]
    assert all("If the sign-up was new, it is cancelled" in page for page in cancelled)
    assert names(made) == ["Farah"]
    assert made.sign_ups.get(name="Nora").state == SignUp.State.WITHDRAWN


def test_a_confirmed_place_is_changed_and_cancelled_only_where_its_link_was_used(made, settings):
    settings.MAIL_GOES_OUT = True
    stranger, farah = Client(), Client()
    joins(stranger, made, "Farah", "farah@example.org")
    signed = made.sign_ups.get()
    link = f"/sign-up/{sign_up_token(signed)}/"
    assert link not in stranger.get(address(made)).content.decode()
    farah.post(link, {"what": "confirm"})
    assert f'href="{link}#name"' in farah.get(address(made)).content.decode()
    assert link not in stranger.get(address(made)).content.decode()
    stranger.post(address(made), {"what": "cancel"})
    Client().post(address(made), {"what": "cancel"})
    assert names(made) == ["Farah"]


def test_a_sign_up_is_not_cancelled_after_the_start(settings):
    settings.MAIL_GOES_OUT = True
    made = cast.tournament(players=7)
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    joins(phone := Client(), made, "Nora", "nora@example.org")
    start(tournament=made, by=made.owner)
    assert "has started" in said(phone.post(address(made), {"what": "cancel"}, follow=True))
    assert "Nora" in names(made)


@pytest.mark.parametrize("mails", [False, True])
def test_a_name_alone_claims_no_member_also_from_the_waiting_list(mails, settings):
    settings.MAIL_GOES_OUT = mails
    club = cast.club(2)
    made = cast.tournament(players=0, club=club)
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    member = club.members.order_by("pk").first()
    mallory = Client()
    SignUp.objects.create(tournament=made, name=member.name, state=SignUp.State.WAITING, language="en")
    joins(mallory, made, member.name, "mallory@example.org" if mails else "")
    set_sign_up(tournament=made, capacity=8, by=made.owner)
    assert made.entries.count() == 2
    assert not made.entries.filter(player=member).exists()
    member.refresh_from_db()
    assert member.email != "mallory@example.org" and member.user is None
