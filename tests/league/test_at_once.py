"""Organisers who do the same thing at the same moment, over HTTP on PostgreSQL."""

import psycopg
import pytest

from tests.served import Served, together
from tests.test_stories import CREATE

PRESSES = 12


@pytest.fixture
def served(postgres_url, tmp_path):
    served = Served(tmp_path, postgres_url)
    yield served
    served.stop()


def count(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchone()[0]


def test_tournaments_of_the_same_name_made_at_once_get_addresses_of_their_own(served, postgres_url):
    served.prepare(["cast.organiser(); print(1)"])
    served.start()
    olga = served.visitor()
    olga.get("/new/")
    answers = together(*[lambda: olga.post("/new/", CREATE | {"players": "a\nb\nc\nd"})[0]] * PRESSES)
    assert answers == [302] * PRESSES, served.errors.read_text()
    assert count(postgres_url, "SELECT count(DISTINCT slug) FROM league_tournament") == PRESSES


def test_the_primary_button_pressed_by_many_at_once_takes_its_step_once(served, postgres_url):
    slug = served.prepare(["print(json.dumps(cast.tournament(rounds=2).slug))"])
    served.start()
    olga = served.visitor()
    olga.get(f"/t/{slug}/")
    for step in ("draw", "publish-1"):
        answers = together(*[lambda: olga.post(f"/t/{slug}/advance/", {"step": step})[0]] * PRESSES)  # noqa: B023
        assert answers == [302] * PRESSES, served.errors.read_text()
    assert count(postgres_url, "SELECT count(*) FROM league_round") == 2
    assert count(postgres_url, "SELECT count(*) FROM league_logentry WHERE action IN ('draw', 'publish')") == 2
