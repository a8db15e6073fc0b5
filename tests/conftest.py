"""Fixtures for the whole suite. It runs on SQLite; what needs another process or real locks asks for `postgres_url`."""

import contextlib
import gc
import itertools
import os
import random
import re
import tempfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connections, transaction
from django.utils import translation
from psycopg.conninfo import conninfo_to_dict
from pytest_django import DjangoDbBlocker

from tests import requirements, searches
from tests.call_room import CallRoom
from tests.postgres import PostgresServer, PostgresUnavailable
from tests.redis_server import RedisServer, RedisUnavailable
from tests.request_count import RequestCount
from tests.served import SHARED, migrated_on

# No example has a time limit of its own: on a busy machine it fails by chance.
hypothesis.settings.register_profile("wild", deadline=None)
hypothesis.settings.load_profile("wild")

DATA = tempfile.TemporaryDirectory(prefix="wild-test-")


# What `--quick` leaves out: what drives a browser, starts servers or kills them, and files that try very many cases.
NOT_QUICK = {"browser", "faults"}
SLOW_FILE = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)
NEEDS_A_SERVER = {"postgres_url", "postgres_server", "redis_server", "live_server", "programs"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out browsers, servers, faults and whatever is slow")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A quick run does not even import a file of slow tests: every worker would, and list them."""
    if not config.getoption("--quick"):
        return None
    is_slow = collection_path.suffix == ".py" and SLOW_FILE.search(collection_path.read_text(encoding="utf-8"))
    return True if collection_path.name in NOT_QUICK or is_slow else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--quick"):
        return
    quick: list[pytest.Item] = []
    slow: list[pytest.Item] = []
    for item in items:
        patient = item.get_closest_marker("slow") or NEEDS_A_SERVER & set(item.fixturenames)
        (slow if patient else quick).append(item)
    config.hook.pytest_deselected(items=slow)
    items[:] = quick


def pytest_configure(config: pytest.Config) -> None:
    requirements.required()
    config.pluginmanager.register(RequestCount())
    config.pluginmanager.register(CallRoom())
    os.environ["WILD_BACKUPS"] = "0"  # else each server begins with one
    os.environ.setdefault(SHARED, DATA.name)  # the workers begin with what the run has
    gc.set_threshold(50_000, 20, 100)  # to look for garbage less often: there is little
    # Whatever the tests do, they never touch the data of whoever runs them: not the files, and not the database, which
    # a live server would use if its test forgot to ask for the test database.
    settings.DATA_DIR = Path(DATA.name)
    default = connections["default"].settings_dict
    if default["ENGINE"].endswith("sqlite3"):
        default["NAME"] = str(Path(DATA.name) / "not-the-test-database.sqlite3")
        # No test switches the machine off, and thousands of commits need not wait for the disk.
        options = default["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    # Static files are looked for when asked for; listing them all takes longer than most tests, for every client.
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PLAY_RATE = 0  # tests play faster than people
    settings.SIGN_UP_OPEN = True  # no test waits for an owner who opens it
    # Half a second for every account is right in production and wasted here.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _worker_postgres.cache_info().currsize and isinstance(server := _worker_postgres(), PostgresServer):
        server.stop()
    DATA.cleanup()


@pytest.fixture(autouse=True)
def _nothing_tried_yet() -> None:
    """Limits of tries are kept in the cache; what one test signed in must not count for the next. Nor does a test go on
    in the language of a request that another one made in the same thread."""
    caches["default"].clear()
    from games.online.play import presence

    caches["presence"].clear()
    caches["pages"].clear()
    presence.forget()
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _no_part_is_dead_yet() -> None:
    """No worker runs for a test's pages, and a test takes longer than a worker may be silent after the start."""
    from league.background import heartbeats

    heartbeats._started = float("inf")


@pytest.fixture(autouse=True)
def _same_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is dealt the same cards each time; whoever begins its first hand may play or draw. From a fresh deck
    one hand in fifteen of four players reaches the 100 points at which a casual game ends: a test of its second hand
    would have none. A hand that is kept in memory is known by its row and its seal, and both are those of another test
    too: it is forgotten."""
    _deal_the_same(monkeypatch)


def _deal_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.online.play import deals, replay

    replay.forget()
    numbers = itertools.count()
    monkeypatch.setattr(deals, "fresh_seed", lambda: random.Random(next(numbers)).randbytes(72))


@pytest.fixture(autouse=True)
def _searches_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seating that another test has searched for is not searched for again."""
    searches.find_once(monkeypatch)


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are counted by the minute: without a clock that stands, a test may begin in one and end in the next."""
    monkeypatch.setattr("league.lib.rate_limits.time", SimpleNamespace(time=lambda: 1_000_003))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """A file instead of memory: the requests of a live server then have connections, and locks, of their own."""
    default = connections["default"].settings_dict
    if default["ENGINE"].endswith("sqlite3"):
        default["TEST"]["NAME"] = str(Path(DATA.name) / "test.sqlite3")


@pytest.fixture(scope="module")
def module_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For a fixture of a module that plays what all tests of the file begin with.

    It stays until the last of them, and what each test writes is rolled back before the next. A test reads its rows
    anew (`again`), since another may have changed the objects.
    """
    with pytest.MonkeyPatch.context() as monkeypatch, django_db_blocker.unblock(), transaction.atomic():
        _deal_the_same(monkeypatch)
        searches.find_once(monkeypatch)
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def programs() -> None:
    """For fixtures that start a server or other programs by themselves: `--quick` leaves out what asks for them."""


@cache
def _worker_postgres() -> PostgresServer | PostgresUnavailable:
    """Start this worker's PostgreSQL, and return it or why it is not available."""
    try:
        return PostgresServer.start()
    except PostgresUnavailable as reason:
        return reason


@cache
def _migrated_postgres() -> str:
    """Return the name of a migrated, empty database on this worker's PostgreSQL, to be copied."""
    server = _worker_postgres()
    assert isinstance(server, PostgresServer)
    return conninfo_to_dict(migrated_on(server))["dbname"]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """Start PostgreSQL before the time limit of the first test that needs it begins: a slow machine takes minutes."""
    fixtures = getattr(item, "fixturenames", ())
    with contextlib.suppress(Exception):  # the fixture tries again and reports it
        if "postgres_server" in fixtures:
            _worker_postgres()
        if "postgres_migrated" in fixtures:
            _migrated_postgres()
    return (yield)


@pytest.fixture(scope="session")
def postgres_server() -> PostgresServer:
    server = _worker_postgres()
    if isinstance(server, PostgresUnavailable):
        requirements.missing("postgres", str(server))
    return server


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A Redis of this test's own, empty."""
    try:
        server = RedisServer.start()
    except RedisUnavailable as reason:
        requirements.missing("redis", str(reason))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres_migrated(postgres_server: PostgresServer) -> str:
    """The name of a database with the tables and nothing in them, to be copied."""
    return _migrated_postgres()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, postgres_migrated: str) -> str:
    """A new database for this test, with the tables and nothing in them, as a DATABASE_URL; psycopg takes it too."""
    return postgres_server.new_database(like=postgres_migrated)
