"""Mail backend without a mail server: write to stderr, for the operator."""

import sys
from typing import Any

from django.core.mail.backends.console import EmailBackend


class StderrBackend(EmailBackend):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **(kwargs | {"stream": sys.stderr}))
