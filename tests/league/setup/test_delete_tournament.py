"""Deleting a tournament that nobody has played in: what is asked first, what goes with it, what stays, who is told."""

import json
from datetime import date, timedelta

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.http import urlencode

from league import letters
from league.access.signed_links import player_token
from league.accounts.close import close_account
from league.entries.list_order import add_entries
from league.entries.sign_up import set_sign_up, sign_up
from league.erasure.erase import erase_player
from league.ledger.locks import Gone
from league.lib.errors import Conflict
from league.log import anchors
from league.log.club_in_words import in_words
from league.models import (
    AccountLogEntry,
    Letter,
    LogEntry,
    Player,
    Role,
    SignUp,
    Tournament,
)
from league.roles.roles import invite
from league.rounds.adjustments import adjust
from league.rounds.draw import draw
from league.rounds.steps import start
from league.setup.call_off import call_off
from league.setup.delete import delete_tournament
from tests import cast
from tests.api import Program
from tests.games.pages import said

pytestmark = pytest.mark.django_db

LATER = timezone.now() + timedelta(hours=1)


@pytest.fixture(autouse=True)
def _mail_goes_out(settings):
    settings.MAIL_GOES_OUT = True


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def come(made, *names):
    for name in names:
        more = {"site": "http://testserver/", "is_certain": True}
        sign_up(tournament=made, name=name, email=f"{name}@example.org".lower(), **more)
    letters.send(LATER)
    mail.outbox.clear()


def test_who_owns_a_tournament_deletes_it_by_typing_its_name_and_their_account_says_so(olga):
    made = cast.tournament()
    draw(tournament=made, by=made.owner)
    at = f"/t/{made.slug}/"
    assert f'href="{at}delete/"' in olga.get(f"{at}settings/").content.decode()
    asked = said(olga.get(f"{at}delete/"))
    assert "This cannot be undone" in asked and "On the list: 8." in asked
    wrong = olga.post(f"{at}delete/", {"name": "Autumn Pears"})
    assert wrong.status_code == 422 and 'value="Autumn Pears"' in wrong.content.decode()
    assert "Nothing was deleted. Type the exact name: Autumn Pairs." in said(wrong)
    assert "Type the name." in said(olga.post(f"{at}delete/", {}))
    assert Tournament.objects.count() == 1
    done = olga.post(f"{at}delete/", {"name": "  autumn   PAIRS "}, follow=True)
    assert "“Autumn Pairs” is deleted." in said(done)
    assert not Tournament.objects.exists() and not LogEntry.objects.exists() and not Player.objects.exists()
    assert olga.get(at).status_code == 404
    account = said(olga.get("/accounts/"))
    assert (
        "Deleted tournaments" in account and "Autumn Pairs, 24 November 2026" in account and "8 on the list" in account
    )


def test_everything_that_hangs_on_it_goes_and_members_of_the_club_stay(olga):
    club = cast.club(members=4)
    made = cast.tournament(club=club, players=6, name="Evening")
    entry = cast.entry(made, "Farah")
    adjust(tournament=made, entry=entry, points=5, reason="Won last year", round_number=None, by=made.owner)
    link = f"/me/{player_token(entry)}/"
    invite(to=made, kind=Role.Kind.SCORER, by=made.owner)
    set_sign_up(tournament=made, capacity=8, by=made.owner, reminder="1-day")
    come(made, "Gul")
    before = club.log.count()
    delete_tournament(tournament=made, name="Evening", by=made.owner)
    assert {one.name for one in Player.objects.all()} == set(cast.CAST[:4])
    assert not SignUp.objects.exists() and Client().get(link).status_code == 404
    assert club.log.count() == before + 1 and in_words(club.log.first()) == "“Evening” deleted"
    assert "“Evening” deleted" in said(olga.get(f"/clubs/{club.slug}/log/"))
    assert "Evening" not in olga.get(f"/clubs/{club.slug}/calendar.ics").content.decode()


def test_a_team_that_played_nowhere_else_goes_with_its_members_and_one_of_a_club_stays():
    alone = cast.teams()
    delete_tournament(tournament=alone, name=alone.name, by=alone.owner)
    assert not Player.objects.exists()
    club = cast.club(members=8)
    made = cast.teams(club=club)
    delete_tournament(tournament=made, name=made.name, by=made.owner)
    assert club.members.filter(team=None).count() == 8 and club.teams.count() == 4


