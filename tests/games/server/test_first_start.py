"""The first start of a server: the link in the terminal, the first owner, and a backup that is restored."""

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as used_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games.server import first_start
from games.service.backup import back_up
from games.service.demo import ensure_demo, remove_demo
from league.accounts.first_link import begin_restore, check_link, new_link
from league.accounts.tokens import make_token
from league.lib.errors import Conflict
from league.models import FirstLink, Server, Tournament, User
from tests import cast
from tests.games.pages import said
from tests.served import Served, Visitor, migrated, together

pytestmark = pytest.mark.django_db

VERA = {"name": "Vera", "email": "Vera@example.org", "password": cast.PASSWORD}


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    settings.SIGN_UP_OPEN = None
    return tmp_path


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_start, "in_background", lambda work, *args: work(*args))


@pytest.fixture
def secret() -> str:
    made = new_link()
    assert made
    return made


def page(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return said(answer)


def test_the_home_page_of_a_new_server_only_says_where_the_link_is(client: Client) -> None:
    text = page(client, "/")
    assert "Open the link from the terminal" in text and "first-start-link" in text
    assert "Sign in" not in text and "Play" not in text
    assert "Ouvrez le lien" in said(client.get("/", headers={"Accept-Language": "fr"}))
    assert "Abre el enlace" in said(client.get("/", headers={"Accept-Language": "es"}))
    assert "No new accounts" in page(client, "/accounts/signup/")


def test_an_account_of_a_program_is_no_owner(client: Client) -> None:
    make_token(user=cast.organiser())
    assert "Open the link from the terminal" in page(client, "/")
    assert new_link()


def test_a_server_with_demo_data_shows_it_and_lets_people_sign_up(client: Client, secret: str) -> None:
    Server.objects.create(pk=Server.ROW, sign_up_open=True)  # as ensure_demo does
    assert "No tournaments yet." in page(client, "/")
    assert "Create an account" in page(client, "/accounts/signup/")
    assert "Become the owner" in page(client, f"/setup/{secret}/")


@pytest.mark.slow
def test_a_server_is_new_again_when_the_demo_is_removed(client: Client) -> None:
    ensure_demo()
    assert "Open the link" not in page(client, "/") and "Create an account" in page(client, "/accounts/signup/")
    remove_demo()
    assert "Open the link from the terminal" in page(client, "/")


def test_the_link_makes_one_owner_who_is_signed_in(client: Client, secret: str, data: Path) -> None:
    (data / first_start.FILE).write_text("x")
    answer = client.post(f"/setup/{secret}/", VERA, follow=True)
    text = said(answer)
    assert "This server is yours." in text and "New tournament" in text
    vera = User.objects.get()
    assert (vera.email, vera.is_superuser, str(vera)) == ("vera@example.org", True, "Vera")
    assert "Sign-up is closed" in text and page(client, "/server/")
    assert not (data / first_start.FILE).exists()
    assert vera.check_password(cast.PASSWORD)
    again = Client().post(f"/setup/{secret}/", VERA | {"email": "eve@example.org"})
    assert again.status_code == 409 and "This server has an owner already." in said(again)
    vera.delete()  # the link still works only once
    assert "This link doesn’t work." in page(Client(), f"/setup/{secret}/", 409)


def test_what_was_typed_stays_and_each_fault_is_a_sentence(client: Client, secret: str) -> None:
    cast.organiser()
    answer = client.post(f"/setup/{secret}/", VERA | {"password": "12345"})
    assert answer.status_code == 422 and b'value="Vera@example.org"' in answer.content
    assert "too short" in said(answer)
    answer = client.post(f"/setup/{secret}/", VERA | {"email": "olga@example.org"})
    assert answer.status_code == 422 and "This address has an account." in said(answer)
    assert not cast.organiser().is_superuser


def test_a_link_ends_after_24_hours_and_when_a_newer_start_makes_another(client: Client, secret: str) -> None:
    FirstLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "This link has expired after 24 hours." in page(client, f"/setup/{secret}/", 409)
    assert client.post(f"/setup/{secret}/", VERA).status_code == 409
    newer = new_link()
    assert "This link doesn’t work." in page(client, f"/setup/{secret}/", 409)
    assert "Become the owner" in page(client, f"/setup/{newer}/")
    assert not User.objects.exists()


def test_the_database_has_only_a_hash_of_the_link(secret: str) -> None:
    assert secret not in repr(FirstLink.objects.values())
    assert check_link(secret)


NAMED = {"LOCAL_HOSTS_ONLY": False, "ALLOWED_HOSTS": ["cards.example"]}


@pytest.mark.parametrize(
    ("known", "address"),
    [
        ({}, ""),  # only `serve` knows its port
        (NAMED, ""),
        (NAMED | {"HTTPS": True}, "https://cards.example"),
        ({"PUBLIC_ORIGIN": "http://cards.example:8080"}, "http://cards.example:8080"),
    ],
)
def test_commands_print_a_path_if_they_do_not_know_the_address(
    settings: Any, capsys: pytest.CaptureFixture[str], known: dict[str, Any], address: str
) -> None:
    for name, value in known.items():
        setattr(settings, name, value)
    call_command("users", "setup-link")
    sentence, link, _file = capsys.readouterr().out.splitlines()
    assert f"Open this {'link' if address else 'path at its address'} to set it up;" in sentence
    assert link.startswith(f"{address}/setup/")
    call_command("users", "owner", "nina@example.org")
    _owner, sentence, link = capsys.readouterr().out.splitlines()
    assert sentence.startswith("This link" if address else "This path at the server’s address")
    assert link.startswith(f"{address}/accounts/")


def test_no_link_is_told_once_there_is_an_owner(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("users", "setup-link")
    link = re.search(r"^/setup/([\w-]+)/$", capsys.readouterr().out, re.MULTILINE)
    assert link and (data / first_start.FILE).read_text() == f"{link[0]}\n"
    assert (data / first_start.FILE).stat().st_mode & 0o777 == 0o600
    User.objects.create_superuser("vera@example.org", cast.PASSWORD)
    with pytest.raises(CommandError, match="has an owner already"):
        call_command("users", "setup-link")
    call_command("users", "setup-link", "--at-start")
    assert capsys.readouterr().out == "" and not (data / first_start.FILE).exists()
    with pytest.raises(Conflict, match="has an owner"):
        check_link(link[1])


def test_a_json_log_has_the_link_only_if_a_setting_says_so(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    settings.LOG_AS_JSON = True
    call_command("users", "setup-link", "--at-start")
    told = capsys.readouterr()
    assert "/setup/" not in told.out + told.err and first_start.FILE in told.out
    settings.PRINT_LINK = True
    call_command("users", "setup-link", "--at-start")
    assert "/setup/" in json.loads(capsys.readouterr().err)["link"]


def backup_of_a_server(folder: Path, *, with_owner: bool = True) -> bytes:
    """A backup with one event and its owner, who owns the server too; nothing of it stays in the database."""
    if with_owner:
        User.objects.create_superuser("vera@example.org", cast.PASSWORD, name="Vera")
    Server.objects.create(pk=Server.ROW, sign_up_open=True)
    User.objects.create_user("olga@example.org", cast.PASSWORD, name="Olga")
    back_up(folder / "other.zip")
    User.objects.all().delete()
    Server.objects.all().delete()
    return (folder / "other.zip").read_bytes()


def send(client: Client, secret: str, content: bytes, name: str = "wild.zip") -> Any:
    file = SimpleUploadedFile(name, content)
    return client.post(f"/setup/{secret}/restore/", {"backup": file}, follow=True)


def test_a_restored_backup_brings_its_owner_who_signs_in(client: Client, secret: str, tmp_path: Path) -> None:
    content = backup_of_a_server(tmp_path)
    answer = send(client, secret, content)
    assert "The backup is restored. Sign in as the owner that it has." in said(answer)
    assert set(User.objects.values_list("email", "is_superuser")) == {
        ("vera@example.org", True),
        ("olga@example.org", False),
    }
    assert "Create an account" in page(client, "/accounts/signup/")
    assert client.post("/accounts/login/", {"login": "vera@example.org", "password": cast.PASSWORD}).status_code == 302
    assert "This server has an owner already." in page(Client(), f"/setup/{secret}/", 409)
    assert not list(tmp_path.glob("upload.*"))


def test_a_backup_without_an_owner_leaves_the_link_open_for_one(client: Client, secret: str, tmp_path: Path) -> None:
    text = said(send(client, secret, backup_of_a_server(tmp_path, with_owner=False)))
    assert "No account in it owns this server" in text and "Restore a backup" not in text
    assert "This server is yours." in said(client.post(f"/setup/{secret}/", VERA, follow=True))


def damaged(content: bytes) -> bytes:
    """With one byte of a part changed, and its checksum too."""
    source, made = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(made, "w") as target:
        for name in source.namelist():
            text = source.read(name)
            target.writestr(name, text.replace(b"Olga", b"Eve!") if name == "league.user.jsonl" else text)
    return made.getvalue()


def test_each_refused_backup_is_a_sentence_and_changes_nothing(client: Client, secret: str, tmp_path: Path) -> None:
    content = backup_of_a_server(tmp_path)
    for wrong in (b"", b"no zip", damaged(content)):
        answer = send(client, secret, wrong, "my.zip")
        assert answer.status_code == 422
        assert "my.zip isn’t a Wild League backup, or it is damaged." in said(answer)
    answer = client.post(f"/setup/{secret}/restore/")
    assert answer.status_code == 422 and "Choose the file of a backup first." in said(answer)
    cast.organiser()
    assert "The database isn’t empty (users)." in said(send(client, secret, content))
    assert User.objects.count() == 1 and not list(tmp_path.glob("upload.*"))
    assert send(client, "another-link", content).status_code == 409


def test_while_a_backup_is_restored_another_tab_changes_nothing(client: Client, secret: str, tmp_path: Path) -> None:
    content = backup_of_a_server(tmp_path)
    begin_restore(secret)
    assert "Restoring the backup" in said(client.get(f"/setup/{secret}/", follow=True))
    for answer in (client.post(f"/setup/{secret}/", VERA), send(client, secret, content)):
        assert answer.status_code == 409 and "A backup is being restored." in said(answer)
    assert not User.objects.exists()
    FirstLink.objects.update(restoring_since=timezone.now() - timedelta(minutes=31))  # its process was killed
    assert "The backup is restored." in said(send(client, secret, content))


def test_a_restore_that_fails_says_so_and_can_be_tried_again(
    client: Client, secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    content = backup_of_a_server(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr("games.service.older_backup.restore", lambda path: 1 // 0)
        assert "The backup couldn’t be restored, and nothing was changed." in said(send(client, secret, content))
    assert "A backup could not be restored" in caplog.text
    assert "The backup is restored." in said(send(client, secret, content))


# On servers that run.


@pytest.fixture
def server(tmp_path: Path) -> Any:
    served = Served(tmp_path, is_new=True)
    yield served
    served.stop()


@pytest.fixture
def on_postgres(tmp_path: Path, postgres_url: str) -> Any:
    served = Served(tmp_path, postgres_url, is_new=True)
    yield served
    served.stop()


def visitor_of(served: Any, path: str) -> Visitor:
    visitor = Visitor(served.port)
    assert visitor.get(path)[0] == 200
    return visitor


@pytest.mark.slow
@pytest.mark.parametrize("database", ["server", "on_postgres"])
def test_of_two_tabs_that_set_up_a_server_at_once_one_is_the_owner(
    database: str, request: pytest.FixtureRequest, programs: None
) -> None:
    server = request.getfixturevalue(database)
    server.start()
    path = (Path(server.environment["WILD_DATA"]) / first_start.FILE).read_text().strip()
    path = path[path.index("/setup/") :]
    tabs = [visitor_of(server, path) for _tab in range(2)]
    answers = together(
        *(
            lambda tab=tab, at=at: tab.post(path, VERA | {"email": f"vera{at}@example.org"})
            for at, tab in enumerate(tabs)
        )
    )
    assert sorted(status for status, _text in answers) == [302, 409]
    assert "This server has an owner already." in next(text for status, text in answers if status == 409)
    owners = server.prepare(["from league.models import User", "print(json.dumps(User.objects.count()))"])
    assert owners == 1


@pytest.mark.slow
def test_a_large_backup_is_taken_through_the_link_alone(server: Any, tmp_path: Path, programs: None) -> None:
    """Larger than other bodies may be, from a server of its own."""
    other = tmp_path / "other"
    other.mkdir()
    source = Served(other)
    source.prepare(
        [
            "from games.service.backup import back_up; from pathlib import Path",
            "from league.models import User, Job",
            f"User.objects.create_superuser('vera@example.org', {cast.PASSWORD!r})",
            "Job.objects.create(kind='export', tournament=cast.tournament(), result=os.urandom(4_000_000))",
            f"back_up(Path({str(other)!r}) / 'big.zip'); print(1)",
        ]
    )
    content = (other / "big.zip").read_bytes()
    assert len(content) > 3_000_000
    server.start()
    link = (Path(server.environment["WILD_DATA"]) / first_start.FILE).read_text().strip()
    visitor = visitor_of(server, link[link.index("/setup/") :])
    assert upload(visitor, "/setup/another-link/restore/", content) == 413
    path = f"{link[link.index('/setup/') :]}restore/"
    assert upload(visitor, path, content) == 302
    for _look in range(200):
        if visitor.get(path)[0] == 302:
            break
    count = "print(json.dumps([User.objects.count(), Tournament.objects.count()]))"
    counted = server.prepare(["from league.models import Tournament, User", count])
    assert counted == [2, 1]


def upload(visitor: Visitor, path: str, content: bytes) -> int:
    mark = "----mark"
    body = (
        f'--{mark}\r\nContent-Disposition: form-data; name="backup"; filename="b.zip"\r\n\r\n'.encode()
        + content
        + f"\r\n--{mark}--\r\n".encode()
    )
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=60)
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}", "Cookie": cookies}
    headers["X-CSRFToken"] = visitor.cookies["csrftoken"]
    try:
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    except ConnectionError:
        return 413  # refused before all was sent
    finally:
        connection.close()


@pytest.mark.slow
def test_the_verb_migrate_tells_the_link_and_a_server_in_use_keeps_its_sign_up(tmp_path: Path, programs: None) -> None:
    environment = os.environ | {"WILD_DATA": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3"}
    command = [sys.executable, "-m", "config.verbs", "migrate", "--verbosity=0"]
    done = subprocess.run(command, env=environment, cwd=used_settings.BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0 and "/setup/" in done.stdout, done.stderr
    assert migrated().exists() and not Tournament.objects.exists()
