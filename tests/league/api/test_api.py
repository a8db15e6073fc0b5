"""Tournaments over the API: making and running them, tokens, keys, problems."""

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.hands.correct import void_hand
from league.access.viewer import Attribution
from league.accounts.tokens import make_token
from league.models import ApiAnswer, ApiToken, LogEntry, Role, Round, Tournament, User
from league.public import api as tables
from league.public.tables import EXPORTS
from league.rounds.adjustments import adjust
from tests import cast
from tests.api import Program

pytestmark = pytest.mark.django_db

CREATE = {
    "name": "Autumn Pairs",
    "format": "pairs",
    "edition": "classic",
    "players": [{"name": name} for name in cast.CAST],
}


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def olga():
    return Program(cast.organiser())


@pytest.fixture
def evening():
    return cast.play(cast.tournament(), rounds=2, close=False)


def at(tournament, rest=""):
    return f"/api/v1/tournaments/{tournament.slug}/{rest}"


# --- making and running ----------------------------------------------------------------------------------------------


def test_a_tournament_is_made_with_its_players(olga):
    answer = olga.post("/api/v1/tournaments/", CREATE | {"place": "Café Ludo", "starts_on": "2026-11-24"}, status=201)
    made = Tournament.objects.get(slug=answer["slug"])
    assert [one["player"] for one in answer["players"]] == list(cast.CAST)
    assert (made.owner, made.place, answer["hands"], answer["rounds"]) == (cast.organiser(), "Café Ludo", 4, None)
    assert answer["next_step"] == {"step": "draw", "round": None, "missing": [], "disputed": []}
    assert answer.pop("notes") == []
    assert olga.get(at(made)) == answer


def test_a_challenge_is_made_with_its_settings_and_hands_may_be_open(olga):
    asked = {"format": "challenge", "table_size": 5, "target": 300, "hands": None}
    made = olga.post("/api/v1/tournaments/", CREATE | asked, status=201)
    assert {name: made[name] for name in asked} == asked
    assert made["next_step"]["step"] == "draw"
    assert olga.post(f"/api/v1/tournaments/{made['slug']}/start/", status=200)["state"] == "running"
    assert [len(one["seats"]) for one in olga.get(f"/api/v1/tournaments/{made['slug']}/rounds/")[0]["tables"]] == [4, 4]


def test_several_cycles_and_the_worth_of_a_bye_are_asked_for_too(olga):
    asked = {"cycles": 2, "bye_points": 40}
    made = olga.post("/api/v1/tournaments/", CREATE | asked, status=201)
    assert {name: made[name] for name in (*asked, "target")} == asked | {"target": None}


def test_start_publishes_round_1_and_a_second_start_changes_nothing(olga):
    made = cast.tournament()
    for _time in range(2):
        assert olga.post(at(made, "start/"))["state"] == "running"
    assert LogEntry.objects.filter(tournament=made, action="publish").count() == 1


def test_advance_goes_from_the_draw_to_final_standings(olga):
    made = cast.tournament(4, rounds=1)
    steps = []
    while (step := olga.get(at(made))["next_step"]["step"]) != "done":
        steps.append(step)
        if step == "close-1":
            cast.play_round(made.rounds.get(number=1))
        olga.post(at(made, "advance/"))
    assert steps == ["draw", "publish-1", "close-1", "finish"]
    problem = olga.post(at(made, "advance/"), status=409)
    assert problem["code"] == "done"
    assert olga.post(at(made, "reopen/"), {"reason": "A slip"})["state"] == "running"
    assert olga.post(at(made, "close/"))["state"] == "closed"


def test_what_is_called_off_does_not_begin_until_it_is_held_after_all(olga):
    made = cast.tournament()
    assert olga.post(at(made, "call-off/"), {"reason": "No hall"})["called_off"] == "No hall"
    assert olga.post(at(made, "start/"), status=409)["code"] == "called-off"
    assert olga.post(at(made, "hold-after-all/"))["called_off"] == ""
    assert olga.post(at(made, "start/"))["state"] == "running"
    cast.record(cast.table(made, 1, 1), 1)
    assert olga.post(at(made, "call-off/"), {"reason": "Too late"}, status=409)["code"] == "begun"


def test_a_step_that_was_named_and_taken_is_not_taken_again(olga):
    made = cast.tournament()
    for _time in range(2):
        assert olga.post(at(made, "advance/"), {"step": "draw"})["next_step"]["step"] == "publish-1"


