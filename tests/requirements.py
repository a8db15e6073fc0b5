"""What some tests need in addition to Python: a browser, PostgreSQL, Redis, a compiler of C, and programs of Debian.
Where one is missing, its tests are skipped.

WILD_REQUIRE names those whose absence is a failure instead; .ci/run names all, so that nothing is skipped in silence.
"""

import os
import shutil
from typing import NoReturn

import pytest

KNOWN = ("browser", "postgres", "redis", "compiler", "nginx", "caddy", "pgbouncer", "systemd")


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


def program(name: str, package: str = "") -> str:
    """Return the path of a program, also of those that Debian installs for root only. package: its name in KNOWN."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return found or missing(package or name, f"{name} is not installed.")
