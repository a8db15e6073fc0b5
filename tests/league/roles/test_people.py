"""Roles and invitations: what a link opens, for whom, how long, and that its secret is kept nowhere."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from league.access.secrets import MOST_OPEN
from league.lib.errors import Conflict, Refused
from league.models import ClubRole, Invitation, LogEntry, Role
from league.roles.roles import accept, invite, revoke_invitation
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    return cast.tournament()


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def olga(client):
    """A browser in which the organiser is signed in."""
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def sven():
    """Another one, in which somebody without a role is."""
    browser = Client()
    browser.force_login(cast.someone_else())
    return browser


def link_on(response):
    """The path of the link that a page shows."""
    return re.search(r'value="http://testserver(/join/[^"]+/)"', response.content.decode())[1]


def invited(olga, made, **fields):
    return olga.post(f"/t/{made.slug}/people/", {"kind": "scorer", "days": "14"} | fields)


def test_a_link_is_shown_once_and_opens_the_role_until_it_is_revoked(olga, sven, made):
    answer = invited(olga, made)
    link = link_on(answer)
    assert "no-store" in answer["Cache-Control"]
    assert link not in olga.get(f"/t/{made.slug}/people/").content.decode()
    shown = sven.get(link)
    assert "Enter hands" in said(shown) and shown["Referrer-Policy"] == "strict-origin"
    assert "no-store" in shown["Cache-Control"]
    assert not Role.objects.exists()  # a preview of the link changes nothing
    assert sven.post(link).status_code == 302
    assert Role.objects.get().kind == "scorer" and sven.get(link).status_code == 200
    revoked = olga.post(f"/t/{made.slug}/invitations/{Invitation.objects.get().pk}/revoke/")
    assert revoked.status_code == 302
    assert sven.get(link).status_code == 404
    assert Role.objects.get().revoked_at is None


def test_a_mail_brings_a_link_that_works_once(olga, sven, made, settings):
    settings.MAIL_GOES_OUT = True
    assert invited(olga, made, email="Sven@Example.org").status_code == 302
    [sent] = mail.outbox
    assert sent.to == ["sven@example.org"] and "Autumn Pairs" in sent.subject and "Olga invites you" in sent.body
    [link] = re.findall(r"http://testserver(/join/\S+/)", sent.body)
    assert sven.post(link).status_code == 302
    assert sven.get(link).status_code == sven.post(link).status_code == 404
    assert "sven@example.org" in said(olga.get(f"/t/{made.slug}/people/"))


def test_an_invitation_that_was_used_says_so_and_leads_on_whoever_has_the_role(olga, sven, made):
    link = link_on(invited(olga, made, email="sven@example.org"))
    sven.post(link)
    again = sven.get(link)
    assert "This invitation was already used" in said(again) and f'href="/t/{made.slug}/"' in again.content.decode()
    stranger = Client()
    assert "If that was you, sign in. If not, ask Olga for a new one." in said(stranger.get(link))
    stranger.force_login(cast.organiser("x@example.org", "Xu"))
    answer = stranger.post(link)
    assert answer.status_code == 404 and "Ask Olga for a new one." in said(answer)
    assert f'href="/t/{made.slug}/"' not in answer.content.decode()


def test_the_people_of_an_evening_name_who_has_a_role_through_the_club(olga):
    club = cast.club()
    held = cast.tournament(club=club)
    dora = cast.organiser("dora@example.org", "Dora")
    ClubRole.objects.create(club=club, user=dora, kind="organiser")
    page, of_club = f"/t/{held.slug}/people/", f'href="/clubs/{club.slug}/people/"'
    seen = olga.get(page)
    assert "From Café Ludo Helpers of the club Olga Owner of the club Dora Organiser" in said(seen)
    assert of_club in seen.content.decode() and "Remove" not in said(seen)
    helper = Client()
    helper.force_login(cast.someone_else())
    Role.objects.create(tournament=held, user=cast.someone_else(), kind="organiser")
    seen = helper.get(page)
    assert "Dora" in said(seen) and of_club not in seen.content.decode()


def test_where_the_service_sends_no_mail_the_link_of_an_invitation_to_an_address_is_shown(olga, sven, made):
    assert "No e-mail is sent: pass on the link yourself." in said(olga.get(f"/t/{made.slug}/people/"))
    answer = invited(olga, made, email="sven@example.org")
    assert "It works once." in said(answer) and "on its way" not in said(answer) and mail.outbox == []
    link = link_on(answer)
    assert sven.post(link).status_code == 302 and sven.get(link).status_code == 404


def test_nobody_sends_the_world_invitations_by_the_hundred(olga, made, monkeypatch, settings):
    settings.MAIL_GOES_OUT = True
    monkeypatch.setattr("league.roles.deliver.MAILS_A_MINUTE", 2)
    answers = [invited(olga, made, email=f"stranger-{number}@example.org") for number in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert 1 <= int(answers[2]["Retry-After"]) <= 60 and "leave the address empty to get a link" in said(answers[2])
    assert len(mail.outbox) == Invitation.objects.count() == 2
    assert invited(olga, made).status_code == 200


def test_where_no_mail_can_be_sent_nothing_stays_open(olga, made, monkeypatch, settings):
    settings.MAIL_GOES_OUT = True

    def refuse(*args, **kwargs):
        raise ConnectionRefusedError

    monkeypatch.setattr("league.roles.mail.send_mail", refuse)
    answer = invited(olga, made, email="sven@example.org")
    assert answer.status_code == 503 and "leave the address empty to get a link" in said(answer)
    assert Invitation.objects.get().revoked_at


def test_the_secret_is_kept_neither_in_the_database_nor_in_the_log(made):
    invitation, secret = invite(to=made, kind="scorer", by=made.owner)
    assert len(secret) == 32 and secret not in str(list(Invitation.objects.values_list()))
    assert secret not in str(list(LogEntry.objects.values_list()))
    assert invitation.digest not in str(list(LogEntry.objects.values_list("old", "new")))


def test_forged_expired_and_revoked_links_answer_alike(sven, made):
    expired, old = invite(to=made, kind="scorer", by=made.owner)
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, gone = invite(to=made, kind="scorer", by=made.owner)
    revoke_invitation(invitation=revoked, by=made.owner)
    answers = [sven.get(f"/join/{token}/") for token in (old, gone, "forged")]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert len({said(answer) for answer in answers}) == 1
    for invitation in (expired, revoked):
        with pytest.raises(Conflict, match="Ask for a new one"):
            accept(invitation=invitation, user=cast.someone_else())


@pytest.mark.usefixtures("one_minute")
def test_after_ten_bad_tries_a_minute_the_eleventh_has_to_wait(sven, made):
    _invitation, secret = invite(to=made, kind="scorer", by=made.owner)
    assert [sven.get(f"/join/guess-{number}/").status_code for number in range(10)] == [404] * 10
    late = sven.post("/join/guess-10/")
    assert late.status_code == 429 and 1 <= int(late["Retry-After"]) <= 60
    assert sven.get(f"/join/{secret}/").status_code == 200


def test_a_stranger_signs_in_first_and_comes_back_to_the_invitation(made):
    _invitation, secret = invite(to=made, kind="scorer", by=made.owner)
    stranger = Client()
    assert "Sign in to accept" in said(stranger.get(f"/join/{secret}/"))
    answer = stranger.post(f"/join/{secret}/")
    assert answer.status_code == 302 and answer["Location"] == f"/accounts/login/?next=/join/{secret}/"


def test_a_private_tournament_opens_for_whoever_accepted(sven):
    private = cast.tournament(visibility="private")
    _invitation, secret = invite(to=private, kind="spectator", by=private.owner)
    assert sven.get(f"/t/{private.slug}/").status_code == 404
    sven.post(f"/join/{secret}/")
    assert sven.get(f"/t/{private.slug}/").status_code == 200
    assert sven.get(f"/t/{private.slug}/settings/").status_code == 404


def test_a_role_that_is_taken_back_opens_nothing_from_then_on(olga, sven, made):
    invitation, _secret = invite(to=made, kind="organiser", by=made.owner)
    role = accept(invitation=invitation, user=cast.someone_else())
    assert sven.get(f"/t/{made.slug}/settings/").status_code == 200
    assert olga.post(f"/t/{made.slug}/people/{role.pk}/take-back/").status_code == 302
    assert sven.get(f"/t/{made.slug}/settings/").status_code == 404
    row = LogEntry.objects.get(action="take-back-role")
    assert (row.by, row.old["user"]) == (made.owner, "Sven")


def test_a_link_that_is_still_open_does_not_give_back_a_role_that_was_taken_back(olga, sven, made):
    invitation, secret = invite(to=made, kind="organiser", by=made.owner)
    role = accept(invitation=invitation, user=cast.someone_else())
    olga.post(f"/t/{made.slug}/people/{role.pk}/take-back/")
    answer = sven.post(f"/join/{secret}/")
    assert answer.status_code == 409 and "This role was removed" in said(answer)
    assert sven.get(f"/t/{made.slug}/settings/").status_code == 404
    again, _secret = invite(to=made, kind="organiser", by=made.owner)
    assert accept(invitation=again, user=cast.someone_else()).revoked_at is None


def test_an_organiser_who_is_put_out_leaves_no_link_open_behind_them(olga, made):
    sven = cast.someone_else()
    role = accept(invitation=invite(to=made, kind="organiser", by=made.owner)[0], user=sven)
    _his, way_back = invite(to=made, kind="organiser", by=sven)
    _hers, stays = invite(to=made, kind="scorer", by=made.owner)
    olga.post(f"/t/{made.slug}/people/{role.pk}/take-back/")
    assert [olga.get(f"/join/{secret}/").status_code for secret in (way_back, stays)] == [404, 200]
    assert LogEntry.objects.get(action="revoke-invitation").by == made.owner


def test_giving_up_the_own_role_is_asked_about_first(sven, made):
    invitation, _secret = invite(to=made, kind="organiser", by=made.owner)
    role = accept(invitation=invitation, user=cast.someone_else())
    url = f"/t/{made.slug}/people/{role.pk}/take-back/"
    assert "The owner, Olga, can invite you again" in said(sven.post(url))
    assert Role.objects.get().revoked_at is None
    assert sven.post(url, {"sure": "yes"}).status_code == 302
    assert Role.objects.get().revoked_at


def test_the_owner_has_no_role_to_take_back_and_needs_none(olga, made):
    invitation, secret = invite(to=made, kind="scorer", by=made.owner)
    assert accept(invitation=invitation, user=made.owner) is None
    page = olga.get(f"/t/{made.slug}/people/").content.decode()
    assert "Owner" in page and "take-back" not in page
    assert olga.post(f"/join/{secret}/").status_code == 302


def test_accepting_twice_is_one_role(made):
    invitation, _secret = invite(to=made, kind="scorer", by=made.owner)
    first = accept(invitation=invitation, user=cast.someone_else())
    assert accept(invitation=invitation, user=cast.someone_else()) == first
    assert LogEntry.objects.filter(action="accept").count() == 1


def test_a_player_belongs_to_one_account_and_an_account_to_one_player(olga, made):
    zoe, farah = cast.entry(made, "Zoë"), cast.entry(made, "Farah")
    invited(olga, made, kind="player", player=zoe.public_id)
    as_zoe = Invitation.objects.get()
    assert accept(invitation=as_zoe, user=cast.someone_else()).entry == zoe
    with pytest.raises(Conflict, match="Another account is already Zoë"):
        accept(invitation=as_zoe, user=cast.organiser("uma@example.org"))
    as_farah, _secret = invite(to=made, kind="player", entry=farah, by=made.owner)
    with pytest.raises(Conflict, match="You’re already Zoë here"):
        accept(invitation=as_farah, user=cast.someone_else())


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"kind": "owner"}, "Select a valid choice"),
        ({"email": "not an address"}, "Enter a valid email address"),
        ({"email": f"zoe@{'x' * 60}.{'y' * 60}.{'z' * 60}.{'w' * 60}.example"}, "at most 254 characters"),
        ({"days": "365"}, "Select a valid choice"),
        ({"player": "nobody"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_invites_nobody(olga, made, fields, sentence):
    answer = invited(olga, made, **fields)
    assert answer.status_code == 422 and sentence in said(answer)
    assert not Invitation.objects.exists()


def test_only_a_player_plays_as_somebody(olga, made):
    answer = invited(olga, made, player=cast.entry(made, "Zoë").public_id)
    assert answer.status_code == 422 and "Only the role Player can have" in said(answer)
    other = cast.tournament(name="Other Pairs")
    with pytest.raises(Refused, match="role Player"):
        invite(to=made, kind="player", entry=cast.entry(other, "Zoë"), by=made.owner)


def test_a_tournament_has_so_many_open_invitations_and_no_more(made):
    now = timezone.now()
    Invitation.objects.bulk_create(
        Invitation(tournament=made, kind="scorer", digest=str(number), expires_at=now + timedelta(days=1))
        for number in range(MOST_OPEN)
    )
    with pytest.raises(Refused, match="Revoke some first"):
        invite(to=made, kind="scorer", by=made.owner)


def test_whoever_helps_at_the_door_stands_before_the_check_in_once_they_accepted(made, sven):
    _invitation, secret = invite(to=made, kind="check-in", by=made.owner)
    assert sven.post(f"/join/{secret}/")["Location"] == f"/t/{made.slug}/check-in/"
