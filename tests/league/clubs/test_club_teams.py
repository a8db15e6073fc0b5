"""The teams of a club: put together before any evening, changed, taken apart, by pages and programs."""

import pytest
from django.test import Client

from league.access.members import members_of
from league.clubs.members import add_members
from league.clubs.teams import put_together
from league.entries.list_order import add_entries
from league.entries.roster import teams as team_roster
from league.erasure.erase import erase_player
from league.log.club_in_words import in_words
from league.models import Club, ClubLogEntry, Player, Team, Tournament
from league.rounds.steps import start
from tests import cast
from tests.api import Program
from tests.games.pages import said

pytestmark = pytest.mark.django_db

FOXES = "Blue Foxes: Ana, Ben, Cara\nRed Owls: Dora, Émile"
TEAMS = "/clubs/cafe-ludo/teams/"


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    return cast.club()


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def organiser(client, club):
    client.force_login(club.owner)
    return client


def lines(club):
    """{team: who belongs to it}, a substitute in brackets."""
    return {
        team.player.name: [f"({one.player})" if one.is_substitute else str(one.player) for one in team.members.all()]
        for team in Team.objects.filter(club=club)
    }


def together(club, text=FOXES):
    return put_together(club=club, rows=team_roster.parse(text).rows, by=club.owner)


def words(club):
    return [in_words(row) for row in ClubLogEntry.objects.filter(club=club).order_by("pk")]


def test_a_list_of_teams_is_put_together_and_its_players_are_members(organiser, club):
    add_members(club=club, players=cast.people(), by=club.owner)  # Ana Lucía and others; nobody called Ana
    before = members_of(club).count()
    assert "No team yet" in said(organiser.get(TEAMS))
    answer = organiser.post(TEAMS, {"players": FOXES.replace("Dora", "farah")})
    assert answer["Location"] == TEAMS
    assert lines(club) == {"Blue Foxes": ["Ana", "Ben", "(Cara)"], "Red Owls": ["Farah", "Émile"]}
    assert members_of(club).count() == before + 4  # Farah is who she was
    page = said(organiser.get(TEAMS))
    assert "Ana (captain), Ben, Cara (substitute)" in page and "2 teams" in page
    assert "Ana (captain), Ben, Cara (substitute)" in said(Client().get("/clubs/cafe-ludo/players/"))
    assert words(club)[-2:] == ["The team “Blue Foxes” is Ana, Ben, Cara", "The team “Red Owls” is Farah, Émile"]


def test_put_together_again_a_team_gets_these_players_and_keeps_the_others_as_substitutes(club):
    together(club)
    count = ClubLogEntry.objects.count()
    together(club)  # nothing new
    assert ClubLogEntry.objects.count() == count
    together(club, "blue foxes: Zoë, Ana")
    assert lines(club)["Blue Foxes"] == ["Zoë", "Ana", "(Ben)", "(Cara)"]
    assert Team.objects.count() == 2


def test_faulty_lists_change_nothing_and_say_what_to_mend(organiser, club):
    for typed, said_so in (
        ("", "Type at least one team"),
        ("Blue Foxes: Ana", "“Blue Foxes” has one player, Ana."),
        ("Blue Foxes: Ana, Ana", "is in this team twice"),
    ):
        answer = organiser.post(TEAMS, {"players": typed})
        assert answer.status_code == 422 and said_so in said(answer)
        assert typed.partition("\n")[0] in said(answer)
    assert not Team.objects.exists() and not members_of(club).exists()


def test_a_team_changes_its_name_and_players_and_whoever_is_left_out_leaves_it(organiser, club):
    foxes, owls = together(club)
    at = f"{TEAMS}{foxes.player.public_id}/"
    assert "Ana\nBen\nCara</textarea>" in organiser.get(at).content.decode().replace("&#x27;", "'")
    taken = organiser.post(at, {"name": "red owls", "players": "Ana\nBen"})
    assert taken.status_code == 422 and "The club already has a team with this name." in said(taken)
    alone = organiser.post(at, {"name": "Foxes", "players": "Ana"})
    assert alone.status_code == 422 and "A team has 2 to 10 players." in said(alone)
    assert organiser.post(at, {"name": "Foxes", "players": "Ben\nGül\nAna"})["Location"] == TEAMS
    assert lines(club)["Foxes"] == ["Ben", "Gül", "(Ana)"]
    assert members_of(club).filter(name="Cara").exists()
    assert words(club)[-1] == "The team “Foxes” is Ben, Gül, Ana"
    assert organiser.post(f"{at}take-apart/")["Location"] == TEAMS
    assert list(lines(club)) == ["Red Owls"] and members_of(club).filter(name="Gül").exists()
    assert not Player.objects.filter(name="Foxes").exists()  # it never played
    assert words(club)[-1] == "Team “Foxes” dissolved"
    assert organiser.get(at).status_code == 404
    assert organiser.post(f"{TEAMS}{owls.player.public_id}/", {"name": "Owls", "players": "Dora\nÉmile"})["Location"]
    assert "Owls" in lines(club)


def test_a_team_that_plays_stays_as_it_is_until_the_evening_is_over(organiser, club):
    foxes, owls = together(club)
    made = cast.tournament(0, format="teams", club=club)
    add_entries(tournament=made, members=[foxes.player, owls.player], by=club.owner)
    start(tournament=made, by=club.owner)
    at = f"{TEAMS}{foxes.player.public_id}/"
    refused = organiser.post(at, {"name": "Blue Foxes", "players": "Ana\nCara"})
    assert refused.status_code == 409 and "“Blue Foxes” plays in an open tournament." in said(refused)
    assert organiser.post(f"{at}take-apart/")["Location"] == at
    assert lines(club)["Blue Foxes"] == ["Ana", "Ben", "(Cara)"]
    assert organiser.post(at, {"name": "Foxes", "players": "Ana\nBen\nCara"})["Location"] == TEAMS  # a name may change
    assert "Foxes" in said(organiser.get(f"/t/{made.slug}/players/"))
    Tournament.objects.update(state=Tournament.State.CLOSED)
    assert organiser.post(f"{at}take-apart/")["Location"] == TEAMS
    assert made.entries.filter(player__name="Foxes").exists()  # what it played stays


def test_who_is_erased_leaves_no_name_in_the_log_of_teams(club):
    foxes, _owls = together(club)
    erase_player(player=foxes.members.get(player__name="Cara").player, by=club.owner)
    assert not [row for row in words(club) if "Cara" in row]


def test_a_program_puts_teams_together_once_and_takes_them_apart(club):
    program, path = Program(club.owner), f"/api/v1/clubs/{club.slug}/teams/"
    players = [{"name": name, "team": "Blue Foxes"} for name in ("Ana", "Ben", "Cara")]
    made = program.post(path, {"players": players}, status=201, key="a")
    assert program.post(path, {"players": players}, status=201, key="a") == made == program.get(path)
    [foxes] = made
    assert (foxes["name"], foxes["plays"], foxes["substitutes"]) == ("Blue Foxes", ["Ana", "Ben"], ["Cara"])
    small = program.post(path, {"players": players[:1]}, status=400)
    assert small["errors"][0]["field"] == "players.team"
    assert program.ask("delete", f"{path}{foxes['team_id']}/").status_code == 204
    assert program.get(path) == [] and not Team.objects.exists() and Club.objects.exists()
