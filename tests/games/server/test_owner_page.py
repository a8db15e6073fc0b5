"""The owner's page: who sees it, blocking accounts, the sign-up switch, backups."""

import os
import re
import zipfile
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from config import health
from config.variables import check
from config.variables.read import Machine
from engine.sentences import sentence
from games.service import backups
from games.service.file_lock import only_process
from league.access.server import set_sign_up
from league.accounts.block import block_account, unblock_account
from league.accounts.tokens import make_token
from league.lib.errors import Refused
from league.models import AccountLogEntry, Job, Server, User
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def vera() -> User:
    return User.objects.create_superuser("vera@example.org", cast.PASSWORD, name="Vera")


@pytest.fixture
def owner(vera: User) -> Client:
    return signed_in("vera@example.org")


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    settings.SIGN_UP_OPEN = None
    return tmp_path


def signed_in(email: str) -> Client:
    client = Client()
    answer = client.post("/accounts/login/", {"login": email, "password": cast.PASSWORD})
    assert answer.status_code == 302, said(answer)
    return client


def page(client: Client, path: str = "/server/", **query: str) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return said(answer)


def test_only_an_owner_has_the_page_and_the_way_to_it(owner: Client) -> None:
    olga = Client()
    olga.force_login(cast.organiser())
    assert (olga.get("/server/").status_code, Client().get("/server/").status_code) == (404, 404)
    assert 'href="/server/"' in owner.get("/").content.decode()
    assert 'href="/server/"' in owner.get("/accounts/").content.decode()
    assert 'href="/server/"' not in olga.get("/").content.decode()


def test_a_server_with_nothing_shows_what_is_empty(owner: Client) -> None:
    text = page(owner)
    assert "Needs you" not in text
    assert "No job is waiting." in text
    assert "There is no backup in the data folder yet." in text
    assert "Vera" in text and "Owner" in text


def test_an_account_is_found_by_name_and_e_mail_with_what_it_owns(owner: Client) -> None:
    cast.tournament(club=cast.club())
    cast.someone_else()
    assert "olga@example.org. 1 club, 1 tournament" in page(owner, q="olg")
    assert "Sven" not in page(owner, q="olga@example")
    olga = cast.organiser()
    text = page(owner, f"/server/accounts/{olga.pk}/")
    assert "Autumn Pairs" in text and "Block this account" in text
    assert "No club and no tournament." in page(owner, f"/server/accounts/{cast.someone_else().pk}/")


def test_a_blocked_account_is_out_at_once_and_its_tournaments_stay(owner: Client) -> None:
    made = cast.tournament()
    olga = signed_in("olga@example.org")
    _token, secret = make_token(user=made.owner)
    block = f"/server/accounts/{made.owner.pk}/block/"
    assert "Block this account?" in page(owner, block)
    assert olga.get("/accounts/").status_code == 200
    text = said(owner.post(block, follow=True))
    assert "Olga is blocked." in text and "Undo" in text
    assert olga.get("/accounts/").status_code == 302
    api = Client().get("/api/v1/tournaments/", headers={"Authorization": f"Token {secret}"})
    assert api.status_code == 401
    answer = Client().post("/accounts/login/", {"login": "olga@example.org", "password": cast.PASSWORD})
    assert answer["Location"] == "/accounts/inactive/"
    assert Client().get(f"/t/{made.slug}/").status_code == 200
    assert "Olga" in page(owner, view="blocked")
    assert "No match." in page(owner, view="blocked", q="Vera")


def test_undo_lets_a_blocked_account_in_again_but_not_its_old_session(owner: Client) -> None:
    user = cast.organiser()
    olga = signed_in("olga@example.org")
    html = owner.post(f"/server/accounts/{user.pk}/block/", follow=True).content.decode()
    undo = re.search(r'action="(/server/accounts/\d+/unblock/)"', html)
    assert undo
    assert "Olga can sign in again." in said(owner.post(undo[1], follow=True))
    assert olga.get("/accounts/").status_code == 302
    assert signed_in("olga@example.org").get("/accounts/").status_code == 200
    assert list(user.log.values_list("action", flat=True)) == [AccountLogEntry.UNBLOCK, AccountLogEntry.BLOCK]
    assert "Deleted tournaments" not in page(signed_in("olga@example.org"), "/accounts/")


def test_an_owner_blocks_neither_their_own_account_nor_the_last_owner(owner: Client, vera: User) -> None:
    answer = owner.post(f"/server/accounts/{vera.pk}/block/")
    assert answer.status_code == 409 and "You can’t block your own account." in said(answer)
    with pytest.raises(Refused, match="last owner"):
        block_account(user=vera, by=None)
    second = User.objects.create_superuser("root@example.org", cast.PASSWORD)
    assert block_account(user=second, by=vera)
    with pytest.raises(Refused, match="last owner"):
        block_account(user=vera, by=None)
    assert unblock_account(user=second, by=vera) and block_account(user=vera, by=second)
    assert owner.get("/server/").status_code == 404


