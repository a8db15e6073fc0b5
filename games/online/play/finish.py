"""The end of a hand played online: record its result like any other, and seal the next deck."""

from collections.abc import Callable
from functools import partial

from django.db import transaction
from django.utils import timezone

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_played_hand
from games.models import Deal
from games.online.play.deals import abandon, cache_deal, next_deal
from games.online.play.notify import notify_page
from games.online.play.places import places_of
from games.online.play.replay import Played
from league.lib.errors import Refused
from league.log.write import note_at_table
from league.models import Tournament

# Called after a hand at a casual table. games/apps.py fills it, since this package may not import casual tables.
after_casual_hand: list[Callable[[int], None]] = []  # with the tournament's key


def finish(deal: Deal, played: Played) -> None:
    """Record the hand as verified by the engine, and save the deal. The caller holds the table's lock, and read the
    deal's table under it.

    If the hand no longer counts (round or table closed, last two found), abandon it.
    """
    winner, _points, _scores, _seed, _deck = played.hand.log[-1][1:]
    places = places_of(deal)
    hand = HandInput(
        deal.number,
        places[winner].seat.number if winner is not None else None,
        [
            SeatReport(seat=place.data["seat"], cards=tuple(played.hand.cards[place.at]))
            for place in places
            if place.at != winner
        ],
    )
    deal.ended_at = timezone.now()
    try:
        recorded = record_played_hand(table=deal.table, hand=hand, seats=[place.seat for place in places])
    except Refused as too_late:
        give_up(deal, str(too_late))
        deal.save()
        return
    deal.state, deal.hand = Deal.State.OVER, recorded.hand
    deal.save()  # before the next deal: a table has one open deal
    notify_page(deal.table)
    following = next_deal(deal.table, after=deal)
    transaction.on_commit(partial(cache_deal, deal.table, following or deal), robust=True)
    tournament = deal.table.round.tournament
    if tournament.kind == Tournament.Kind.CASUAL:  # after the commit: ending it must lock the tournament first
        for call in after_casual_hand:
            transaction.on_commit(partial(call, tournament.pk), robust=True)


def give_up(deal: Deal, why: str) -> None:
    """Stop a hand in play that can't count any more, and log why. The caller holds the table's lock."""
    abandon(deal, why)
    note_at_table(
        table=deal.table,
        by=None,
        action="give-up-hand",
        hand=deal.number,
        reason=why[:200],
    )
