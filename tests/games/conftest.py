"""A first round that has begun, and the organiser at its pages."""

import pytest

from league.rounds.steps import start
from tests import cast
from tests.games.fake_clock import FakeClock


@pytest.fixture
def table():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


@pytest.fixture
def olga(client):
    """A browser in which the organiser is signed in."""
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def clock(monkeypatch):
    """Whatever asks for the time gets it from this clock."""
    return FakeClock(monkeypatch)
