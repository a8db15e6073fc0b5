"""PostgreSQL behind PgBouncer, which gives each transaction another connection."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from benchmarks.live import free_ports
from tests.requirements import missing

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("programs")]

ROOT = Path(__file__).parents[2]
MANY_AT_ONCE = """
import django, threading
django.setup()
from league.lib.prepared_sql import PreparedQuery
statement, answers = PreparedQuery("SELECT 1 + %s"), []
def ask():
    for number in range(40):
        answers.append(statement.first(number) == (1 + number,))
threads = [threading.Thread(target=ask) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("answered" if answers == 320 * [True] else "failed")
"""


@pytest.fixture
def pool(postgres_server) -> Iterator[str]:
    """The DATABASE_URL of a PgBouncer with two connections."""
    program = shutil.which("pgbouncer")
    if program is None:
        missing("pgbouncer", "there is no pgbouncer")
    database, port = urlsplit(postgres_server.new_database()).path.lstrip("/"), free_ports(1)[0]
    settings = postgres_server.folder / "pgbouncer.ini"
    names = postgres_server.folder / "pgbouncer.users"
    names.write_text('"postgres" ""\n')
    settings.write_text(
        f"[databases]\n* = host={postgres_server.folder} dbname={database} user=postgres\n"
        f"[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port={port}\nunix_socket_dir=\nauth_type=any\nauth_file={names}\n"
        "pool_mode=transaction\ndefault_pool_size=2\nignore_startup_parameters=extra_float_digits,options\n"
    )
    for file in (settings, names):
        file.chmod(0o644)
    bouncer = subprocess.Popen([*postgres_server.prefix, program, "--quiet", str(settings)])
    url = f"postgres://postgres@127.0.0.1:{port}/{database}"
    try:
        while not answers(url):
            assert bouncer.poll() is None
        yield url
    finally:
        bouncer.terminate()
        bouncer.wait()


def answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def run(url: str, **environment: str) -> str:
    settings = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings", "WILD_DATABASE_KEEP": "60"}
    done = subprocess.run(
        [sys.executable, "-c", MANY_AT_ONCE],
        cwd=ROOT,
        env=os.environ | settings | environment,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_statements_are_planned_each_time_where_the_settings_name_a_pool(pool):
    assert run(pool, WILD_DATABASE_POOLED="1") == "answered"
    assert run(pool) == "failed"  # why there is such a setting
