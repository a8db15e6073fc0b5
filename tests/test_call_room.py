"""The calls of a test map no memory, however deep they nest (tests/call_room.py)."""

import resource
import sys

import pytest

CALLS = 1_000


@pytest.mark.skipif(sys.platform != "linux", reason="counts the pages of a thread, as Linux does")
def test_no_loop_of_calls_maps_memory():
    assert _pages_mapped(200) < CALLS / 10


def _pages_mapped(depth):
    """The most pages that a loop of calls maps, at any depth from here to `depth` more."""
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _call in range(CALLS):
        _called(1, 2, 3, 4, 5, 6, 7, 8)
    here = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before
    return max(here, _pages_mapped(depth - 1)) if depth else here


def _called(_a, _b, _c, _d, _e, _f, _g, _h):
    pass
