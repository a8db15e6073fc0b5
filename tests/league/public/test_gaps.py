"""Beside each name in the standings: how far ahead or behind, while there is something to come."""

import re

import pytest
from django.test import Client

from league.models import Tournament
from league.rounds.steps import close_tournament
from league.rounds.tables import close_table
from league.setup.amend import amend_rules
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


def page(made: Tournament, query: str = "") -> str:
    return Client().get(f"/t/{made.slug}/standings/{query}").content.decode()


def gaps(made: Tournament, query: str = "") -> list[str]:
    return re.findall(r'<small class="said muted">([^<]+)</small>', page(made, query))


def test_each_reads_what_is_between_them_and_the_first() -> None:
    made = cast.play(cast.tournament(), rounds=2)
    client = Client()
    lines = client.get(f"/t/{made.slug}/standings/").context["parts"][0][1]
    totals = [line.standing.total for line in lines]
    first = f"leads by {totals[0] - totals[1]}" if totals[0] > totals[1] else "tied for first"
    words = [
        f"{totals[0] - total} behind the leader" if total < totals[0] else "tied with the leader" for total in totals
    ]
    assert gaps(made)[-1] == words[-1] and first in gaps(made)
    assert "5 rounds to go. See chances of winning" in said(client.get(f"/t/{made.slug}/standings/"))


def test_as_it_was_after_an_earlier_round_and_once_all_is_played_nothing_is_to_come() -> None:
    made = cast.play(cast.tournament(4))
    assert gaps(made, "?as_of_round=1") == []
    close_tournament(tournament=made, by=made.owner)
    assert gaps(made) == [] and "to go." not in page(made)


def test_in_the_last_round_it_is_said_in_how_many_hands_there_is_to_catch_up() -> None:
    made = cast.play(cast.tournament(4, hands_per_round=2), rounds=2)
    assert any(words.endswith("to catch up in the last 2 hands") for words in gaps(made))
    cast.record(cast.table(made, 3, 1), 1)
    assert any(words.endswith("to catch up in the last hand") for words in gaps(made))
    cast.record(cast.table(made, 3, 1), 2)
    assert any(words.endswith(" behind the leader") for words in gaps(made)) and "to catch up" not in page(made)


def test_the_hands_to_come_are_those_of_the_table_and_none_where_it_is_closed() -> None:
    made = cast.play(cast.tournament(4, hands_per_round=2), rounds=2)
    amend_rules(tournament=made, hands_per_round=6, reason="We have time", by=made.owner)
    assert any(words.endswith("to catch up in the last 2 hands") for words in gaps(made))
    cast.record(cast.table(made, 3, 1), 1)
    close_table(tournament=made, round_number=3, number=1, reason="Late", by=made.owner)
    assert "to catch up" not in page(made)


def test_who_sits_the_last_round_out_has_nothing_to_catch_up_with() -> None:
    made = cast.play(cast.tournament(5, hands_per_round=1), rounds=4)
    free = made.rounds.get(number=5).seats.get(table=None).entry.public_id
    lines = Client().get(f"/t/{made.slug}/standings/").context["parts"][0][1]
    assert {"catch up" in line.gap for line in lines if line.standing.entrant.id == free} == {False}
    assert sum("catch up" in line.gap for line in lines) >= 2


def test_where_the_lowest_total_wins_behind_is_what_one_has_more() -> None:
    made = cast.play(cast.tournament(8, format="points", scoring="lowest-total"), rounds=1)
    lines = Client().get(f"/t/{made.slug}/standings/").context["parts"][0][1]
    least, most = lines[0].standing.total, lines[-1].standing.total
    assert least < most and gaps(made)[-1] == f"{most - least} behind the leader"


def test_who_has_left_and_a_race_have_words_of_their_own() -> None:
    assert gaps(cast.play_challenge(cast.challenge(), rounds=1)) == []
