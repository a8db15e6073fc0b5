"""A season over the API and by its command: made, filled, ended, followed; the same rows everywhere."""

import csv
import io
from datetime import date

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from league.log.club_in_words import changes, in_words
from league.models import ClubLogEntry, Season
from league.rounds.steps import end_early
from tests import cast
from tests.api import Program

pytestmark = pytest.mark.django_db

CLUB = "/api/v1/clubs/cafe-ludo/"
LEAGUE = CLUB + "seasons/league-2026/"
WANTED = {
    "name": "League 2026",
    "place_points": [5, 3, 1],
    "best_of": 4,
    "divisions": [{"name": "Gold", "down": 1}, {"name": "Silver", "up": 1}],
}
MEMBERS = cast.CAST[:4]
OTHERS = ("divisions", "place-players", "roll-over")


@pytest.fixture
def program():
    return Program(cast.club(members=4).owner)


def played(name, **settings):
    """A final evening of two games for four, of the cast's club."""
    club = cast.organiser().clubs.get()
    made = cast.tournament(
        4, club=club, name=name, starts_on=date(2026, 1, 10), format="points", rounds=1, hands_per_round=1, **settings
    )
    cast.play(made, close=False)
    end_early(tournament=made, reason="It is late", by=made.owner)
    return made


def ids(program):
    return {one["name"]: one["member_id"] for one in program.get(CLUB + "players/")}


def test_a_season_is_made_filled_ended_and_followed_by_a_program(program):
    made = program.post(CLUB + "seasons/", WANTED, status=201)
    assert (made["slug"], made["counts"], made["decided"], made["evenings"]) == ("league-2026", "places", False, [])
    assert made["divisions"][1] == {"number": 2, "name": "Silver", "up": 1, "down": 0}
    members = ids(program)
    where = [{"player_id": members[name], "division": 1 + at // 2} for at, name in enumerate(MEMBERS)]
    program.post(LEAGUE + "players/", {"players": where})
    evening = played("Evening")
    season = program.post(LEAGUE + "evenings/", {"tournament": evening.slug})
    assert [(one["tournament"], one["final"], one["division"]) for one in season["evenings"]] == [
        ("evening", True, None)
    ]
    table = program.get(LEAGUE + "standings/")
    assert sorted((row["division"], row["player"]) for row in table) == sorted(
        ("Gold" if at < 2 else "Silver", name) for at, name in enumerate(MEMBERS)
    )
    assert [row["moves"] for row in table] == [None, "down", "up", None]
    assert {row["player"]: row["total"] for row in table} == {
        row["player"]: row["gives"] for row in program.get(LEAGUE + "evenings/")
    }
    assert program.post(LEAGUE + "roll-over/", {"preview": True}, status=409)["code"] == "season-open"
    assert program.post(LEAGUE + "close/")["decided"]
    preview = program.post(LEAGUE + "roll-over/", {"preview": True})
    assert (preview["season"], preview["name"], Season.objects.count()) == (None, "League 2027", 1)
    done = program.post(LEAGUE + "roll-over/")
    assert done == preview | {"season": "league-2027"} == program.post(LEAGUE + "roll-over/")
    assert program.get(LEAGUE)["after"] == "league-2027"
    assert program.post(LEAGUE + "reopen/", {"reason": "x"}, status=409)["code"] == "followed"
    assert [one["slug"] for one in program.get(CLUB + "seasons/")] == ["league-2027", "league-2026"]


def test_an_evening_is_taken_out_again_and_what_is_not_there_is_told(program):
    program.post(CLUB + "seasons/", WANTED, status=201)
    slug = played("Evening").slug
    program.post(LEAGUE + "evenings/", {"tournament": slug, "division": 2})
    assert program.get(LEAGUE)["evenings"][0]["division"] == 2
    assert program.post(LEAGUE + "evenings/", {"tournament": slug, "counts": False})["evenings"] == []
    for body, code in (
        ({"tournament": slug, "division": 3}, "no-division"),
        ({"tournament": "elsewhere"}, "no-evening"),
        ({"tournament": slug, "counts": False}, "no-evening"),
    ):
        assert program.post(LEAGUE + "evenings/", body, status=422)["code"] == code
    nobody = {"players": [{"player_id": "bcdfghjk", "division": 1}]}
    assert program.post(LEAGUE + "players/", nobody, status=422)["code"] == "no-member"


def test_the_log_of_the_club_tells_it_in_words(program):
    program.post(CLUB + "seasons/", WANTED, status=201)
    members = ids(program)
    program.post(LEAGUE + "players/", {"players": [{"player_id": members[MEMBERS[0]], "division": 2}]})
    slug = played("Evening").slug
    program.post(LEAGUE + "evenings/", {"tournament": slug})
    program.post(LEAGUE + "close/", {"move_on": False})
    program.post(LEAGUE + "roll-over/")
    program.post(CLUB + "seasons/league-2027/evenings/", {"tournament": slug}, status=409)
    rows = list(ClubLogEntry.objects.filter(action__contains="season") | ClubLogEntry.objects.filter(action__in=OTHERS))
    rows.sort(key=lambda row: row.pk)
    assert [in_words(row) for row in rows] == [
        "Season “League 2026” created",
        "Divisions of the season “League 2026” changed",
        "Players of the divisions of season “League 2026” changed",
        "“Evening” added to the season “League 2026”",
        "Season “League 2026” ended",
        "Season “League 2027” follows “League 2026”",
    ]
    told = [[(one.label, one.old, one.new) for one in changes(row)] for row in rows]
    assert told[1] == [("divisions", "none", "1 Gold, down 1; 2 Silver, up 1")]
    assert told[2] == [(MEMBERS[0], "nothing", "Silver")]
    joined = {(name, "nothing", "Silver") for name in MEMBERS[1:]}
    assert set(told[5]) == {(MEMBERS[0], "Silver", "Gold")} | joined


def test_the_command_writes_the_rows_that_the_api_gives(program, tmp_path, capsys):
    program.post(CLUB + "seasons/", WANTED, status=201)
    program.post(LEAGUE + "evenings/", {"tournament": played("Evening").slug})
    for table in ("standings", "evenings"):
        asked = program.ask("get", f"{LEAGUE}{table}/?format=csv").content.decode()
        call_command("export_season", "cafe-ludo", "league-2026", table)
        written = capsys.readouterr().out
        call_command("export_season", "cafe-ludo", "league-2026", table, "--out", str(tmp_path / table))
        assert (tmp_path / table).read_bytes().decode() == written == asked
        rows = list(csv.DictReader(io.StringIO(written)))
        assert len(rows) == 4
        given = program.get(f"{LEAGUE}{table}/")
        assert [row["player_id"] for row in rows] == [row["player_id"] for row in given]
    with pytest.raises(CommandError, match="league-2026"):
        call_command("export_season", "cafe-ludo", "league", "standings")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_season", "cafe-ludo", "league-2026", "standings", "--out", str(tmp_path))


def test_strangers_see_of_a_private_evening_no_address_and_no_names(program):
    program.post(CLUB + "seasons/", WANTED, status=201)
    evening = played("Evening", visibility="private")
    program.post(LEAGUE + "evenings/", {"tournament": evening.slug})
    for what in ("evenings/", "standings/"):
        rows = Program().get(LEAGUE + what)
        assert {(row["player"], row["player_id"], row.get("tournament")) for row in rows} == {("Guest", None, None)}
        assert {row["player"] for row in program.get(LEAGUE + what)} == set(MEMBERS)
    assert Program().get(LEAGUE)["evenings"][0]["tournament"] is None
