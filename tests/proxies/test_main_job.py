"""The main job through the real proxies with the examples in docker/: sign in, record a hand, follow it on an open
page."""

import re

import pytest

from tests import cast
from tests.proxies.behind import HOST, Names, Through
from tests.proxies.examples import caddy, nginx
from tests.served import Served, Stream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("programs")]

HAND = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"}
PREPARE = (
    "made = cast.tournament(name='Autumn Pairs', hands_per_round=4); start(tournament=made, by=made.owner)",
    "print(json.dumps([made.slug, cast.table(made, 1, 1).pk]))",
)


@pytest.fixture(scope="module")
def service(programs, tmp_path_factory):
    """A server for visitors with https: (port, slug, table)."""
    served = Served(tmp_path_factory.mktemp("behind"))
    served.environment |= {"WILD_URL": f"https://{HOST}/"}
    slug, table = served.prepare(PREPARE)
    yield served.start().port, slug, table
    served.stop()


def do_the_main_job(port, slug, table, hand):
    visitor = Through(port)
    status, headers = visitor.head("/accounts/login/")
    assert (status, bool(headers["Strict-Transport-Security"])) == (200, True)
    cookies = headers.get_all("Set-Cookie")
    assert cookies and all("; Secure" in cookie for cookie in cookies)
    visitor.get("/accounts/login/")
    assert visitor.post("/accounts/login/", {"login": "olga@example.org", "password": cast.PASSWORD})[0] == 302

    status, page = visitor.get(f"/t/{slug}/standings/")
    assert (status, "Autumn Pairs" in page) == (200, True)
    status, headers = visitor.head(re.search(r'href="(/static/[^"]+\.css[^"]*)"', page)[1])
    assert (status, headers["Content-Type"].partition(";")[0]) == (200, "text/css")
    assert headers["Content-Encoding"] == "gzip"

    # A stream that the proxy buffers would bring nothing while it is open.
    stream = Stream(port, slug, visitor, Host=HOST, **{"Accept-Encoding": "gzip"})
    assert (stream.answer.status, stream.answer.headers["Content-Encoding"]) == (200, None)
    assert visitor.post(f"/tables/{table}/", HAND | visitor.form(table, hand))[0] == 303
    assert stream.event()["event"] == "changed"
    stream.close()


def test_nginx_serves_pages_forms_files_and_streams(service, tmp_path):
    port, *event = service
    with nginx(tmp_path, port, f"127.0.0.1:{port}") as https:
        do_the_main_job(https, *event, hand=1)


def test_caddy_serves_pages_forms_files_and_streams(service, tmp_path):
    port, *event = service
    names = Names({"stream": ["127.0.0.1"], "web": ["127.0.0.1"]})
    with caddy(tmp_path, names, port, port) as https:
        do_the_main_job(https, *event, hand=2)


def test_a_proxy_that_does_not_pass_the_name_is_refused(service, tmp_path):
    with nginx(tmp_path, service[0], "127.0.0.1:1", without="proxy_set_header Host $host;") as https:
        assert Through(https).get("/accounts/login/")[0] == 400
