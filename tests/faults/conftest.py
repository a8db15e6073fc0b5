"""Servers that a test kills."""

from collections.abc import Iterator

import pytest

from tests import requirements
from tests.postgres import PostgresServer, PostgresUnavailable


@pytest.fixture
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL of this test's own, to be killed. What it answers is on disk.

    Not the one that the others share: to come back it brings every file of every database to disk.
    """
    try:
        server = PostgresServer.start()
    except PostgresUnavailable as reason:
        requirements.missing("postgres", str(reason))
    yield server
    server.stop()
