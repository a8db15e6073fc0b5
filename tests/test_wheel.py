"""The wheel, in an environment where other packages have the names of the project's folders."""

import json
import os
import re
import subprocess
import sys
import uuid
import zipfile

import pytest
from django.conf import settings

from config.version import VERSION
from tests import cast
from tests.served import Served, migrated_on
from tests.test_production import TYPED, answers, eventually, free_port

pytestmark = pytest.mark.slow
FOLDERS = ("config", "engine", "games", "league")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that `dev.py build` makes of the tracked files."""
    clone, out = tmp_path_factory.mktemp("clone") / "wild", tmp_path_factory.mktemp("dist")
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split("\0")
    for name in filter(None, tracked):
        if (source := settings.BASE_DIR / name).is_file() and not name.startswith(("tests/", "benchmarks/")):
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes(source.read_bytes())
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out], cwd=clone, check=True)
    [made] = out.iterdir()
    return made


class Installed:
    """What `pip install` makes of the wheel, next to packages that nobody may import by mistake."""

    def __init__(self, wheel, folder, **environment):
        site = folder / "site"
        zipfile.ZipFile(wheel).extractall(site)
        for name in FOLDERS:
            (site / name).mkdir()
            (site / name / "__init__.py").write_text("raise ImportError('of another package')\n")
        self.folder, self.processes = folder, []
        self.environment = os.environ | {"PYTHONPATH": str(site), "HOME": str(folder), "PYTHONUNBUFFERED": "1"}
        for name in ("WILD_DATA", "DATABASE_URL", "XDG_DATA_HOME", "DJANGO_SETTINGS_MODULE"):
            self.environment.pop(name, None)
        self.environment |= environment

    def run(self, *args):
        command = [sys.executable, "-m", "wild_league", *map(str, args)]
        return subprocess.run(
            command, env=self.environment, cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    def start(self, *args, **more):
        command = [sys.executable, "-m", "wild_league", *map(str, args)]
        self.processes.append(subprocess.Popen(command, env=self.environment, cwd=self.folder, **more))
        return self.processes[-1]

    def python(self, lines):
        return self.run("manage", "shell", "-v", "0", "-c", lines)

    def tournament(self):
        """The slug of a tournament of the cast, and the key of a table of its first round."""
        (self.folder / "players.csv").write_text("name\n" + "\n".join(cast.CAST) + "\n")
        self.python(f"from league.models import User; User.objects.create_user('olga@example.org', '{cast.PASSWORD}')")
        of_cast = ["--format", "pairs", "--players", "players.csv", "--owner", "olga@example.org"]
        slug = self.run("manage", "create_tournament", "--name", "Autumn Pairs", *of_cast)
        table = self.python(
            "from league.rounds.steps import start; from league.models import Tournament\n"
            "made = Tournament.objects.get(); start(tournament=made, by=made.owner)\n"
            "print(made.rounds.get(number=1).tables.earliest('number').pk)"
        )
        return slug, table


@pytest.fixture
def install(wheel, tmp_path):
    installed = []

    def install(**environment):
        installed.append(Installed(wheel, tmp_path, **environment))
        return installed[-1]

    yield install
    for process in (process for one in installed for process in one.processes):
        process.terminate()
    for process in (process for one in installed for process in one.processes):
        process.wait(60)


def record_through_the_page(port, table, slug):
    served = Served.__new__(Served)
    served.port = port
    visitor = served.visitor()
    assert visitor.post(f"/tables/{table}/", TYPED | {"key": str(uuid.uuid4())})[0] == 303
    assert len(visitor.get(f"/t/{slug}/hands.csv")[1].splitlines()) == 1 + 4
    assert visitor.get(f"/t/{slug}/standings/")[0] == 200
    return visitor


def test_the_package_serves_records_and_moves_to_another_folder(install):
    package = install()
    assert package.run("--version") == f"wild-league {VERSION}"
    server = package.start("serve", "--port", "0", "--no-demo", stdout=subprocess.PIPE, text=True)
    while not (line := server.stdout.readline()).startswith("Wild League is at"):
        assert line
    port = int(re.search(r":(\d+)/", line)[1])
    assert (package.folder / ".local/share/wild-league/wild.sqlite3").exists()
    slug, table = package.tournament()
    visitor = record_through_the_page(port, table, slug)
    assert json.loads(visitor.get("/readyz")[1])["version"] == VERSION
    page = visitor.get("/rules/")[1]
    assert f"Wild League {VERSION}" in page and "/static/" in page
    sheet = page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    assert visitor.get(sheet)[0] == 200

    package.run("backup", "all.zip")
    package.run("migrate", "--verbosity=0", "--data", "other")
    package.run("restore", "all.zip", "--data", "other")
    kept = "from league.models import Tournament; print(Tournament.objects.get().name)"
    package.environment["WILD_DATA"] = str(package.folder / "other")
    assert package.python(kept) == "Autumn Pairs"


def test_its_four_processes_do_the_main_job(install, postgres_server, redis_server):
    package = install(DATABASE_URL=migrated_on(postgres_server), REDIS_URL=redis_server.url)
    slug, table = package.tournament()
    due = package.python(
        "from django.utils import timezone; from league.models import Deadline, Tournament\n"
        "made = Tournament.objects.get()\n"
        "print(Deadline.objects.create(kind='snapshot', tournament=made, due_at=timezone.now()).pk)"
    )
    web, stream = free_port(), free_port()
    package.start("web", "--bind", f"127.0.0.1:{web}")
    package.start("stream", "--port", stream)
    package.start("worker", "--concurrency", "2")
    package.start("beat")
    eventually(lambda: answers(web) and answers(stream))
    visitor = record_through_the_page(web, table, slug)
    state = f"from league.models import Deadline; print(Deadline.objects.get(pk={due}).state)"
    assert eventually(lambda: package.python(state) == "done")
    assert json.loads(visitor.get("/readyz")[1])["ready"] is True
    assert all(process.poll() is None for process in package.processes)
