"""Substitutes: somebody plays the hands of an entry, which gets the points."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import Conflict, Refused
from league.models import Entry, HandScore, Player, Seat, Table, Tournament, User
from league.services.entrants import begun, one_of
from league.services.locks import tell_tables
from league.services.log import note, who
from league.services.standing_in import seats_to_come


@transaction.atomic
def substitute(
    *, tournament: Tournament, entry: Entry, name: str, table: Table | None = None, by: User | None
) -> list[Seat]:
    """Let somebody of this name play for an entry at one table, or (None) wherever it has hands to come; returns where.

    Hands that are in stay as they were played.
    """
    tournament, _stage = begun(tournament)
    entry = one_of(tournament, entry)
    if not name.strip():
        raise Refused("name", _("Type the name of who plays."), fields={"name": [_("Type a name.")]})
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and table in (None, seat.table)]
    if not seats:
        raise Conflict("no-hands", _("%(name)s has no hands to come there.") % {"name": entry})
    _sit(seats, _person(tournament, name.strip()))
    new = {**who(entry), "substitute": name.strip(), "tables": _where(seats)}
    note(tournament=tournament, by=by, action="substitute", new=new)
    return seats


@transaction.atomic
def end_substitute(*, tournament: Tournament, entry: Entry, by: User | None) -> None:
    """The player plays again, from the next hand on. Nobody plays for them: nothing happens."""
    tournament, _stage = begun(tournament)
    entry = one_of(tournament, entry)
    seats = [seat for seat in seats_to_come(entry) if seat.substitute_id is not None]
    if not seats:
        return
    names = sorted(
        set(Player.objects.filter(pk__in=[seat.substitute_id for seat in seats]).values_list("name", flat=True))
    )
    _sit(seats, None)
    old = {**who(entry), "substitute": ", ".join(names), "tables": _where(seats)}
    note(tournament=tournament, by=by, action="end-substitute", old=old)


def _sit(seats: Sequence[Seat], person: Player | None) -> None:
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(substitute=person)
    tell_tables(seat.table_id for seat in seats)


def _where(seats: Sequence[Seat]) -> list[list[int]]:
    """Round and table of each."""
    return [[seat.round.number, seat.table.number] for seat in seats if seat.table is not None]


def _person(tournament: Tournament, name: str) -> Player:
    """Who substituted here under that name before, else somebody new."""
    seats = Seat.objects.filter(round__tournament=tournament, substitute__name=name).select_related("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament, played_by__name=name).select_related("played_by")
    before = [seat.substitute for seat in seats[:1]] + [score.played_by for score in scores[:1]]
    return next((person for person in before if person is not None), None) or Player.objects.create(name=name)


def substitutes_of(tournament: Tournament) -> list[Player]:
    """Who plays or played for others, and still has a name."""
    seats = Seat.objects.filter(round__tournament=tournament).exclude(substitute=None).values("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament).exclude(played_by=None).values("played_by")
    people = Player.objects.filter(Q(pk__in=seats) | Q(pk__in=scores), erased_at=None)
    return list(people.order_by("name"))


def playing_for(tournament: Tournament) -> list[Seat]:
    """Seats of rounds that are not closed in which somebody plays for another, by round."""
    seats = Seat.objects.filter(round__in=tournament.rounds.living().filter(closed_at=None)).exclude(substitute=None)
    return list(seats.select_related("substitute", "entry__player", "round", "table").order_by("round__number", "pk"))
