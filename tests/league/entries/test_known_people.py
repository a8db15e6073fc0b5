"""One person is one person: names of a list meet the club's members, its earlier guests and the list itself."""

import re
from datetime import date

import pytest
from django.test import Client

from league.clubs.members import add_members
from league.day.entrants import Confirmed, enter_late
from league.entries.list_order import add_entries
from league.entries.persons import person_of_sign_up
from league.entries.roster.parse import parse
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.models import Club, Entry, Player, Role, Seat, SignUp, Tournament
from league.rounds.steps import start
from tests import cast
from tests.league.day.sheets import entry_of, sheet_of, tap, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return cast.club()


@pytest.fixture
def olga(club: Club) -> Client:
    client = Client()
    client.force_login(club.owner)
    return client


def event(club: Club | None, names: str = "", **more: object) -> Tournament:
    """A points race that has not begun, of a club, with these people on its list."""
    made = cast.tournament([], club=club, format="points", **more)
    add_entries(tournament=made, players=parse(names).rows if names else (), by=made.owner)
    return made


def people(made: Tournament) -> dict[str, int]:
    return {entry.player.name: entry.player_id for entry in made.entries.select_related("player")}


def add(client: Client, made: Tournament, names: str, **more: str) -> str:
    """Send a list to the page of players; return the page with its messages."""
    answer = client.post(f"/t/{made.slug}/players/", {"players": names, **more}, follow=True)
    return answer.content.decode()


def seen_in(page: str) -> str:
    [seen] = re.findall(r'name="seen" value="(\w+)"', page)
    return seen


def test_guests_of_three_events_are_four_people(club: Club, olga: Client) -> None:
    first = event(club, "Ann\nBob\nCid\nDot")
    second = event(club, "ANN\nBob \nCíd\nDot", starts_on=date(2026, 11, 25))
    third = event(club, starts_on=date(2026, 11, 26))
    add(olga, third, "Cid\nDot\nBob")
    assert set(people(second).values()) == set(people(first).values())
    assert set(people(third).values()) < set(people(first).values())
    assert Player.objects.filter(club=None).count() == 4


def test_a_guest_of_another_club_or_of_no_club_is_someone_else(club: Club) -> None:
    event(None, "Ann\nBob")
    event(cast.club(name="Mira"), "Ann\nBob")
    assert people(event(club, "Ann\nBob")).keys() == {"Ann", "Bob"}
    assert Player.objects.filter(name="Ann").count() == 3


def test_places_without_names_are_not_the_places_of_an_earlier_event(club: Club) -> None:
    assert people(event(club, "Player 1\nPlayer 2")).values() != people(event(club, "Player 1\nPlayer 2")).values()
    assert Player.objects.count() == 4


def test_an_erased_person_is_never_met_again(club: Club) -> None:
    first = event(club, "Ann\nBob")
    ann = first.entries.get(player__name="Ann").player
    erase_player(player=ann, by=club.owner)
    assert people(event(club, f"Ann\nBob\n{ann.name}"))["Ann"] != ann.pk
    assert Entry.objects.filter(player=ann).count() == 1


def test_one_match_is_shown_and_taken_without_a_question(club: Club, olga: Client) -> None:
    first = event(club, "Ann\nBob")
    second = event(club)
    page = add(olga, second, "Ann\nBob")
    assert "Added: 2." in page
    assert people(second) == people(first)


def test_of_several_people_of_one_name_the_organiser_chooses(club: Club, olga: Client) -> None:
    add_members(club=club, players=parse("name;club;email\nAnn;SV Nord;ann@example.org").rows, by=club.owner)
    guest = Player.objects.create(name="Ann", club_name="TSV")
    Entry.objects.create(tournament=event(club), player=guest, number=1)
    made = event(club)
    page = add(olga, made, "Ann")
    assert made.entries.count() == 0
    assert "Ann, SV Nord, ann@example.org" in page and "Ann, TSV" in page and "A new person" in page
    add(olga, made, "Ann", seen=seen_in(page), **{"who-0": guest.public_id})
    assert made.entries.get().player == guest


