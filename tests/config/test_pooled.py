"""PostgreSQL behind PgBouncer, which gives each transaction another connection."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from benchmarks.live import free_ports
from config.variables.read import Machine
from config.variables.services import database_faults
from tests.requirements import program
from tests.served import Served, Stream, migrated_on

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
    """The DATABASE_URL of a PgBouncer with two connections, to a database with the tables."""
    bouncer_program = program("pgbouncer")
    database, port = urlsplit(migrated_on(postgres_server)).path.lstrip("/"), free_ports(1)[0]
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
    bouncer = subprocess.Popen([*postgres_server.prefix, bouncer_program, "--quiet", str(settings)])
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


def test_the_main_job_is_done_through_the_pool(pool, tmp_path):
    served = Served(tmp_path, pool)
    served.environment["WILD_DATABASE_POOLED"] = "1"
    [slug, table] = served.prepare(
        [
            "made = cast.tournament(hands_per_round=4); start(tournament=made, by=made.owner)",
            "print(json.dumps([made.slug, cast.table(made, 1, 1).pk]))",
        ]
    )
    try:
        visitor = served.start().visitor()
        stream = Stream(served.port, slug)
        for hand in ("1", "2"):
            fields = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"} | visitor.form(table, hand)
            assert visitor.post(f"/tables/{table}/", fields)[0] == 303
            assert stream.event()["event"] == "changed"
        assert len(visitor.get(f"/t/{slug}/hands.csv")[1].splitlines()) == 1 + 2 * 4
        assert '"ready": true' in visitor.get("/readyz")[1]
    finally:
        served.stop()
    assert "Traceback" not in served.errors.read_text()


def test_check_names_the_setting_that_a_pool_by_transaction_needs(pool, postgres_server):
    def told(url: str, **environment: str) -> list[str]:
        return [str(fault) for fault in database_faults(Machine({"DATABASE_URL": url} | environment))]

    [sentence] = told(pool)
    assert sentence.startswith("DATABASE_URL leads to a pool by transaction, such as PgBouncer")
    assert told(pool, WILD_DATABASE_POOLED="1") == []
    assert told(postgres_server.new_database()) == []
