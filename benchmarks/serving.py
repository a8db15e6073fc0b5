"""The product under gunicorn in a process of its own, its CPU time, and a visitor on one kept connection."""

import ctypes
import http.client
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
THREADS = 4


class Server:
    """One worker of gunicorn, the shape of production. A context manager."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        command = [
            sys.executable, "-m", "gunicorn", "config.web:application()", "--bind", f"127.0.0.1:{self.port}",
            "--worker-class", "config.gunicorn.worker.Worker", "--workers", "1", "--keep-alive", "60",
            "--log-level", "warning", "--worker-tmp-dir", str(log.parent), "--no-control-socket",
        ]  # fmt: skip
        self.log = log
        with log.open("wb") as file:
            environment = environment | {"WILD_WEB_THREADS": str(THREADS)}
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)

    def __enter__(self) -> Self:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                self.worker = int(Visitor(self.port).get("/floor/process/"))
                return self
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"gunicorn did not start: {self.log.read_text(errors='replace')}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def cpu_seconds(self) -> float:
        """User and system time of all threads of the worker so far: what /proc/<pid>/stat tells, in finer steps."""
        clock = ctypes.c_int()
        if failed := ctypes.CDLL(None).clock_getcpuclockid(self.worker, ctypes.byref(clock)):
            raise OSError(failed, os.strerror(failed))
        return time.clock_gettime(clock.value)


class Visitor:
    """Requests over one kept connection. Every answer other than 200 or 303 is an error."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies = dict(cookies or {})
        self.headers: dict[str, str] = {}
        self.queries: int | None = None

    def get(self, path: str, **headers: str) -> str:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, body: str, kind: str = "application/x-www-form-urlencoded", **headers: str) -> str:
        sent = {"Content-Type": kind}
        if token := self.cookies.get("csrftoken"):
            sent["X-CSRFToken"] = token
        return self._ask("POST", path, body, sent | headers)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> str:
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request(method, path, body, self.headers | headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status not in (200, 303):
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]}")
        counted = answer.headers["X-Queries"]
        self.queries = int(counted) if counted else None
        for line in answer.headers.get_all("Set-Cookie", []):
            name, _is, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return text
