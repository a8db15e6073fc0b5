"""Uvicorn worker of gunicorn (config/gunicorn/conf.py)."""

from typing import Any

from uvicorn_worker import UvicornWorker  # type: ignore[import-untyped]


class Worker(UvicornWorker):  # type: ignore[misc]
    # Only our settings determine the client address, and config.request_log logs requests.
    CONFIG_KWARGS: dict[str, Any] = {
        "lifespan": "off",
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "timeout_graceful_shutdown": 10,
    }
