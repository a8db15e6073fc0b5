"""Hands in the middle of play: a deal and moves that lead to what a test wants to see."""

import random
from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from engine.hand import apply, deal
from engine.shuffle import SEED_BYTES, commitment
from engine.simulation.bots import RandomBot
from engine.state import DRAWN, OVER, Hand
from games.models import Deal, Move
from games.online.play.replay import rules_of

Wanted = Callable[[Hand], object]
MOST_MOVES, TRIES = 160, 4000


def arrange(to_play: Deal, wanted: Wanted) -> Deal:
    """Let bold bots play a sealed deal until the hand is as it is wanted; the seed is one with which that happens."""
    places = len(to_play.places)
    rng = random.Random(7)
    for attempt in range(TRIES):
        seed = rng.randbytes(SEED_BYTES)
        hand = deal(rules_of(to_play), [""] * places, dealer=to_play.dealer, seed=seed)
        moves = _moves_to(hand, wanted, RandomBot(random.Random(attempt), bold=True))
        if moves is not None:
            return _stored(to_play, seed, hand, moves)
    raise AssertionError("No such hand was found.")


def _moves_to(hand: Hand, wanted: Wanted, bot: RandomBot) -> list[tuple] | None:
    moves: list[tuple] = []
    while len(moves) < MOST_MOVES and hand.public.step != OVER:
        if wanted(hand):
            return moves
        public = hand.public
        calls = (bot.interrupt(public, seat, hand.cards[seat]) for seat in range(public.players)) if public.uno else ()
        action = next(filter(None, calls), None)
        if action is None:
            drawn = hand.drawn if public.step == DRAWN else None
            action = bot.choose(public, public.turn, hand.cards[public.turn], drawn)
        apply(hand, action)
        moves.append(action)
    return None


def _stored(to_play: Deal, seed: bytes, hand: Hand, moves: list[tuple]) -> Deal:
    now = timezone.now()
    for place in to_play.places:
        place["ready"] = True
    to_play.seed, to_play.commitment, to_play.state = seed, commitment(seed), Deal.State.PLAYING
    to_play.dealt_at = to_play.asked_at = now
    to_play.turn, to_play.moves_made = hand.public.turn, len(moves)
    to_play.due_at = now + timedelta(seconds=90)
    to_play.save()
    Move.objects.bulk_create(
        Move(deal=to_play, number=number, action=list(action)) for number, action in enumerate(moves, start=1)
    )
    return to_play
