"""Hands over the API: the whole evening, what is refused, and what is answered to a request that comes again."""

import csv
import io
import random

import pytest
from django.core.cache import cache
from django.test import Client

from engine.rules import EDITIONS
from engine.state import Rules
from games.models import Hand
from games.service.bots_play import play_a_hand
from league.formats import FORMATS
from league.models import HandScore, LogEntry, Role, Table, Tournament
from league.rounds.steps import start
from tests import cast
from tests.api import Program

pytestmark = pytest.mark.django_db

HAND = {"hand": 1, "went_out": 0, "seats": [{"seat": 1, "cards": ["R7", "GD", "B6"]}, {"seat": 3, "cards": ["W"]}]}


@pytest.fixture(scope="module", autouse=True)
def table_once(module_world):
    return cast.first_table()


@pytest.fixture
def table(table_once):
    return cast.again(table_once)


OTHER = HAND | {"seats": [{"seat": 1, "cards": ["R7", "GD"]}, {"seat": 3, "cards": ["W"]}]}


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def olga():
    return Program(cast.organiser())


@pytest.fixture
def scorer(table):
    Role.objects.create(tournament=table.round.tournament, user=cast.someone_else(), kind="scorer")
    return Program(cast.someone_else())


def hands_of(table):
    return f"/api/v1/tables/{table.pk}/hands/"


def as_json(report):
    given = {"seat": report.seat, "cards": None if report.cards is None else list(report.cards)}
    return given | {"cards_left": report.cards_left, "points_left": report.points_left}


def test_an_evening_of_56_hands_over_the_api_ends_with_the_standings_of_the_page(olga):
    create = {"name": "Autumn Pairs", "players": [{"name": name} for name in cast.CAST]}
    slug = olga.post("/api/v1/tournaments/", create, key="evening", status=201)["slug"]
    olga.post(f"/api/v1/tournaments/{slug}/start/")
    rng, rules = random.Random(8), Rules(EDITIONS["classic"], teams=True)
    for number in range(1, 8):
        played = next(one for one in olga.get(f"/api/v1/tournaments/{slug}/rounds/") if one["number"] == number)
        assert (played["state"], len(played["tables"]), played["byes"]) == ("published", 2, [])
        for table in played["tables"]:
            for hand in range(1, 5):
                went_out, reports = play_a_hand(rules, players=4, dealer=hand - 1, rng=rng)
                body = {
                    "hand": hand,
                    "seating_version": table["seating_version"],
                    "went_out": went_out,
                    "seats": [as_json(one) for one in reports],
                }
                olga.post(f"/api/v1/tables/{table['id']}/hands/", body, key=f"{table['id']}-{hand}", status=201)
        olga.post(f"/api/v1/tournaments/{slug}/advance/")
    assert olga.post(f"/api/v1/tournaments/{slug}/close/")["state"] == "closed"

    assert Hand.objects.count() == 56
    assert set(HandScore.objects.values_list("source", flat=True)) == {"api"}
    page = Client().get(f"/t/{slug}/standings.csv").content.decode()
    assert Client().get(f"/api/v1/tournaments/{slug}/standings/?format=csv").content.decode() == page
    rows = Program().get(f"/api/v1/tournaments/{slug}/standings/")
    for row, line in zip(rows, csv.DictReader(io.StringIO(page, newline="")), strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == line | {
            "tied": line["tied"].capitalize()
        }
    assert {row["hands_played"] for row in rows} == {28}
    assert len(Program().get(f"/api/v1/tournaments/{slug}/hands/")) == 224


def test_a_hand_is_answered_with_its_seats_and_scores(olga, table):
    made = olga.post(hands_of(table), HAND, status=201)
    assert (made["table_id"], made["hand"], made["went_out"], made["source"]) == (table.pk, 1, 0, "api")
    first, second = made["seats"][:2]
    assert (first["cards"], first["points_left"], first["score"]) == ([], 0, 83)
    assert (second["cards"], second["cards_left"], second["points_left"]) == (["B6", "GD", "R7"], 3, 33)
    assert second["player_id"] == table.seats.get(number=1).entry.public_id
    assert second["partner_id"] == table.seats.get(number=3).entry.public_id
    shown = Program().get(f"/api/v1/tables/{table.pk}/")
    assert shown["hands"] == [made]
    assert (shown["state"], shown["version"], shown["round"]) == ("playing", 1, 1)


def test_a_blocked_hand_is_null_and_must_be_said(olga, table):
    missing = {name: value for name, value in HAND.items() if name != "went_out"}
    assert olga.post(hands_of(table), missing, status=400)["errors"][0]["field"] == "went_out"
    blocked = {"hand": 1, "went_out": None}
    problem = olga.post(hands_of(table), blocked | {"seats": [{"seat": 0, "cards": ["W"] * 5}]}, status=422)
    assert problem["type"] == "/api/problems/impossible-hand"
    made = olga.post(hands_of(table), blocked | {"seats": []}, status=201)
    assert (made["went_out"], [one["score"] for one in made["seats"]]) == (None, [0, 0, 0, 0])


def test_the_same_request_gets_the_same_answer_whatever_happened_since(olga, table):
    first = olga.ask("post", hands_of(table), HAND, key="k")
    made = first.json()
    assert olga.post(f"/api/v1/hands/{made['id']}/void/", {"reason": "wrong table"})["voided_at"]
    again = olga.ask("post", hands_of(table), HAND, key="k")
    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.headers.get("Idempotency-Replayed"), again.headers["Idempotency-Replayed"]) == (None, "true")
    assert again.json() == made
    assert not Hand.objects.living().exists()


