"""The shape of production without Docker: web, stream, worker and beat as processes of their own, started and stopped
together on one machine.

    DATABASE_URL=postgres://… REDIS_URL=redis://… python docker/production.py [--host ADDRESS] [--port PORT]

Run with the Python that has the dependencies (after `python3 dev.py run`: .venv/bin/python). It migrates the database
and says where the pages are once they answer. From then on each is started again when it ends by itself, and the others
go on; all are stopped on Ctrl-C and SIGTERM.

What all of them need is loaded once, here, and they are forked: what they do not change they have in common.
"""

import argparse
import contextlib
import gc
import http.client
import importlib
import multiprocessing
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST_STREAM_PORT = 8001
STOP_WITHIN = 20  # seconds, after which a process that does not stop is killed
LOADED = ("config.web", "config.gunicorn.worker", "gunicorn.app.wsgiapp", "uvicorn.main", "celery.bin.celery")
LOADED += ("celery.apps.beat", "celery.apps.worker", "celery.concurrency.prefork", "celery.fixups.django")
ANEW_EVERY = 5  # seconds at least between two starts of one of them, which may end at once each time


def commands(host, port, stream_port, workers):
    """{name: what is run, as after `python -m`}"""
    from config.verbs import PROGRAMS

    at = {name: ["--host", host, "--port", str(port)] for name, port in streams(stream_port).items()}
    return {
        "web": [*PROGRAMS["web"], "--bind", f"{host}:{port}"],
        **{name: [*PROGRAMS["stream"], *options] for name, options in at.items()},
        "worker": [*PROGRAMS["worker"], "--concurrency", str(workers)],
        "beat": [*PROGRAMS["beat"]],
    }


def load():
    """Load what every process needs."""
    os.chdir(ROOT)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.variables.read import prefer

    prefer("WILD_DATABASE_KEEP", "60")
    os.environ["CELERY_SKIP_CHECKS"] = "1"  # of worker and beat; web has checked

    import django
    from django.urls import get_resolver

    django.setup()
    get_resolver()._populate()
    for module in LOADED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()  # collecting garbage would touch, and so copy, every page


def stream_ports(given, processes):
    return given or list(range(FIRST_STREAM_PORT, FIRST_STREAM_PORT + processes))


def streams(ports):
    """{name: port} of the processes for streams and play, each for its share of tournaments and tables."""
    return {f"stream {number}" if number > 1 else "stream": port for number, port in enumerate(ports, start=1)}


def main():
    options = parse()
    sys.path[0] = str(ROOT)
    from config.variables.read import Machine

    machine = Machine()
    for fault in machine.faults():
        sys.stderr.write(f"The settings cannot be used: {fault}.\n")
        return 2
    for name, example in (("DATABASE_URL", "postgres://user:password@host/name"), ("REDIS_URL", "redis://host:6379/0")):
        if machine.given(name) is None:
            sys.stderr.write(f"Set {name}, for example {name}={example}, or {name}_FILE to a file with it.\n")
            return 2
    options.stream_port = stream_ports(options.stream_port, machine.number("WILD_STREAM_PROCESSES"))
    for port in (options.port, *options.stream_port):  # else this would start again and again what cannot be served
        try:
            socket.create_server((options.host, port)).close()
        except OSError as error:
            sys.stderr.write(f"Cannot listen on {options.host}, port {port}: {error.strerror or error}.\n")
            return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    running = {}
    try:
        if subprocess.call([sys.executable, "-m", "config.verbs", "migrate", "--verbosity=0"], cwd=ROOT) != 0:
            return 1
        load()
        begun = {}
        for name in commands(**vars(options)):
            running[name], begun[name] = begin(name, options), time.monotonic()
        if ended := ended_before_served(options, running):  # as with a setting that is wrong
            sys.stderr.write(f"{ended} has ended; stopping the others.\n")
            return 1
        sys.stdout.write(f"Wild League is at http://{options.host}:{options.port}/ (Ctrl-C stops it)\n")
        sys.stdout.flush()
        while True:
            for name, process in running.items():
                if not process.is_alive() and time.monotonic() - begun[name] > ANEW_EVERY:
                    sys.stderr.write(f"{name} has ended; starting it again.\n")
                    end_what_is_left(process, signal.SIGTERM)
                    running[name], begun[name] = begin(name, options), time.monotonic()
            time.sleep(0.5)
    except Stopped:
        return 0
    finally:
        stop_all(running)


def begin(name, options):
    command = commands(**vars(options))[name]
    process = multiprocessing.get_context("fork").Process(target=run, args=(name, command))
    process.start()
    return process


def run(name, command):
    """In a process of its own, as `python -m` would."""
    with contextlib.suppress(OSError):
        Path("/proc/self/comm").write_text(f"wild {name}")  # as `ps` and `top` call it
    os.setsid()  # Ctrl-C is for the process above, which then stops them in order
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


def parse():
    parser = argparse.ArgumentParser(description="Web, stream, worker and beat on one machine.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="of the web processes")
    parser.add_argument(
        "--stream-port",
        type=int,
        nargs="+",
        metavar="PORT",
        help="of a process for streams and play each; a proxy shares tournaments and tables among them "
        "(docker/nginx.conf). Without it: WILD_STREAM_PROCESSES ports from 8001",
    )
    parser.add_argument("--workers", type=int, default=3, help="processes of the worker; one is for what is due")
    return parser.parse_args()


class Stopped(Exception):
    pass


def stop(number, frame):
    raise Stopped


def ended_before_served(options, running):
    """Wait until pages and streams are served. The name of the one that ended instead, else None."""
    for name, port in {"web": options.port, **streams(options.stream_port)}.items():
        while not answers(options.host, port):
            if not running[name].is_alive():
                return name
            time.sleep(0.1)
    return None


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
        process.terminate()
    deadline = time.monotonic() + STOP_WITHIN
    for process in running.values():
        process.join(max(0.1, deadline - time.monotonic()))
        end_what_is_left(process, signal.SIGKILL)
        process.join()


def end_what_is_left(process, how):
    """The processes of a gunicorn that was killed live on, and keep its port."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how)


if __name__ == "__main__":
    sys.exit(main())
