"""Many who sign up and withdraw at the same moment, over HTTP on PostgreSQL."""

import psycopg
import pytest

from tests.served import Served, Visitor, together

pytestmark = pytest.mark.slow

PREPARE = """
from league.access.signed_links import sign_up_token
from league.entries.sign_up import set_sign_up, sign_up
made = cast.tournament(players=0)
set_sign_up(tournament=made, capacity=8, by=made.owner, many_at_once=True)
def link(number):
    person = dict(name=f"E{number}", email=f"e{number}@example.org", site="http://testserver")
    return f"/sign-up/{sign_up_token(sign_up(tournament=made, **person)[0])}/"
print(json.dumps([made.slug, [link(number) for number in range(EARLY)]]))
"""


@pytest.fixture(scope="module")
def database(postgres_server, postgres_migrated):
    return postgres_server.new_database(like=postgres_migrated)


@pytest.fixture(scope="module")
def served(database, tmp_path_factory):
    """One server for all tests of this file, each of which has a tournament of its own."""
    served = Served(tmp_path_factory.mktemp("at-once"), database)
    yield served.start()
    served.stop()


def rows(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


def of(slug):
    """The condition that a row is one of this tournament."""
    return f"tournament_id = (SELECT id FROM league_tournament WHERE slug = '{slug}')"


def phone(served, path):
    visitor = Visitor(served.port)
    visitor.get(path)
    return visitor


def test_twelve_who_sign_up_at_once_for_eight_places_are_eight_placed_and_four_waiting(served, database):
    slug, _links = served.prepare([PREPARE.replace("EARLY", "0")])
    page = f"/t/{slug}/sign-up/"
    phones = [phone(served, page) for _ in range(12)]
    answers = together(
        *[
            lambda one=one, number=number: one.post(page, {"name": f"P{number}", "email": f"p{number}@example.org"})[0]
            for number, one in enumerate(phones)
        ]
    )
    assert answers == [303] * 12, served.errors.read_text()
    states = rows(database, f"SELECT state, count(*) FROM league_signup WHERE {of(slug)} GROUP BY state ORDER BY state")
    assert states == [("placed", 8), ("waiting", 4)]
    numbers = rows(database, f"SELECT number FROM league_entry WHERE {of(slug)} ORDER BY number")
    assert [number for (number,) in numbers] == list(range(1, 9))
    # Who came first has a place: nobody who waits stands before somebody who plays.
    assert rows(
        database,
        f"SELECT (SELECT max(id) FROM league_signup WHERE {of(slug)} AND state = 'placed')"
        f" < (SELECT min(id) FROM league_signup WHERE {of(slug)} AND state = 'waiting')",
    ) == [(True,)]


def test_the_same_address_sent_by_many_taps_at_once_is_one_sign_up(served, database):
    slug, _links = served.prepare([PREPARE.replace("EARLY", "0")])
    page = f"/t/{slug}/sign-up/"
    one = phone(served, page)
    answers = together(*[lambda: one.post(page, {"name": "Ana", "email": "ana@example.org"})[0]] * 8)
    assert answers == [303] * 8, served.errors.read_text()
    assert rows(database, f"SELECT count(*) FROM league_signup WHERE {of(slug)}") == [(1,)]
    assert rows(database, f"SELECT count(*) FROM league_entry WHERE {of(slug)}") == [(1,)]
    letters = f"SELECT count(*) FROM league_letter JOIN league_signup its ON its.id = sign_up_id WHERE {of(slug)}"
    assert rows(database, letters) == [(1,)]


def test_withdrawing_while_others_sign_up_leaves_no_place_empty_and_none_given_twice(served, database):
    slug, links = served.prepare([PREPARE.replace("EARLY", "8")])
    page = f"/t/{slug}/sign-up/"
    leaving = [(phone(served, link), link) for link in links[:4]]
    coming = [phone(served, page) for _ in range(6)]
    answers = together(
        *[lambda one=one, at=at: one.post(at, {"what": "withdraw", "sure": "yes"})[0] for one, at in leaving],
        *[
            lambda one=one, number=number: one.post(page, {"name": f"P{number}", "email": f"p{number}@example.org"})[0]
            for number, one in enumerate(coming)
        ],
    )
    assert sorted(answers) == [302] * 4 + [303] * 6, served.errors.read_text()
    states = rows(database, f"SELECT state, count(*) FROM league_signup WHERE {of(slug)} GROUP BY state ORDER BY state")
    assert states == [("placed", 8), ("waiting", 2), ("withdrawn", 4)]
    assert rows(database, f"SELECT count(*) FROM league_entry WHERE {of(slug)}") == [(8,)]


def test_a_link_ended_or_mailed_while_its_player_is_taken_off_the_list_stops_nobody(served, database):
    slug, links = served.prepare([PREPARE.replace("EARLY", "8")])
    olga, maud = served.visitor(), served.visitor()
    ids = [link.split("/")[2].partition("-")[0] for link in links]
    players = [f"/t/{slug}/players/{one}/" for one in ids]
    leaving = [(phone(served, link), link) for link in links]
    for player, (one, link) in zip(players, leaving, strict=True):
        answers = together(
            *[lambda: olga.post(f"{player}link/end/", {})[0]] * 3,  # noqa: B023
            *[lambda: maud.post(f"{player}link/mail/", {})[0]] * 3,  # noqa: B023
            lambda: one.post(link, {"what": "withdraw", "sure": "yes"})[0],  # noqa: B023
        )
        # Gone is an answer too; a link of a sign-up ends with that of its player.
        assert set(answers) <= {302, 404}, (answers, served.errors.read_text())
    assert "deadlock" not in served.errors.read_text()
