"""Divisions: everyone who is ticked, all by rating, and the way back."""

import pytest
from django.utils import timezone

from league.clubs.members import add_members, remove_member
from league.models import ClubLogEntry, RatingPoint, Season, Table
from league.seasons.divisions.placing import badge_of
from league.seasons.seasons import DivisionWanted, create_season, place_players
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db

THREE = [DivisionWanted("Division A", down=1), DivisionWanted("Division B", up=1, down=1), DivisionWanted("Beginners")]


@pytest.fixture(scope="module", autouse=True)
def season_once(module_world):
    club = cast.club(members=8)
    add_members(club=club, players=cast.people(60)[8:], by=club.owner)
    return create_season(club=club, by=club.owner, name="League", divisions=THREE)


@pytest.fixture
def season(season_once):
    return cast.again(season_once)


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def page(season):
    return f"{season.get_absolute_url()}players/"


def ids(season, *names):
    return [cast.member(season.club, name).public_id for name in names]


def tick(browser, season, do, who, **more):
    return browser.post(f"{page(season)}ticked/", {"do": do, "who": who, **more}, follow=True)


def placed(season):
    return dict(season.placed.values_list("player__name", "division__number"))


def rate(season, **figures):
    """Give these members a rating."""
    table = Table.objects.filter(round__tournament__club=season.club).first()
    table = table or cast.table(cast.play(cast.tournament(club=season.club), rounds=1), 1, 1)
    for name, mu in figures.items():
        person = cast.member(season.club, name)
        RatingPoint.objects.filter(player=person).delete()
        RatingPoint.objects.create(club=season.club, player=person, table=table, at=timezone.now(), mu=mu, sigma=2)


def undo_of(answer):
    (message,) = answer.context["messages"]
    return message.extra_tags


def test_sixty_people_have_their_division_at_the_right_and_a_button_for_each(olga, season):
    place_players(season=season, places={cast.member(season.club, "Farah"): season.divisions.get(number=2)}, by=None)
    shown = olga.get(page(season)).context["placing"]
    assert shown.counts == "A 0, B 1, 3 0, 59 in no division" and len(shown.people.rows) == 20
    rows = {row.name: row for row in shown.people.rows}
    assert (rows["Farah"].badge, rows["Farah"].badge_label) == ("B", "Division: Division B")
    assert (rows["Chidi"].badge, rows["Chidi"].line) == ("–", "No division")
    assert [action.label for action in shown.people.bulk.actions] == ["To A", "To B", "To 3", "No division"]
    assert shown.split is None  # nobody has a rating
    by_division = olga.get(f"{page(season)}?view=division").context["placing"].people
    assert by_division.rows[0].name == "Farah" and by_division.rows[1].name == "Ana Lucía"


def test_those_who_were_ticked_among_the_members_are_ticked_here(olga, season):
    farah, last = ids(season, "Farah", "Zoë")
    people = olga.get(f"{page(season)}?who={farah}&who={last}").context["placing"].people
    assert [row.name for row in people.rows if row.is_ticked] == ["Farah"] and people.elsewhere == (last,)


def test_several_are_placed_together_and_undone_together(olga, season):
    tick(olga, season, "to-1", ids(season, "Zoë"))
    answer = tick(olga, season, "to-1", ids(season, "Farah", "Chidi", "Zoë"), back="view=division")
    assert "2 people are now in Division A: Chidi and Farah. Zoë was there already." in said(answer)
    assert answer.redirect_chain == [(f"{page(season)}?view=division", 302)]
    assert placed(season) == {"Chidi": 1, "Farah": 1, "Zoë": 1}
    tick(olga, season, "to-2", ids(season, "Chidi"))
    undone = olga.post(undo_of(answer), follow=True)
    assert "Farah is back." in said(undone) and placed(season) == {"Chidi": 2, "Zoë": 1}
    again = olga.post(undo_of(answer), follow=True)
    assert "Can’t undo" in said(again)


def test_to_none_takes_them_out_and_undo_puts_them_back(olga, season):
    tick(olga, season, "to-3", ids(season, "Farah", "Chidi"))
    answer = tick(olga, season, "to-none", ids(season, "Farah", "Chidi"))
    assert "2 people have no division now: Chidi and Farah." in said(answer) and placed(season) == {}
    olga.post(undo_of(answer))
    assert placed(season) == {"Farah": 3, "Chidi": 3}


def test_all_who_have_a_rating_are_split_evenly_the_strongest_first(olga, season):
    refused = olga.post(f"{page(season)}split/")
    assert refused.status_code == 422 and "No one has a rating yet." in said(refused)
    rate(season, Farah=30.0, Chidi=29.0, Zoë=26.0, Xiaoming=25.0, Benoît=20.0, Émilie=19.5)
    shown = olga.get(f"{page(season)}?view=rating").context["placing"]
    assert shown.split.label == "Split into thirds by rating"
    assert [row.name for row in shown.people.rows[:3]] == ["Farah", "Chidi", "Zoë"]
    rated = RatingPoint.objects.filter(club=season.club).values("player").distinct().count()
    answer = olga.post(f"{page(season)}split/", follow=True)
    assert "Split by rating: A" in said(answer) and "have no rating and stay: " in said(answer)
    now = placed(season)
    assert len(now) == rated and (now["Farah"], now["Émilie"]) == (1, 3)
    assert sorted(now.values()) == sorted(at * 3 // rated + 1 for at in range(rated))
    olga.post(undo_of(answer))
    assert placed(season) == {}


def test_who_has_left_the_club_since_is_named_and_the_others_are_placed(olga, season):
    who = ids(season, "Farah", "Chidi")
    remove_member(player=cast.member(season.club, "Chidi"), by=None)
    text = said(tick(olga, season, "to-1", who))
    assert "Farah is now in Division A. Chidi has left the club." in text
    assert placed(season) == {"Farah": 1}


def test_a_double_tap_places_once(olga, season):
    for _twice in range(2):
        assert "Farah is now in Division A." in said(tick(olga, season, "to-1", ids(season, "Farah"), form_key="k"))
    assert ClubLogEntry.objects.filter(action="place-players").count() == 1


def test_two_of_one_name_are_two(olga, season):
    season.club.members.filter(name="Chidi").update(name="Zoë")
    one, other = season.club.members.filter(name="Zoë").order_by("pk")
    tick(olga, season, "to-1", [other.public_id])
    assert list(season.placed.values_list("player", flat=True)) == [other.pk] != [one.pk]


def test_unknown_people_fields_and_divisions_and_a_season_that_has_ended_change_nothing(client, olga, season):
    farah = ids(season, "Farah")
    elsewhere = cast.member(cast.club(name="Elsewhere", members=8), "Farah").public_id
    for answer in (
        tick(olga, season, "to-1", []),
        tick(olga, season, "to-9", farah),
        tick(olga, season, "to-1", [*farah, elsewhere]),
        tick(olga, season, "to-1", [*farah, "\0"]),
        tick(olga, season, "to-1", farah, colour="red"),
    ):
        assert answer.status_code == 422 and answer.context["placing"].refusal
    Season.objects.update(closed_at=timezone.now())
    assert tick(olga, season, "to-1", farah).status_code == 409
    assert olga.get(page(season)).context["placing"].people.bulk is None
    client.force_login(cast.someone_else())
    assert tick(client, season, "to-1", farah).status_code == 404
    assert placed(season) == {}


def test_a_disc_has_the_last_short_word_of_a_division_or_its_number(season):
    assert [badge_of(division) for division in season.divisions.order_by("number")] == ["A", "B", "3"]
