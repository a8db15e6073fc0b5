"""What the log of requests says of answers, streams and failures."""

import asyncio
import logging

import pytest
from django.http import HttpResponse, StreamingHttpResponse

from config.request_log import RequestLogMiddleware
from league import access
from tests.apart import run_apart

REQUEST_LOG = "config.request_log"


@pytest.fixture
def lines(caplog):
    """The log's lines as (event, level, fields)."""
    caplog.set_level(logging.INFO, logger=REQUEST_LOG)
    return lambda: [
        (record.msg["event"], record.levelname, record.msg) for record in caplog.records if record.name == REQUEST_LOG
    ]


def events(lines):
    return [event for event, _level, _fields in lines()]


@pytest.mark.parametrize(
    ("status", "level"), [(200, "INFO"), (302, "INFO"), (404, "INFO"), (422, "INFO"), (503, "ERROR")]
)
def test_only_answers_of_500_and_more_are_errors(rf, lines, status, level):
    answer = RequestLogMiddleware(lambda request: HttpResponse(status=status))(rf.get("/t/x/?name=Ana"))
    [(event, told_level, fields)] = lines()
    assert (event, told_level) == ("request_finished", level)
    assert (fields["code"], fields["request"]) == (status, "GET /t/x/")
    assert fields["request_id"] == answer["X-Request-ID"]


@pytest.mark.django_db
def test_a_failing_view_is_one_line_with_its_traceback(client, lines, monkeypatch):
    def failing(*args, **kwargs):
        raise ValueError("a fault")

    monkeypatch.setattr(access, "tournaments_of", failing)
    client.raise_request_exception = False
    answer = client.get("/")
    [(event, level, fields)] = lines()
    assert (event, level, fields["code"]) == ("request_failed", "ERROR", 500)
    assert fields["request_id"] == answer["X-Request-ID"]
    assert fields["exc_info"]


def test_a_stream_is_finished_under_the_id_of_its_request(rf, lines):
    stream = RequestLogMiddleware(lambda request: StreamingHttpResponse([b"a", b"b"]))
    first, second = stream(rf.get("/a/")), stream(rf.get("/b/"))
    assert b"".join(first.streaming_content) == b"ab"
    assert events(lines) == ["request_finished", "request_finished", "streaming_finished"]
    assert lines()[-1][2]["request_id"] == first["X-Request-ID"] != second["X-Request-ID"]


def test_a_stream_that_fails_is_an_error(rf, lines):
    def chunks():
        yield b"a"
        raise ValueError("a fault")

    answer = RequestLogMiddleware(lambda request: StreamingHttpResponse(chunks()))(rf.get("/a/"))
    with pytest.raises(ValueError, match="a fault"):
        list(answer.streaming_content)
    assert [(event, level) for event, level, _fields in lines()][1:] == [("streaming_failed", "ERROR")]


def test_live_pages_that_are_closed_are_no_errors(rf, lines):
    async def endless():
        yield b"a"
        await asyncio.sleep(3600)

    async def view(request):
        return StreamingHttpResponse(endless())

    async def visit():
        answer = await RequestLogMiddleware(view)(rf.get("/live/"))
        chunks = aiter(answer.streaming_content)
        assert await anext(chunks) == b"a"
        reading = asyncio.create_task(anext(chunks))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)

    run_apart(visit())
    assert [(event, level) for event, level, _fields in lines()] == [
        ("request_finished", "INFO"),
        ("streaming_cancelled", "INFO"),
    ]


def test_a_request_that_its_client_gives_up_is_no_error(rf, lines):
    async def view(request):
        await asyncio.sleep(3600)

    async def visit():
        waiting = asyncio.create_task(RequestLogMiddleware(view)(rf.get("/live/")))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    run_apart(visit())
    assert [(event, level) for event, level, _fields in lines()] == [("request_cancelled", "INFO")]
