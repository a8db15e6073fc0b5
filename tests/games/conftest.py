"""A first round that has begun, and the organiser at its pages."""

import pytest

from tests import cast
from tests.games.fake_clock import FakeClock


@pytest.fixture
def table():
    """A file in which nearly every test asks for it begins with one for all of them (`table_once`)."""
    return cast.first_table()


@pytest.fixture
def olga(client):
    """A browser in which the organiser is signed in."""
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def clock(monkeypatch):
    """Whatever asks for the time gets it from this clock."""
    return FakeClock(monkeypatch)
