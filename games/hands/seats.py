"""Players dealt in for a hand, and their names."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from league.models import HandScore, Seat, Table


def person(seat: Seat) -> str:
    """Return “Ana” or “Sven for Ana”; for a team, its player. Expects the seat's round and stage to be loaded."""
    name: str = seat.entry.name
    if seat.substitute is None:
        return name
    if seat.round.stage.has_teams:
        return str(seat.substitute)
    return _("%(substitute)s for %(name)s") % {"substitute": seat.substitute.name, "name": name}


def scorer(seat: Seat) -> str:
    """Return the name that gets a seat's points: the team, or the player."""
    return str(seat.entry) if seat.round.stage.has_teams else person(seat)


def one_a_side(seats: Sequence[Seat]) -> Sequence[Seat]:
    """Return one seat for each side: for teams the first two. `seats` are of one table, ascending."""
    return seats[:2] if seats and seats[0].round.stage.has_teams else seats


def who_sat(table: Table, rows: Iterable[HandScore]) -> list[Seat]:
    """Return the seats of a hand from its ledger rows."""
    return [
        Seat(round=table.round, table=table, number=row.seat, entry=row.entry, substitute=row.played_by) for row in rows
    ]


def seats_of(table: Table) -> list[Seat]:
    """Return all seats of the table, also of players who are out."""
    seats = list(table.seats.select_related("entry__player", "substitute").order_by("number"))
    for seat in seats:
        seat.round = table.round
    return seats
