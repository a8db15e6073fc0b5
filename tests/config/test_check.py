"""`wild-league check`: every fault is a sentence that names its setting."""

import os
import socket
import subprocess
import sys
import threading

import pytest
from django.conf import settings

from config.variables import services
from config.variables.check import lines_of
from config.variables.read import Machine
from tests.served import migrated


def faults(tmp_path, **environ):
    return [str(fault) for fault in services.faults(Machine({"WILD_DATA": str(tmp_path)} | environ))]


def check(data, **variables):
    """Run the command, and return its exit code and lines."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("WILD_", "DATABASE_"))}
    done = subprocess.run(
        [sys.executable, "-m", "config.verbs", "check"],
        env=environment | {"WILD_DATA": str(data)} | variables,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.fixture
def mail_server():
    """The port of a mail server that refuses every login."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        with listener.accept()[0] as connection, connection.makefile("rw", newline="") as lines:
            lines.write("220 mail\r\n")
            lines.flush()
            for line in lines:
                answers = {"ehlo": "250-mail\r\n250 AUTH PLAIN\r\n", "AUTH": "535 refused\r\n"}
                lines.write(answers.get(line.split()[0], "221 bye\r\n"))
                lines.flush()

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    listener.close()


def test_a_data_folder_that_is_a_file_is_a_fault(tmp_path):
    (tmp_path / "taken").write_text("")
    [sentence] = faults(tmp_path / "taken" / "data")
    assert sentence.startswith(f"WILD_DATA: the data folder {tmp_path}/taken/data cannot be used: {tmp_path}/taken is")


@pytest.mark.parametrize(
    ("name", "value", "start"),
    [
        ("DATABASE_URL", "postgres://u:hidden@127.0.0.1:1/wild", "DATABASE_URL: the database does not answer: "),
        ("REDIS_URL", "redis://:hidden@127.0.0.1:1/0", "REDIS_URL: Redis does not answer: "),
        ("WILD_EMAIL_URL", "smtp://u:hidden@127.0.0.1:1/", "WILD_EMAIL_URL: the mail server 127.0.0.1:1 does not"),
    ],
)  # fmt: skip
def test_a_service_that_does_not_answer_is_a_fault_without_its_password(name, value, start, tmp_path):
    [sentence] = faults(tmp_path, **{name: value})
    assert sentence.startswith(start)
    assert "hidden" not in sentence


def test_a_database_file_that_is_none_is_a_fault(tmp_path):
    (tmp_path / "wild.sqlite3").write_text("not a database, but a text of some length " * 50)
    [sentence] = faults(tmp_path)
    assert sentence == (f"DATABASE_URL: the database {tmp_path}/wild.sqlite3 cannot be used: file is not a database")


def test_a_mail_server_that_refuses_the_login_is_a_fault(mail_server, tmp_path):
    assert faults(tmp_path, WILD_EMAIL_URL=f"smtp://u:hidden@127.0.0.1:{mail_server}/") == [
        f"WILD_EMAIL_URL: the mail server 127.0.0.1:{mail_server} refuses user or password"
    ]


def test_what_is_set_is_listed_with_its_source_and_secrets_are_masked(tmp_path):
    (tmp_path / "key").write_text("hidden")
    (tmp_path / "wild.toml").write_text("WILD_STREAMS = 50\n")
    environ = {"WILD_DATA": str(tmp_path), "WILD_SECRET_KEY_FILE": str(tmp_path / "key"), "WILD_HTTPS": "1"}
    assert list(lines_of(Machine(environ))) == [
        f"Data folder: {tmp_path}",
        "  WILD_SECRET_KEY  (secret)  from WILD_SECRET_KEY_FILE",
        "  WILD_HTTPS       1         from the environment",
        "  WILD_STREAMS     50        from wild.toml",
        "All others have their usual values.",
    ]


@pytest.mark.slow
def test_faulty_settings_are_reported_with_all_other_faults(tmp_path):
    code, lines = check(
        tmp_path, WILD_STREAMS="many", WILD_SINGUP="0", REDIS_URL="redis://127.0.0.1:1/", DATABASE_URL="postgress://x"
    )
    assert code == 1
    told = [line for line in lines if line.startswith(("Fault", "Warning"))]
    assert len(told) == 4
    assert told[0].startswith("Fault: DATABASE_URL is not an address of PostgreSQL or SQLite")
    assert told[1] == "Fault: WILD_STREAMS takes a whole number, not “many”."
    assert told[2].startswith("Fault: REDIS_URL: Redis does not answer: ")
    assert told[3] == "Warning: WILD_SINGUP is not a setting, so it has no effect; the nearest is WILD_SIGNUP."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_database_that_lacks_migrations_is_a_fault_and_a_complete_one_is_none(tmp_path):
    database = tmp_path / "wild.sqlite3"
    database.write_bytes(migrated().read_bytes())
    code, lines = check(tmp_path)
    assert (code, lines[-1]) == (0, "No faults.")
    database.write_bytes(b"")
    code, lines = check(tmp_path)
    assert code == 1
    assert any(line.endswith("migrations: run “wild-league migrate”.") for line in lines)


@pytest.mark.slow
def test_https_and_e_mail_without_a_public_address_are_faults(tmp_path):
    code, lines = check(tmp_path, WILD_HTTPS="1", WILD_EMAIL_URL="smtp://127.0.0.1:1/")
    assert code == 1
    assert any(line.startswith("Fault: WILD_HTTPS is set without the host that visitors use") for line in lines)
    assert "Fault: WILD_EMAIL_URL is set, but no e-mail leaves until WILD_URL names the public address." in lines