def test_advance_stops_at_missing_tables_and_goes_on_without_them_for_a_reason(olga, evening):
    first, second = evening.rounds.get(number=2).tables.order_by("number")
    hand = second.hands.latest("number")
    second.refresh_from_db()
    void_hand(hand_id=hand.pk, version=second.version, reason="", by=Attribution(evening.owner))
    problem = olga.post(at(evening, "advance/"), status=409)
    assert problem["type"] == "/api/problems/missing"
    assert problem["current"] == {"missing": [{"id": second.pk, "number": 2, "hands": 3}]}
    assert problem["detail"] == "Table 2 still has hands to play in round 2."

    strange = olga.post(at(evening, "advance/"), {"without": [second.pk, 10**6], "reason": "x"}, status=422)
    assert strange["errors"][0]["field"] == "without"
    other = olga.post(at(evening, "advance/"), {"without": [first.pk], "reason": "x"}, status=409)
    assert [one["id"] for one in other["current"]["missing"]] == [second.pk]
    assert evening.rounds.get(number=2).state == Round.State.RUNNING

    olga.post(at(evening, "advance/"), {"without": [second.pk], "reason": "Table 2 had to leave"})
    assert [one.state for one in evening.rounds.order_by("number")[:3]] == ["closed", "closed", "published"]
    row = LogEntry.objects.get(tournament=evening, action="close-round", round=2)
    assert (row.new, row.reason) == ({"without": [2]}, "Table 2 had to leave")


def test_the_list_has_public_tournaments_and_ones_own(olga):
    cast.tournament(name="Public")
    cast.tournament(name="Hidden", visibility="unlisted", owner=cast.someone_else())
    mine = cast.tournament(name="Mine", visibility="private")
    helped = cast.tournament(name="Helped", visibility="private", owner=cast.someone_else())
    Role.objects.create(tournament=helped, user=cast.organiser(), kind="scorer")

    def names(program):
        return sorted(one["name"] for one in program.get("/api/v1/tournaments/")["results"])

    assert names(Program()) == ["Public"]
    assert names(olga) == ["Helped", "Mine", "Public"]
    assert olga.get(at(mine))["name"] == "Mine"


def test_the_list_comes_in_pages_of_fifty(olga):
    for _number in range(51):
        cast.tournament(0)
    first = olga.get("/api/v1/tournaments/")
    assert (first["count"], len(first["results"]), first["previous"]) == (51, 50, None)
    assert len(olga.get(first["next"])["results"]) == 1
    assert olga.get("/api/v1/tournaments/?page=3", status=404)["type"] == "/api/problems/not-found"


# --- tables of rows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["standings", "seating", "hands", "adjustments"])
def test_csv_is_the_pages_file_and_json_has_the_same_rows(table, olga, evening):
    adjust(
        tournament=evening, entry=cast.entry(evening, "Zoë"), points=-5, reason="=late", round_number=1,
        by=evening.owner,
    )  # fmt: skip
    for query in ("", "?as_of_round=1"):
        page = Client().get(f"/t/{evening.slug}/{table}.csv{query}")
        by_accept = Client().get(at(evening, f"{table}/{query}"), headers={"Accept": "text/csv"})
        by_format = Client().get(at(evening, f"{table}/{query}{'&' if query else '?'}format=csv"))
        assert page.content == by_accept.content == by_format.content
        assert by_accept.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert by_accept.headers["Content-Disposition"] == page.headers["Content-Disposition"]
        rows = olga.get(at(evening, f"{table}/{query}"))
        assert rows and all(list(row) == list(EXPORTS[table].header) for row in rows)
        assert len(rows) == page.content.decode().count("\r\n") - 1


def test_json_keeps_numbers_booleans_and_null(olga, evening):
    row = olga.get(at(evening, "standings/"))[0]
    assert (row["rank"], row["tied"], row["out_in_round"], type(row["total"])) == (1, False, None, int)
    hand = olga.get(at(evening, "hands/"))[0]
    assert type(hand["went_out"]) is bool and hand["recorded_at"].endswith("Z")


def test_a_round_that_is_not_there_is_a_malformed_question(olga, evening):
    problem = olga.get(at(evening, "standings/?as_of_round=9"), status=400)
    assert problem["errors"] == [{"field": "as_of_round", "message": "as_of_round must be a round number from 1 to 7."}]
    assert Program().get(at(evening, "standings/?as_of_round=3"), status=400)["detail"].endswith("1 to 2.")


