"""How uvicorn serves in a process of gunicorn's (docker/gunicorn.conf.py)."""

from typing import Any

from uvicorn_worker import UvicornWorker  # type: ignore[import-untyped]


class Worker(UvicornWorker):  # type: ignore[misc]
    # Our own settings alone say who the client is, and config.request_log writes a line for each request.
    CONFIG_KWARGS: dict[str, Any] = {
        "lifespan": "off",
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "timeout_graceful_shutdown": 10,
    }
