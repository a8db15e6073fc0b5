"""Locks a table and a hand, and checks again whoever came by a link: every write to hands begins with it."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Hand
from league.access.session_links import use_link
from league.access.viewer import Attribution
from league.lib.errors import Conflict
from league.models import Entry, Seat, Table


def lock_table(table_id: int) -> Table:
    """Lock the table's row for this transaction; every write to its hands begins with it.

    It takes two queries: on PostgreSQL, rows joined to the lock are those from before the wait, so a round that was
    closed meanwhile would still look open.
    """
    return locked(table_id).get()


def locked(table_id: int) -> QuerySet[Table]:
    """As `lock_table`, and return the query that reads the table with its round, stage and tournament."""
    Table.objects.select_for_update().values_list("pk").get(pk=table_id)
    return Table.objects.select_related("round__stage", "round__tournament").filter(pk=table_id)


def lock_hand(hand_id: int, version: int | None) -> tuple[Hand, Table]:
    """A living hand and its table, locked. Raises `Conflict` when either changed since `version`."""
    table = lock_table(Hand.objects.values_list("table_id", flat=True).get(pk=hand_id))
    hand = Hand.objects.get(pk=hand_id)
    if table.round.tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if hand.voided_at is not None:
        raise Conflict("void", _("This hand has been taken back already."), current=hand)
    if version is not None and version != table.version:
        raise Conflict(
            "version",
            _("This table changed since you opened the page. Look at it again before you go on."),
            current=hand,
        )
    return hand, table


def check_by(by: Attribution, table: Table, seats: Sequence[Seat] | None = None) -> None:
    """Check again, under the table's lock, that a link still holds. Raises `Conflict`. `seats`: as `check_player`."""
    if by.link is not None:
        use_link(by.link)
    if by.player is not None:
        check_player(by.player, table, seats)


def check_player(player: Entry, table: Table, seats: Sequence[Seat] | None = None) -> Seat:
    """The seat of a player who came by their own link, read again under the table's lock. Raises `Conflict`.

    `seats`: the table's with their entries, if they have been read under the lock.
    """
    if seats is None:
        seats = list(table.seats.filter(entry=player).select_related("entry").order_by("number"))
    seat = next((seat for seat in seats if seat.entry_id == player.pk), None)
    entry = seat.entry if seat else Entry.objects.filter(pk=player.pk).first()
    if entry is None or entry.link_generation != player.link_generation:
        raise Conflict("link-ended", _("The organiser ended your link. Ask for your new one."))
    if not table.round.tournament.players_report:
        raise Conflict("players-off", _("The organiser enters the hands now. Tell them how yours ended."))
    if seat is None:
        raise Conflict("not-seated", _("You do not sit at this table any more. Look up your table."))
    return seat
