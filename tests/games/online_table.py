"""A table that is played online, for tests: its players get ready and play legal moves."""

import random

from django.db import transaction

from engine.bots import BOTS
from engine.state import ANSWER, DRAWN
from games.models import Deal
from games.online.deals import get_ready, next_deal
from games.online.moves import Moved, play
from games.online.places import names_of, places_of
from games.online.replay import replay
from games.services import lock_table
from league.models import Entry, Table


def put_online(table: Table) -> Deal:
    """Make an open round's table an online one; its first deck is sealed."""
    Table.objects.filter(pk=table.pk).update(mode=Table.Mode.ONLINE)
    with transaction.atomic():
        deal = next_deal(lock_table(table.pk))
    assert deal is not None
    return deal


def everybody_ready(deal: Deal, *, entropy: bool = True) -> Deal:
    for at, place in enumerate(deal.places):
        if place["bot"]:
            continue
        deal = get_ready(
            table_id=deal.table_id,
            deal_id=deal.pk,
            entry=Entry.objects.get(pk=place["entry"]),
            entropy=bytes([at + 1] * 16) if entropy else None,
        )
    return deal


def standing(deal: Deal):
    """The hand as it stands: `Played`."""
    deal.refresh_from_db()
    return replay(deal, names_of(places_of(deal)))


def next_move(deal: Deal, bot=None, key: str = "") -> Moved:
    """Whoever the hand waits for makes a move that a bot would make; whoever can call UNO or catch does not."""
    played = standing(deal)
    public, hand = played.hand.public, played.hand
    seat = public.turn
    bot = bot or BOTS["careful"](random.Random(deal.moves_made))
    drawn = hand.drawn if public.step == DRAWN else None
    action = bot.choose(public, seat, hand.cards[seat], drawn)
    assert public.step != ANSWER or action[0] in ("accept", "challenge", "play")
    return play(
        table_id=deal.table_id,
        deal_id=deal.pk,
        entry=Entry.objects.get(pk=deal.places[seat]["entry"]),
        what=(action[0], *action[2:]),
        answers=played.decision,
        key=key,
    )


def play_out(deal: Deal, bot=None) -> Deal:
    """To the last card of the hand; returns the deal, which is over."""
    for _move in range(2000):
        if next_move(deal, bot).deal.state != Deal.State.PLAYING:
            break
    deal.refresh_from_db()
    return deal
