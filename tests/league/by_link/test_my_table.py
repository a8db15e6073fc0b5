"""What My table says, without a request."""

import pytest

from league.by_link.my_table import page_of
from league.rounds.steps import start
from tests import cast

pytestmark = pytest.mark.django_db


def test_in_the_last_round_the_final_place_comes_next() -> None:
    made = cast.play(cast.tournament(4), rounds=2)
    page = page_of(made, cast.entry(made, "Chidi"))
    assert page.now is not None and page.following is not None
    assert (page.now.title, page.following.title) == ("Round 3, table 1", "Last round")
    assert page.about.startswith("Your page")


def test_after_the_last_round_the_place_waits_for_the_organiser() -> None:
    made = cast.play(cast.tournament(4))
    banner = page_of(made, cast.entry(made, "Chidi")).banner
    assert banner is not None and (banner.title, banner.link.word) == ("All rounds are played", "Standings")
    cast.go_on(made)
    banner = page_of(made, cast.entry(made, "Chidi")).banner
    assert banner is not None and banner.title.startswith("Final place: ") and banner.title.endswith(" of 4")
    assert banner.is_main and banner.link.word == "Final standings"


def test_a_bye_is_said_as_one() -> None:
    made = cast.tournament(5)
    start(tournament=made, by=made.owner)
    page = page_of(made, made.entries.get(seats__round__number=1, seats__table=None))
    assert page.now is not None and page.now.is_bye
    assert (page.now.title, page.now.text) == ("Round 1, no table", "You have a bye.")
    assert page.now.action.links == ()


def test_before_the_first_round_the_list_is_what_there_is() -> None:
    made = cast.tournament(8)
    banner = page_of(made, cast.entry(made, "Zoë")).banner
    assert banner is not None and (banner.title, banner.link.word) == ("You are on the list", "See the players")
    assert "Your first seat will appear when round 1 is published." in banner.text


def test_in_a_race_the_last_one_in_has_won_and_the_others_read_when_they_left() -> None:
    made = cast.play_challenge(cast.challenge(4))
    titles = sorted(banner.title for entry in made.entries.all() if (banner := page_of(made, entry).banner))
    assert titles[-1] == "You have won" and all(title.startswith("Eliminated in round ") for title in titles[:-1])