def test_the_switch_opens_and_closes_sign_up(owner: Client) -> None:
    assert "No new accounts Ask Vera, who runs this server" in page(Client(), "/accounts/signup/")
    assert "Ask Vera" in page(Client(), "/accounts/login/")
    assert "Open sign-up" in page(owner)
    assert "Sign-up is open." in said(owner.post("/server/sign-up/", {"open": "yes"}, follow=True))
    assert "Create an account" in page(Client(), "/accounts/login/")
    assert Client().get("/accounts/signup/").content.count(b"password2")
    assert "Sign-up is closed." in said(owner.post("/server/sign-up/", {"open": "no"}, follow=True))


def test_a_setting_of_the_machine_overrides_the_switch_and_the_page_says_so(owner: Client, settings: Any) -> None:
    settings.SIGN_UP_OPEN = False
    set_sign_up(is_open=True)
    text = page(owner)
    assert "WILD_SIGNUP decides this" in text and "Close sign-up" not in text
    assert "WILD_SIGNUP decides" in said(owner.post("/server/sign-up/", {"open": "no"}, follow=True))
    assert Server.objects.get().sign_up_open
    assert "No new accounts" in page(Client(), "/accounts/signup/")


def test_a_backup_is_made_once_and_downloaded_after_the_password(owner: Client, data: Path) -> None:
    for _tap in range(2):
        assert "The backup is ready." in said(owner.post("/server/backups/", follow=True))
    [file] = (data / "backups").glob("*.zip")
    assert zipfile.is_zipfile(file) and file.stat().st_mode & 0o777 == 0o600
    # With the attribute `download`, browsers would save the page that asks for the password.
    [link] = re.findall(r'<a class="btn" href="([^"]*)">Download', owner.get("/server/").content.decode())
    refused = owner.get(link)["Location"]
    assert refused == f"/accounts/reauthenticate/?{urlencode({'next': link})}"
    assert owner.get(f"/server/backups/{file.name}")["Location"].startswith("/accounts/reauthenticate/")
    answer = owner.post(refused, {"password": cast.PASSWORD, "next": link}, follow=True)
    assert "The download starts." in said(answer)
    fetched = owner.get(answer["Refresh"].removeprefix("0; url="))
    assert fetched.getvalue() == file.read_bytes()
    assert fetched["Content-Disposition"] == f'attachment; filename="{file.name}"'
    assert owner.get("/server/?download=secret_key").status_code == 404
    (data / "secret_key").write_text("x")
    assert owner.get("/server/backups/secret_key").status_code == 404
    (file.parent / "before-1.0.0.zip").write_bytes(b"x")
    (file.parent / "wild-2026-11-24-120000.zip").write_bytes(b"x")
    text = page(owner)
    assert "Before 1.0.0, 1 byte" in text and "Daily, 1 byte" in text and "By hand, " in text


def test_a_backup_that_cannot_be_written_says_why(owner: Client, data: Path) -> None:
    (data / "backups").write_text("a file")
    text = said(owner.post("/server/backups/", follow=True))
    assert "The folder of backups can’t be used: File exists." in text


def test_a_backup_made_by_hand_stays_until_the_owner_deletes_it(owner: Client, data: Path, settings: Any) -> None:
    settings.BACKUPS = 1
    owner.post("/server/backups/")
    [file] = (data / "backups").glob("backup-*-by-hand.zip")
    backups.back_up_now(timezone.now())
    backups.back_up_now(timezone.now() + timedelta(seconds=1))
    assert file.exists()
    [daily] = (data / "backups").glob("wild-*.zip")
    assert "Delete this backup?" in page(owner, f"/server/backups/{file.name}/delete/") and file.exists()
    for _tap in range(2):
        assert "There is no backup" not in said(owner.post(f"/server/backups/{file.name}/delete/", follow=True))
        assert not file.exists()
    answer = owner.post(f"/server/backups/{daily.name}/delete/")
    assert answer.status_code == 409 and "Old daily backups are deleted automatically." in said(answer)
    assert daily.exists()


def test_a_backup_waits_for_the_one_that_is_being_written(owner: Client, data: Path) -> None:
    (data / "backups").mkdir()
    with only_process(data / "backups" / ".lock", wait=False):
        assert "A backup is being written." in said(owner.post("/server/backups/", follow=True))
    assert not list((data / "backups").glob("*.zip"))


