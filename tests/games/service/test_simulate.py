"""What bots play is recorded as a hand of paper would be, and the same again from the same seed."""

import random

import pytest

from engine.rules import EDITIONS
from engine.simulation.bots import RandomBot
from engine.state import Rules
from games.models import Hand
from games.service import bots_play
from league.ledger.race import read_race
from league.models import HandScore, Table
from league.rounds.steps import next_step, start
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def results(tournament) -> list[tuple[object, ...]]:
    played = Hand.objects.filter(table__round__tournament=tournament)
    return list(
        played.order_by("table__round__number", "table__number", "number").values_list("number", "went_out", "seats")
    )


def first_table(**settings) -> Table:
    made = cast.tournament(**settings)
    start(tournament=made, by=made.owner)
    return cast.table(made, 1, 1)


def test_an_evening_played_in_parts_is_the_same_as_one_played_at_once():
    at_once, in_parts = cast.tournament(rounds=2), cast.tournament(rounds=2, name="In parts")
    bots_play.play(at_once, seed=3, by=at_once.owner, tell=str)
    start(tournament=in_parts, by=in_parts.owner)
    bots_play.fill_table(cast.table(in_parts, 1, 2), 3, in_parts.owner, hands=3)
    bots_play.play(in_parts, seed=3, rounds=1, by=in_parts.owner, tell=str)
    bots_play.play(in_parts, seed=3, by=in_parts.owner, tell=str)
    assert len(results(at_once)) == 16
    assert results(at_once) == results(in_parts)


def race(**settings):
    return cast.tournament(**({"format": "challenge", "target": 100} | settings))


def standings(made):
    return read_race(made, made.stages.get()).state


def test_a_challenge_is_played_to_its_one_winner():
    made = race()
    bots_play.play(made, seed=3, by=made.owner, tell=str)
    state = standings(made)
    assert state.winner and state.still_in == (state.winner,)
    assert sorted(line.place for line in state.lines.values())[:2] == [1, 2]
    assert made.rounds.latest("number").tables.get().seats.count() == 2, "the last two met head to head"
    assert next_step(made).kind == "close"
    out = [step.entry for step in state.race if step.out]
    assert len(out) == len(set(out)) == 7
    hands_of = {entry: [step.out for step in state.race if step.entry == entry] for entry in out}
    assert all(hands.index(True) == len(hands) - 1 for hands in hands_of.values()), "nobody is dealt in who is out"


def test_a_challenge_goes_on_from_a_late_stage_as_if_it_had_been_played_at_once():
    made, again = race(name="At once"), race(name="In parts")
    bots_play.play(made, seed=5, by=made.owner, tell=str)
    for _part in range(20):
        if not bots_play.play(again, seed=5, rounds=1, by=again.owner, tell=str):
            break
    assert results(made) == results(again)
    assert standings(again).winner and len(results(again)) > 8


def test_another_seed_plays_other_hands():
    one, other = first_table(), first_table(name="Other")
    bots_play.fill_table(one, 1, None)
    bots_play.fill_table(other, 2, None)
    assert results(one.round.tournament) != results(other.round.tournament)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_gives_hands_that_can_exist(edition):
    table = first_table(edition=edition, hands_per_round=20)
    assert bots_play.fill_table(table, 5, None) == 20
    hands = Hand.objects.filter(table=table)
    assert all(hand.checked for hand in hands), "every card is known, so that nothing is taken on trust"
    assert {hand.went_out for hand in hands} == {0, 1, 2, 3}
    cards = {card for hand in hands for seat in hand.seats for card in seat["cards"]}
    assert cards <= set(EDITIONS[edition].deck)


def test_the_deal_passes_from_hand_to_hand(monkeypatch):
    dealers = []

    def deal(rules, names, *, dealer, seed):
        dealers.append((len(names), dealer))
        return real(rules, names, dealer=dealer, seed=seed)

    real = bots_play.deal
    monkeypatch.setattr(bots_play, "deal", deal)
    bots_play.fill_table(first_table(hands_per_round=5), 5, None)
    assert dealers == [(4, 0), (4, 1), (4, 2), (4, 3), (4, 0)]


def test_a_blocked_hand_is_recorded_with_nobody_out(monkeypatch):
    monkeypatch.setattr(bots_play, "BOTS", {"careful": lambda rng: RandomBot(rng, stubborn=True)})
    rules = Rules(EDITIONS["classic"], teams=True)
    played = (
        bots_play.play_a_hand(rules, players=4, dealer=0, rng=random.Random(f"{seed}:1:1:1")) for seed in range(200)
    )
    seed = next(seed for seed, (went_out, _) in enumerate(played) if went_out is None)
    table = first_table()
    bots_play.fill_table(table, seed, None, hands=1)
    [hand] = Hand.objects.filter(table=table)
    assert hand.went_out is None
    assert sum(len(seat["cards"]) for seat in hand.seats) == len(EDITIONS["classic"].deck) - 1
    assert set(HandScore.objects.filter(table=table).values_list("score", flat=True)) == {0}
