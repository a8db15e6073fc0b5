"""Fields and parameters that the API does not know: refused, with the nearest known name, and nothing is done."""

import json
from pathlib import Path

import pytest
from django.core.cache import cache

from league.api.unknown import MOST_ERRORS
from league.models import Club, Tournament
from tests import cast
from tests.api import Program

pytestmark = pytest.mark.django_db

TYPO = Path(__file__).parents[1] / "entries" / "lists" / "47-typo.json"
CREATE = {"name": "Friday", "players": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cara"}, {"name": "Dan"}]}
TOURNAMENTS = "/api/v1/tournaments/"


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def olga():
    return Program(cast.organiser())


def refused(problem):
    """The unknown names, with their messages."""
    assert (problem["type"], problem["code"]) == ("/api/problems/malformed", "unknown-field")
    assert problem["errors"][0]["message"] in problem["detail"]
    return {error["field"]: error["message"] for error in problem["errors"]}


def test_a_mistyped_tournament_is_not_created_and_each_typo_is_named(olga):
    messages = refused(olga.post(TOURNAMENTS, json.loads(TYPO.read_text()), status=400))
    assert messages == {
        "players.0.rating": "“players[0].rating” is not a known field. Known: name, club, email, birthday, team.",
        "visibilty": "“visibilty” is not a known field. Did you mean “visibility”?",
        "start_on": "“start_on” is not a known field. Did you mean “starts_on”?",
    }
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("change", "field", "nearest"),
    [
        ({"Name": "Friday"}, "Name", "name"),
        ({"tieBreaks": []}, "tieBreaks", "tie_breaks"),
        ({"hand": 4}, "hand", "hands"),
        ({"players": [{"name": "Ana"}, {"name": "Ben", "mail": "ben@example.org"}]}, "players.1.mail", "email"),
        ({"then": [{"format": "heats"}, {"format": "pairs", "carry": 50}]}, "then.1.carry", "carries"),
        ({"then": [{"format": "heats", "tablesize": 4}]}, "then.0.tablesize", "table_size"),
    ],
)
def test_an_unknown_field_is_found_at_every_level(change, field, nearest, olga):
    messages = refused(olga.post(TOURNAMENTS, CREATE | change, status=400))
    assert list(messages) == [field] and f"Did you mean “{nearest}”?" in messages[field]
    assert not Tournament.objects.exists()


def test_no_name_is_suggested_where_none_is_near(olga):
    messages = refused(olga.post("/api/v1/clubs/", {"name": "Ludo", "zzz": 1, "": 2}, status=400))
    known = "Known: name, place, time_zone, about, visibility."
    assert messages == {
        "zzz": f"“zzz” is not a known field. {known}",
        "": f"“” is not a known field. {known}",
    }
    assert not Club.objects.exists()


def test_a_step_without_a_body_has_no_fields(olga):
    made = cast.tournament()
    problem = olga.post(f"{TOURNAMENTS}{made.slug}/start/", {"round": 1}, status=400)
    assert refused(problem) == {"round": "“round” is not a known field. This request has no fields."}
    made.refresh_from_db()
    assert made.state == "planned"


def test_hands_of_a_table_are_checked_seat_by_seat(olga):
    table = cast.table(cast.play(cast.tournament(), rounds=1, close=False), 1, 1)
    body = {"hand": 9, "went_out": 0, "seats": [{"seat": 1, "points_left": 3}, {"seat": 2, "point_left": 4}]}
    messages = refused(olga.post(f"/api/v1/tables/{table.pk}/hands/", body, status=400))
    assert messages == {"seats.1.point_left": "“seats[1].point_left” is not a known field. Did you mean “points_left”?"}


def test_a_long_list_of_unknown_fields_is_answered_shortly(olga):
    rows = [{"name": f"Player {number}", "rating": 1500} for number in range(200)]
    problem = olga.post(TOURNAMENTS, CREATE | {"players": rows, "x" * 10_000: 1}, status=400)
    assert len(problem["errors"]) == MOST_ERRORS
    huge = olga.post(TOURNAMENTS, CREATE | {"x" * 10_000: 1}, status=400)
    assert len(json.dumps(huge)) < 3000


def test_a_refused_body_leaves_its_key_free(olga):
    olga.post(TOURNAMENTS, CREATE | {"visibilty": "private"}, key="friday", status=400)
    made = olga.post(TOURNAMENTS, CREATE | {"visibility": "private"}, key="friday", status=201)
    assert made["visibility"] == "private"


@pytest.mark.parametrize(
    ("rest", "field", "ending"),
    [
        ("?pages=2", "pages", "Did you mean “page”?"),
        ("?Format=json", "Format", "Did you mean “format”?"),
        ("?bom=1", "bom", "Known: format, page."),
        ("{slug}/standings/?asOfRound=1", "asOfRound", "Did you mean “as_of_round”?"),
        ("{slug}/standings/?stages=1&format=csv", "stages", "Did you mean “stage”?"),
        ("{slug}/odds/?form=csv", "form", "Did you mean “format”?"),
        ("{slug}/rounds/?round=2", "round", "Known: format."),
    ],
)
def test_an_unknown_parameter_is_refused(rest, field, ending):
    evening = cast.tournament()
    messages = refused(Program().get(TOURNAMENTS + rest.format(slug=evening.slug), status=400))
    assert list(messages) == [field] and messages[field].endswith(ending)


def test_parameters_of_a_get_mean_nothing_for_a_post(olga):
    assert list(refused(olga.post(f"{TOURNAMENTS}?page=1", CREATE, status=400))) == ["page"]
    olga.post(f"{TOURNAMENTS}?format=json", CREATE, status=201)


def test_deleting_knows_the_name_and_nothing_else(olga):
    made = cast.tournament(name="Draft evening")
    at = f"{TOURNAMENTS}{made.slug}/"
    assert olga.ask("delete", f"{at}?nam=Draft%20evening").json()["errors"][0]["field"] == "nam"
    assert olga.ask("delete", at).status_code == 422, "the name is missing"
    assert olga.ask("delete", f"{at}?name=Draft%20evening").status_code == 204


def test_a_file_may_have_the_mark_of_its_encoding():
    evening = cast.play(cast.tournament(), rounds=1)
    at = f"{TOURNAMENTS}{evening.slug}/standings/"
    with_mark = Program().ask("get", f"{at}?format=csv&bom=1")
    assert with_mark.content.startswith(b"\xef\xbb\xbf")
    assert not Program().ask("get", f"{at}?format=csv&bom=0").content.startswith(b"\xef\xbb\xbf")
    assert Program().get(f"{at}?bom=maybe", status=400)["errors"][0]["field"] == "bom"


def test_the_document_closes_every_body_and_no_answer(client):
    document = client.get("/api/schema/?format=json").json()
    schemas = document["components"]["schemas"]
    bodies = {name for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    assert {"TournamentIn", "PlayerIn", "NextStageIn", "HandIn", "SeatIn", "PlacedIn", "DivisionIn"} <= bodies
    assert not {name for name in bodies if not name.endswith("In")}
