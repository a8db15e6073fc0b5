"""The hand that decided a tournament."""

import pytest

from league.rounds.adjustments import adjust
from league.rounds.steps import start
from league.standings import read as ledger
from league.standings.deciding_hand import At, deciding_hand, decision_in_words
from tests import cast

pytestmark = pytest.mark.django_db


def played(*winners, **settings):
    """A points race of four at one table, two hands a round; who goes out gets 60 points."""
    made = cast.tournament(4, format="points", rounds=2, hands_per_round=2, **settings)
    start(tournament=made, by=made.owner)
    for number, of_round in enumerate((winners[:2], winners[2:]), 1):
        for hand, name in enumerate(of_round, 1):
            table = cast.table(made, number, 1)
            seat = table.seats.get(entry__player__name=name).number
            cast.record(table, hand, seat, tuple(0 if at == seat else 20 for at in range(4)))
        cast.go_on(made)
    return made


def decision(tournament):
    book = ledger.read(tournament)
    return deciding_hand(book), decision_in_words(book)


def test_it_is_the_hand_since_which_the_winner_led_alone():
    assert decision(played("Ana Lucía", "Chidi", "Chidi", "Ana Lucía")) == (None, "")  # tied at the end
    assert decision(played("Ana Lucía", "Chidi", "Ana Lucía", "Benoît")) == (At(2, 1), "Decided in round 2, hand 1")
    assert decision(played("Chidi", "Chidi", "Benoît", "Chidi")) == (At(1, 1), "In the lead from the first hand")


def test_a_penalty_counts_from_the_start_of_its_round():
    made = played("Chidi", "Benoît", "Chidi", "Benoît")
    adjust(tournament=made, entry=cast.entry(made, "Benoît"), points=-5, reason="Late", round_number=2, by=made.owner)
    assert decision(made)[0] == At(2, 1)


def test_in_an_elimination_it_is_the_winners_last_hand():
    made = cast.play_challenge(cast.challenge(4, target=120))
    last = max((row.round, row.hand) for row in ledger.read(made).counted)
    assert decision(made)[0] == last