# --- who may ---------------------------------------------------------------------------------------------------------


def test_a_private_tournament_is_not_there_for_a_stranger(olga):
    hidden = cast.play(cast.tournament(visibility="private"), rounds=1)
    for program in (Program(), Program(cast.someone_else())):
        for table in ("", "rounds/", "standings/", "seating/", "hands/", "adjustments/"):
            assert program.get(at(hidden, table), status=404)["type"] == "/api/problems/not-found"
    assert Program(cast.someone_else()).post(at(hidden, "advance/"), status=404)["status"] == 404
    assert Program().post(at(hidden, "advance/"), status=401)["type"] == "/api/problems/no-token"
    assert olga.get(at(hidden, "standings/"))


def test_who_lacks_the_right_is_told_no_more_than_a_stranger(evening):
    scorer = cast.someone_else()
    Role.objects.create(tournament=evening, user=scorer, kind="scorer")
    program = Program(scorer)
    assert program.get(at(evening))["next_step"] is None
    for step in ("start/", "advance/", "close/", "reopen/"):
        program.post(at(evening, step), {"reason": "x"}, status=404)


def test_a_read_token_reads_and_does_not_write(evening):
    program = Program(cast.organiser(), scope="read")
    assert program.get(at(evening))["next_step"]["step"] == "close-2"
    problem = program.post(at(evening, "advance/"), status=403)
    assert problem["type"] == "/api/problems/forbidden" and "read" in problem["detail"]
    program.post("/api/v1/tournaments/", CREATE, status=403)


@pytest.mark.parametrize("fault", ["forged", "expired", "revoked", "inactive"])
def test_a_token_that_is_not_valid_is_refused_even_where_none_is_needed(fault, evening):
    program = Program(cast.organiser())
    token = ApiToken.objects.get()
    if fault == "forged":
        program.secret = "0" * 40
    elif fault == "expired":
        ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif fault == "revoked":
        token.revoked_at = timezone.now()
        token.save()
    else:
        User.objects.update(is_active=False)
    answer = program.ask("get", at(evening))
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Token"
    assert answer.json()["type"] == "/api/problems/bad-token"


@pytest.mark.usefixtures("one_minute")
def test_the_eleventh_bad_token_a_minute_from_an_address_has_to_wait(evening, olga):
    forged = Program(secret="f" * 40)
    statuses = [forged.ask("get", at(evening)).status_code for _try in range(11)]
    assert statuses == [401] * 10 + [429]
    answer = forged.ask("get", at(evening))
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert answer.json()["type"] == "/api/problems/too-many-requests"
    assert olga.get(at(evening)), "a good token from the same address goes on"
    assert forged.ask("get", at(evening), REMOTE_ADDR="192.0.2.7").status_code == 401


@pytest.mark.usefixtures("one_minute")
def test_writes_are_limited_for_each_token(settings, evening, olga):
    settings.API_WRITES_A_MINUTE = 2
    for status in (200, 200, 429):
        answer = olga.ask("post", at(evening, "start/"))
        assert answer.status_code == status
    assert int(answer.headers["Retry-After"]) >= 1
    assert Program(cast.organiser()).post(at(evening, "start/"))


def test_only_the_hash_of_a_token_is_stored_and_its_use_is_noted(evening):
    token, secret = make_token(user=cast.organiser())
    assert secret not in json.dumps(list(ApiToken.objects.values()), default=str)
    Program(secret=secret).get(at(evening))
    token.refresh_from_db()
    assert token.last_used_at is not None and token.prefix == secret[:8]


def test_somebody_signed_in_writes_only_with_the_csrf_token(evening):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.organiser())
    assert browser.get(at(evening)).json()["next_step"] is not None
    refused = browser.post(at(evening, "start/"), "", "application/json")
    assert refused.status_code == 403
    assert refused.headers["Content-Type"] == "application/problem+json"
    browser.get("/accounts/tokens/")
    sent = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    allowed = browser.post(at(evening, "start/"), "", "application/json", headers=sent)
    assert allowed.status_code == 200


# --- keys ------------------------------------------------------------------------------------------------------------


