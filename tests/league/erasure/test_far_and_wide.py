"""Places where the name of somebody who is erased stood that are far from where they play."""

import pytest
from django.apps import apps

from league.clubs.clubs import put_in_club
from league.clubs.members import add_members, remove_member
from league.clubs.merge import merge, undo_merge
from league.entries.check_in import check_in
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.models import Club, Merge, Player, Tournament
from league.public.snapshots import freeze
from league.rounds.adjustments import adjust
from league.seasons.seasons import DivisionWanted, create_season, delete_season, place_players
from tests import cast
from tests.api import Program

pytestmark = pytest.mark.django_db

NAME = "Qwertyx"


def left() -> list[str]:
    """Where the name still stands, in any column of any row."""
    found = []
    for model in apps.get_models():
        for row in model.objects.all().values():
            found += [f"{model.__name__}.{column}" for column, value in row.items() if NAME in str(value)]
    return found


@pytest.fixture
def club() -> Club:
    """It has one member, who will be erased."""
    club = cast.club()
    add_members(club=club, players=[RosterRow(1, NAME)], by=club.owner)
    return club


@pytest.fixture
def member(club: Club) -> Player:
    return cast.member(club, NAME)


def test_in_the_log_of_an_evening_of_somebody_they_were_taken_for(club: Club, member: Player) -> None:
    made = cast.play(cast.tournament(club=club), rounds=1)
    done = merge(target=member, source=cast.entry(made, "Farah").player, by=club.owner)
    cast.play(made, rounds=2)  # its record is frozen under the name
    undo_merge(merge=Merge.objects.get(pk=done.pk), by=club.owner)
    erase_player(player=cast.again(member), by=club.owner)
    assert left() == []


def test_in_the_name_of_their_team() -> None:
    rows = cast.team_rows()
    rows[0] = RosterRow(1, f"Team {NAME}", members=(RosterRow(1, NAME), RosterRow(1, "Ben")))
    made = cast.tournament(rows, format="teams")
    team = cast.entry(made, f"Team {NAME}")
    check_in(entry=team, by=made.owner)
    cast.play(made, rounds=1)
    adjust(tournament=made, entry=team, points=5, reason="Fair play", round_number=1, by=made.owner)
    freeze(made.rounds.get(number=1))
    erase_player(player=Player.objects.get(name=NAME), by=made.owner)
    assert left() == []


def test_in_the_log_of_a_club_that_they_have_left(club: Club, member: Player) -> None:
    made = cast.tournament([RosterRow(1, NAME), *cast.people(3)], club=club)
    cast.play(made, rounds=1)
    put_in_club(tournament=made, club=None, by=club.owner)
    remove_member(player=member, by=club.owner)
    erase_player(player=cast.again(member), by=club.owner)
    assert left() == []


def test_in_the_log_of_a_club_that_was_left_under_another_record(club: Club, member: Player) -> None:
    cast.play(cast.tournament([RosterRow(1, NAME), *cast.people(3)], club=club))
    remove_member(player=member, by=club.owner)
    other = cast.club(name="Other")
    add_members(club=other, players=[RosterRow(1, "Quinn")], by=other.owner)
    kept = cast.member(other, "Quinn")
    merge(target=kept, source=cast.again(member), by=other.owner)
    Tournament.objects.update(club=None)  # so no evening leads to the club
    erase_player(player=cast.again(kept), by=other.owner)
    assert left() == []


def test_in_answers_that_are_given_again() -> None:
    club = cast.club(members=2)
    program = Program(club.owner)
    body = {"players": [{"team": "Foxes", "name": NAME}, {"team": "Foxes", "name": "Zoë"}]}
    program.post(f"/api/v1/clubs/{club.slug}/teams/", body, key="k1", status=201)
    erase_player(player=Player.objects.get(name=NAME), by=club.owner)
    assert left() == []


def test_who_was_only_in_a_division_goes_with_it(club: Club, member: Player) -> None:
    season = create_season(club=club, by=club.owner, name="Autumn", divisions=[DivisionWanted("A")])
    place_players(season=season, places={member: season.divisions.get()}, by=club.owner)
    remove_member(player=member, by=club.owner)
    delete_season(season=season, by=club.owner)
    assert not Player.objects.filter(name=NAME).exists()
