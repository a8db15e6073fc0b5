"""Online tables over the API: making them, setting them, and the way to what is played there."""

import pytest
from django.core.cache import cache
from django.test import Client

from games.models import Deal, OnlineSettings
from league.models import LogEntry, Role, Table, Tournament
from league.rounds.draw import draw
from league.rounds.steps import start
from tests import cast
from tests.api import Program
from tests.games.online_table import everybody_ready, put_online

pytestmark = pytest.mark.django_db

CREATE = {"name": "Autumn Pairs", "players": [{"name": name} for name in cast.CAST]}


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def program():
    return Program(cast.organiser())


@pytest.fixture(scope="module", autouse=True)
def drawn_once(module_world):
    made = cast.tournament()
    draw(tournament=made, by=made.owner)
    return made


@pytest.fixture
def drawn(drawn_once):
    return cast.again(drawn_once)


def at(tournament, rest="online/"):
    return f"/api/v1/tournaments/{tournament.slug}/{rest}"


def modes(rounds):
    return [[table["mode"] for table in one["tables"]] for one in rounds]


def test_a_tournament_is_made_with_online_tables(program):
    answer = program.post("/api/v1/tournaments/", CREATE | {"online": "2-3"}, status=201)
    assert answer["online"] == "2,3"
    program.post(f"/api/v1/tournaments/{answer['slug']}/start/")
    rounds = program.get(f"/api/v1/tournaments/{answer['slug']}/rounds/")
    assert modes(rounds[:2]) == [["offline", "online"]] * 2
    refused = program.post("/api/v1/tournaments/", CREATE | {"online": "first"}, status=422)
    assert (refused["code"], refused["errors"][0]["field"]) == ("online", "online")


def test_settings_are_read_and_only_what_is_named_changes(program, drawn):
    before = program.get(at(drawn))
    assert (before["online"], before["options"], before["move_seconds"]) == ("", [], 30)
    wanted = {"online": "all", "options": ["stacking", "stacking"], "move_seconds": 12, "no_show": "wait"}
    answer = program.post(at(drawn), wanted)
    assert answer == before | wanted | {"options": ["stacking"]} == program.get(at(drawn))
    assert modes(program.get(at(drawn, "rounds/"))) == [["online", "online"]] * 7
    assert OnlineSettings.objects.get(tournament=drawn).bank_seconds == before["bank_seconds"]
    rows = LogEntry.objects.filter(tournament=drawn).count()
    assert program.post(at(drawn)) == answer
    assert LogEntry.objects.filter(tournament=drawn).count() == rows


@pytest.mark.parametrize(
    ("asked", "status", "field"),
    [
        ({"move_seconds": 1}, 400, "move_seconds"),
        ({"bot": "clever"}, 400, "bot"),
        ({"options": ["cheating"]}, 400, "options.0"),
        ({"online": "0"}, 422, "online"),
    ],
)
def test_what_cannot_be_set_is_refused_by_its_field(program, drawn, asked, status, field):
    assert program.post(at(drawn), asked, status=status)["errors"][0]["field"] == field
    assert not OnlineSettings.objects.exists()


def test_house_rules_stand_from_the_start(program, drawn):
    start(tournament=drawn, by=drawn.owner)
    assert program.post(at(drawn), {"options": ["stacking"]}, status=409)["code"] == "started"


def test_tables_of_a_round_are_put_online_once_for_one_key(program, drawn):
    wanted = {"round": 3, "online": [2]}
    answer = program.post(at(drawn, "online/tables/"), wanted, key="r3")
    assert (answer["number"], modes([answer])) == (3, [["offline", "online"]])
    program.post(at(drawn, "online/tables/"), {"round": 3, "paper": [2]})
    assert program.post(at(drawn, "online/tables/"), wanted, key="r3") == answer  # answered again, not done again
    assert Table.objects.filter(mode="online").count() == 0
    assert program.post(at(drawn, "online/tables/"), {"round": 3, "online": [9]}, status=422)["code"] == "table"
    assert program.post(at(drawn, "online/tables/"), {"round": 8, "online": [1]}, status=422)["code"] == "round"


def test_a_table_where_a_hand_is_in_play_stays_online(program, table):
    everybody_ready(put_online(table))
    address = at(table.round.tournament, "online/tables/")
    assert program.post(address, {"round": 1, "paper": [1]}, status=409)["code"] == "in-play"


def test_a_table_leads_to_the_state_of_play_once_it_is_published(program, drawn):
    Tournament.objects.filter(pk=drawn.pk).update(online="1")
    drawn.refresh_from_db()
    program.post(at(drawn, "online/tables/"), {"round": 1, "online": [1]})
    assert program.get(at(drawn, "rounds/"))[0]["tables"][0]["play"] is None
    start(tournament=drawn, by=drawn.owner)
    online, paper = cast.table(drawn, 1, 1), cast.table(drawn, 1, 2)
    deal = put_online(online)
    assert program.get(f"/api/v1/tables/{paper.pk}/")["play"] is None
    address = program.get(f"/api/v1/tables/{online.pk}/")["play"]
    state = Client().get(address, headers={"Accept": "application/json"}).json()
    assert (state["table"], state["play"]["deal"], state["play"]["state"]) == (online.pk, deal.pk, Deal.State.WAITING)


def test_a_director_switches_tables_and_does_not_see_the_settings(table):
    tournament, director = table.round.tournament, cast.someone_else()
    Role.objects.create(tournament=tournament, user=director, kind=Role.Kind.DIRECTOR, created_by=tournament.owner)
    program = Program(director)
    assert modes([program.post(at(tournament, "online/tables/"), {"round": 1, "online": [1]})]) == [
        ["online", "offline"]
    ]
    program.get(at(tournament), status=404)
