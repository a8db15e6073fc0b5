"""What some tests need beside Python: a browser, PostgreSQL, Redis, a compiler of C. Where one is missing, its tests
are skipped.

`WILD_REQUIRE=browser,postgres,redis,compiler` (CI sets it) makes it a failure instead: nothing is skipped in silence.
"""

import os
from typing import NoReturn

import pytest

KNOWN = ("browser", "postgres", "redis", "compiler")


def required() -> set[str]:
    """What WILD_REQUIRE names; a name that is not known is an error, or a misspelt one would require nothing."""
    names = {name.strip() for name in os.environ.get("WILD_REQUIRE", "").split(",") if name.strip()}
    if unknown := names.difference(KNOWN):
        raise pytest.UsageError(f"WILD_REQUIRE knows {', '.join(KNOWN)}, not {', '.join(sorted(unknown))}.")
    return names


def missing(what: str, reason: str) -> NoReturn:
    """Skip the test that asks for it, or fail it when WILD_REQUIRE names it."""
    if what in required():
        pytest.fail(f"WILD_REQUIRE names {what}, but {reason}", pytrace=False)
    pytest.skip(reason)
