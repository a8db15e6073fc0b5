"""Which process gets what from the examples in docker/, and which takes over while it is away."""

import time

import pytest

from tests.proxies.behind import Names, Through, answering, end, free_port
from tests.proxies.examples import caddy, nginx

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("programs")]

TO_WEB = ("/", "/tables/12/", "/t/evening/standings/", "/t/evening/live/more/", "/tables/x/play/")


@pytest.fixture
def servers():
    """Servers that respond with their names: web, and two for streams on one port of two addresses."""
    port = free_port("127.0.0.2")
    made = {
        "web": answering("web"),
        "first": answering("first", ("127.0.0.2", port)),
        "second": answering("second", ("127.0.0.3", port)),
    }
    yield made
    for server in made.values():
        end(server)


def ports(servers):
    return [servers[name].server_address[1] for name in ("web", "first")]


@pytest.fixture
def names():
    names = Names({"stream": ["127.0.0.2", "127.0.0.3"], "web": ["127.0.0.1"]})
    yield names
    names.close()


def who(visitor, path):
    """The name of the server that answers, or the proxy's own status."""
    status, name = visitor.ask("POST" if path.endswith("act/") else "GET", path)
    return name if status == 200 else status


def shares(visitor):
    """{path: name} of many tournaments and tables, after checks that hold for each."""
    assert {path: who(visitor, path) for path in TO_WEB} == dict.fromkeys(TO_WEB, "web")
    found = {}
    for number in range(20):
        event, table = f"/t/evening-{number}/live/", f"/tables/{number}/play/"
        same = {
            event: [f"{event}?since=4"],
            table: [f"{table}act/", f"{table}?as=abc", f"/t/evening/live/?show=page&table={number}&as=abc"],
        }
        for path, others in same.items():
            found[path] = who(visitor, path)
            assert [who(visitor, other) for other in others] == [found[path]] * len(others)
    for kind in ("/t/", "/tables/"):
        assert {name for path, name in found.items() if path.startswith(kind)} == {"first", "second"}
    return found


def of(name, kind, found):
    return next(path for path, who_answers in found.items() if who_answers == name and path.startswith(kind))


def test_caddy_sends_a_tournament_and_a_table_always_to_the_same_process(tmp_path, servers, names):
    with caddy(tmp_path, names, *ports(servers)) as https:
        visitor = Through(https)
        before = shares(visitor)
        end(servers.pop("second"))
        # Docker's name server may still know it for a moment: web answers its moves.
        assert who(visitor, f"{of('second', '/tables/', before)}act/") == "web"
        names.addresses["stream"].remove("127.0.0.3")
        moved = of("second", "/t/", before)
        until_known(lambda: who(visitor, moved) == "first")
        assert {who(visitor, path) for path in before} == {"first"}
        end(servers.pop("first"))
        assert who(visitor, f"{of('first', '/tables/', before)}act/") == "web"
        assert who(visitor, moved) == 502, "pages then look every 20 seconds"


def until_known(question):
    deadline = time.monotonic() + 30
    while not question():
        assert time.monotonic() < deadline


def test_nginx_sends_a_tournament_and_a_table_always_to_the_same_process(tmp_path, servers):
    web, stream = ports(servers)
    with nginx(tmp_path, web, f"127.0.0.2:{stream}", f"127.0.0.3:{stream}") as https:
        visitor = Through(https)
        before = shares(visitor)
        end(servers.pop("second"))
        assert {who(visitor, path) for path in before} == {"first"}
        end(servers.pop("first"))
        assert who(visitor, f"{of('first', '/tables/', before)}act/") == "web"
        assert who(visitor, of("first", "/t/", before)) == 502, "pages then look every 20 seconds"
