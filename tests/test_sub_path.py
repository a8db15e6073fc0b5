"""The service below a path, `WILD_URL=http://…/uno/`: an organiser's and a scorer's main job on the real server."""

import http.client
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings

from benchmarks.live import free_ports
from tests import cast
from tests.served import Served, Stream, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("programs")]

BASE = "/uno"
ADDRESS = re.compile(r"""\s(?:href|src|action|formaction|hx-\w+|data-[\w-]+)="(/[^"/][^"]*)\"""")
MADE = (
    "made = cast.tournament(4)",
    "start(tournament=made, by=made.owner)",
    "from league.models import Table",
    "print(json.dumps([made.slug, Table.objects.filter(round__tournament=made).first().pk]))",
)


class Below(Visitor):
    """Someone whose browser has the cookies of a service below a path."""

    base = BASE

    def post(self, path, fields):
        self.cookies["csrftoken"] = self.cookies["wild_csrftoken"]
        return super().post(path, fields)


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("sub-path"))
    served.port = free_ports(1)[0]
    served.environment["WILD_URL"] = f"http://127.0.0.1:{served.port}{BASE}/"
    served.slug, served.table = served.prepare(MADE)
    command = [sys.executable, settings.BASE_DIR / "manage.py", "serve", "--no-demo", "--port", str(served.port)]
    with served.errors.open("a") as errors:
        served.process = subprocess.Popen(command, env=served.environment, stdout=subprocess.PIPE, stderr=errors)
    for line in served.process.stdout:
        if line.startswith(b"Visitors open "):
            assert line.decode().split()[2] == served.environment["WILD_URL"]
            break
    yield served
    served.stop()


@pytest.fixture
def olga(served) -> Below:
    visitor = Below(served.port)
    visitor.get(f"{BASE}/accounts/login/")
    status, _text = visitor.post(f"{BASE}/accounts/login/", {"login": "olga@example.org", "password": cast.PASSWORD})
    assert status == 302
    return visitor


def test_every_address_on_the_pages_is_below_the_path_and_leads_somewhere(served, olga):
    base, seen = f"{BASE}/t/{served.slug}/", {}
    todo = [f"{BASE}/", base, f"{base}standings/", f"{base}codes/", f"{base}screen/", f"{BASE}/tables/{served.table}/"]
    for page in todo:
        status, text = olga.get(page)
        assert status == 200, page
        for address in ADDRESS.findall(text):
            seen.setdefault(address.partition("#")[0].replace("&amp;", "&"), page)
    assert {address: page for address, page in seen.items() if not address.startswith(f"{BASE}/")} == {}
    files = [address for address in seen if "/static/" in address]
    assert files
    assert {address: olga.get(address)[0] for address in files if olga.get(address)[0] != 200} == {}


def test_a_hand_is_recorded_and_an_open_page_learns_of_it(served, olga):
    stream = Stream(served.port, served.slug, olga)
    typed = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"} | olga.form(served.table, 1)
    assert olga.post(f"{BASE}/tables/{served.table}/", typed)[0] == 303
    assert stream.event()["event"] == "changed"
    stream.close()


def test_links_and_codes_have_the_public_address(served, olga):
    _status, text = olga.get(f"{BASE}/t/{served.slug}/codes/")
    assert f"http://127.0.0.1:{served.port}{BASE}/t/{served.slug}/" in text


def test_cookies_are_of_the_path_and_have_names_of_their_own(served):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.request("GET", f"{BASE}/accounts/login/")
    cookies = connection.getresponse().headers.get_all("Set-Cookie")
    connection.close()
    assert cookies
    assert [cookie for cookie in cookies if f"Path={BASE}/" not in cookie or not cookie.startswith("wild_")] == []


def test_health_answers_with_and_without_the_path_and_the_root_leads_to_it(served):
    visitor = Visitor(served.port)
    assert [visitor.get(path)[0] for path in ("/healthz", f"{BASE}/healthz", f"{BASE}/readyz", "/t/x/")] == [
        200,
        200,
        200,
        404,
    ]
    assert visitor.get("/")[0] == 302
