"""Lock a table or a hand, and check links again. Every write to hands starts here."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Hand
from league.access.session_links import use_link
from league.access.viewer import Attribution
from league.lib.errors import Conflict
from league.models import Entry, Seat, Table


def lock_table(table_id: int) -> Table:
    """Lock a table's row for this transaction.

    Two queries are needed: on PostgreSQL, rows joined to the lock date from before the wait, so a round closed during
    the wait would still look open.
    """
    return locked(table_id).get()


def locked(table_id: int) -> QuerySet[Table]:
    """Lock a table's row, and return the query for the table with its round, stage and tournament."""
    Table.objects.select_for_update().values_list("pk").get(pk=table_id)
    return Table.objects.select_related("round__stage", "round__tournament").filter(pk=table_id)


def lock_hand(hand_id: int, version: int | None) -> tuple[Hand, Table]:
    """Return a living hand and its table, locked. Raises `Conflict` if either changed since `version`."""
    table = lock_table(Hand.objects.values_list("table_id", flat=True).get(pk=hand_id))
    hand = Hand.objects.get(pk=hand_id)
    if table.round.tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if hand.voided_at is not None:
        raise Conflict("void", _("This hand is already undone."), current=hand)
    if version is not None and version != table.version:
        raise Conflict(
            "version",
            _("This table has changed since. Check it and try again."),
            current=hand,
        )
    return hand, table


def check_by(by: Attribution, table: Table, seats: Sequence[Seat] | None = None) -> None:
    """Check under the table's lock that a link is still valid. Raises `Conflict`. `seats` as in `check_player`."""
    if by.link is not None:
        use_link(by.link)
    if by.player is not None:
        check_player(by.player, table, seats)


def check_player(player: Entry, table: Table, seats: Sequence[Seat] | None = None) -> Seat:
    """Return the seat of a player with a link, read under the table's lock. Raises `Conflict`.

    `seats` are the table's with their entries, if they were read under the lock.
    """
    if seats is None:
        seats = list(table.seats.filter(entry=player).select_related("entry").order_by("number"))
    seat = next((seat for seat in seats if seat.entry_id == player.pk), None)
    entry = seat.entry if seat else Entry.objects.filter(pk=player.pk).first()
    if entry is None or entry.link_generation != player.link_generation:
        raise Conflict("link-ended", _("Your link has ended. Ask the organiser for your new link."))
    if not table.round.tournament.players_report:
        raise Conflict("players-off", _("The organiser enters the hands. Tell them your result."))
    if seat is None:
        raise Conflict("not-seated", _("You don’t sit at this table any more."))
    return seat
