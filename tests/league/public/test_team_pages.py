"""An evening of teams through its pages: from the typed list to the standings and the CSV files."""

import csv
import io
import random
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from games.service.bots_play import play
from league.access.signed_links import player_token
from league.lib import csv as csvfile
from league.models import HandScore, Player, Round, Table, Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import start
from tests import cast
from tests.api import Program
from tests.games.pages import said
from tests.test_stories import create, press, record_a_hand, rows

pytestmark = pytest.mark.django_db

LIST = "Blue Foxes: Ana Lucía, Benoît, Ingrid\nRed Owls: Chidi, Đorđe\nGreen Newts: Émilie, Farah"


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


@pytest.fixture
def evening(olga: Client) -> Tournament:
    return create(olga, name="Team Night", format="teams", players=LIST)


def by_column(tournament: Tournament, table: str) -> list[dict[str, object]]:
    return list(EXPORTS[table].rows(tournament, Wanted(everything=True)))


def test_the_list_counts_along_in_teams_and_says_what_it_lacks(olga: Client) -> None:
    typed = {
        "format": "teams",
        "players": LIST,
        "hands_per_round": "4",
        "edition": "classic",
        "starts_on": "2026-11-24",
        "starts_at": "19:00",
    }
    page = said(olga.post("/new/evening/", typed))
    assert "Teams 3, 1 bye a round" in page and "Rounds 3" in page and "8 for each team" in page
    assert "1 line cannot be read" in said(olga.post("/new/evening/", typed | {"players": LIST + "\nOnly One: Zoë"}))
    refused = olga.post("/new/", typed | {"time_zone": "UTC", "visibility": "public", "players": "Blue: Ana, Ana"})
    assert refused.status_code == 422
    assert "Line 1, name: “Ana” is in this team twice" in said(refused)


def test_teams_are_counted_as_teams_before_the_first_round_and_on_the_first_page(evening: Tournament) -> None:
    assert "On the list: 3." in said(Client().get(f"/t/{evening.slug}/"))
    first_page = said(Client().get("/"))
    assert "3 teams" in first_page and "players" not in first_page[first_page.index("Team Night") :][:60]


def test_an_evening_from_the_list_to_final_standings(olga: Client, evening: Tournament) -> None:
    players = said(olga.get(f"/t/{evening.slug}/players/"))
    assert "3 teams" in players and "Ana Lucía, Benoît, Ingrid (substitute)" in players
    assert press(olga, evening) == "draw"
    assert press(olga, evening) == "publish-1"
    rng = random.Random(8)
    for number in range(1, 4):
        for table in Round.objects.get(tournament=evening, number=number).tables.all():
            for hand in range(1, 5):
                record_a_hand(olga, table, hand, rng)
        assert press(olga, evening) == f"close-{number}"
    assert press(olga, evening) == "finish"

    hands = rows(Client(), evening, "hands")
    assert len(hands) == 3 * 4 * 4
    totals: dict[str, int] = {}
    for row in hands:
        assert row["played_by"] in LIST and row["player"] in LIST
        if int(row["seat"]) < 2:  # the other two rows say the same
            totals[row["player_id"]] = totals.get(row["player_id"], 0) + int(row["score"])
    standings = rows(Client(), evening, "standings")
    assert {row["player_id"]: int(row["total"]) for row in standings} == totals
    assert [row["hands_played"] for row in standings] == ["8", "8", "8"]
    assert [row["best_partner"] for row in standings] == ["", "", ""]
    of_rounds = rows(Client(), evening, "rounds")
    assert len(of_rounds) == 9 and sum(int(row["total"]) for row in of_rounds) == sum(totals.values())

    page = said(Client().get(f"/t/{evening.slug}/standings/"))
    assert "Blue Foxes Ana Lucía, Benoît, Ingrid" in page and "Team members" in page
    members = rows(Client(), evening, "members")
    named = {name for line in LIST.splitlines() for name in line.partition(": ")[2].split(", ")}
    assert {row["member"] for row in members} == named
    ana = next(row for row in members if row["member"] == "Ana Lucía")
    blue = next(row for row in standings if row["player"] == "Blue Foxes")
    assert (ana["partner"], ana["hands_played"], ana["points_for"]) == ("Benoît", "8", blue["points_for"])
    assert next(row for row in members if row["member"] == "Ingrid")["hands_played"] == "0"


