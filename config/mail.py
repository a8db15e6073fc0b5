"""Where mail goes when no mail server is set: to stderr, where whoever runs the service reads it."""

import sys
from typing import Any

from django.core.mail.backends.console import EmailBackend


class StderrBackend(EmailBackend):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **(kwargs | {"stream": sys.stderr}))
