"""Keep typed hands and hands played online at the same table apart.

The sweeper checks waiting decks after every row of the log, so these checks cover only hands in play.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.models import Deal, Hand
from league.formats.race import State
from league.ledger.progress import game_at, hands_are_in_order
from league.lib.errors import Conflict
from league.models import Entry, Table, Tournament


def check_not_in_play(table: Table, hand: int, *, by_player: bool) -> None:
    """Raise `Conflict` if this hand is being played online.

    Players enter no hand of an online table, unless it is finished with real cards.
    """
    in_play = Deal.objects.filter(table=table, number=hand, state=Deal.State.PLAYING).exists()
    if in_play or (by_player and table.mode == Table.Mode.ONLINE and not on_paper(table, hand)):
        message = _("Hand %(hand)d is being played online. It’s recorded automatically.")
        raise Conflict("in-play", message % {"hand": hand})


def plays_online(entry: Entry) -> bool:
    """Return whether the entry is dealt in for a hand in play."""
    deals = Deal.objects.filter(table__round__tournament=entry.tournament_id, state=Deal.State.PLAYING)
    return any(place["entry"] == entry.pk for places in deals.values_list("places", flat=True) for place in places)


def tables_in_play(tables: Sequence[Table]) -> set[int]:
    """Return the ids of the tables with a hand in play."""
    return set(Deal.objects.filter(table__in=tables, state=Deal.State.PLAYING).values_list("table_id", flat=True))


def on_paper(table: Table, hand: int) -> bool:
    """Return whether a hand that began online is finished with real cards."""
    last = Deal.objects.filter(table=table, number=hand).order_by("-id").first()
    return last is not None and last.on_paper


def check_next_deal(hand: Hand, table: Table) -> None:
    """Raise `Conflict` if a later hand is being played online and hands come in order.

    Otherwise the voided hand is played after the current one; `deals.next_deal` prepares a deck for it then.
    """
    later = Deal.objects.filter(table=table, number__gt=hand.number, state=Deal.State.PLAYING)
    playing = later.first() if hands_are_in_order(table.round) else None
    if playing is not None:
        message = _("Hand %(hand)d is being played online. Wait for its end, or void it first.")
        raise Conflict("in-play", message % {"hand": playing.number})


def check_deals_stand(tournament: Tournament, before: State, after: State) -> None:
    """Raise `Conflict` if a correction changes who plays at a table with a hand in play."""
    changed = set(before.still_in) ^ set(after.still_in)
    at_their_tables = Table.objects.filter(round__tournament=tournament, seats__entry__public_id__in=changed).values(
        "pk"
    )
    deals = Deal.objects.filter(table__in=at_their_tables, state=Deal.State.PLAYING)
    playing = deals.select_related("table").first()
    if playing is not None:
        message = _("Table %(table)d is playing hand %(hand)d online. Wait for its end, or void it first.")
        raise Conflict("in-play", message % {"hand": playing.number, "table": playing.table.number})


def check_game_goes_on(table: Table) -> None:
    """Raise `Conflict` if a correction ended the game of a table whose next hand is in play."""
    playing = Deal.objects.filter(table=table, state=Deal.State.PLAYING).first()
    game = game_at(table) if playing else None
    if playing is not None and game is not None and game.over_in is not None:
        message = _("Hand %(hand)d is being played online. Wait for its end, or void it first.")
        raise Conflict("in-play", message % {"hand": playing.number})
