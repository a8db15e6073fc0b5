"""The project on PostgreSQL: the migrations run, and commits are kept as in production."""

import os

import psycopg
import pytest

from tests import postgres
from tests.served import Served, migrate


def test_the_project_migrates_on_postgresql(postgres_server, tmp_path):
    url = postgres_server.new_database()
    migrate(tmp_path, url)
    with psycopg.connect(url) as connection:
        tables = {row[0] for row in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    assert {"django_migrations", "league_tournament", "league_handscore"} <= tables
    assert not (tmp_path / "wild.sqlite3").exists()


def test_an_answered_commit_survives_the_servers_death(postgres_server):
    url = postgres_server.new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (number int)")
        connection.execute("INSERT INTO kept VALUES (28)")
    postgres_server.kill()
    postgres_server.launch()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(28,)]
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


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


def test_what_sqlite_takes_and_postgresql_refuses_is_answered_and_no_fault(postgres_url, tmp_path):
    statuses = Served(tmp_path, postgres_url).prepare(
        (
            "from django.test import Client",
            "from league.services import close_tournament",
            "made = cast.play(cast.tournament(4, rounds=1))",
            "close_tournament(tournament=made, by=made.owner)",
            "olga = Client(headers={'host': 'localhost'}, raise_request_exception=False)",
            "olga.force_login(made.owner)",
            "at = f'/t/{made.slug}/'",
            "long = 'zoe@' + '.'.join(letter * 60 for letter in 'wxyz') + '.example'",
            "answers = [olga.get(at + 'log/?person=%00'), olga.get(at + 'log.csv?person=%00')]",
            "answers.append(olga.get(at + 'day/player/?player=%00'))",
            "answers.append(olga.post(at + 'people/', {'kind': 'scorer', 'days': '14', 'email': long}))",
            "answers.append(olga.post(at + 'reopen/', {'reason': 'Hand 2\\0'}))",
            "forged = Client(headers={'host': 'localhost'}, raise_request_exception=False)",
            r"answers.append(forged.get('/', HTTP_COOKIE='sessionid=\"abcdefgh\\000\"'))",
            "print(json.dumps([answer.status_code for answer in answers]))",
        )
    )
    assert statuses == [200, 200, 302, 422, 302, 200]