def test_the_same_key_makes_one_tournament_and_gets_the_same_answer(olga):
    first = olga.ask("post", "/api/v1/tournaments/", CREATE, key="evening-1")
    cast.play(Tournament.objects.get(), rounds=1)
    again = olga.ask("post", "/api/v1/tournaments/", CREATE, key="evening-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Tournament.objects.count() == 1


def test_a_key_stands_for_one_request(olga, evening):
    olga.post("/api/v1/tournaments/", CREATE, key="k", status=201)
    for url, body in (("/api/v1/tournaments/", CREATE | {"name": "Other"}), (at(evening, "start/"), {})):
        problem = olga.post(url, body, key="k", status=422)
        assert problem["type"] == "/api/problems/key-reused"
    assert Tournament.objects.filter(name="Other").count() == 0


def test_keys_of_two_accounts_do_not_meet(olga):
    other = Program(cast.someone_else())
    slugs = {one.post("/api/v1/tournaments/", CREATE, key="1", status=201)["slug"] for one in (olga, other)}
    assert len(slugs) == 2


def test_a_refusal_does_not_use_up_the_key(olga, evening):
    assert olga.post(at(evening, "close/"), key="k", status=409)["code"] == "unfinished"
    assert not ApiAnswer.objects.exists()
    cast.play(evening)
    assert olga.post(at(evening, "close/"), key="k")["state"] == "closed"


@pytest.mark.parametrize("key", ["x" * 81, "with space", "ümlaut"])
def test_a_key_that_cannot_be_kept_is_malformed(key, olga):
    problem = olga.post("/api/v1/tournaments/", CREATE, key=key.encode().decode("latin-1"), status=400)
    assert problem["errors"][0]["field"] == "Idempotency-Key"


# --- problems --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"name": ""}, 400, "name"),
        ({"name": "x\u0007"}, 400, "name"),
        ({"name": "\ud800"}, 400, "name"),
        ({"players": "Ana"}, 400, "players"),
        ({"players": [{"club": "Ludo"}]}, 400, "players.0.name"),
        ({"visibility": "secret"}, 400, "visibility"),
        ({"starts_on": "tomorrow"}, 400, "starts_on"),
        ({"starts_on": "1999-01-01"}, 400, "starts_on"),
        ({"starts_at": "25:00"}, 400, "starts_at"),
        ({"time_zone": "Mars/Base"}, 400, "time_zone"),
        ({"tie_breaks": ["luck"]}, 400, "tie_breaks.0"),
        ({"hands": 0}, 422, "hands"),
        ({"hands": 10**30}, 422, "hands"),
        ({"format": "chess"}, 422, "format"),
        ({"edition": "tarot"}, 422, "edition"),
        ({"rounds": 8}, 422, "rounds"),
        ({"hands": None}, 422, "hands"),
        ({"cycles": 11}, 422, "cycles"),
        ({"cycles": 2, "rounds": 3}, 422, "cycles"),
        ({"bye_points": -1}, 422, "bye_points"),
        ({"format": "challenge", "table_size": 11}, 422, "table_size"),
        ({"format": "challenge", "target": 0}, 422, "target"),
        ({"format": "challenge", "players": [{"name": "Ana"}, {"name": "Ben"}]}, 422, "players"),
        ({"players": [{"name": "Ana"}]}, 422, "players"),
    ],
)
def test_what_cannot_be_made_is_refused_field_by_field(change, status, field, olga):
    problem = olga.post("/api/v1/tournaments/", CREATE | change, status=status)
    assert field in [error["field"] for error in problem["errors"]]
    assert all(error["message"] for error in problem["errors"])
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("day", "code", "sentence"),
    [
        ("2036-03-30", "no-such-time", "Clocks go forward on 30 March 2036 in Europe/Paris, so 02:30 doesn’t exist"),
        ("2036-10-26", "twice", "Clocks go back on 26 October 2036 in Europe/Paris, so 02:30 comes twice"),
    ],
)
def test_a_start_that_the_clocks_skip_or_show_twice_is_refused_in_a_sentence_at_its_field(day, code, sentence, olga):
    start = {"starts_on": day, "starts_at": "02:30", "time_zone": "Europe/Paris"}
    problem = olga.post("/api/v1/tournaments/", CREATE | start, status=422)
    assert (problem["type"], problem["code"]) == ("/api/problems/refused", code)
    assert [error["field"] for error in problem["errors"]] == ["starts_at"]
    assert problem["detail"].startswith(sentence) and problem["errors"][0]["message"] == problem["detail"]
    assert not Tournament.objects.exists()
    assert olga.post("/api/v1/tournaments/", CREATE | start | {"time_zone": "UTC"}, status=201)["starts_at"] == "02:30"


