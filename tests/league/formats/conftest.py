"""The formats and their searches, by themselves."""

import pytest


@pytest.fixture(autouse=True)
def _searches_once() -> None:
    """Here every search is made anew: these tests hold that the same arguments give the same seating."""
