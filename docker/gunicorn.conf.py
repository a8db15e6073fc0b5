"""gunicorn for pages and results: a few processes, each with an event loop that reads requests (config/web.py) and
threads that answer them, since a request mostly waits for the database."""

import gc
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gunicorn.glogging import Logger

from config import logs
from games.service.open_files import allow_open_files

allow_open_files()


class QuietLogger(Logger):
    """Requests are told by config.request_log; gunicorn would make up a line for each of them, and drop it."""

    def access(self, resp, req, environ, request_time):
        pass


logger_class = QuietLogger
bind = os.environ.get("WILD_BIND") or "0.0.0.0:8000"
wsgi_app = "config.web:application()"
worker_class = "config.gunicorn_worker.Worker"
workers = int(os.environ.get("WILD_WEB_PROCESSES") or 2)
keepalive = 5
timeout = 30
graceful_timeout = 10
control_socket_disable = True
preload_app = True  # its processes share the memory of what does not change
logconfig_dict = logs.logging_settings(as_json=os.environ.get("WILD_LOG", "").strip().lower() == "json")
if os.access("/dev/shm", os.W_OK):
    worker_tmp_dir = "/dev/shm"  # with a full temporary folder no process could be forked


def when_ready(server):
    """Before the processes are forked: what each of them would load with its first request."""
    from django.urls import get_resolver

    get_resolver()._populate()
    gc.collect()
    gc.freeze()  # collecting garbage would touch, and so copy, every page


def post_worker_init(worker):
    """In each process, after the fork: that it lives is why clocks at online tables go on."""
    from games.online.play import pulse

    pulse.beat()
