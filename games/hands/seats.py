"""Who was dealt in for a hand, and what they are called."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from league.models import HandScore, Seat, Table


def person(seat: Seat) -> str:
    """“Ana”, “Sven for Ana”; for a team, who sits there. The seat's round and its stage are loaded."""
    name: str = seat.entry.name
    if seat.substitute is None:
        return name
    if seat.round.stage.has_teams:
        return str(seat.substitute)
    return _("%(substitute)s for %(name)s") % {"substitute": seat.substitute.name, "name": name}


def scorer(seat: Seat) -> str:
    """Whose points those of a seat are: the team's, or the person's."""
    return str(seat.entry) if seat.round.stage.has_teams else person(seat)


def one_a_side(seats: Sequence[Seat]) -> Sequence[Seat]:
    """A seat for each who has points there: of a team the first of its two. seats: of one table, ascending."""
    return seats[:2] if seats and seats[0].round.stage.has_teams else seats


def who_sat(table: Table, rows: Iterable[HandScore]) -> list[Seat]:
    """The seats that were dealt in for a hand, from its rows in the ledger, whoever sits there now."""
    return [
        Seat(round=table.round, table=table, number=row.seat, entry=row.entry, substitute=row.played_by) for row in rows
    ]


def seats_of(table: Table) -> list[Seat]:
    """The seats of everybody at the table, out or not."""
    seats = list(table.seats.select_related("entry__player", "substitute").order_by("number"))
    for seat in seats:
        seat.round = table.round
    return seats
