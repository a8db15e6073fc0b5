"""Keeps hands that are typed in and hands that are played online at the same tables apart.

The sweeper looks again at a waiting deck after every row of the log, so only hands in play are checked.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.models import Deal, Hand
from league.formats.race import State
from league.ledger.progress import game_at, hands_are_in_order
from league.lib.errors import Conflict
from league.models import Entry, Table, Tournament


def check_not_in_play(table: Table, hand: int, *, by_player: bool) -> None:
    """Raises `Conflict` for a hand that is being played online. The sweeper looks after a deck that waits there.

    Players themselves enter no hand of an online table, unless it is finished with real cards.
    """
    in_play = Deal.objects.filter(table=table, number=hand, state=Deal.State.PLAYING).exists()
    if in_play or (by_player and table.mode == Table.Mode.ONLINE and not on_paper(table, hand)):
        message = _("Hand %(hand)d is being played online. It is entered by itself when it is over.")
        raise Conflict("in-play", message % {"hand": hand})


def plays_online(entry: Entry) -> bool:
    """Whether somebody was dealt in for a hand that is being played."""
    deals = Deal.objects.filter(table__round__tournament=entry.tournament_id, state=Deal.State.PLAYING)
    return any(place["entry"] == entry.pk for places in deals.values_list("places", flat=True) for place in places)


def tables_in_play(tables: Sequence[Table]) -> set[int]:
    """The keys of the tables where a hand is being played online."""
    return set(Deal.objects.filter(table__in=tables, state=Deal.State.PLAYING).values_list("table_id", flat=True))


def on_paper(table: Table, hand: int) -> bool:
    """Whether a hand that was begun online is finished with real cards."""
    last = Deal.objects.filter(table=table, number=hand).order_by("-id").first()
    return last is not None and last.on_paper


def check_next_deal(hand: Hand, table: Table) -> None:
    """Raises `Conflict` if a later hand is being played online, where hands come in their order.

    Elsewhere the hand is played after the one that goes on. A waiting deck is sealed for it then (`deals.next_deal`).
    """
    later = Deal.objects.filter(table=table, number__gt=hand.number, state=Deal.State.PLAYING)
    playing = later.first() if hands_are_in_order(table.round) else None
    if playing is not None:
        message = _("Hand %(hand)d is being played online. Wait until it is over, or let its director void it first.")
        raise Conflict("in-play", message % {"hand": playing.number})


def check_deals_stand(tournament: Tournament, before: State, after: State) -> None:
    """Raises `Conflict` when a correction changes who is in at a table where a hand is being played online."""
    changed = set(before.still_in) ^ set(after.still_in)
    at_their_tables = Table.objects.filter(round__tournament=tournament, seats__entry__public_id__in=changed).values(
        "pk"
    )
    deals = Deal.objects.filter(table__in=at_their_tables, state=Deal.State.PLAYING)
    playing = deals.select_related("table").first()
    if playing is not None:
        message = _(
            "This changes who is eliminated, and hand %(hand)d of table %(table)d is being played online. Wait until "
            "it is over, or let its director void it first."
        )
        raise Conflict("in-play", message % {"hand": playing.number, "table": playing.table.number})


def check_game_goes_on(table: Table) -> None:
    """Raises `Conflict` when a correction has ended the game at a table where its next hand is being played online."""
    playing = Deal.objects.filter(table=table, state=Deal.State.PLAYING).first()
    game = game_at(table) if playing else None
    if playing is not None and game is not None and game.over_in is not None:
        message = _(
            "This ends the game of the table, and its hand %(hand)d is being played online. Wait until it is over, or "
            "let its director void it first."
        )
        raise Conflict("in-play", message % {"hand": playing.number})
