"""The sentences of a tournament's settings, read from the value: no page is requested."""

import pytest

from league.models import Club, Tournament, User
from league.setup.settings_page import (
    call_off_of,
    counting_of,
    delete_way,
    end_early_way,
    evening_form,
    online_in_words,
)

OLGA = User(email="olga@example.org", name="Olga")


def cup(**more: object) -> Tournament:
    return Tournament(slug="cup", name="Cup", owner=OLGA, **more)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("online", "words"),
    [
        ("", "Hands are played with real cards."),
        ("all", "All tables are played online."),
        ("1,2", "Played online: table 1,2."),
    ],
)
def test_the_settings_say_which_tables_play_online(online: str, words: str) -> None:
    assert online_in_words(cup(online=online)) == words


def test_deleting_says_why_not_or_who_can() -> None:
    why = delete_way(cup(), "A round was published.", may_delete=True)
    assert (why.text, why.is_possible) == ("A round was published.", False)
    other = delete_way(cup(), "", may_delete=False)
    assert not other.is_possible and other.text == f"Only its owner can delete it: {OLGA}."
    assert delete_way(cup(), "", may_delete=True).is_possible


def test_calling_off_says_whether_people_get_mail() -> None:
    assert "gets an e-mail" in call_off_of(cup(), "", sends=True).way.text
    assert "sends no e-mail: tell the players yourself" in call_off_of(cup(), "", sends=False).way.text
    held = call_off_of(cup(), "It has ended.", sends=True)
    assert not held.way.is_possible and held.way.text == "It has ended."


def test_a_cancelled_event_can_be_reinstated() -> None:
    off = call_off_of(cup(is_called_off=True, pause_reason="Power cut"), "It is off already.", sends=True)
    assert off.is_off and (off.title, off.reason) == ("Cancelled", "Power cut")
    assert off.way.text == "Everyone keeps their place. Everyone who signed up gets an e-mail."
    silent = call_off_of(cup(is_called_off=True), "", sends=False)
    assert silent.way.text.endswith("This service sends no e-mail: tell the players yourself.")


def test_ending_early_says_what_it_means_or_why_it_goes_on() -> None:
    assert end_early_way("").text.startswith("The current standings become final")
    assert end_early_way("It has not begun.").css == "muted small"


def test_those_who_may_not_change_it_are_told_whether_it_counts() -> None:
    assert counting_of(cup(), may_change=True) is None, "it has no club"
    counts = counting_of(cup(club=Club(pk=1), counts_in_club=True), may_change=False)
    taken_out = counting_of(cup(club=Club(pk=1), counts_in_club=False), may_change=False)
    assert counts is not None and counts.text == f"It counts. Only its owner can change that: {OLGA}."
    assert taken_out is not None and taken_out.text == f"It doesn’t count. Only its owner can change that: {OLGA}."


def test_the_club_can_be_chosen_only_by_those_who_hold_evenings_in_it() -> None:
    assert evening_form(cup(), []) is None
    assert evening_form(cup(club=Club(pk=1, slug="ludo")), [Club(pk=2, slug="other")]) is None
