"""What tests of the day look at: seats, standings, the log; and rounds that are drawn and wait."""

from typing import Any

from league.log.in_words import in_words
from league.models import Round, Seat, Tournament
from league.standings import read as ledger
from tests import cast


def seats_of(tournament: Tournament, name: str) -> dict[int, tuple[int, int] | str]:
    """{round: (table, seat) or bye} of the living rounds."""
    seats = Seat.objects.filter(entry__tournament=tournament, entry__player__name=name).exclude(
        round__state=Round.State.VOID
    )
    found = seats.values_list("round__number", "table__number", "number").order_by("round__number")
    return {number: "bye" if table is None else (table, seat) for number, table, seat in found}


def whole_seating(tournament: Tournament) -> list[tuple[Any, ...]]:
    seats = Seat.objects.filter(entry__tournament=tournament)
    rows = seats.values_list("round__number", "table__number", "number", "entry__public_id")
    return sorted(((number, table or 0, seat or 0, entry) for number, table, seat, entry in rows))


def by(tournament: Tournament) -> dict[str, Any]:
    return {"tournament": tournament, "by": tournament.owner}


def line(tournament: Tournament, name: str) -> Any:
    return next(one for one in ledger.read(tournament).standings() if one.entrant.name == name)


def last_words(tournament: Tournament) -> str:
    return in_words(tournament.log.order_by("-number")[0])


def drawn_and_waiting(made: Tournament) -> Round:
    """Round 1 closed, round 2 a draft, as when it has a time at which it is published."""
    cast.go_on(made)
    later = made.rounds.get(number=2)
    Round.objects.filter(pk=later.pk).update(state=Round.State.DRAFT, published_at=None)
    return later
