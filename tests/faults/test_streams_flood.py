"""More streams than there is room for, opened in one moment: the limits hold, and nobody takes what is others'.

Real sockets at a real `serve`. Linux takes every address of 127.0.0.0/8 for its own, so that several visitors with
addresses of their own can come from here.
"""

import contextlib
import http.client
import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.served import Served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs more than one address of its own")
HALL, ELSEWHERE = "127.0.0.1", "127.0.0.2"


class Flood:
    """A server with `limits` (environment variables), and all connections to it, which end with the test."""

    def __init__(self, data, **limits):
        self.served = Served(data)
        self.served.environment |= limits
        made = "made = cast.tournament(); start(tournament=made, by=made.owner); print(json.dumps(made.slug))"
        self.slug = self.served.prepare([made])
        self.served.start()
        self.open = []

    def ask(self, session="", address=HALL):
        """The status of one try; its connection stays open."""
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=60, source_address=(address, 0))
        self.open.append(connection)
        connection.request(
            "GET", f"/t/{self.slug}/live/", headers={"Cookie": f"sessionid={session}"} if session else {}
        )
        return connection.getresponse().status

    def at_once(self, tries):
        """How often each status was answered."""
        with ThreadPoolExecutor(len(tries)) as pool:
            return Counter(pool.map(lambda one: self.ask(**one), tries))

    def leave(self):
        for connection in self.open:
            connection.sock.shutdown(socket.SHUT_RDWR)
            connection.close()
        self.open.clear()

    def eventually(self, tries, wanted):
        """What was left is given back when the server has noticed it."""
        deadline = time.monotonic() + 60
        while (found := self.at_once(tries)) != wanted:
            assert time.monotonic() < deadline, found
            self.leave()
            time.sleep(0.2)


@pytest.fixture
def flood(tmp_path, request):
    flood = Flood(tmp_path, **getattr(request, "param", {}))
    yield flood
    flood.served.stop()


def phones(number, address=HALL):
    return [{"session": f"{address.rpartition('.')[2]}of{number:029}", "address": address} for number in range(number)]


@pytest.mark.parametrize("flood", [{"WILD_STREAMS": "40", "WILD_STREAMS_AN_ADDRESS": "40"}], indirect=True)
def test_of_all_that_come_in_one_moment_no_more_are_let_in_than_there_is_room_for(flood):
    assert flood.at_once([{}] * 70) == {200: 40, 503: 30}
    assert flood.ask(address=ELSEWHERE) == 503
    flood.leave()
    flood.eventually([{}] * 41, {200: 40, 503: 1})


@pytest.mark.parametrize("flood", [{"WILD_STREAMS": "40", "WILD_STREAMS_AN_ADDRESS": "40"}], indirect=True)
def test_who_leaves_before_they_are_answered_leaves_no_place_taken(flood):
    for _again in range(3):
        for _try in range(60):
            with socket.create_connection(("127.0.0.1", flood.served.port)) as cut:
                cut.sendall(f"GET /t/{flood.slug}/live/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            assert flood.ask() in (200, 503)
    for wrong in ("/t/nowhere/live/", f"/t/{flood.slug}/live/?table=0"):
        for _try in range(45):
            connection = http.client.HTTPConnection("127.0.0.1", flood.served.port, timeout=60)
            connection.request("GET", wrong)
            assert connection.getresponse().status in (404, 503)
            connection.close()
    flood.leave()
    flood.eventually([{}] * 41, {200: 40, 503: 1})
    assert "Traceback" not in flood.served.errors.read_text()


@pytest.mark.parametrize("flood", [{"WILD_STREAMS": "100"}], indirect=True)
def test_a_session_holds_six_and_a_hall_behind_one_address_leaves_a_fifth_for_others(flood):
    greedy = {"session": "g" * 32}
    assert flood.at_once([greedy] * 20) == {200: 6, 503: 14}
    assert flood.at_once(phones(70)) == {200: 70}
    assert flood.at_once([{}] * 30) == {200: 80 - 76, 503: 30 - (80 - 76)}
    assert flood.at_once(phones(20, ELSEWHERE)) == {200: 20}