def test_the_organiser_may_say_that_it_is_a_new_person(club: Club, olga: Client) -> None:
    first, second = event(club, "Ann"), event(club)
    page = add(olga, second, "Ann", look="again")
    assert "1 earlier tournament, last on 24 November" in page
    add(olga, second, "Ann", seen=seen_in(page), **{"who-0": "new"})
    assert people(second)["Ann"] != people(first)["Ann"]


def test_swapped_names_are_offered_and_not_taken_without_a_look(club: Club, olga: Client) -> None:
    first, second = event(club, "Chloé Martin"), event(club)
    page = add(olga, second, "Martin Chloe")
    assert "first and last name swapped" in page
    add(olga, second, "Martin Chloe", seen=seen_in(page))
    assert set(people(second).values()) <= set(people(first).values())
    assert set(people(event(club, "Martin, Chloé\nBo")).values()).isdisjoint(people(first).values())


def test_a_choice_of_someone_who_is_not_offered_is_a_new_person(club: Club, olga: Client) -> None:
    event(club, "Ann")
    stranger = Player.objects.create(name="Ann", email="ann@example.org")
    second = event(club)
    page = add(olga, second, "Ann", look="again")
    add(olga, second, "Ann", seen=seen_in(page), **{"who-0": stranger.public_id})
    assert second.entries.get().player != stranger


def test_an_organiser_of_one_event_meets_no_guests_and_sees_no_addresses(club: Club) -> None:
    first = event(club, "Ann\nBob")
    add_members(club=club, players=parse("name;email\nCid;cid@example.org").rows, by=club.owner)
    second = event(club)
    sven = cast.someone_else()
    Role.objects.create(tournament=second, user=sven, kind=Role.Kind.ORGANISER, created_by=club.owner)
    client = Client()
    client.force_login(sven)
    page = add(client, second, "Ann\nCid", look="again")
    assert "cid@example.org" not in page and "earlier tournament" not in page
    add(client, second, "Ann\nCid", seen=seen_in(page))
    assert people(second)["Ann"] != people(first)["Ann"]


def test_a_stranger_who_signs_up_under_the_name_of_a_guest_gains_nothing(club: Club) -> None:
    guest = event(club, "Ann").entries.get().player
    sign_up = SignUp.objects.create(tournament=event(club), name="Ann", email="stranger@example.org")
    assert person_of_sign_up(sign_up) != guest


# --- a list that is sent again


def test_a_list_sent_again_adds_only_those_who_are_new(olga: Client) -> None:
    made = event(None, "Ana\nBen\nCleo\nDan\nGus\nHal")
    page = add(olga, made, "Ana\nBen\nCleo\nDan\nGus\nHal\nEva\nFay")
    assert "6 of 8 are already on the list." in page
    assert "Add Eva and Fay" in page and "Add 8 players" in page
    assert made.entries.count() == 6
    assert "Added: 2." in add(olga, made, "Ana\nBen\nCleo\nDan\nGus\nHal\nEva\nFay", seen=seen_in(page))
    assert list(people(made)) == ["Ana", "Ben", "Cleo", "Dan", "Gus", "Hal", "Eva", "Fay"]


def test_the_organiser_may_add_all_of_a_list_again(olga: Client) -> None:
    made = event(None, "Ana\nBen")
    page = add(olga, made, "Ana\nBen\nCleo")
    add(olga, made, "Ana\nBen\nCleo", seen=seen_in(page), again="1")
    assert made.entries.count() == 5


