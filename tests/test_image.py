"""The image itself: alone on SQLite, and its four processes, as its user, on real PostgreSQL and Redis.

Only where the image was built without an engine: WILD_IMAGE names the folder of docker/build_without_engine.sh.
"""

import json
import os
import shutil
import signal
import subprocess
import uuid

import pytest

from tests import cast
from tests.served import Served, Visitor
from tests.test_production import TYPED, eventually, free_port

FOLDER = os.environ.get("WILD_IMAGE")
pytestmark = pytest.mark.skipif(not FOLDER, reason="WILD_IMAGE names no folder of docker/build_without_engine.sh")
PEOPLE = "name\n" + "\n".join(cast.CAST) + "\n"


class Image:
    """A container of the image, without an engine; its processes share this machine's network."""

    def __init__(self, folder, variables, mounts):
        self.buildah = [shutil.which("buildah"), "--root", f"{folder}/images", "--runroot", f"{folder}/run"]
        self.environment = os.environ | {"BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
        self.container = self.ask("from", "wild-league:local")
        self.options = [f"--volume={mount}:{mount}" for mount in mounts]
        for name, value in variables.items():
            self.ask("config", "--env", f"{name}={value}", self.container)
        self.processes = {}

    def ask(self, *arguments):
        command = [*self.buildah, *map(str, arguments)]
        return subprocess.run(
            command, env=self.environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    def run(self, *command):
        return self.ask("run", *self.options, self.container, "--", *command)

    def start(self, name, *command):
        full = [*self.buildah, "run", *self.options, self.container, "--", *map(str, command)]
        self.processes[name] = subprocess.Popen(full, env=self.environment, start_new_session=True)

    def remove(self):
        for process in self.processes.values():
            os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes.values():
            process.wait(60)
        self.ask("rm", self.container)


@pytest.fixture
def image(postgres_server, redis_server, tmp_path):
    url = postgres_server.new_database()
    for folder in (postgres_server.folder, redis_server.folder):
        folder.chmod(0o755)  # the image's user is not the one who runs the tests
    (redis_server.folder / "redis.sock").chmod(0o777)
    (redis_server.folder / "database").write_text(url)
    variables = {
        "DATABASE_URL_FILE": redis_server.folder / "database",
        "REDIS_URL": redis_server.url,
        "WILD_SECRET_KEY": "a key of fifty characters or more, for this test alone",
    }
    image = Image(FOLDER, variables, [postgres_server.folder, redis_server.folder])
    yield image
    image.remove()


def answers(port):
    try:
        return Visitor(port).get("/healthz")[0] == 200
    except OSError:
        return False


@pytest.fixture
def alone():
    image = Image(FOLDER, {}, [])
    yield image
    image.remove()


def is_healthy(image, port):
    try:
        return image.run("python", "docker/healthcheck.py", port) == ""
    except subprocess.CalledProcessError:
        return False


def test_alone_it_serves_from_its_volume_and_commands_reach_the_same_data(alone):
    port = free_port()
    assert not is_healthy(alone, port)
    alone.start("serve", "wild-league", "serve", "--host", "0.0.0.0", "--no-demo", "--port", port)
    eventually(lambda: is_healthy(alone, port))
    assert Visitor(port).get("/accounts/login/")[0] == 200
    assert alone.run("wild-league", "users", "setup-link").splitlines()[1].startswith("/setup/")
    alone.run("sh", "-c", "wild-league backup - > /tmp/all.zip && python -m zipfile -t /tmp/all.zip")
    alone.run("wild-league", "users", "owner", "vera@example.org")
    assert alone.run("wild-league", "users", "list").split()[:2] == ["vera@example.org", "owner"]


def test_its_four_processes_do_the_main_job(image, redis_server):
    assert image.run("id", "-u") == "10001"
    assert image.run("python", "-m", "engine", "show").endswith("The rules run compiled.")
    with pytest.raises(subprocess.CalledProcessError):
        image.run("touch", "/srv/wild/config/settings.py")
    image.run("wild-league", "migrate", "--verbosity=0")
    (redis_server.folder / "players.csv").write_text(PEOPLE)
    python = ["python", "manage.py", "shell", "-v", "0", "-c"]
    image.run(
        *python, f"from league.models import User; User.objects.create_user('olga@example.org', '{cast.PASSWORD}')"
    )
    slug = image.run(
        *["python", "manage.py", "create_tournament", "--name", "Autumn Pairs", "--format", "pairs"],
        *["--players", redis_server.folder / "players.csv", "--owner", "olga@example.org"],
    )
    [table, due] = json.loads(
        image.run(
            *python,
            "import json; from django.utils import timezone; from league.rounds.steps import start\n"
            "from league.models import Deadline, Tournament\n"
            "made = Tournament.objects.get(); start(tournament=made, by=made.owner)\n"
            "due = Deadline.objects.create(kind='snapshot', tournament=made, due_at=timezone.now())\n"
            "print(json.dumps([made.rounds.get(number=1).tables.earliest('number').pk, due.pk]))",
        )
    )
    web, stream = free_port(), free_port()
    image.start("web", "wild-league", "web", "--bind", f"127.0.0.1:{web}")
    image.start("stream", "wild-league", "stream", "--port", stream)
    image.start("worker", "wild-league", "worker", "--concurrency", "2")
    image.start("beat", "wild-league", "beat")
    eventually(lambda: answers(web) and answers(stream))
    image.run("python", "docker/healthcheck.py", web)

    served = Served.__new__(Served)
    served.port = web
    visitor = served.visitor()
    assert visitor.post(f"/tables/{table}/", TYPED | {"key": str(uuid.uuid4())})[0] == 303
    assert len(visitor.get(f"/t/{slug}/hands.csv")[1].splitlines()) == 1 + 4
    status, page = visitor.get(f"/t/{slug}/standings/")
    assert status == 200
    css = page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    assert css.count(".") == 2, "named by its content"
    assert visitor.get(css)[0] == 200
    ask = f"from league.models import Deadline; print(Deadline.objects.get(pk={due}).state)"
    assert eventually(lambda: image.run(*python, ask) == "done")
    assert json.loads(visitor.get("/readyz")[1])["ready"] is True
    assert all(process.poll() is None for process in image.processes.values())
