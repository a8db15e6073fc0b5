"""Decide a table's first dealer, once, before its first hand: by a draw or by the players' choice."""

import secrets
from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from engine.game import dealer_of, dealers_by_birthday, draw_for_dealer
from engine.rules import EDITIONS
from league.access.session_links import use_link
from league.access.viewer import Attribution
from league.ledger.dealer import BIRTHDAY, CARDS, WORD, FirstDealer, first_dealer, is_drawn
from league.ledger.progress import dealt_in, hands_in
from league.lib.errors import Conflict, Refused
from league.log.write import note_at_table, player_in_log
from league.models import Seat, Table

Below = Callable[[int], int]


@transaction.atomic
def decide_first_dealer(
    *,
    table: Table,
    seat: int | None,
    by: Attribution,
    below: Below = secrets.randbelow,
) -> FirstDealer:
    """Draw the first dealer of a paper table (`seat` None), or set the players' choice.

    A draw is final, except for the players' choice. Raises `Refused` if a schedule decides or the seat is empty, and
    `Conflict` once a hand is recorded.
    """
    Table.objects.select_for_update().values_list("pk").get(pk=table.pk)
    table = Table.objects.select_related("round__stage", "round__tournament").get(pk=table.pk)
    if by.link is not None:
        use_link(by.link)
    if not is_drawn(table):
        raise Refused("schedule", _("The schedule sets the dealer of this table."))
    if not table.round.is_open or table.round.tournament.is_final:
        raise Conflict("closed", _("Round %(number)d is closed.") % {"number": table.round.number})
    if hands_in([table])[table.pk]:
        raise Conflict("begun", _("This table already has a hand, so the dealer is set."))
    if table.mode == Table.Mode.ONLINE:
        raise Refused("online", _("Online tables draw the dealer automatically."))
    decided = first_dealer(table, begun=False)
    if decided is not None and seat is None:
        return decided
    seats = dealt_in(table, 1)
    if seat is None:
        return decide(table, seats, below=below, by=by)
    if seat not in {row.number for row in seats}:
        raise Refused("seat", _("No one sits at seat %(number)d of this table.") % {"number": seat})
    return _store_dealer(table, seats, FirstDealer(seat, WORD), by=by)


def decide(
    table: Table,
    seats: Sequence[Seat],
    *,
    below: Below,
    deal: int | None = None,
    by: Attribution,
) -> FirstDealer:
    """Decide by DEAL-2 if the edition has it and all birthdays are known; otherwise, and for ties, by DEAL-1.

    `deal` is the id of the online deal whose seed feeds `below`. The caller holds the table's lock.
    """
    edition = EDITIONS[table.round.stage.edition]
    people = {seat.number: seat.substitute or seat.entry.player for seat in seats if seat.number is not None}
    birthdays = {number: person.birthday for number, person in people.items()}
    nearest = dealers_by_birthday(edition, birthdays)
    if len(nearest) == 1:
        return _store_dealer(table, seats, FirstDealer(nearest[0], BIRTHDAY), by=by)
    draws = draw_for_dealer(edition, nearest or list(birthdays), below)
    rounds = tuple(tuple(drawn.items()) for drawn in draws)
    return _store_dealer(table, seats, FirstDealer(dealer_of(draws), CARDS, rounds, deal), by=by)


def _store_dealer(
    table: Table,
    seats: Sequence[Seat],
    first: FirstDealer,
    *,
    by: Attribution,
) -> FirstDealer:
    old = table.first_deal
    table.first_deal = {
        "dealer": first.seat,
        "by": first.by,
        "draws": first.draws,
        "deal": first.deal,
        "seating": table.seating_version,
    }
    table.save(update_fields=["first_deal"])
    dealer = next(seat for seat in seats if seat.number == first.seat)
    note_at_table(
        table=table,
        by=by,
        action="first-dealer",
        old=old,
        new=player_in_log(dealer.entry) | {"seat": first.seat, "by": first.by, "draws": first.draws},
    )
    return first
