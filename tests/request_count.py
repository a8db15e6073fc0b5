"""How many HTTP requests the tests of a run send: a number that depends on the tests alone, unlike minutes."""

from collections import Counter
from typing import Any

import pytest
from django.core.signals import request_started

KEY = "requests"  # in what a worker hands over at its end
CLIENT, BROWSER = "the test client", "browsers"


class RequestCount:
    """A plugin that counts requests in each worker, and prints their sum at the end of the run.

    Servers that a test starts as processes of their own count for themselves, and their requests are left out.
    """

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()
        request_started.connect(self._count)

    def _count(self, environ: dict[str, Any] | None = None, **_more: Any) -> None:
        # The test client calls the application without a server.
        self.sent[BROWSER if environ and "SERVER_SOFTWARE" in environ else CLIENT] += 1

    @pytest.hookimpl
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if (handed_over := getattr(session.config, "workeroutput", None)) is not None:
            handed_over[KEY] = dict(self.sent)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.sent.update(getattr(node, "workeroutput", {}).get(KEY, {}))

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        sent = ", ".join(f"{self.sent[by]} by {by}" for by in (CLIENT, BROWSER))
        terminalreporter.write_line(f"{self.sent.total()} HTTP requests: {sent}.")