def test_who_signed_up_reads_by_mail_that_it_does_not_take_place_and_nothing_of_them_is_kept():
    made = cast.tournament(players=0, starts_on=date(2036, 10, 26))
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    come(made, "Ana", "Ben", "Chidi", "Doris", "Eva")  # who waits is told too
    delete_tournament(tournament=made, name=made.name, by=made.owner)
    assert letters.send(LATER) == 5
    assert {one.subject for one in mail.outbox} == {"Cancelled: Autumn Pairs"}
    assert sorted(one.to[0].partition("@")[0] for one in mail.outbox) == ["ana", "ben", "chidi", "doris", "eva"]
    assert "is cancelled." in mail.outbox[0].body and "no longer works" in mail.outbox[0].body
    assert not Letter.objects.exists()


def test_who_has_read_that_it_is_called_off_is_not_told_twice_and_who_has_not_reads_why():
    made = cast.tournament(players=0, starts_on=date(2036, 10, 26))
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    come(made, "Ana")
    call_off(tournament=made, reason="No hall", by=made.owner)
    letters.send(LATER)
    mail.outbox.clear()
    sent = Letter.objects.filter(kind="called-off")
    delete = {"tournament": made, "name": made.name, "by": made.owner}
    if sent.update(state=Letter.State.WAITING):  # as if the mail server had not taken it
        delete_tournament(**delete)
    letters.send(LATER)
    [told] = mail.outbox
    assert "is cancelled: No hall" in told.body

    mail.outbox.clear()
    other = cast.tournament(players=0, starts_on=date(2036, 10, 26))
    set_sign_up(tournament=other, capacity=4, by=other.owner)
    come(other, "Ana")
    call_off(tournament=other, reason="No hall", by=other.owner)
    letters.send(LATER)
    delete_tournament(tournament=other, name=other.name, by=other.owner)
    letters.send(LATER)
    assert len(mail.outbox) == 1  # that of calling off


def test_a_mail_about_what_was_deleted_goes_when_it_is_given_up_or_its_reader_erased(monkeypatch):
    club = cast.club(members=1)
    for name in ("One", "Two"):
        made = cast.tournament(players=0, name=name, club=club, starts_on=date(2036, 10, 26))
        set_sign_up(tournament=made, capacity=4, by=made.owner)
        come(made, "Ana")
        delete_tournament(tournament=made, name=name, by=made.owner)
        if name == "One":
            monkeypatch.setattr(mail.EmailMessage, "send", _fails)
            for hours in range(12):
                letters.send(LATER + timedelta(hours=3 * hours))
            assert not Letter.objects.exists()
            monkeypatch.undo()
    assert Letter.objects.get().about["email"] == "ana@example.org"
    Player.objects.filter(name=cast.CAST[0]).update(email="ana@example.org")
    erase_player(player=cast.member(club, cast.CAST[0]), by=club.owner)
    assert not Letter.objects.exists()


def _fails(*args, **kwargs):
    raise OSError("gone")


@pytest.mark.parametrize(
    ("happened", "sentence"),
    [
        ("published", "A round was published, so it can’t be deleted. Cancel it instead."),
        ("off", "It’s listed as cancelled"),
        ("played", "Hands are recorded, so it can’t be deleted. End it early instead"),
        ("final", "The standings are final, so it can’t be deleted."),
    ],
)
def test_once_a_round_was_published_it_stays_and_the_page_says_what_is_possible_instead(olga, happened, sentence):
    made = cast.tournament(rounds=1)
    if happened == "final":
        cast.play(made)
        olga.post(f"/t/{made.slug}/advance/", {"step": "finish"})
    else:
        start(tournament=made, by=made.owner)
    if happened == "off":
        call_off(tournament=made, reason="No hall", by=made.owner)
    if happened == "played":
        cast.record(cast.table(made, 1, 1), 1)
    at = f"/t/{made.slug}/"
    assert sentence in said(olga.get(f"{at}delete/")) and sentence in said(olga.get(f"{at}settings/"))
    assert f'href="{at}delete/"' not in olga.get(f"{at}settings/").content.decode()
    refused = olga.post(f"{at}delete/", {"name": made.name})
    assert refused.status_code == 409 and sentence in said(refused)
    assert Tournament.objects.filter(pk=made.pk).exists() and not AccountLogEntry.objects.exists()


