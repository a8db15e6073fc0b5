"""The end of a hand that was played online: its result goes the way of every result, and the next deck is sealed."""

from collections.abc import Callable
from functools import partial

from django.db import transaction
from django.utils import timezone

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_played_hand
from games.models import Deal
from games.online.play.deals import abandon, keep_deal, next_deal
from games.online.play.places import places_of
from games.online.play.replay import Played
from games.online.play.tell import tell_page
from league.lib.errors import Refused
from league.log.write import note_at_table
from league.models import Tournament

# What follows a hand at a casual table. The room for casual tables is above this one, so games/apps.py fills it.
after_casual_hand: list[Callable[[int], None]] = []  # by the key of the tournament


def finish(deal: Deal, played: Played) -> None:
    """Record the hand as verified by the engine, and save the deal. The caller holds the table's lock, under which it
    has read the deal's table.

    If it cannot count any more (its round or table was closed, the event has come to its last two), abandon it.
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
    tell_page(deal.table)
    following = next_deal(deal.table, after=deal)
    transaction.on_commit(partial(keep_deal, deal.table, following or deal), robust=True)
    tournament = deal.table.round.tournament
    if tournament.kind == Tournament.Kind.CASUAL:  # after the commit: ending it must lock the tournament first
        for follows in after_casual_hand:
            transaction.on_commit(partial(follows, tournament.pk), robust=True)


def give_up(deal: Deal, why: str) -> None:
    """Break off a hand in play that can no longer count; the log says why. The caller holds the table's lock."""
    abandon(deal, why)
    note_at_table(
        table=deal.table,
        by=None,
        action="give-up-hand",
        hand=deal.number,
        reason=why[:200],
    )
