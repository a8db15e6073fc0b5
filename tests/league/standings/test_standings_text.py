"""The words of standings in their three shapes, without a page."""

import pytest

from league.day.entrants import drop_out
from league.standings.read import read
from league.standings.text import text_of
from tests import cast

pytestmark = pytest.mark.django_db


def test_where_points_are_added_up_the_order_is_points_and_tie_breaks() -> None:
    made = cast.play(cast.tournament(), rounds=1)
    text = text_of(read(made))
    assert text.order().startswith("Ranked by points, hands won")
    assert (text.target, text.champions()) == (None, ())
    assert text.adds_up and text.has_round_points


def test_who_left_a_schedule_reads_after_which_round() -> None:
    made = cast.play(cast.tournament(), rounds=2)
    entry = made.entries.order_by("number").first()
    drop_out(tournament=made, entry=entry, reason="", by=made.owner)
    text = text_of(read(made))
    lines = {line.entrant.id: line for line in text.book.standings()}
    assert text.remark(lines[entry.public_id]) == "withdrew after round 2"
    assert text.remark(lines[entry.public_id], as_of_round=1) == "withdrew after round 1"
    assert {text.remark(line) for line in lines.values() if line.entrant.id != entry.public_id} == {None}


def test_a_race_has_a_target_and_its_last_one_in_wins() -> None:
    made = cast.play_challenge(cast.challenge(4))
    text = text_of(read(made))
    assert "500 points eliminate a player" in text.order() and text.target == 500
    [winner] = text.champions()
    remarks = {line.entrant.id: text.remark(line) for line in text.book.standings()}
    assert remarks[winner] == "last player in"
    assert sum(bool(words) and words.startswith("eliminated in round ") for words in remarks.values()) == 3
    assert not text.adds_up


def test_where_only_some_advance_each_line_says_how_far_it_came() -> None:
    made = cast.play(cast.tournament(8, format="heats"), rounds=1)
    text = text_of(read(made))
    assert "Each round starts at 0" in text.order() and text.ties(text.book.standings()) == []
    words = [(text.progress(line), text.remark(line)) for line in text.book.standings()]
    assert {progress for progress, remark in words if not remark} <= {"qualified", "qualified, by random tie-break"}
    assert any(remark and remark.startswith("eliminated in round 1, place ") for _progress, remark in words)
    assert not text.adds_up and not text.has_round_points