def test_a_key_with_another_body_is_refused(olga, table):
    olga.post(hands_of(table), HAND, key="k", status=201)
    assert olga.post(hands_of(table), OTHER, key="k", status=422)["type"] == "/api/problems/key-reused"
    assert Hand.objects.count() == 1


def test_an_equal_entry_of_somebody_else_is_the_same_hand(olga, scorer, table):
    made = olga.post(hands_of(table), HAND, key="k", status=201)
    answer = scorer.ask("post", hands_of(table), HAND, key="k")
    assert (answer.status_code, answer.json()) == (200, made)
    assert "Idempotency-Replayed" not in answer.headers, "another account's key is another key"
    points = {"seats": [{"seat": 1, "points_left": 33}, {"seat": 3, "points_left": 50}]}
    assert scorer.post(hands_of(table), HAND | points) == made


def test_another_result_for_the_same_hand_is_a_conflict_with_what_is_there(olga, scorer, table):
    made = olga.post(hands_of(table), HAND, status=201)
    problem = scorer.post(hands_of(table), OTHER, key="k", status=409)
    assert problem["type"] == "/api/problems/taken"
    assert problem["current"] == made
    assert Hand.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"hand": 5}, 422, "no-such-hand"),
        ({"went_out": 7}, 422, "no-such-seat"),
        ({"seats": [{"seat": 1, "cards": ["R7"]}]}, 422, "missing"),
        ({"seats": [{"seat": 1, "cards": ["X1"]}, {"seat": 3, "cards": ["W"]}]}, 422, "unknown-card"),
        ({"seats": [{"seat": 1, "cards": []}, {"seat": 3, "cards": ["W"]}]}, 422, "two-winners"),
        ({"seats": [*HAND["seats"], {"seat": 0, "cards": ["R1"]}]}, 422, "winner-holds-cards"),
        ({"seats": [*HAND["seats"], HAND["seats"][0]]}, 422, "seat-twice"),
        ({"seats": [{"seat": 1, "cards": ["W"] * 5}, {"seat": 3, "cards": ["R1"]}]}, 422, "too-many-copies"),
        ({"seats": [{"seat": 1, "cards_left": 1, "points_left": 33}, {"seat": 3, "cards": ["W"]}]}, 422,
         "cannot-be-worth"),
        ({"seating_version": 9}, 409, "seating-changed"),
        ({"hand": "one"}, 400, "malformed"),
        ({"hand": 0}, 400, "malformed"),
        ({"went_out": -1}, 400, "malformed"),
        ({"seats": {}}, 400, "malformed"),
        ({"seats": ["R7"]}, 400, "malformed"),
        ({"seats": [{"cards": ["R7"]}]}, 400, "malformed"),
        ({"seats": [{"seat": 1, "cards": [7.5, None]}]}, 400, "malformed"),
        ({"seats": [{"seat": 1, "points_left": 10**40}]}, 400, "malformed"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_changes_nothing(change, status, code, olga, table):
    problem = olga.post(hands_of(table), HAND | change, key="k", status=status)
    assert problem["code"] == code
    assert problem["errors"] or status == 409
    assert not Hand.objects.exists() and not LogEntry.objects.filter(action="record").exists()
    assert olga.post(hands_of(table), HAND, key="k", status=201), "the key is free after a refusal"


def test_a_hand_of_a_closed_round_is_a_conflict(olga):
    made = cast.play(cast.tournament(), rounds=1)
    table = cast.table(made, 1, 1)
    assert olga.post(hands_of(table), HAND, status=409)["code"] == "taken"
    Hand.objects.all().delete()
    problem = olga.post(hands_of(table), HAND, status=409)
    assert (problem["code"], problem["current"]) == ("closed", None)


def test_a_correction_voids_and_records_anew(olga, table):
    made = olga.post(hands_of(table), HAND, status=201)
    new = olga.post(f"/api/v1/hands/{made['id']}/correct/", OTHER | {"reason": "No B6"}, key="c", status=201)
    assert (new["replaces"], new["hand"], new["seats"][0]["score"]) == (made["id"], 1, 77)
    again = olga.ask("post", f"/api/v1/hands/{made['id']}/correct/", OTHER | {"reason": "No B6"}, key="c")
    assert (again.status_code, again.json(), again.headers["Idempotency-Replayed"]) == (201, new, "true")

    late = olga.post(f"/api/v1/hands/{made['id']}/correct/", HAND | {"reason": "x"}, status=409)
    assert (late["code"], late["current"]) == ("void", new)
    url = f"/api/v1/hands/{new['id']}/correct/"
    stale = olga.post(url, HAND | {"reason": "x", "version": 0}, status=409)
    assert (stale["code"], stale["current"]) == ("version", new)
    other_number = olga.post(url, HAND | {"reason": "x", "hand": 2}, status=400)
    assert [error["field"] for error in other_number["errors"]] == ["hand"]
    assert olga.post(url, HAND | {"reason": "x", "went_out": 1}, status=422)["code"] == "winner-holds-cards"
    assert olga.post(url, OTHER | {"reason": "again"}) == new, "nothing differs, nothing changes"


def test_a_scorer_takes_back_until_the_table_is_confirmed_and_never_corrects(olga, scorer, table):
    made = scorer.post(hands_of(table), HAND, status=201)
    scorer.post(f"/api/v1/hands/{made['id']}/correct/", OTHER | {"reason": "x"}, status=404)
    gone = scorer.post(f"/api/v1/hands/{made['id']}/void/")
    assert gone["id"] == made["id"] and gone["voided_at"]
    assert scorer.post(f"/api/v1/hands/{made['id']}/void/", status=409)["code"] == "void"
    for hand in range(1, 5):
        last = scorer.post(hands_of(table), HAND | {"hand": hand}, status=201)
    assert Table.objects.get(pk=table.pk).state == "reported"
    Table.objects.update(state="confirmed")
    assert scorer.post(f"/api/v1/hands/{last['id']}/void/", status=409)["code"] == "confirmed"
    olga.post(f"/api/v1/hands/{last['id']}/void/")


def test_hands_of_a_private_tournament_are_not_there_for_a_stranger():
    hidden = cast.tournament(visibility="private")
    start(tournament=hidden, by=hidden.owner)
    table = cast.table(hidden, 1, 1)
    made = cast.record(table, 1).hand
    for program, status in ((Program(), 401), (Program(cast.someone_else()), 404)):
        program.get(f"/api/v1/tables/{table.pk}/", status=404)
        for url in (hands_of(table), f"/api/v1/hands/{made.pk}/void/", f"/api/v1/hands/{made.pk}/correct/"):
            program.post(url, HAND | {"reason": "x"}, status=status)
    assert Hand.objects.living().count() == 1


def test_drafts_are_seen_with_the_right_alone(olga):
    made = cast.tournament(9)
    start(tournament=made, by=made.owner)
    seen = olga.get(f"/api/v1/tournaments/{made.slug}/rounds/")
    public = Program().get(f"/api/v1/tournaments/{made.slug}/rounds/")
    assert [one["state"] for one in seen] == ["published"] + ["draft"] * 8
    assert public == seen[:1] and len(public[0]["byes"]) == 1
    draft = seen[1]["tables"][0]["id"]
    olga.get(f"/api/v1/tables/{draft}/", status=404)


def test_rounds_take_the_same_queries_whatever_the_size(django_assert_max_num_queries):
    made = cast.play(cast.tournament(), rounds=3)
    with django_assert_max_num_queries(9):
        Program().get(f"/api/v1/tournaments/{made.slug}/rounds/")


def test_the_documents_examples_are_accepted(olga, client):
    document = client.get("/api/schema/?format=json").json()

    def examples(path):
        body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        return [one["value"] for one in body["examples"].values()]

    made = [olga.post("/api/v1/tournaments/", body, status=201) for body in examples("/api/v1/tournaments/")]
    assert {one["format"] for one in made} == FORMATS.keys()
    slug = next(one["slug"] for one in made if one["format"] == "pairs")
    olga.post(f"/api/v1/tournaments/{slug}/start/")
    table = cast.table(Tournament.objects.get(slug=slug), 1, 1)
    made = [olga.post(hands_of(table), hand, status=201) for hand in examples("/api/v1/tables/{table_id}/hands/")]
    for body in examples("/api/v1/hands/{hand_id}/correct/"):
        made[0] = olga.post(f"/api/v1/hands/{made[0]['id']}/correct/", body, status=201)
    for body in examples("/api/v1/hands/{hand_id}/void/"):
        olga.post(f"/api/v1/hands/{made[1]['id']}/void/", body)
