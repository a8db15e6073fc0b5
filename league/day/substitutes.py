"""Substitutes: somebody plays the hands of an entry, which gets the points; so it is changed who of a team plays."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.day.entrants import begun, one_of
from league.day.stand_in import seats_to_come
from league.entries.persons import person_called
from league.ledger.lineups import lineups_of, members_of
from league.ledger.locks import tell_tables
from league.lib.errors import Conflict, Refused
from league.log.write import note, who
from league.models import Entry, HandScore, Player, Seat, Table, Tournament, User


@transaction.atomic
def substitute(
    *,
    tournament: Tournament,
    entry: Entry,
    name: str,
    table: Table | None = None,
    member: int = 0,
    by: User | None,
    player: Entry | None = None,
) -> list[Seat]:
    """Let somebody of this name play for an entry at one table, or (None) wherever it has hands to come; returns where.

    Hands that are in stay as they were played. Of a team they have the place `member`, 0 or 1; a name of the team is
    that member. `player`: who `by` also is at the table. Raises `Refused` for who would sit twice in a round.
    """
    tournament, stage = begun(tournament)
    entry = one_of(tournament, entry)
    if not name.strip():
        raise Refused("name", _("Type the name of who plays."), fields={"name": [_("Type a name.")]})
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and table in (None, seat.table)]
    seats = [seat for seat in seats if seat.member == member]
    if not seats:
        raise Conflict("no-hands", _("%(name)s has no hands to come there.") % {"name": entry})
    person = _of_the_team(entry, name.strip()) if stage.has_teams else None
    person = person or _person(tournament, name.strip())
    _check_free(person, seats)
    _sit(seats, person)
    new = {**who(entry), "substitute": name.strip(), "tables": _where(seats)}
    note(tournament=tournament, by=by, player=player, action="substitute", new=new)
    return seats


@transaction.atomic
def end_substitute(*, tournament: Tournament, entry: Entry, by: User | None, player: Entry | None = None) -> None:
    """The player plays again, from the next hand on; of a team its usual two. Nobody plays for them: nothing happens.

    `player` as above.
    """
    tournament, stage = begun(tournament)
    entry = one_of(tournament, entry)
    usual = lineups_of([entry])[entry.pk] if stage.has_teams else []
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and seat.substitute_id != _key_of(usual, seat)]
    if not seats:
        return
    names = sorted(
        set(Player.objects.filter(pk__in=[seat.substitute_id for seat in seats]).values_list("name", flat=True))
    )
    for place in sorted({seat.member for seat in seats}):
        _sit([seat for seat in seats if seat.member == place], usual[place] if usual else None)
    old = {**who(entry), "substitute": ", ".join(names), "tables": _where(seats)}
    note(tournament=tournament, by=by, player=player, action="end-substitute", old=old)


def _key_of(usual: Sequence[Player], seat: Seat) -> int | None:
    return usual[seat.member].pk if usual else None


def _of_the_team(entry: Entry, name: str) -> Player | None:
    members = members_of([entry])[entry.pk]
    return next((one.player for one in members if one.player.name.casefold() == name.casefold()), None)


def _check_free(person: Player, seats: Sequence[Seat]) -> None:
    """Raises `Refused` where somebody has another seat in one of these rounds."""
    rounds = [seat.round_id for seat in seats]
    taken = Seat.objects.filter(round__in=rounds, substitute=person).exclude(pk__in=[seat.pk for seat in seats])
    found = taken.select_related("round", "table", "entry__player").order_by("round__number").first()
    if found is not None:
        sentence = _("%(name)s plays for “%(team)s” in round %(round)d already. Choose somebody else.")
        about = {"name": person, "team": found.entry, "round": found.round.number}
        raise Refused("twice", sentence % about, fields={"name": [sentence % about]})


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
    return next((person for person in before if person is not None), None) or person_called(tournament, name)


def substitutes_of(tournament: Tournament) -> list[Player]:
    """Who plays or played for others, and still has a name; who belongs to a team of the tournament plays for it."""
    seats = Seat.objects.filter(round__tournament=tournament).exclude(substitute=None).values("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament).exclude(played_by=None).values("played_by")
    people = Player.objects.filter(Q(pk__in=seats) | Q(pk__in=scores), erased_at=None)
    return list(people.exclude(teams__team__player__entries__tournament=tournament).order_by("name"))


def playing_for(tournament: Tournament) -> list[Seat]:
    """Seats of rounds that are not closed in which somebody plays for another, by round; of teams those in which not
    one of the usual two does."""
    seats = Seat.objects.filter(round__in=tournament.rounds.living().filter(closed_at=None)).exclude(substitute=None)
    found = seats.select_related("substitute", "entry__player", "round", "table").order_by("round__number", "pk")
    if not tournament.stages.get().has_teams:
        return list(found)
    usual = {key: {one.pk for one in players} for key, players in lineups_of(tournament.entries.all()).items()}
    return [seat for seat in found if seat.substitute_id not in usual[seat.entry_id]]
