"""Closing an account: who it was is gone, what it did stays, and no tournament is lost with it."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from league.accounts.close import close_account
from league.accounts.tokens import make_token
from league.erasure.erase import erase_player
from league.lib.errors import Refused
from league.log.audit import verify
from league.log.in_words import in_words
from league.models import ApiToken, Invitation, LogEntry, Role, Tournament, User
from league.roles.roles import accept, invite
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    """Sven organises Olga's tournament: he was invited by mail, recorded a round and has a token."""
    made, sven = cast.tournament(), cast.someone_else()
    invitation, _secret = invite(to=made, kind="organiser", by=made.owner, email=sven.email)
    accept(invitation=invitation, user=sven)
    invite(to=made, kind="scorer", by=made.owner, email=sven.email)
    EmailAddress.objects.create(user=sven, email=sven.email, primary=True)
    make_token(user=sven)
    cast.play(made, rounds=1)
    LogEntry.objects.filter(tournament=made, action="record").update(by=sven)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


def test_a_closed_account_is_named_nowhere_and_opens_nothing(made):
    sven = cast.someone_else()
    browser = Client()
    browser.force_login(sven)
    close_account(user=sven)
    kept = [*User.objects.values(), *Invitation.objects.values(), *LogEntry.objects.values("old", "new", "reason")]
    assert "sven" not in str(kept).lower()
    assert not ApiToken.objects.exists() and not EmailAddress.objects.exists()
    assert not Role.objects.filter(user=sven, revoked_at=None).exists()
    assert not Invitation.objects.filter(used_at=None, revoked_at=None).exists()
    assert browser.get(f"/t/{made.slug}/settings/").status_code == 404
    assert browser.get("/accounts/").status_code == 302


def test_the_log_keeps_what_a_closed_account_did_and_proves_itself(made):
    before = made.log.count()
    close_account(user=cast.someone_else())
    faults = {fault.kind for fault in verify(made)[0]}
    assert faults == {"edited"}  # the rows that the fixture passed off as his
    assert made.log.count() == before + 2
    assert {str(row.by) for row in made.log.filter(action="record")} == {"Closed account"}
    assert in_words(made.log.latest("number")) == "An account closed, now Closed account"


def test_the_chain_holds_when_an_account_is_closed_and_a_player_erased():
    made, sven = cast.tournament(), cast.someone_else()
    accept(invitation=invite(to=made, kind="scorer", by=made.owner)[0], user=sven)
    cast.entry(made, "Zoë").player.__class__.objects.filter(name="Zoë").update(name="Closed")
    close_account(user=sven)
    erase_player(player=cast.entry(made, "Closed").player, by=made.owner)
    assert verify(made)[0] == []


def test_a_tournament_passes_to_its_first_organiser(made):
    close_account(user=made.owner)
    made.refresh_from_db()
    assert made.owner == cast.someone_else()
    assert not Role.objects.filter(tournament=made, revoked_at=None).exists()
    row = made.log.get(action="hand-over")
    assert in_words(row) == "Passed from Closed account to Sven"


def test_who_owns_a_tournament_alone_is_told_what_to_do_first(made):
    cast.tournament(4, name="Winter Pairs")
    with pytest.raises(Refused, match="only organiser of “Winter Pairs”"):
        close_account(user=made.owner)
    made.owner.refresh_from_db()
    assert made.owner.is_active and Tournament.objects.filter(owner=made.owner).count() == 2


def test_the_page_wants_the_password_once_more_and_asks_before_it_closes(made):
    browser = Client()
    olga = {"login": "olga@example.org", "password": cast.PASSWORD}
    browser.post("/accounts/login/", olga)
    assert browser.get("/accounts/close/")["Location"].startswith("/accounts/reauthenticate/")
    browser.post("/accounts/reauthenticate/", {"password": cast.PASSWORD, "next": "/accounts/close/"})
    assert "Sven will take over" in said(browser.get("/accounts/close/"))
    assert User.objects.filter(email="olga@example.org").exists()
    answer = browser.post("/accounts/close/", follow=True)
    assert "Your account is closed." in said(answer) and "Sign in" in said(answer)
    assert Client().post("/accounts/login/", olga).status_code == 200


def test_an_address_is_free_again_after_its_account_was_closed(made):
    close_account(user=cast.someone_else())
    password = "a-long-way-to-the-final"
    fields = {"name": "Sven", "email": "sven@example.org", "password1": password, "password2": password}
    assert Client().post("/accounts/signup/", fields).status_code == 302
    assert not Role.objects.filter(user__email="sven@example.org").exists()
