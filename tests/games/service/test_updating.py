"""While `serve` upgrades the database: 503 for all, with when to come again."""

import http.client
import socket

import pytest

from games.service import updating


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as listener, updating.answers_updating(listener):
        yield listener.getsockname()[1]


def ask(port, path, method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def test_pages_say_that_the_server_is_being_updated_in_the_visitors_language(port):
    answer, text = ask(port, "/t/autumn-pairs/")
    assert (answer.status, answer.headers["Retry-After"], answer.headers["Refresh"]) == (503, "10", "10")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "This server is being updated." in text
    _answer, text = ask(port, "/", **{"Accept-Language": "fr"})
    assert 'lang="fr"' in text
    _answer, text = ask(port, "/", **{"Accept-Language": "fr", "Cookie": "django_language=es"})
    assert 'lang="es"' in text


def test_a_form_and_the_api_get_503_too(port):
    answer, _text = ask(port, "/tables/1/", "POST", "hand=1")
    assert (answer.status, answer.headers["Refresh"]) == (503, None)
    answer, text = ask(port, "/api/tournaments/")
    assert (answer.status, answer.headers["Content-Type"]) == (503, "application/problem+json")
    assert "being updated" in text


def test_its_styles_are_served_and_nothing_outside(port):
    answer, text = ask(port, "/static/league/wild.css")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/css")
    assert "--" in text
    for path in ("/static/../settings.py", "/static/%2e%2e/%2e%2e/config/settings.py", "/static//etc/passwd"):
        assert ask(port, path)[0].status == 503


def test_the_process_is_alive_and_not_ready(port):
    assert ask(port, "/healthz")[0].status == 200
    answer, text = ask(port, "/readyz")
    assert answer.status == 503
    assert "being upgraded" in text


def test_afterwards_the_listener_is_free_for_the_server():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with updating.answers_updating(listener):
            pass
        with socket.create_connection(listener.getsockname()):
            listener.accept()[0].close()
