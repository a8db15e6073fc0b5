"""The service as a process of its own, and people who visit it: for tests of what happens at the same moment, or after
the process was killed."""

import contextlib
import fcntl
import http.client
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings

from tests import cast
from tests.postgres import PostgresServer

SHARED = "WILD_TEST_SHARED"  # the folder that the workers of a run share


def migrate(folder: Path, database_url: str = "") -> None:
    """Bring the database at `database_url` up to date; without one, make it in `folder`."""
    environment = os.environ | {"WILD_DATA": str(folder), "DATABASE_URL": database_url}
    command = [sys.executable, settings.BASE_DIR / "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=True)


@contextmanager
def made_by_the_first(name: str) -> Iterator[Path]:
    """A file of all workers of a run: whoever comes first, and finds none, makes it while the others wait."""
    folder = Path(os.environ[SHARED])
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name


@cache
def migrated() -> Path:
    """An SQLite database with the tables and nothing in them, to be copied: making one takes some seconds."""
    with made_by_the_first("wild.sqlite3") as made:
        if not made.exists():
            migrate(settings.DATA_DIR / "migrated")
            shutil.copy(settings.DATA_DIR / "migrated" / "wild.sqlite3", made)
    return made


def migrated_on(server: PostgresServer) -> str:
    """The address of a new PostgreSQL database with the tables and nothing in them."""
    url = server.new_database()
    with made_by_the_first("wild.sql") as made:
        if not made.exists():
            migrate(settings.DATA_DIR, url)
            server.run("pg_dump", "--no-owner", f"--file={made}", url)
            return url
    server.run("psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--file={made}", url)
    return url


class Served:
    """`manage.py serve` on a folder, with its database there or at `database_url`, which has its tables already.

    is_new: no one has set the server up yet; else people can sign up.
    """

    def __init__(self, data, database_url="", *, is_new=False):
        environment = os.environ | {"WILD_DATA": str(data), "PYTHONUNBUFFERED": "1", "DATABASE_URL": database_url}
        if not database_url:
            del environment["DATABASE_URL"]
            shutil.copy(migrated(), data)
            if not is_new:
                with contextlib.closing(sqlite3.connect(data / "wild.sqlite3", isolation_level=None)) as database:
                    database.execute("INSERT INTO league_server (id, sign_up_open) VALUES (1, true)")
        self.environment = environment
        self.errors = data / "errors"
        self.process = None

    def prepare(self, python):
        """Run some lines of Python on the database, with the cast at hand, and return what they print."""
        lines = (
            "import json, os",
            "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'",
            "import django; django.setup()",
            "from tests import cast; from league.rounds.steps import start",
            *python,
        )
        command = [sys.executable, "-c", "\n".join(lines)]
        done = subprocess.run(command, env=self.environment, cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    def start(self):
        command = [sys.executable, settings.BASE_DIR / "manage.py", "serve", "--no-demo", "--port", "0"]
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        while not (line := self.process.stdout.readline()).startswith("Wild League is at http://"):
            assert line, self.errors.read_text()
        self.port = int(line.split()[4].rstrip("/").rpartition(":")[2])
        return self

    def kill(self):
        """End it as a loss of power would end the process."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.kill()

    def visitor(self, email="olga@example.org"):
        visitor = Visitor(self.port)
        visitor.get("/accounts/login/")
        status, _text = visitor.post("/accounts/login/", {"login": email, "password": cast.PASSWORD})
        assert status == 302
        return visitor


class Visitor:
    """A browser without a screen: cookies, forms, one connection a request."""

    base = ""  # the path of WILD_URL

    def __init__(self, port):
        self.port = port
        self.cookies = {}

    def get(self, path):
        return self._ask("GET", path, None, {})

    def post(self, path, fields):
        headers = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": self.cookies["csrftoken"]}
        return self._ask("POST", path, urlencode(fields), headers)

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def _ask(self, method, path, body, headers):
        connection = self.connect()
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(method, path, body, headers | {"Cookie": sent})
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            name, _is, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, text

    def form(self, table, hand):
        """The hidden fields of a hand's form, as its page hands them out."""
        _status, text = self.get(f"{self.base}/tables/{table}/?hand={hand}")
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text))
        return {name: fields[name] for name in ("hand", "seating_version", "key")}

    def version(self, table):
        """The version of a table, from the Undo on its page."""
        _status, text = self.get(f"/tables/{table}/")
        return re.search(r'name="version" value="(\d+)"', text)[1]


class Stream:
    """One open stream. `event()` is the next event as {field: value}, None when the stream has ended."""

    def __init__(self, port, slug, visitor=None, query="", **headers):
        visitor = visitor or Visitor(port)
        self.connection = visitor.connect(timeout=20)
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        self.connection.request("GET", f"{visitor.base}/t/{slug}/live/{query}", headers=headers)
        self.answer = self.connection.getresponse()

    def event(self):
        fields = {}
        for line in self.answer:
            text = line.decode().rstrip("\n")
            if not text and fields:
                return fields
            name, _colon, value = text.partition(": ")
            if text and not text.startswith(":"):
                fields[name] = f"{fields[name]}\n{value}" if name in fields else value
        return None

    def close(self):
        self.answer.close()
        self.connection.close()


def together(*calls: Callable[[], object]) -> Sequence[object]:
    """Let every call start at the same moment, each in a thread, and return what they return."""
    ready = threading.Barrier(len(calls))
    answers: list[object] = [None] * len(calls)

    def run(number: int) -> None:
        ready.wait()
        try:
            answers[number] = calls[number]()
        except Exception as error:
            answers[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