def test_old_backups_need_the_owner_and_any_backup_of_ours_is_enough(owner: Client, data: Path, settings: Any) -> None:
    settings.BACKUPS = 14  # the tests' servers write none
    (data / "backups").mkdir()
    for name, days in [("wild-2026-11-24-120000.zip", 3), ("copy.zip", 0)]:
        (data / "backups" / name).write_bytes(b"x")
        at = (timezone.now() - timedelta(days=days)).timestamp()
        os.utime(data / "backups" / name, (at, at))
    assert "The newest backup is 3 days old" in page(owner)
    owner.post("/server/backups/")
    assert "The newest backup" not in page(owner)


def test_failed_jobs_and_checks_need_the_owner(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made = cast.tournament()
    Job.objects.create(kind="export", tournament=made, state=Job.State.FAILED, reason="The disk is full.")
    Job.objects.create(kind="export", tournament=made)
    monkeypatch.setattr("config.health.results", lambda: {"database": None, "broker": sentence("Redis is away.")})
    text = page(owner)
    assert "1 background job failed" in text and "The disk is full." in text and "1 job is waiting." in text
    assert "Redis is away." in text and "Needs you 2" in text


def test_data_that_would_go_with_its_container_needs_the_owner(owner: Client, settings: Any) -> None:
    assert "--volume" not in page(owner)
    settings.DATA_RISK = "unnamed"
    assert "start the container with a named volume: --volume wild:/data" in page(owner)


def test_the_settings_are_checked_on_a_page_too(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    report = SimpleNamespace(faults=[sentence("REDIS_URL leads nowhere")], warnings=["W001: WILD_HTTPS is not set"])
    monkeypatch.setattr("config.variables.check.findings_now", lambda: report)
    assert "REDIS_URL leads nowhere. Fault W001: WILD_HTTPS is not set. Warning" in page(owner, "/server/settings/")
    report.faults = report.warnings = []
    assert "There is no fault in the settings." in page(owner, "/server/settings/")


def test_checks_speak_the_owners_language_and_the_shell_english(
    owner: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = Machine({"WILD_DATA": str(tmp_path), "WILD_STREAMS": "many", "WILD_EMAIL_URL": "smtp://mail:x"})
    report = check.Findings([*machine.faults()], ["W001: Django speaks English"])
    monkeypatch.setattr("config.variables.check.findings_now", lambda: report)
    monkeypatch.setattr(health.heartbeats, "dead_parts", lambda: ["jobs"])
    owner.cookies["django_language"] = "fr"
    html = owner.get("/server/settings/").content.decode()
    assert "WILD_STREAMS attend un nombre entier, pas « many »." in html.replace("\xa0", " ")
    assert "WILD_EMAIL_URL a besoin de nombres entiers" in html and "%2F" in html
    assert '<span class="main" lang="en">W001: Django speaks English.</span>' in html
    assert "Aucun processus de travail ne prend les appels de : jobs." in page(owner).replace("\xa0", " ")
    assert str(report.faults[0]).startswith("WILD_EMAIL_URL needs whole numbers")


def test_the_verb_lists_blocks_unblocks_and_makes_owners(vera: User, capsys: pytest.CaptureFixture[str]) -> None:
    cast.organiser()
    call_command("users", "list")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["olga@example.org", "account"], ["vera@example.org", "owner"]]
    call_command("users", "block", "Olga@example.org")
    assert "olga@example.org is blocked." in capsys.readouterr().out
    call_command("users", "list")
    assert "blocked" in capsys.readouterr().out
    call_command("users", "unblock", "olga@example.org")
    call_command("users", "owner", "olga@example.org")
    assert "olga@example.org owns this server now." in capsys.readouterr().out
    assert cast.organiser().is_superuser
    call_command("users", "owner", "olga@example.org")
    assert "olga@example.org owns this server already." in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("block", "nina@example.org"), "There is no account nina@example.org."),
        (("block",), "Name the account: users block EMAIL."),
        (("block", "vera@example.org"), "This is the last owner of the server."),
        (("owner", "nonsense"), "“nonsense” is no e-mail address."),
    ],
)
def test_the_verb_refuses_with_a_sentence(vera: User, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises((CommandError, Refused), match=re.escape(sentence)):
        call_command("users", *arguments)


def test_a_new_owner_gets_a_link_that_sets_the_password_once(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("users", "owner", "nina@example.org")
    link = re.search(r"^(/accounts/password/reset/key/\S+)", capsys.readouterr().out, re.M)
    assert link
    client = Client()
    path = client.get(link[1])["Location"]
    assert client.post(path, {"password1": cast.PASSWORD, "password2": cast.PASSWORD}).status_code == 302
    assert signed_in("nina@example.org").get("/server/").status_code == 200
    assert "Invalid link" in said(Client().get(link[1], follow=True))
