"""What a phone loads before the first tap: little, compressed, and only once."""

import gzip
import http.client
import re

import pytest

from tests.served import Served

pytestmark = pytest.mark.slow

MOST = 80_000  # bytes, with the headers of the answers
FEWER_THAN = 11  # requests


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("paint"))
    served.start()
    yield served.port
    served.stop()


class Browser:
    """Asks as a browser does, with its cookies, and counts what comes."""

    def __init__(self, port):
        self.port, self.cookies, self.bytes, self.answers = port, {}, 0, {}

    def ask(self, path, form=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Accept-Encoding": "gzip, deflate, br", "Host": "localhost"} | headers
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("GET" if form is None else "POST", path, form, sent)
        answer = connection.getresponse()
        body = answer.read()
        self.bytes += len(body) + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
        for cookie in answer.msg.get_all("Set-Cookie") or []:
            name, value = cookie.partition(";")[0].split("=", 1)
            self.cookies[name] = value
        self.answers[path] = answer
        packed = answer.getheader("Content-Encoding") == "gzip"
        return answer, (gzip.decompress(body) if packed else body).decode(errors="replace")

    def load(self, path):
        """A page with its styles, scripts and pictures."""
        self.bytes, self.answers = 0, {}
        _answer, page = self.ask(path)
        page = re.sub(r'<link rel="icon"[^>]*>', "", page)  # a browser asks for it when all is there
        files = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page))
        for file in files:
            assert self.ask(file)[0].status == 200
        return files


def deal(browser):
    """A hand against bots; returns its address."""
    _answer, page = browser.ask("/play/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    answer, _page = browser.ask("/play/", f"csrfmiddlewaretoken={token}&name=Ana&edition=classic&what=now")
    return answer.getheader("Location").partition("#")[0]


@pytest.mark.parametrize("which", ["first page", "online table"])
def test_before_the_first_tap_little_is_loaded_and_files_are_kept_for_good(port, which):
    browser = Browser(port)
    files = browser.load("/" if which == "first page" else deal(browser))
    assert len(files) >= 5
    assert browser.bytes <= MOST, browser.bytes
    assert len(browser.answers) < FEWER_THAN, list(browser.answers)
    for file in files:
        assert "immutable" in browser.answers[file].getheader("Cache-Control"), file


def test_who_takes_nothing_compressed_gets_it_plain_and_a_file_without_its_version_is_asked_for_again(port):
    browser = Browser(port)
    answer, page = browser.ask("/", **{"Accept-Encoding": "identity"})
    assert answer.getheader("Content-Encoding") is None and "<html" in page
    answer, css = browser.ask("/static/league/wild.css")
    assert answer.getheader("Content-Encoding") == "gzip" and "--ink" in css
    assert "Accept-Encoding" in answer.getheader("Vary") and "immutable" not in answer.getheader("Cache-Control")
    answer, _none = browser.ask("/static/league/wild.css", **{"If-Modified-Since": answer.getheader("Last-Modified")})
    assert answer.status == 304
    answer, _css = browser.ask("/static/league/wild.css?v=another")
    assert "immutable" not in answer.getheader("Cache-Control")


def test_what_is_compressed_says_so_and_a_part_of_a_file_never_is(port):
    browser = Browser(port)
    answer, _css = browser.ask("/static/league/wild.css", **{"Accept-Encoding": "gzip;q=0, identity"})
    assert answer.getheader("Content-Encoding") is None and "Accept-Encoding" in answer.getheader("Vary")
    answer, part = browser.ask("/static/league/wild.css", Range="bytes=0-1999")
    assert (answer.status, answer.getheader("Content-Encoding"), len(part.encode())) == (206, None, 2000)
