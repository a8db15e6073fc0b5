"""The project on PostgreSQL: the migrations run, connections are kept, and the server of the tests starts anywhere."""

import os
import subprocess
import sys

import dj_database_url
import psycopg
import pytest
from django.conf import settings
from django.db import ConnectionHandler

from tests import postgres
from tests.served import Served, migrate

pytestmark = pytest.mark.slow


def test_the_project_migrates_on_postgresql(postgres_server, tmp_path):
    url = postgres_server.new_database()
    migrate(tmp_path, url)
    with psycopg.connect(url) as connection:
        tables = {row[0] for row in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    assert {"django_migrations", "league_tournament", "league_handscore"} <= tables
    assert not (tmp_path / "wild.sqlite3").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
@pytest.mark.parametrize("readable", [True, False], ids=["readable", "below /root"])
def test_root_without_user_namespaces_starts_it_as_nobody(readable, monkeypatch, tmp_path):
    monkeypatch.setattr(postgres, "IN_NAMESPACE", ["false"])
    if not readable:  # pytest's folder is root's alone
        (tmp_path / "bin").symlink_to(postgres.wheel_binaries())
        monkeypatch.setattr(postgres, "wheel_binaries", lambda: tmp_path / "bin")
    server = postgres.PostgresServer.start()
    try:
        assert server.folder.stat().st_uid == postgres.NOBODY
        assert server.binaries.is_relative_to(server.folder) is not readable
        with psycopg.connect(server.url("postgres")) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        server.stop()
    assert not server.folder.exists()


def test_where_nothing_can_start_it_the_reason_is_said(monkeypatch):
    monkeypatch.setattr(postgres.os, "geteuid", lambda: 0)
    monkeypatch.setattr(postgres.shutil, "which", lambda program: None)
    with pytest.raises(postgres.PostgresUnavailable, match="neither 'unshare --user' nor 'setpriv'"):
        postgres.PostgresServer.start()


LIMITS = """
import os; os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django; django.setup()
from concurrent.futures import ThreadPoolExecutor
from django.db import connection

def limit():
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return cursor.fetchone()[0]

with ThreadPoolExecutor(1, thread_name_prefix="page") as pages:
    print(pages.submit(limit).result(), limit())
"""


@pytest.mark.parametrize(("pooled", "limits"), [("0", "30s 0"), ("1", "0 0")])
def test_statements_of_requests_are_limited_and_those_of_workers_and_pools_not(
    postgres_server, tmp_path, pooled, limits
):
    environment = os.environ | {"DATABASE_URL": postgres_server.url("postgres"), "WILD_DATABASE_POOLED": pooled}
    command = [sys.executable, "-c", LIMITS]
    done = subprocess.run(
        command, env=environment, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout.strip() == limits


@pytest.fixture
def kept(postgres_url, django_db_blocker):
    """A connection as a web process keeps it from one request to the next."""
    database = dj_database_url.parse(postgres_url, conn_max_age=60, conn_health_checks=True)
    database["OPTIONS"]["prepare_threshold"] = settings.PREPARE_AFTER
    connection = ConnectionHandler({"default": database | {"ENGINE": "config.postgresql"}})["default"]
    with django_db_blocker.unblock():
        yield connection
        connection.close()


def ask(connection, statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_a_kept_connection_that_the_server_ended_is_another_one_for_the_next_request(kept, postgres_url):
    first = ask(kept, "SELECT pg_backend_pid()")
    kept.close_if_unusable_or_obsolete()  # as between two requests
    assert ask(kept, "SELECT pg_backend_pid()") == first
    kept.close_if_unusable_or_obsolete()
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", [first])
    assert ask(kept, "SELECT pg_backend_pid()") != first


def test_a_statement_that_is_run_again_and_again_is_planned_once(kept):
    for _ in range(settings.PREPARE_AFTER + 2):
        with kept.preparing_cursor() as cursor:
            cursor.execute("SELECT 1 + %s", [2])
            assert cursor.fetchone() == (3,)
    assert ask(kept, "SELECT count(*) FROM pg_prepared_statements") == 1


def test_what_sqlite_takes_and_postgresql_refuses_is_answered_and_no_fault(postgres_url, tmp_path):
    statuses = Served(tmp_path, postgres_url).prepare(
        (
            "from django.test import Client",
            "from league.rounds.steps import close_tournament",
            "made = cast.play(cast.tournament(4, rounds=1))",
            "close_tournament(tournament=made, by=made.owner)",
            "olga = Client(headers={'host': 'localhost'}, raise_request_exception=False)",
            "olga.force_login(made.owner)",
            "at = f'/t/{made.slug}/'",
            "long = 'zoe@' + '.'.join(letter * 60 for letter in 'wxyz') + '.example'",
            "answers = [olga.get(at + 'log/?person=%00'), olga.get(at + 'log.csv?person=%00')]",
            "answers.append(olga.get(at + 'people/a%00/'))",
            "answers.append(olga.post(at + 'people/', {'kind': 'scorer', 'days': '14', 'email': long}))",
            "answers.append(olga.post(at + 'reopen/', {'reason': 'Hand 2\\0'}))",
            "forged = Client(headers={'host': 'localhost'}, raise_request_exception=False)",
            r"answers.append(forged.get('/', HTTP_COOKIE='sessionid=\"abcdefgh\\000\"'))",
            "print(json.dumps([answer.status_code for answer in answers]))",
        )
    )
    assert statuses == [200, 200, 404, 422, 302, 200]
