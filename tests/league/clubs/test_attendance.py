"""The attendance of a club: who came to which event, on the page and in its files."""

import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from league.access import club_for
from league.clubs.attendance.export_rows import attendance_rows, event_columns
from league.clubs.attendance.page import attendance_page
from league.clubs.attendance.who_came import attendance
from league.clubs.members import add_members, remove_member
from league.clubs.merge import merge
from league.entries.check_in import check_in
from league.entries.list_order import add_entries
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.models import Player, Seat, Tournament
from league.rounds.steps import start
from league.seasons.seasons import create_season
from tests import cast
from tests.games.pages import said
from tests.spreadsheets import cells_of

pytestmark = pytest.mark.django_db
PAGE = "/clubs/cafe-ludo/attendance/"
TODAY = timezone.localdate()


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    """Four of the cast are members; two events with all eight, of which the first was played."""
    made = cast.club(members=4)
    first = cast.tournament(club=made, name="First", starts_on=TODAY - timedelta(days=20))
    cast.play(first, rounds=1)
    return made


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


def came(club, season=None):
    """{name: names of the events that they came to}"""
    read = attendance(club_for(club.owner, club.slug), season)
    names = {event.pk: event.name for event in read.events}
    return {person.name: [names[event] for event in sorted(person.events)] for person in read.people}


def test_members_come_first_then_guests_each_with_their_events(club):
    read = attendance(club_for(club.owner, club.slug), None)
    assert [(person.name, person.is_member) for person in read.people] == [
        (name, name in cast.CAST[:4]) for name in [*cast.CAST[:4], *cast.CAST[4:]]
    ]
    assert all(len(person.events) == 1 for person in read.people)


def test_a_member_who_never_came_is_listed_without_a_tick(club):
    add_members(club=club, players=[RosterRow(1, "Gül")], by=club.owner)
    shown = page_of(club)
    [line] = [line for group in shown.groups for line in group.lines if line.name == "Gül"]
    assert (line.number, [cell.came for cell in line.cells]) == (0, [False])
    assert shown.columns[0].number == 8 and shown.visits == 8
    assert shown.text == "1 tournament, 8 people came"


def page_of(club, season=None):
    access = club_for(club.owner, club.slug)
    return attendance_page(access, attendance(access, season), list(club.seasons.all()))


def test_who_was_checked_in_and_had_a_seat_was_there_who_only_signed_up_was_not(club):
    second = cast.tournament(club=club, name="Second", starts_on=TODAY)
    check_in(entry=cast.entry(second, "Chidi"), by=club.owner)
    assert came(club)["Chidi"] == ["First"]
    start(tournament=second, by=club.owner)
    assert came(club)["Chidi"] == ["First", "Second"]
    assert came(club)["Farah"] == ["First"]


def test_a_cancelled_event_and_one_to_practise_on_are_no_columns(club):
    called_off = cast.tournament(club=club, name="Snow", starts_on=TODAY)
    cast.play(called_off, rounds=1)
    practice = cast.tournament(club=club, name="Practice", starts_on=TODAY)
    cast.play(practice, rounds=1)
    demo = cast.tournament(club=club, name="Demo", starts_on=TODAY)
    cast.play(demo, rounds=1)
    Tournament.objects.filter(pk=called_off.pk).update(is_called_off=True)
    Tournament.objects.filter(pk=practice.pk).update(kind=Tournament.Kind.PRACTICE)
    Tournament.objects.filter(pk=demo.pk).update(is_demo=True)
    assert [column.spoken.split(", ")[1] for column in page_of(club).columns] == ["First"]


def test_of_a_team_each_member_who_played_was_there_and_the_substitute_who_did_not_was_not(club):
    evening = cast.teams(club=club, starts_on=TODAY)
    cast.play(evening, rounds=1)
    people = came(club)
    assert "Team Night" in people["Ana Lucía"]
    assert "Ingrid" not in people and "Blue Foxes" not in people


def test_a_substitute_who_sits_down_is_not_taken_for_the_player_of_the_entry(club):
    second = cast.tournament(club=club, name="Second", starts_on=TODAY)
    check_in(entry=cast.entry(second, "Chidi"), by=club.owner)
    start(tournament=second, by=club.owner)
    Seat.objects.filter(entry=cast.entry(second, "Chidi")).update(substitute=cast.member(club, "Benoît"))
    assert came(club)["Chidi"] == ["First"] and came(club)["Benoît"] == ["First"]