@pytest.mark.parametrize(
    ("line", "added"), [("Ana;Mira;", 1), ("Ana;;other@example.org", 1), ("ANA;Ludo;", 0), ("Ána;;a@example.org", 0)]
)
def test_address_or_club_tells_two_people_of_one_name_apart(olga: Client, line: str, added: int) -> None:
    made = event(None, "name;club;email\nAna;Ludo;a@example.org")
    listed = f"name;club;email\n{line}\nBen;;"
    page = add(olga, made, listed)
    if 'name="seen"' in page:
        add(olga, made, listed, seen=seen_in(page))
    assert made.entries.count() == 2 + added


# --- names that are typed on the day


@pytest.fixture
def running(club: Club) -> Tournament:
    """An event that has begun, of a club with one earlier event."""
    add_entries(
        tournament=event(club),
        players=[RosterRow(1, "Ann"), RosterRow(2, "Jan", "SV Lokstedt"), RosterRow(3, "Jan", "TSV Eppendorf")],
        by=club.owner,
    )
    made = event(club, "Uma\nVera\nWim\nXu\nYan", starts_on=date(2026, 11, 25))
    start(tournament=made, by=made.owner)
    return Tournament.objects.get(pk=made.pk)


def send(made: Tournament, page: str, **typed: str) -> str:
    """Send a form of the day, and confirm what its preview has; return the preview."""
    client = Client()
    client.force_login(made.owner)
    shown = client.post(f"/t/{made.slug}/{page}", typed).content.decode()
    [digest] = re.findall(r'name="shown" value="(\w+)"', shown)
    who = typed.pop("who", None) or (re.findall(r'name="who" value="(\w+)" checked', shown) or [""])[0]
    assert client.post(f"/t/{made.slug}/{page}", typed | {"shown": digest, "who": who}).status_code == 302
    return shown


def test_a_late_entry_with_the_name_of_an_earlier_guest_is_that_guest(running: Tournament) -> None:
    shown = send(running, "day/late/", name="ANN")
    assert "Who is meant?" in shown and "1 earlier tournament, last on" in shown and "A new person" in shown
    assert Player.objects.filter(name__iexact="Ann").count() == 1
    assert running.entries.filter(player__name="Ann").exists()


def test_a_late_entry_can_be_a_new_person_of_a_known_name(running: Tournament) -> None:
    send(running, "day/late/", name="Ann", who="new")
    assert Player.objects.filter(name="Ann").count() == 2


def test_a_late_entry_may_be_one_of_two_guests_of_one_name(running: Tournament) -> None:
    other = Player.objects.get(club_name="TSV Eppendorf")
    shown = send(running, "day/late/", name="Jan", who=other.public_id)
    assert "Jan, SV Lokstedt" in shown and "Jan, TSV Eppendorf" in shown
    assert running.entries.filter(player=other).exists()


def test_a_substitute_with_the_name_of_an_earlier_guest_is_that_guest(running: Tournament) -> None:
    uma, olga = entry_of(running, "Uma"), Client()
    olga.force_login(running.owner)
    assert "Who is meant?" in text_of(olga.get(f"{sheet_of(uma)}?do=substitute&name=Ann"))
    tap(olga, uma, "substitute", name="Ann")
    assert Seat.objects.get(entry=uma, table__isnull=False).substitute == Player.objects.get(name="Ann")


def test_a_name_meets_no_guest_for_an_account_that_is_not_of_the_club(running: Tournament) -> None:
    enter_late(tournament=running, name="Ann", by=cast.someone_else())
    assert Player.objects.filter(name="Ann").count() == 2


def test_a_late_entry_never_is_a_person_who_was_erased_or_is_on_the_list(running: Tournament) -> None:
    ann = Player.objects.get(name="Ann")
    assert enter_late(tournament=running, by=running.owner, name="Ann").entry.player == ann
    again = enter_late(
        tournament=running, by=running.owner, name="Ann", confirmed=Confirmed(another=True, who=ann.public_id)
    )
    assert again.entry.player != ann
    erased = erase_player(player=Player.objects.get(club_name="SV Lokstedt"), by=running.owner)
    assert enter_late(tournament=running, by=running.owner, name=erased.name).entry.player != erased