def test_a_list_on_the_shell_and_players_over_the_api_are_teams_too(tmp_path: Path) -> None:
    (tmp_path / "teams.txt").write_text(LIST)
    slug = io.StringIO()
    words = ("--name", "From a shell", "--format", "teams", "--legs", "2", "--hands", "1")
    call_command("create_tournament", *words, "--players", str(tmp_path / "teams.txt"), stdout=slug)
    made = Tournament.objects.get(slug=slug.getvalue().strip())
    assert [line["total"] for line in by_column(made, "standings")] == [0, 0, 0]
    play(made, seed=1, tell=lambda line: None)
    assert made.rounds.living().count() == 6

    api = Program(cast.organiser())
    people = [{"name": name, "team": team} for team, name in zip("BABA", cast.CAST, strict=False)]
    asked = {"name": "Over the API", "format": "teams", "players": people}
    answer = api.post("/api/v1/tournaments/", asked, status=201)
    assert [(one["player"], one["members"]) for one in answer["players"]] == [
        ("B", ["Ana Lucía", "Chidi"]),
        ("A", ["Benoît", "Đorđe"]),
    ]
    api.post(f"/api/v1/tournaments/{answer['slug']}/start/", status=200)
    table = api.get(f"/api/v1/tournaments/{answer['slug']}/members/")
    assert [line["member"] for line in table] == ["Ana Lucía", "Chidi", "Benoît", "Đorđe"]
    people[0]["team"] = "C"
    refused = api.post("/api/v1/tournaments/", asked, status=400)
    assert {(one["line"], one["field"]) for one in refused["errors"]} == {(1, "players.team"), (3, "players.team")}


def test_every_page_names_who_sits_there_and_their_team(olga: Client, evening: Tournament) -> None:
    start(tournament=evening, by=evening.owner)
    table = Table.objects.get(round__tournament=evening, round__number=1)
    record_a_hand(olga, table, 1, random.Random(1))
    at = f"/t/{evening.slug}/"
    blue = cast.entry(evening, "Blue Foxes")
    sits = table.seats.get(number=0)
    with_them = table.seats.get(number=2).substitute.name
    against = table.seats.get(number=1)
    seating = said(Client().get(f"{at}seating/"))
    assert f"{sits.substitute.name} {sits.entry}" in seating
    found = said(Client().get(f"{at}seating/?q={sits.substitute.name[:3]}"))
    assert f"With {with_them}, across the table. {sits.entry} against {against.entry}" in found
    card = said(Client().get(f"{at}players/{sits.entry.public_id}/"))
    assert f"{sits.substitute} and {with_them} against {against.entry}" in card
    assert "Players of the team" in card
    hands = said(Client().get(f"{at}hands/"))
    assert f"{sits.entry} against {against.entry}" in hands
    out = HandScore.objects.get(went_out=True)
    assert f"{out.played_by} with" in hands
    page = said(olga.get(f"/tables/{table.pk}/"))
    assert {str(seat.substitute) in page for seat in table.seats.all()} == {True}
    assert f"{out.entry} scores" in page
    fairness = said(Client().get(f"{at}fairness/"))
    assert "After round 3, teams will have met each other once. Each team deals first in half of its rounds" in (
        fairness
    )
    for path in ("", "standings/", "bracket/", "manage/", "day/late/", "rounds/", "settings/", "log/", "prints/"):
        assert olga.get(at + path).status_code == 200, path
    for name in ("by-name", "by-table", "slips", "standings", "crosstable", "place-cards", "bracket", "pack"):
        answer = olga.get(f"{at}prints/{name}.pdf")
        assert answer.status_code == 200 and answer.content.startswith(b"%PDF"), name
    phone = Client()
    assert phone.post(f"/me/{player_token(blue)}/").status_code == 303
    mine = said(phone.get(f"{at}me/"))
    assert "Your team’s page" in mine


def test_the_roster_goes_out_with_its_teams_and_can_be_imported_again(olga: Client, evening: Tournament) -> None:
    out = csvfile.text(EXPORTS["players"].header, by_column(evening, "players"))
    copy = create(olga, name="Again", format="teams", players=out)
    assert by_column(copy, "players") == by_column(evening, "players")
    plain = list(csv.DictReader(io.StringIO(out, newline="")))
    assert [row["team"] for row in plain] == ["Blue Foxes"] * 3 + ["Red Owls"] * 2 + ["Green Newts"] * 2


