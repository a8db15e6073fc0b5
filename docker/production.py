"""The shape of production without Docker: web, stream, worker and beat as processes of their own, started and stopped
together on one machine.

    DATABASE_URL=postgres://… REDIS_URL=redis://… python docker/production.py [--host ADDRESS] [--port PORT]

Run with the Python that has the dependencies (after `python3 dev.py run`: .venv/bin/python). It migrates the database
and says where the pages are once they answer. Worker and beat are started again when they end by themselves; all are
stopped on Ctrl-C, SIGTERM, or when web or stream end.
"""

import argparse
import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STOP_WITHIN = 20  # seconds, after which a process that does not stop is killed
# What these do stands in the database, so they can begin anew at any time: a worker whose Redis is restarted may end.
BEGIN_ANEW = ("worker", "beat")
LIVED = 5  # seconds; one that ends sooner would end again


def commands(host, port, stream_port, workers):
    """{name: (arguments after the Python, environment of its own)}"""
    stream = ["--host", host, "--port", str(stream_port), "--lifespan", "off", "--no-access-log", "--no-server-header"]
    web = {"WILD_BIND": f"{host}:{port}", "WILD_DATABASE_KEEP": os.environ.get("WILD_DATABASE_KEEP") or "60"}
    celery = ["-m", "celery", "--app", "config", "--quiet"]
    alone = ["--without-mingle", "--without-gossip"]  # workers tell each other nothing: one that starts need not ask
    return {
        "web": (["-m", "gunicorn", "--config", "docker/gunicorn.conf.py", "config.wsgi"], web),
        "stream": (["-m", "uvicorn", "config.asgi:application", *stream, "--timeout-graceful-shutdown", "2"], {}),
        "worker": ([*celery, "worker", *alone, "--concurrency", str(workers), "--loglevel", "WARNING"], {}),
        "beat": ([*celery, "beat", "--loglevel", "WARNING"], {}),
    }


def main():
    options = parse()
    for name, example in (("DATABASE_URL", "postgres://user:password@host/name"), ("REDIS_URL", "redis://host:6379/0")):
        if not (os.environ.get(name) or os.environ.get(f"{name}_FILE")):
            sys.stderr.write(f"Set {name}, for example {name}={example}, or {name}_FILE to a file with it.\n")
            return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    running = {}
    try:
        if subprocess.call([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=ROOT) != 0:
            return 1
        begun = {}
        for name in commands(**vars(options)):
            running[name], begun[name] = begin(name, options), time.monotonic()
        wait_until_served(options, running)
        sys.stdout.write(f"Wild League is at http://{options.host}:{options.port}/ (Ctrl-C stops it)\n")
        sys.stdout.flush()
        while True:
            while not (ended := first_ended(running)):
                time.sleep(0.5)
            if ended not in BEGIN_ANEW or time.monotonic() - begun[ended] < LIVED:
                break
            sys.stderr.write(f"{ended} has ended; starting it again.\n")
            running[ended], begun[ended] = begin(ended, options), time.monotonic()
        sys.stderr.write(f"{ended} has ended; stopping the others.\n")
        return 1
    except Stopped:
        return 0
    finally:
        stop_all(running)


def begin(name, options):
    arguments, environment = commands(**vars(options))[name]
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        start_new_session=True,  # Ctrl-C is for this process, which then stops them in order
    )


def parse():
    parser = argparse.ArgumentParser(description="Web, stream, worker and beat on one machine.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="of the web processes")
    parser.add_argument("--stream-port", type=int, default=8001)
    parser.add_argument("--workers", type=int, default=2, help="processes that do the work in the background")
    return parser.parse_args()


class Stopped(Exception):
    pass


def stop(number, frame):
    raise Stopped


def first_ended(running):
    return next((name for name, process in running.items() if process.poll() is not None), None)


def wait_until_served(options, running):
    for port in (options.port, options.stream_port):
        while not answers(options.host, port) and first_ended(running) in (None, *BEGIN_ANEW):
            time.sleep(0.1)


def answers(host, port):
    """Whether something listens there and speaks http, whatever it says of the name it was asked by."""
    try:
        with contextlib.closing(http.client.HTTPConnection(host, port, timeout=2)) as connection:
            connection.request("GET", "/healthz")
            return bool(connection.getresponse().status)
    except OSError:
        return False


def stop_all(running):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for process in running.values():
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
    deadline = time.monotonic() + STOP_WITHIN
    for process in running.values():
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