def test_faulty_players_are_named_by_line(olga):
    players = [{"name": "Ana"}, {"name": "\u200b"}, {"name": "C", "club": "a\x07b"}]
    problem = olga.post("/api/v1/tournaments/", CREATE | {"players": players}, status=400)
    assert [(one["line"], one["field"]) for one in problem["errors"]] == [(2, "players.name"), (3, "players.club")]


def test_an_address_or_a_birthday_that_cannot_be_read_is_left_out_and_noted(olga):
    players = [{"name": name} for name in cast.CAST[2:]]
    players += [{"name": "Ana", "email": "ana@"}, {"name": "Ben", "birthday": "May"}]
    answer = olga.post("/api/v1/tournaments/", CREATE | {"players": players}, status=201)
    assert len(answer["players"]) == 8
    assert answer["notes"] == [
        "Line 7, email: “ana@” is not an e-mail address and is left out.",
        "Line 8, birthday: “May” is left out. Write birthdays as 1991-07-30 or 30.07.",
    ]


@pytest.mark.parametrize("body", [b"{", b"[1, 2]", b"null", b'"x"', b"\xff", b"[" * 100_000, b'{"name": NaN}'])
def test_a_body_that_is_no_json_object_is_malformed(body, olga):
    answer = olga.ask("post", "/api/v1/tournaments/", raw=body)
    assert (answer.status_code, answer.json()["type"]) == (400, "/api/problems/malformed")


def test_other_kinds_of_requests_are_problems_too(olga, evening):
    def problem(answer):
        assert answer.headers["Content-Type"] == "application/problem+json"
        return answer.status_code, answer.json()["type"].rpartition("/")[2]

    assert problem(olga.ask("put", at(evening))) == (405, "method")
    assert problem(olga.ask("post", at(evening, "standings/"))) == (405, "method")
    assert problem(olga.ask("get", at(evening, "standings/"), HTTP_ACCEPT="image/png")) == (406, "not-acceptable")
    assert problem(olga.ask("get", at(evening, "standings/?format=xml"))) == (400, "malformed")
    form = Client().post(at(evening, "start/"), {"a": 1}, headers=olga.headers())
    assert problem(form) == (415, "media-type")
    large = olga.ask("post", "/api/v1/tournaments/", raw=b" " * 3_000_000)
    assert problem(large) == (413, "too-large")
    pieces = olga.ask("post", at(evening, "advance/"), HTTP_TRANSFER_ENCODING="chunked")
    assert problem(pieces) == (411, "no-length")
    for nowhere in ("/api/v1/", "/api/v1/tournaments", "/api/v2/x/", "/api/v1/tables/0/", "/api/v1/tables/x/"):
        assert problem(Client().get(nowhere)) == (404, "not-found"), nowhere
        assert Client().post(nowhere).status_code in (401, 404, 405)


# --- the tokens' page and command ------------------------------------------------------------------------------------


def test_a_token_is_shown_once_listed_by_its_prefix_and_can_be_revoked(client):
    client.force_login(cast.organiser())
    assert client.get("/accounts/tokens/").context["form"]["scope"].value() == "read"
    answer = client.post("/accounts/tokens/", {"name": "Score board", "scope": "read", "days": "30"})
    secret = answer.context["secret"]
    assert secret in answer.content.decode() and "no-store" in answer.headers["Cache-Control"]
    token = ApiToken.objects.get()
    assert (token.name, token.scope) == ("Score board", "read")
    assert timedelta(days=29) < token.expires_at - timezone.now() < timedelta(days=31)
    page = client.get("/accounts/tokens/").content.decode()
    assert secret not in page and token.prefix in page
    assert client.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 302
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_somebody_elses_token_cannot_be_revoked(client):
    token, _secret = make_token(user=cast.someone_else())
    client.force_login(cast.organiser())
    assert client.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


