"""Teams that sign up by themselves: with a place, on the waiting list, and away again."""

import pytest
from django.test import Client

from league.clubs.members import add_members
from league.day.substitutes import end_substitute, substitute
from league.entries.check_in import check_in, put_back, replace_no_show, wait_here
from league.entries.roster.rows import RosterRow
from league.entries.sign_up import set_sign_up, withdraw
from league.erasure.erase import erase_sign_up
from league.models import Player, SignUp, Team
from league.rounds.draw import draw
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def evening_once(module_world):
    made = cast.teams(3)
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    return made


@pytest.fixture
def evening(evening_once):
    return cast.again(evening_once)


def sign_up(evening, name, members, email="captain@example.org"):
    typed = {"name": name, "members": members, "email": email, "club": "", "website": ""}
    return Client().post(f"/t/{evening.slug}/sign-up/", typed)


def members(name):
    return [one.player.name for one in Team.objects.get(player__name=name).members.all()]


def test_a_team_signs_up_with_who_plays_for_it_and_gets_a_place_or_waits(evening):
    page = said(Client().get(f"/t/{evening.slug}/sign-up/"))
    assert "Your team" in page and "Players" in page
    assert sign_up(evening, "Late Larks", "Yuki, Olu, Ines").status_code == 303
    assert members("Late Larks") == ["Yuki", "Olu", "Ines"]
    assert sign_up(evening, "Slow Snails", "Pia, Noah", "snail@example.org").status_code == 303
    assert SignUp.objects.get(name="Slow Snails").state == SignUp.State.WAITING
    assert members("Slow Snails") == ["Pia", "Noah"] and evening.entries.count() == 4
    withdraw(sign_up=SignUp.objects.get(name="Late Larks"))
    assert cast.entry(evening, "Slow Snails").player.team.members.count() == 2
    assert not Player.objects.filter(name__in=("Late Larks", "Yuki")).exists()
    draw(tournament=evening, by=None)
    assert evening.rounds.count() == 3


@pytest.mark.parametrize(
    ("people", "sentence"),
    [
        ("Yuki", "A team has 2 to 10 players. “Late Larks” has 1."),
        ("Yuki, Ana Lucía", "“Ana Lucía” already plays for “Blue Foxes”."),
        ("Yuki, yuki", "A player is in “Late Larks” twice."),
        ("Yuki, www.example.org", "Links and e-mail addresses aren’t allowed here."),
    ],
)
def test_a_team_that_cannot_play_is_told_and_nothing_is_kept(evening, people, sentence):
    answer = sign_up(evening, "Late Larks", people)
    assert answer.status_code == 422 and sentence in said(answer)
    assert not Player.objects.filter(name="Late Larks").exists() and not SignUp.objects.exists()


def test_who_waits_and_leaves_or_is_erased_leaves_nobody_behind(evening):
    sign_up(evening, "Late Larks", "Yuki, Olu")
    for name, email in (("Slow Snails", "snail@example.org"), ("Shy Sheep", "sheep@example.org")):
        sign_up(evening, name, f"{name} One, {name} Two", email)
    withdraw(sign_up=SignUp.objects.get(name="Slow Snails"))
    assert not Player.objects.filter(name__startswith="Slow Snails").exists()
    gone = withdraw(sign_up=SignUp.objects.get(name="Shy Sheep"))
    erase_sign_up(sign_up=gone, by=None)
    assert not Player.objects.filter(name__startswith="Shy Sheep").exists()


def test_the_place_of_a_team_that_did_not_come_goes_to_one_that_waits_and_back(evening):
    sign_up(evening, "Late Larks", "Yuki, Olu")
    sign_up(evening, "Slow Snails", "Pia, Noah", "snail@example.org")
    start(tournament=evening, by=evening.owner)
    wait_here(sign_up=SignUp.objects.get(name="Slow Snails"), here=True, by=None)
    taken = replace_no_show(entry=cast.entry(evening, "Blue Foxes"), by=None)
    assert taken.name == "Slow Snails"
    snails = cast.entry(evening, "Slow Snails")
    seats = snails.seats.exclude(table=None)
    assert {seat.substitute.name for seat in seats} == {"Pia", "Noah"}
    absent = SignUp.objects.get(name="Blue Foxes", state=SignUp.State.REPLACED)
    put_back(sign_up=absent, by=None)
    blue = cast.entry(evening, "Blue Foxes")
    assert {seat.substitute.name for seat in blue.seats.exclude(table=None)} == {"Ana Lucía", "Benoît"}
    check_in(entry=blue, here=True, by=None)
    assert members("Slow Snails") == ["Pia", "Noah"]


def test_a_team_whose_captain_plays_for_another_by_now_gets_its_place_back_when_they_have_stopped():
    club = cast.club()
    add_members(club=club, players=[RosterRow(1, "Ana Lucía"), RosterRow(2, "Benoît")], by=club.owner)
    made = cast.teams(4, club=club)
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    sign_up(made, "Slow Snails", "Pia, Noah", "snail@example.org")
    start(tournament=made, by=made.owner)
    replace_no_show(entry=cast.entry(made, "Blue Foxes"), by=made.owner)
    red = cast.entry(made, "Red Owls")
    substitute(tournament=made, entry=red, name="Ana Lucía", by=made.owner)
    olga = Client()
    olga.force_login(made.owner)
    absent = SignUp.objects.get(name="Blue Foxes", state=SignUp.State.REPLACED)
    answer = olga.post(f"/t/{made.slug}/sign-up/{absent.public_id}/put-back/")
    assert answer.status_code == 422 and "Ana Lucía already plays for “Red Owls” in round 1" in said(answer)
    assert not made.entries.filter(player__name="Blue Foxes").exists()
    end_substitute(tournament=made, entry=red, by=made.owner)
    assert olga.post(f"/t/{made.slug}/sign-up/{absent.public_id}/put-back/").status_code == 302
    assert cast.entry(made, "Blue Foxes").seats.filter(substitute__name="Ana Lucía").exists()
