"""What counts as a database that does not answer, and what is a fault of ours."""

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.http import HttpResponse

from config import unavailable
from league import access

pytestmark = pytest.mark.django_db


def answer(client, monkeypatch, error, path="/"):
    def failing(*args, **kwargs):
        raise error

    monkeypatch.setattr(access, "tournaments_of", failing)
    client.raise_request_exception = False
    return client.get(path)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("database is locked"), 503),
        (OperationalError("unable to open database file"), 503),
        (InterfaceError("connection already closed"), 500),  # on SQLite there is no connection to lose
        (OperationalError("no such column: league_tournament.colour"), 500),
        (ProgrammingError("syntax error"), 500),
        (ValueError("a fault"), 500),
    ],
)
def test_on_sqlite_a_lock_is_told_from_a_fault(client, monkeypatch, error, status):
    response = answer(client, monkeypatch, error)
    assert response.status_code == status
    assert ("Retry-After" in response.headers) is (status == 503)


@pytest.mark.parametrize("error", [OperationalError("server closed the connection"), InterfaceError("closed")])
def test_on_postgresql_a_lost_connection_is_told_with_when_to_come_again(client, monkeypatch, error):
    monkeypatch.setattr(unavailable.connection, "vendor", "postgresql")
    response = answer(client, monkeypatch, error)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert "no-store" in response.headers["Cache-Control"]
    assert "try again" in response.text


def test_a_session_that_could_not_be_saved_for_it_is_no_fault_of_the_visitor(rf):
    def lost():
        try:
            try:
                raise OperationalError("database is locked")
            except OperationalError:
                raise UpdateError  # noqa: B904
        except UpdateError:
            raise SessionInterrupted("The request's session was deleted before the request completed.")  # noqa: B904

    with pytest.raises(SessionInterrupted) as caught:
        lost()
    response = unavailable.bad_request(rf.get("/"), caught.value)
    assert isinstance(response, HttpResponse)
    assert response.status_code == 503