def test_teams_are_added_and_changed_on_their_pages(olga: Client, evening: Tournament) -> None:
    at = f"/t/{evening.slug}/players/"
    olga.post(at, {"players": "Late Larks: Yuki, Olu"})
    larks = cast.entry(evening, "Late Larks")
    assert "Place" in said(olga.get(f"{at}{larks.public_id}/edit/"))
    yuki, olu = (one.player for one in larks.player.team.members.all())
    fields = {"name": "Early Larks", "club": "", f"p{yuki.pk}_name": "Yuki N.", f"p{yuki.pk}_number": "2"}
    fields |= {f"p{olu.pk}_name": "Olu", f"p{olu.pk}_number": "1", "new1_name": "Zoë", "new1_number": "3"}
    assert olga.post(f"{at}{larks.public_id}/edit/", fields).status_code == 302
    assert "Early Larks Olu, Yuki N., Zoë (substitute)" in said(olga.get(at))
    refused = olga.post(f"{at}{larks.public_id}/edit/", fields | {"new1_name": "", f"p{olu.pk}_name": ""})
    assert refused.status_code == 422 and "A team has 2 to 10 players." in said(refused)
    assert "Early Larks has these players now: Olu, Yuki N., Zoë" in said(olga.get(f"/t/{evening.slug}/log/"))


def test_on_the_day_somebody_of_the_team_plays_with_one_tap_and_the_usual_two_come_back(
    olga: Client, evening: Tournament
) -> None:
    start(tournament=evening, by=evening.owner)
    blue = cast.entry(evening, "Blue Foxes")
    page = f"/t/{evening.slug}/people/{blue.public_id}/"
    assert "Ana Lucía and Benoît play" in said(olga.get(page))
    assert "Ingrid for Ana Lucía" in said(olga.get(f"{page}?do=lineup"))
    ingrid = Player.objects.get(name="Ingrid")
    tap = {"do": "lineup", "who": f"0-{ingrid.pk}", "table": ""}
    preview = olga.post(page, tap)
    assert "Let Ingrid play for Ana Lucía" in said(preview)
    assert olga.post(page, tap | {"shown": preview.context["step"].preview.shown}).status_code == 302
    assert set(blue.seats.filter(member=0).exclude(table=None).values_list("substitute__name", flat=True)) == {"Ingrid"}
    guest = {"do": "substitute", "name": "Yuki", "member": "1", "table": ""}
    preview = olga.post(page, guest)
    assert olga.post(page, guest | {"shown": preview.context["step"].preview.shown}).status_code == 302
    today = said(olga.get(f"/t/{evening.slug}/day/late/"))
    assert "Ingrid for Blue Foxes" in today and "Yuki for Blue Foxes" in today
    back = {"do": "end-substitute"}
    preview = olga.post(page, back)
    assert olga.post(page, back | {"shown": preview.context["step"].preview.shown}).status_code == 302
    assert "Ana Lucía and Benoît play" in said(olga.get(page))


def test_a_team_comes_late_and_one_leaves_from_the_page_of_the_day(olga: Client, evening: Tournament) -> None:
    start(tournament=evening, by=evening.owner)
    late = {"name": "Late Larks", "members": "Yuki, Olu", "club": "", "total": "", "reason": ""}
    at = f"/t/{evening.slug}/day/"
    assert "A team has 2 to 10 players" in said(olga.post(f"{at}late/", late | {"members": "Yuki"}))
    preview = olga.post(f"{at}late/", late)
    assert "The team meets teams with a bye" in said(preview)
    assert olga.post(f"{at}late/", late | {"shown": preview.context["moves"].digest}).status_code == 302
    assert evening.entries.count() == 4
    larks = cast.entry(evening, "Late Larks")
    leave = {"do": "leave", "reason": ""}
    page = f"/t/{evening.slug}/people/{larks.public_id}/"
    preview = olga.post(page, leave)
    assert olga.post(page, leave | {"shown": preview.context["step"].preview.shown}).status_code == 302
    assert "dropped" in rows(Client(), evening, "standings")[-1]["status"]


def test_who_played_can_be_forgotten_and_the_hands_stay(olga: Client, evening: Tournament) -> None:
    start(tournament=evening, by=evening.owner)
    record_a_hand(olga, Table.objects.get(round__tournament=evening, round__number=1), 1, random.Random(1))
    sits = HandScore.objects.get(went_out=True).played_by
    page = f"/t/{evening.slug}/day/substitutes/{sits.pk}/erase/"
    assert olga.post(page, {"name": sits.name}).status_code == 302
    everything = str([by_column(evening, table) for table in EXPORTS]) + said(olga.get(f"/t/{evening.slug}/log/"))
    assert sits.name not in everything
    assert len(rows(Client(), evening, "hands")) == 4