@pytest.mark.parametrize("typed", [{"days": "0"}, {"days": "9999"}, {"scope": "all"}, {"name": ""}])
def test_a_token_that_cannot_be_made_is_refused_on_the_form(typed, client):
    client.force_login(cast.organiser())
    answer = client.post("/accounts/tokens/", {"name": "X", "scope": "read", "days": "30"} | typed)
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_create_token_makes_the_account_and_prints_only_the_token(capsys):
    call_command("create_token", "Nina@Example.org", "--scope", "read", "--days", "7")
    secret = capsys.readouterr().out.removesuffix("\n")
    user = User.objects.get(email="nina@example.org")
    assert not user.has_usable_password()
    assert "\n" not in secret
    Program(secret=secret).get("/api/v1/tournaments/")
    assert user.api_tokens.get().scope == "read"


# --- the document ----------------------------------------------------------------------------------------------------


def test_the_page_of_the_document_fetches_nothing_from_elsewhere(client):
    page = client.get("/api/docs/").content.decode()
    assert "http://" not in page and "https://" not in page
    assert "<style" not in page and "style=" not in page
    document = client.get("/api/schema/?format=json").json()
    assert document["openapi"].startswith("3.1")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (method, path)
            assert "application/problem+json" in operation["responses"]["404"]["content"]


def test_the_document_has_a_field_for_each_column(client):
    schemas = client.get("/api/schema/?format=json").json()["components"]["schemas"]
    for table in tables.TABLES:
        fields = schemas[f"{table.capitalize()}Row"]["properties"]
        assert set(EXPORTS[table].header) == set(fields) - {"voided_at"}


def test_a_get_needs_a_token_in_the_document_only_where_it_needs_one(evening):
    club = cast.club(1)
    season = club.seasons.create(name="Spring", slug="spring")
    values = {
        "slug": evening.slug, "club_slug": club.slug, "season_slug": season.slug,
        "table_id": cast.table(evening, 1, 1).pk, "member_id": club.members.get().public_id,
    }  # fmt: skip
    paths = Client().get("/api/schema/?format=json").json()["paths"]
    answered = {
        path
        for path, operations in paths.items()
        if "get" in operations and Client().get(path.format(**values)).status_code == 200
    }
    free = {path for path, operations in paths.items() if {} in operations.get("get", {"security": []})["security"]}
    assert len(answered) >= 20 and answered <= free
    # Nobody has opened this member's profile to everyone.
    assert free - answered <= {path for path in free if "member_id" in path}
    assert not any({} in one["security"] for ops in paths.values() for method, one in ops.items() if method != "get")


# --- parameters and keys that mean nothing ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rest", "field"),
    [
        ("?page=abc", "page"), ("?page=", "page"), ("?page=last", "page"), ("?page=0", "page"), ("?page=%2B1", "page"),
        ("?page=%D9%A1", "page"), ("?page=1&page=1", "page"), ("?format=", "format"), ("?format=csv", "format"),
        ("{slug}/standings/?format=xml", "format"), ("{slug}/standings/?format=json&format=csv", "format"),
        ("{slug}/standings/?all=yes", "all"), ("{slug}/standings/?all=", "all"), ("{slug}/hands/?stage=", "stage"),
        ("{slug}/hands/?as_of_round=", "as_of_round"), ("{slug}/odds/?format=pdf", "format"),
        ("{slug}/?format=x", "format"),
    ],
)  # fmt: skip
def test_a_parameter_that_means_nothing_is_refused(evening, rest, field):
    problem = Program().get(f"/api/v1/tournaments/{rest.format(slug=evening.slug)}", 400)
    assert problem["code"] == "malformed" and problem["errors"][0]["field"] == field
    assert problem["detail"] == problem["errors"][0]["message"]


def test_parameters_that_mean_something_are_taken(evening):
    reader = Program()
    assert reader.get("/api/v1/tournaments/?page=1&format=json")["count"] == 1
    assert reader.get("/api/v1/clubs/?page=1")["count"] == 0
    assert reader.get(at(evening, "standings/?all=1&as_of_round=1&stage=1&format=json"))[0]["as_of_round"] == 1
    reader.get("/api/v1/tournaments/?page=99", 404)


def test_an_empty_key_is_refused_and_nothing_is_done(olga):
    made = cast.tournament()
    answer = olga.client.generic(
        "POST", at(made, "start/"), b"", "application/json", headers=olga.headers() | {"Idempotency-Key": ""}
    )
    assert answer.status_code == 400 and answer.json()["errors"][0]["field"] == "Idempotency-Key"
    assert cast.again(made).state == "planned"
