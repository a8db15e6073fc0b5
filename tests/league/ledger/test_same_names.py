"""Players with one name are told apart by what follows it on every page of their tournament."""

import pytest
from django.test import Client

from league.entries.list_order import add_entries, remove_entry, rename_entry, set_shown_as
from league.entries.roster.rows import RosterRow
from league.erasure.erase import erase_player
from league.lib.errors import Refused
from league.models import Tournament
from league.setup.create import clone_tournament
from tests import cast

pytestmark = pytest.mark.django_db

CLUBS = [RosterRow(1, "Jan Dvořák", "SV Lokstedt"), RosterRow(2, "Jan  dvorak", "TSV Eppendorf")]
ANNS = [RosterRow(3, "Ann"), RosterRow(4, "ANN"), RosterRow(5, "Zoë")]


OTHERS = ("Uma", "Vera", "Wim", "Xu")


def made_of(rows: list[RosterRow]) -> Tournament:
    """A tournament of these players and four others."""
    return cast.tournament([*rows, *(RosterRow(9, name) for name in OTHERS)])


def shown(tournament: Tournament) -> list[str]:
    names = [entry.name for entry in tournament.entries.select_related("player").order_by("number")]
    return [name for name in names if name not in OTHERS]


def test_clubs_or_numbers_follow_a_name_that_two_players_have() -> None:
    made = made_of([*CLUBS, *ANNS])
    assert shown(made) == ["Jan Dvořák (SV Lokstedt)", "Jan  dvorak (TSV Eppendorf)", "Ann 1", "ANN 2", "Zoë"]


def test_a_player_without_a_club_has_the_bare_name_next_to_one_with_a_club() -> None:
    made = made_of([RosterRow(1, "Ann"), RosterRow(2, "Ann", "SV Lokstedt")])
    assert shown(made) == ["Ann", "Ann (SV Lokstedt)"]


def test_a_number_is_none_that_a_name_on_the_list_ends_with() -> None:
    made = made_of([RosterRow(1, "Ann 1"), RosterRow(2, "Ann"), RosterRow(3, "Ann")])
    assert shown(made) == ["Ann 1", "Ann 2", "Ann 3"]


def test_numbers_stay_when_another_player_leaves_or_comes_and_go_with_the_last_but_one() -> None:
    made = made_of([RosterRow(1, "Ann"), RosterRow(2, "Ann"), RosterRow(3, "Ann")])
    first, second, *_ = made.entries.order_by("number")
    remove_entry(tournament=made, entry=first, by=made.owner)
    assert shown(made) == ["Ann 2", "Ann 3"]
    add_entries(tournament=made, players=[RosterRow(1, "Ann")], by=made.owner)
    assert shown(made) == ["Ann 2", "Ann 3", "Ann 1"]
    for entry in made.entries.filter(player__name="Ann").exclude(pk=second.pk):
        remove_entry(tournament=made, entry=entry, by=made.owner)
    assert shown(made) == ["Ann"]


def test_a_player_who_gets_the_name_later_takes_the_next_number_even_from_a_higher_place() -> None:
    made = made_of([RosterRow(1, "Bob"), RosterRow(2, "Ann"), RosterRow(3, "Ann")])
    rename_entry(entry=made.entries.get(player__name="Bob"), name="Ann", club="", by=made.owner)
    assert shown(made) == ["Ann 3", "Ann 1", "Ann 2"]


def test_what_an_organiser_types_stays_and_goes_to_a_copy_and_is_logged() -> None:
    made = made_of(ANNS)
    set_shown_as(entry=made.entries.first(), text="the tall one", by=made.owner)
    assert shown(made) == ["Ann (the tall one)", "ANN", "Zoë"]
    row = made.log.first()
    assert (row.action, row.old["player"], row.new["player"]) == ("shown-as", "Ann 1", "Ann (the tall one)")
    copy = clone_tournament(tournament=made, by=made.owner)
    assert shown(copy) == ["Ann (the tall one)", "ANN", "Zoë"]
    set_shown_as(entry=made.entries.first(), text="", by=made.owner)
    assert shown(made) == ["Ann 1", "ANN 2", "Zoë"]


def test_two_players_cannot_be_shown_alike() -> None:
    made = made_of(ANNS)
    one, other, *_ = made.entries.order_by("number")
    set_shown_as(entry=one, text="B.", by=made.owner)
    with pytest.raises(Refused, match=r"Another player is called “ANN b\.”"):
        set_shown_as(entry=other, text="b.", by=made.owner)
    assert shown(made)[:2] == ["Ann B.", "ANN"]


def test_a_new_name_that_makes_two_typed_additions_alike_loses_the_later_one() -> None:
    made = made_of([RosterRow(1, "Ann"), RosterRow(2, "Eva")])
    one, other, *_ = made.entries.order_by("number")
    for entry in (one, other):
        set_shown_as(entry=entry, text="B.", by=made.owner)
    rename_entry(entry=other, name="Ann", club="", by=made.owner)
    assert shown(made) == ["Ann B.", "Ann"]


def test_erasing_a_player_takes_the_addition_from_both() -> None:
    made = made_of(ANNS)
    set_shown_as(entry=made.entries.first(), text="tall", by=made.owner)
    erased = erase_player(player=made.entries.first().player, by=made.owner)
    assert shown(made) == [erased.name, "ANN", "Zoë"]
    assert "tall" not in str(list(made.log.values_list("old", "new")))


def test_the_page_of_a_player_changes_what_follows_the_name() -> None:
    made, client = made_of(ANNS), Client()
    client.force_login(made.owner)
    one, other, *_ = made.entries.order_by("number")
    page = f"/t/{made.slug}/players/{one.public_id}/edit/"
    assert 'value="1"' in client.get(page).content.decode()
    typed = {"name": "Ann", "club": "", "addition": "the tall one"}
    assert client.post(page, typed).status_code == 302
    assert shown(made)[:2] == ["Ann (the tall one)", "ANN"]
    again = client.post(f"/t/{made.slug}/players/{other.public_id}/edit/", typed | {"name": "Anna"})
    assert again.status_code == 302 and shown(made)[:2] == ["Ann (the tall one)", "Anna (the tall one)"]
    refused = client.post(f"/t/{made.slug}/players/{other.public_id}/edit/", typed)
    assert refused.status_code == 422 and "called “Ann (the tall one)”" in refused.content.decode()
    assert shown(made)[1] == "Anna (the tall one)", "nothing changed"
    too_long = client.post(page, typed | {"addition": "x" * 21})
    assert too_long.status_code == 422 and "x" * 21 in too_long.content.decode()