def test_two_people_with_one_name_are_told_apart(club):
    second = cast.tournament([], club=club, name="Second", starts_on=TODAY)
    add_entries(tournament=second, players=[*cast.people(4), RosterRow(5, "Ana Lucía", "SV Lokstedt")], by=club.owner)
    cast.play(second, rounds=1)
    alike = {name for name in came(club) if name.startswith("Ana Lucía")}
    assert len(alike) == Player.objects.filter(name="Ana Lucía").count() == 2
    assert "Ana Lucía (SV Lokstedt)" in alike


def test_a_guest_who_was_merged_into_a_member_is_one_line_and_an_erased_person_keeps_theirs_without_a_name(club):
    guest = Player.objects.get(name="Farah")
    add_members(club=club, players=[RosterRow(1, "Farah B.")], by=club.owner)
    merge(target=cast.member(club, "Farah B."), source=guest, by=club.owner)
    people = came(club)
    assert people["Farah B."] == ["First"] and "Farah" not in people
    erased = erase_player(player=cast.member(club, "Benoît"), by=club.owner)
    people = came(club)
    assert people[erased.name] == ["First"] and "Benoît" not in people


def test_a_member_who_left_the_club_is_a_guest_from_then_on(club):
    remove_member(player=cast.member(club, "Chidi"), by=club.owner)
    [chidi] = [one for one in attendance(club_for(club.owner, club.slug), None).people if one.name == "Chidi"]
    assert not chidi.is_member and chidi.events


def test_the_events_are_those_of_the_last_12_months_or_of_the_season(client, club):
    old = cast.tournament(club=club, name="Long ago", starts_on=TODAY - timedelta(days=366))
    cast.play(old, rounds=1)
    assert [column.spoken.split(", ")[1] for column in page_of(club).columns] == ["First"]
    season = create_season(
        club=club, by=club.owner, name="Old", counts="places", place_points=[3], best_of=None, min_evenings=1
    )
    assert page_of(club, season).nothing
    Tournament.objects.filter(pk=old.pk).update(season=season)
    client.force_login(club.owner)
    words = said(client.get(PAGE, {"season": season.slug}))
    assert "1 tournament, 8 people came" in words and "played a hand" in words
    assert client.get(PAGE, {"season": "other"}).status_code == 404
    assert client.get(PAGE, {"season": "\0"}).status_code == 200


def test_the_page_and_both_files_say_the_same(client, club):
    client.force_login(club.owner)
    page = client.get(PAGE).content.decode()
    assert page.count("✓") == 8
    assert PAGE in client.get("/clubs/cafe-ludo/players/").content.decode()
    text = client.get("/clubs/cafe-ludo/attendance.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    column = f"{TODAY - timedelta(days=20)} First"
    assert list(rows[0]) == ["name", "player_id", "member", "events", column]
    assert rows[0] | {"player_id": ""} == {
        "name": "Ana Lucía", "player_id": "", "member": "true", "events": "1", column: "1",
    }  # fmt: skip
    assert rows[-1] == {"name": "total", "player_id": "", "member": "", "events": "8", column: "8"}
    book = client.get("/clubs/cafe-ludo/attendance.csv?format=xlsx").content
    assert cells_of(book) == list(csv.reader(io.StringIO(text)))


def test_two_events_of_one_name_on_one_day_have_two_columns(club):
    for _again in range(2):
        cast.play(cast.tournament(club=club, name="Twins", starts_on=TODAY), rounds=1)
    read = attendance(club_for(club.owner, club.slug), None)
    assert len(set(event_columns(read))) == 3
    assert next(attendance_rows(read))["events"] == 3


def test_strangers_and_members_have_no_attendance(client, club):
    assert client.get(PAGE).status_code == 404
    client.force_login(cast.someone_else())
    assert client.get(PAGE).status_code == 404
    assert client.get("/clubs/cafe-ludo/attendance.csv").status_code == 404


def test_reading_takes_the_same_few_queries_for_any_number_of_events(club, django_assert_max_num_queries):
    for _again in range(2):
        cast.play(cast.tournament(club=club, name="Twins", starts_on=TODAY), rounds=1)
    access = club_for(club.owner, club.slug)
    with django_assert_max_num_queries(5):
        attendance(access, None)
