"""Organisers who do the same thing at the same moment, over HTTP on PostgreSQL."""

import re

import psycopg
import pytest

from tests.served import Served, together
from tests.test_stories import CREATE

pytestmark = pytest.mark.slow

PRESSES = 12


@pytest.fixture(scope="module")
def database(postgres_server, postgres_migrated):
    return postgres_server.new_database(like=postgres_migrated)


@pytest.fixture(scope="module")
def served(database, tmp_path_factory):
    """One server for all tests of this file, each of which has tournaments of its own."""
    served = Served(tmp_path_factory.mktemp("at-once"), database)
    served.prepare(["cast.organiser(); print(1)"])
    yield served.start()
    served.stop()


def count(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchone()[0]


def of(slug):
    """The condition that a row is one of this tournament."""
    return f"tournament_id = (SELECT id FROM league_tournament WHERE slug = '{slug}')"


def test_tournaments_of_the_same_name_made_at_once_get_addresses_of_their_own(served, database):
    olga = served.visitor()
    olga.get("/new/")
    answers = together(
        *[lambda: olga.post("/new/", CREATE | {"name": "At Once", "players": "a\nb\nc\nd"})[0]] * PRESSES
    )
    assert answers == [302] * PRESSES, served.errors.read_text()
    assert count(database, "SELECT count(DISTINCT slug) FROM league_tournament WHERE name = 'At Once'") == PRESSES


def test_the_primary_button_pressed_by_many_at_once_takes_its_step_once(served, database):
    slug = served.prepare(["print(json.dumps(cast.tournament(rounds=2).slug))"])
    olga = served.visitor()
    olga.get(f"/t/{slug}/")
    for step in ("draw", "publish-1"):
        answers = together(*[lambda: olga.post(f"/t/{slug}/advance/", {"step": step})[0]] * PRESSES)  # noqa: B023
        assert answers == [302] * PRESSES, served.errors.read_text()
    assert count(database, f"SELECT count(*) FROM league_round WHERE {of(slug)}") == 2
    assert (
        count(database, f"SELECT count(*) FROM league_logentry WHERE {of(slug)} AND action IN ('draw', 'publish')") == 2
    )


def test_a_button_of_the_clock_pressed_by_many_at_once_does_one_thing(served, database):
    lines = ["made = cast.tournament(); start(tournament=made, by=made.owner)", "print(json.dumps(made.slug))"]
    slug = served.prepare(lines)
    olga = served.visitor()

    def press(*buttons):
        """All of them at one moment, as the clock is shown now."""
        _status, page = olga.get(f"/t/{slug}/")
        shown = re.search(r'name="shown" value="([^"]*)"', page)[1]
        calls = [
            lambda fields=fields: olga.post(f"/t/{slug}/clock/", {"shown": shown} | fields)[0]
            for fields in buttons * (PRESSES // len(buttons))
        ]
        assert together(*calls) == [302] * len(calls), served.errors.read_text()

    def left():
        query = "SELECT coalesce(seconds_left, extract(epoch from ends_at - now())) FROM league_round WHERE number = 1"
        return float(count(database, f"{query} AND {of(slug)}"))

    press({"do": "start", "minutes": "30"}, {"do": "start", "minutes": "50"})
    assert 29 * 60 < left() <= 50 * 60
    before = left()
    press({"do": "add", "minutes": "5"})
    assert 4 * 60 < left() - before <= 5 * 60
    press({"do": "pause"}, {"do": "add", "minutes": "600"})
    press({"do": "extra", "table": "1", "minutes": "5"}, {"do": "stop"})
    logged = f"SELECT count(*) FROM league_logentry WHERE {of(slug)} AND action"
    assert count(database, f"{logged} IN ('start-clock', 'add-minutes', 'pause-clock')") == 3
    assert count(database, f"{logged} = 'stop-clock'") == 1
    assert "Traceback" not in served.errors.read_text()


def test_a_clock_is_not_stopped_in_a_round_that_is_closed_at_that_moment(served, database):
    lines = ["made = cast.tournament(); cast.play(made, 1, close=False)", "print(json.dumps(made.slug))"]
    slug = served.prepare(lines)
    olga = served.visitor()
    olga.get(f"/t/{slug}/")
    assert olga.post(f"/t/{slug}/clock/", {"do": "start", "minutes": "30", "shown": "1  "})[0] == 302
    _status, page = olga.get(f"/t/{slug}/")
    step = re.search(r'name="step" value="([^"]*)"', page)[1]
    shown = re.search(r'name="shown" value="([^"]*)"', page)[1]
    pause = [lambda: olga.post(f"/t/{slug}/clock/", {"do": "pause", "shown": shown})[0]] * 5
    close = [lambda: olga.post(f"/t/{slug}/advance/", {"step": step})[0]] * 2
    assert together(*pause, *close) == [302] * 7, served.errors.read_text()
    open_now = f"SELECT number FROM league_round WHERE {of(slug)} AND state IN ('published', 'running')"
    assert count(database, open_now) == 2
    assert count(database, f"SELECT coalesce(seconds_left, 0) FROM league_round WHERE {of(slug)} AND number = 2") == 0
    assert count(database, f"SELECT count(*) FROM league_logentry WHERE {of(slug)} AND action = 'pause-clock'") <= 1


def test_a_tournament_that_is_deleted_and_published_at_once_is_either_gone_or_begun(served, database):
    lines = ["made = [cast.tournament(name=f'Evening {number}') for number in range(4)]"]
    slugs = served.prepare([*lines, "print(json.dumps([one.slug for one in made]))"])
    olga = served.visitor()
    for number, slug in enumerate(slugs):
        olga.get(f"/t/{slug}/")
        olga.post(f"/t/{slug}/advance/", {"step": "draw"})
        deletes = [lambda: olga.post(f"/t/{slug}/delete/", {"name": f"Evening {number}"})[0]] * 3  # noqa: B023
        publishes = [lambda: olga.post(f"/t/{slug}/advance/", {"step": "publish-1"})[0]] * 3  # noqa: B023
        answers = together(*(one for pair in zip(deletes, publishes, strict=True) for one in pair))
        assert set(answers) <= {302, 404, 409}, served.errors.read_text()
        there = count(database, f"SELECT count(*) FROM league_tournament WHERE slug = '{slug}'")
        rows = "FROM league_logentry JOIN league_tournament AS its ON its.id = tournament_id"
        assert there == count(database, f"SELECT count(*) {rows} WHERE slug = '{slug}' AND action = 'publish'")
    deleted = count(database, "SELECT count(*) FROM league_accountlogentry")
    left = count(database, "SELECT count(*) FROM league_tournament WHERE name LIKE 'Evening %'")
    assert deleted + left == len(slugs)
