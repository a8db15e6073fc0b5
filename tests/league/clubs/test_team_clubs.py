"""Teams of a club: the same people and the same teams, evening after evening."""

import pytest
from django.test import Client

from league.entries.list_order import add_entries
from league.models import Club, HandScore, Player, Team, Tournament
from league.roles.claims import claim
from league.seasons.member_evenings import compare, evenings_of, partners_of
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world: None) -> Club:
    return cast.club(members=8)


@pytest.fixture
def club(club_once: Club) -> Club:
    return cast.again(club_once)


@pytest.fixture
def evening(club: Club) -> Tournament:
    return cast.play(cast.teams(club=club, hands_per_round=2))


@pytest.fixture
def olga(client: Client) -> Client:
    client.force_login(cast.organiser())
    return client


def test_the_club_shows_its_teams_and_the_evenings_that_members_played_in_them(
    olga: Client, club: Club, evening: Tournament
) -> None:
    assert set(club.members.values_list("name", flat=True)) == set(cast.CAST)  # they are who plays in the teams
    page = said(olga.get(f"/clubs/{club.slug}/players/"))
    assert "Blue Foxes Ana Lucía (captain), Benoît, Ingrid (substitute)" in page
    assert "No tournament yet" not in page
    olga.post(f"/clubs/{club.slug}/players/take-in/", {"who": "all"})
    assert set(club.members.values_list("name", flat=True)) == {*cast.CAST, "Ingrid"}
    assert "Ingrid No tournament yet" in said(olga.get(f"/clubs/{club.slug}/players/"))


def test_a_profile_has_the_evenings_and_partners_of_somebody_in_a_team(club: Club, evening: Tournament) -> None:
    seen = evenings_of(cast.member(club, "Chidi"), club.tournaments.all())
    assert [one.team for one in seen] == ["Red Owls"]
    [together] = partners_of(cast.member(club, "Chidi"), seen)
    made = seen[0].standing
    assert made is not None
    assert (together.player.name, together.hands, together.points) == ("Đorđe", 6, made.total)
    assert together.won == made.hands_won


def test_two_beside_each_other_have_the_hands_that_they_played_in_their_teams(club: Club, evening: Tournament) -> None:
    chidi, dorde, ana = (cast.member(club, name) for name in ("Chidi", "Đorđe", "Ana Lucía"))
    mates = compare(chidi, dorde, club.tournaments.all())
    assert (mates.hands, mates.as_partners) == (0, 6)
    one, other = compare(chidi, ana, club.tournaments.all()), compare(ana, chidi, club.tournaments.all())
    assert (one.hands, one.as_partners) == (2, 0)  # Red Owls met Blue Foxes once, over two hands
    met = HandScore.objects.living().filter(played_by__in=(chidi, ana), table__seats__substitute=chidi)
    theirs = set(met.filter(table__seats__substitute=ana))
    assert one.points == other.points[::-1] and sum(one.won) <= 2
    assert sum(one.points) == sum(row.points_for for row in theirs)
    assert compare(chidi, ana, club.tournaments.none()).hands == 0


def test_the_teams_of_the_club_are_ticked_for_another_evening(olga: Client, club: Club, evening: Tournament) -> None:
    made = cast.tournament([], format="teams", name="Next", club=club)
    page = f"/t/{made.slug}/players/"
    assert "Teams of the club" in said(olga.get(page))
    theirs = [team.player.public_id for team in Team.objects.filter(player__name__in=("Blue Foxes", "Red Owls"))]
    assert olga.post(page, {"member": theirs, "players": "Mixed: Gül, Hana"}).status_code == 302
    assert {str(entry) for entry in made.entries.all()} == {"Blue Foxes", "Red Owls", "Mixed"}
    assert Player.objects.filter(name="Blue Foxes").count() == 1
    assert "Blue Foxes" not in said(olga.get(page)).split("Teams of the club")[1].split("Add teams")[0]

    added = add_entries(tournament=made, members=[cast.member(club, "Émilie")], by=made.owner)
    assert added == []  # she is no team


def test_a_team_cannot_be_ticked_while_somebody_of_it_plays_for_another(
    olga: Client, club: Club, evening: Tournament
) -> None:
    made = cast.tournament([], format="teams", name="Next", club=club)
    page = f"/t/{made.slug}/players/"
    assert olga.post(page, {"players": "New Foxes: Ana Lucía, Hana"}).status_code == 302
    blue = Player.objects.get(name="Blue Foxes")
    answer = olga.post(page, {"member": [blue.public_id]})
    assert answer.status_code == 422 and "“Ana Lucía” already plays for “New Foxes”." in said(answer)
    assert made.entries.count() == 1


def test_an_account_that_is_a_member_is_their_team_in_its_evenings(club: Club, evening: Tournament) -> None:
    Tournament.objects.filter(pk=evening.pk).update(visibility="private")
    theirs = [Client(), Client()]
    for browser, name in zip(theirs, ("Benoît", "Chidi"), strict=True):
        account = cast.organiser(f"{name}@example.org", name)
        claim(player=cast.member(club, name), user=account)
        browser.force_login(account)
    assert "Blue Foxes" in said(theirs[0].get(f"/t/{evening.slug}/me/"))
    assert "Red Owls" in said(theirs[1].get(f"/t/{evening.slug}/me/"))
    assert evening.name in said(theirs[0].get(f"/clubs/{club.slug}/"))
    other = cast.teams(visibility="private")  # of no club
    assert theirs[0].get(f"/t/{other.slug}/me/").status_code == 404


def test_a_club_s_team_is_no_way_into_two_teams_and_is_not_changed_behind_the_back_of_where_it_plays(
    olga: Client, club: Club, evening: Tournament
) -> None:
    Tournament.objects.filter(pk=evening.pk).update(state=Tournament.State.CLOSED)
    made = cast.tournament([], format="teams", name="Next", club=club)
    page = f"/t/{made.slug}/players/"
    # Ana Lucía is in Blue Foxes besides, so she would be in both.
    both = olga.post(page, {"players": "Blue Foxes: Gül, Hana\nNew Foxes: Ana Lucía, Chidi"})
    assert both.status_code == 422 and "“Ana Lucía” already plays for “Blue Foxes”." in said(both)
    assert made.entries.count() == 0
    Tournament.objects.filter(pk=evening.pk).update(state=Tournament.State.RUNNING)
    changed = olga.post(page, {"players": "Blue Foxes: Gül, Hana"})
    assert changed.status_code == 422 and "“Blue Foxes” plays another tournament with other members." in said(changed)
    assert Team.objects.get(player__name="Blue Foxes").members.count() == 3
    assert olga.post(page, {"players": "Blue Foxes: Ana Lucía, Benoît"}).status_code == 302
    assert Player.objects.filter(name="Blue Foxes").count() == 1
