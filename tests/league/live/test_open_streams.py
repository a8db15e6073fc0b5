"""Who gets a stream: the rule as a value, and the slots of a process."""

import logging

import pytest
from django.test import RequestFactory

from league.live import open_files
from league.live.open_streams import A_SESSION, OpenStreams, may_open


@pytest.mark.parametrize(
    ("taken", "of_address", "addresses", "opens"),
    [
        (0, 0, 1, True),
        (399, 399, 1, True),  # a hall alone, up to 80 %
        (400, 400, 1, False),
        (400, 0, 2, True),  # others still get theirs
        (499, 99, 2, True),
        (500, 100, 2, False),
        (450, 250, 2, False),  # two halls: half each
        (450, 249, 2, True),
        (450, 125, 4, False),  # four halls: a quarter each
        (450, 124, 4, True),
        (450, A_SESSION - 1, 450, True),  # many small addresses: one browser's each
        (450, A_SESSION, 450, False),
    ],
)
def test_an_address_is_refused_only_when_most_are_taken_and_it_has_more_than_its_share(
    taken, of_address, addresses, opens
):
    assert may_open(most=500, taken=taken, of_address=of_address, addresses=addresses) is opens


def test_a_fixed_share_counts_only_once_most_are_taken():
    assert may_open(most=500, taken=399, of_address=399, addresses=1, share=10)
    assert not may_open(most=500, taken=400, of_address=10, addresses=1, share=10)
    assert may_open(most=500, taken=499, of_address=499, addresses=1, share=500)


def from_address(address, session=""):
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    request.COOKIES = {"sessionid": session} if session else {}
    return request


def test_slots_are_released_once_and_the_network_of_an_ipv6_address_counts(settings):
    settings.LIVE_STREAMS, settings.LIVE_STREAMS_AN_ADDRESS = 5, 2
    streams = OpenStreams()
    taken = [streams.take(from_address(f"2001:db8::{number}")) for number in range(5)]
    assert [slot is not None for slot in taken] == [True] * 4 + [False]
    assert streams.take(from_address("2001:db8:0:1::1")), "another network, released at once as no one holds it"
    with taken[0]:
        pass
    del taken[0]
    again = streams.take(from_address("2001:db8::9"))
    assert again and streams.take(from_address("2001:db8::9")) is None
    taken.clear()
    del again
    assert (streams._taken, dict(streams._addresses), dict(streams._sessions)) == (0, {}, {})


def test_a_phone_after_the_first_five_hundred_is_live_too():
    streams = OpenStreams()
    slots = [streams.take(from_address("192.0.2.1", f"phone {number}")) for number in range(501)]
    assert all(slots)


@pytest.mark.parametrize(("files", "room"), [(None, 2000), (10_000, 2000), (1024, 824), (100, 0)])
def test_streams_leave_files_for_the_rest(files, room):
    assert open_files.room_for_streams(2000, files) == room


@pytest.mark.parametrize(("files", "warned"), [(1024, True), (2200, False), (None, False)])
def test_too_few_open_files_are_logged_with_what_to_do(files, warned, monkeypatch, caplog):
    monkeypatch.setattr(open_files, "allow_open_files", lambda wanted: None)
    monkeypatch.setattr(open_files, "open_files_allowed", lambda: files)
    with caplog.at_level(logging.WARNING):
        open_files.prepare_for_streams(2000)
    assert ("only 1024 files, enough for 824 of 2000 live pages" in caplog.text) is warned
    assert ("Raise the limit to 2200" in caplog.text) is warned
