"""A player and two directors' tabs at the same moment, over HTTP on PostgreSQL."""

import psycopg
import pytest

from tests import cast
from tests.served import Served, Visitor, together

pytestmark = pytest.mark.slow

PREPARE = """
from league.access.signed_links import player_token
from league.access.viewer import Attribution
from league.leaving.requests import ask
made = cast.tournament(format="points", table_size=4, rounds=3, hands_per_round=2)
start(tournament=made, by=made.owner)
ready = []
for entry in made.entries.all():
    request = ask(entry=entry, kind="now", round_number=1, by=Attribution(player=entry))
    ready.append([f"/me/{player_token(entry)}/", request.pk])
print(json.dumps([made.slug, ready]))
"""


@pytest.fixture(scope="module")
def database(postgres_server, postgres_migrated):
    return postgres_server.new_database(like=postgres_migrated)


@pytest.fixture(scope="module")
def served(database, tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("leaving"), database)
    yield served.start()
    served.stop()


def director(served):
    visitor = Visitor(served.port)
    visitor.get("/accounts/login/")
    assert visitor.post("/accounts/login/", {"login": "olga@example.org", "password": cast.PASSWORD})[0] == 302
    return visitor


def test_either_the_player_withdraws_or_the_director_accepts_once(served, database):
    slug, ready = served.prepare([PREPARE])
    first, second = director(served), director(served)
    for link, request in ready[:5]:
        phone = Visitor(served.port)
        phone.get(link)
        phone.post(link, {})
        phone.get(f"/t/{slug}/me/leave/")
        accept = f"/t/{slug}/leaving/{request}/answer/"
        withdrawn, *answers = together(
            lambda phone=phone, request=request: phone.post(f"/t/{slug}/me/leave/", {"withdraw": request})[0],
            lambda accept=accept: first.post(accept, {"do": "accept"})[0],
            lambda accept=accept: second.post(accept, {"do": "accept"})[0],
        )
        assert answers == [302, 302], served.errors.read_text()
        with psycopg.connect(database) as connection:
            [(state, status, events)] = connection.execute(
                "SELECT request.state, entry.status, (SELECT count(*) FROM league_entryevent WHERE entry_id = entry.id)"
                " FROM league_leaverequest request JOIN league_entry entry ON entry.id = entry_id"
                f" WHERE request.id = {request}"
            ).fetchall()
        outcomes = {302: ("withdrawn", "active", 0), 409: ("accepted", "dropped", 1)}
        assert (state, status, events) == outcomes[withdrawn]
