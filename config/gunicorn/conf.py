"""gunicorn for pages and results: a few processes, each with an event loop that reads requests (config/web.py) and
threads that answer them, since a request mostly waits for the database."""

import gc
import os
from typing import Any

from gunicorn.glogging import Logger

from config import logs
from config.variables.read import Machine
from league.live.open_files import allow_open_files

allow_open_files()


class QuietLogger(Logger):
    """Log no requests: config.request_log does that."""

    def access(self, *_request: Any) -> None:
        pass


logger_class = QuietLogger
machine = Machine()
bind = machine.text("WILD_BIND")
wsgi_app = "config.web:application()"
worker_class = "config.gunicorn.worker.Worker"
workers = machine.number("WILD_WEB_PROCESSES")
keepalive = 5
timeout = 30
graceful_timeout = 10
control_socket_disable = True
preload_app = True  # its processes share the memory of what does not change
logconfig_dict = logs.logging_settings(as_json=machine.text("WILD_LOG") == "json")
if os.access("/dev/shm", os.W_OK):
    worker_tmp_dir = "/dev/shm"  # with a full temporary folder no process could be forked


def when_ready(server: Any) -> None:
    """Load what every process would load with its first request, before the fork."""
    from django.urls import get_resolver

    get_resolver()._populate()
    gc.collect()
    gc.freeze()  # collecting garbage would touch, and so copy, every page


def post_worker_init(worker: Any) -> None:
    """Report each new process as alive, so that clocks at online tables run."""
    from games.online.play.pulse import beat

    beat()