def test_an_organiser_who_does_not_own_it_is_told_who_can_and_cannot(client):
    made, sven = cast.tournament(), cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.ORGANISER)
    client.force_login(sven)
    assert "its owner can delete it: Olga" in said(client.get(f"/t/{made.slug}/settings/"))
    assert client.post(f"/t/{made.slug}/delete/", {"name": made.name}).status_code == 404
    assert Tournament.objects.exists()


def test_both_accounts_know_where_who_owns_the_club_deletes_the_tournament_of_somebody_else(client):
    sven = cast.someone_else()
    made = cast.tournament(owner=sven, club=cast.club())
    delete_tournament(tournament=made, name=made.name, by=cast.organiser())
    assert {row.user.name for row in AccountLogEntry.objects.all()} == {"Olga", "Sven"}
    client.force_login(sven)
    assert "8 on the list, by Olga" in said(client.get("/accounts/"))


def test_the_row_of_a_deletion_is_never_changed_and_outlives_the_account_without_its_name():
    made, sven = cast.tournament(owner=cast.someone_else(), name="For sven@example.org"), cast.someone_else()
    delete_tournament(tournament=made, name=made.name, by=sven)
    row = AccountLogEntry.objects.get()
    with pytest.raises(TypeError):
        row.save()
    close_account(user=sven)
    row = AccountLogEntry.objects.get()
    assert row.old["tournament"] == "For Closed account" and str(row.by) == "Closed account"


def test_a_manifest_from_before_a_deletion_is_no_fault(tmp_path, capsys):
    made = cast.tournament()
    kept = tmp_path / "manifest.json"
    kept.write_text(json.dumps({anchors.LOGS: anchors.ends()}))
    number = made.log_head.number
    delete_tournament(tournament=made, name=made.name, by=made.owner)
    call_command("audit", "verify", manifest=kept)
    assert f"autumn-pairs: deleted on {timezone.now():%Y-%m-%d}, with {number} entries" in capsys.readouterr().out


def test_whoever_waited_for_a_tournament_that_was_deleted_finds_no_such_page(olga):
    made = cast.tournament()
    delete_tournament(tournament=made, name=made.name, by=made.owner)
    with pytest.raises(Gone):
        start(tournament=made, by=made.owner)
    with pytest.raises(Gone):
        add_entries(tournament=made, players=cast.people(2), by=made.owner)


# Over the API.


def asked(program, made, *, key="", **query):
    return program.ask("delete", f"/api/v1/tournaments/{made.slug}/?{urlencode(query)}", key=key)


def test_a_program_deletes_by_the_name_and_the_same_key_is_answered_again():
    made = cast.tournament()
    program = Program(made.owner)
    missing = asked(program, made)
    assert missing.status_code == 422 and missing.json()["errors"][0]["field"] == "name"
    assert asked(program, made, name="Other", key="k1").status_code == 422
    assert asked(program, made, name="autumn pairs", key="k1").status_code == 204
    again = asked(program, made, name="autumn pairs", key="k1")
    assert again.status_code == 204 and again.headers["Idempotency-Replayed"] == "true"
    assert asked(program, made, name="other", key="k1").json()["code"] == "key-reused"
    assert asked(program, made, name="autumn pairs", key="k2").status_code == 404
    assert AccountLogEntry.objects.count() == 1


def test_a_program_of_an_organiser_or_with_a_token_that_only_reads_deletes_nothing():
    made, sven = cast.tournament(), cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.ORGANISER)
    assert asked(Program(sven), made, name=made.name).status_code == 404
    assert asked(Program(made.owner, scope="read"), made, name=made.name).status_code == 403
    assert asked(Program(), made, name=made.name).status_code == 401
    start(tournament=made, by=made.owner)
    stays = asked(Program(made.owner), made, name=made.name)
    assert stays.status_code == 409 and stays.json()["code"] == "published"
    assert Tournament.objects.exists()


def test_a_casual_table_is_not_deleted_or_called_off_by_hand():
    made = cast.tournament(players=2, format="points", rounds=1)
    Tournament.objects.update(kind=Tournament.Kind.CASUAL)
    with pytest.raises(Conflict, match="closes when everyone has left"):
        delete_tournament(tournament=made, name=made.name, by=made.owner)
    with pytest.raises(Conflict, match="closes when everyone has left"):
        call_off(tournament=made, reason="No hall", by=made.owner)
