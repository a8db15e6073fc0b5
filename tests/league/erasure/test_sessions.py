"""Sessions that must not stay in the database."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from league import tasks
from league.accounts.close import close_account
from league.by_link.sign_up_views import SESSION
from league.erasure.erase import erase_player
from league.models import Player
from tests import cast

pytestmark = pytest.mark.django_db


def browser_with(**values):
    browser = Client()
    session = browser.session
    session.update(values)
    session.save()
    browser.cookies["sessionid"] = session.session_key
    return browser


def test_expired_sessions_are_deleted_and_others_stay():
    expired, living = browser_with(visitor="a"), browser_with(visitor="b")
    Session.objects.filter(pk=expired.session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))
    tasks.clean_up()
    assert [one.pk for one in Session.objects.all()] == [living.session.session_key]


def test_no_session_keeps_the_address_of_an_erased_person():
    made = cast.tournament()
    zoe = cast.entry(made, "Zoë").player
    Player.objects.filter(pk=zoe.pk).update(email="zoe@example.org")
    browser = browser_with(**{SESSION: {made.slug: ["", "Zoe@example.org"], "other": ["", "ana@example.org"]}})
    erase_player(player=zoe, by=made.owner)
    assert browser.session[SESSION] == {made.slug: ["", ""], "other": ["", "ana@example.org"]}


def test_closing_an_account_ends_its_sessions_on_all_devices():
    sven, olga = cast.someone_else(), cast.organiser()
    phone, tablet, other = Client(), Client(), Client()
    for browser, user in ((phone, sven), (tablet, sven), (other, olga)):
        browser.force_login(user)
    close_account(user=sven)
    assert Session.objects.count() == 1 and other.session["_auth_user_id"] == str(olga.pk)
