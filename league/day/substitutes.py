"""Substitutes: somebody plays an entry's hands, and the entry gets the points. Teams change their line-up like this."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.day.entrants import current_entry, lock_begun
from league.day.stand_in import seats_to_come
from league.entries.persons import person_called
from league.ledger.lineups import check_free, lineups_of, members_of
from league.ledger.locks import tell_tables
from league.lib.errors import Conflict, Refused
from league.log.write import note, player_in_log
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
    """Let somebody of this name play for an entry at one table, or (None) wherever it has hands to come; return the
    seats.

    Recorded hands stay as they were played. In a team the substitute takes the place `member`, 0 or 1; the name of a
    member, of this team before others, means that member. player: the entry that `by` plays as. Raises `Refused` if
    somebody would sit twice in a round.
    """
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    if not name.strip():
        raise Refused("name", _("Type the name of who plays."), fields={"name": [_("Type a name.")]})
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and table in (None, seat.table)]
    seats = [seat for seat in seats if seat.member == member]
    if not seats:
        raise Conflict("no-hands", _("%(name)s has no hands to come there.") % {"name": entry})
    person = None
    if stage.has_teams:
        person = _member_called([entry], name.strip()) or _member_called(tournament.entries.all(), name.strip())
    person = person or _person(tournament, name.strip())
    check_free([person], [seat.round_id for seat in seats], beside=[seat.pk for seat in seats])
    _set_substitute(seats, person)
    new = {**player_in_log(entry), "substitute": name.strip(), "tables": _places_of(seats)}
    note(tournament=tournament, by=by, player=player, action="substitute", new=new)
    return seats


@transaction.atomic
def end_substitute(*, tournament: Tournament, entry: Entry, by: User | None, player: Entry | None = None) -> None:
    """Let the player, or a team's usual two, play again from the next hand on. Without a substitute nothing happens.

    player: as above. Raises `Refused` if one of the usual two plays for another team in one of these rounds.
    """
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    usual = lineups_of([entry])[entry.pk] if stage.has_teams else []
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and seat.substitute_id != _key_of(usual, seat)]
    if not seats:
        return
    check_free(usual, [seat.round_id for seat in seats], beside=entry.seats.values_list("pk", flat=True))
    names = sorted(
        set(Player.objects.filter(pk__in=[seat.substitute_id for seat in seats]).values_list("name", flat=True))
    )
    for place in sorted({seat.member for seat in seats}):
        _set_substitute([seat for seat in seats if seat.member == place], usual[place] if usual else None)
    old = {**player_in_log(entry), "substitute": ", ".join(names), "tables": _places_of(seats)}
    note(tournament=tournament, by=by, player=player, action="end-substitute", old=old)


def _key_of(usual: Sequence[Player], seat: Seat) -> int | None:
    return usual[seat.member].pk if usual else None


def _member_called(teams: Iterable[Entry], name: str) -> Player | None:
    members = (member for of_team in members_of(teams).values() for member in of_team)
    return next((member.player for member in members if member.player.name.casefold() == name.casefold()), None)


def _set_substitute(seats: Sequence[Seat], person: Player | None) -> None:
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(substitute=person)
    tell_tables(seat.table_id for seat in seats)


def _places_of(seats: Sequence[Seat]) -> list[list[int]]:
    """The round and table of each seat."""
    return [[seat.round.number, seat.table.number] for seat in seats if seat.table is not None]


def _person(tournament: Tournament, name: str) -> Player:
    """The person who substituted here under that name before, else a new one."""
    seats = Seat.objects.filter(round__tournament=tournament, substitute__name=name).select_related("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament, played_by__name=name).select_related("played_by")
    before = [seat.substitute for seat in seats[:1]] + [score.played_by for score in scores[:1]]
    return next((person for person in before if person is not None), None) or person_called(tournament, name)


def substitutes_of(tournament: Tournament) -> list[Player]:
    """Everybody who plays or played for others and was not erased; members of the tournament's teams are left out."""
    seats = Seat.objects.filter(round__tournament=tournament).exclude(substitute=None).values("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament).exclude(played_by=None).values("played_by")
    people = Player.objects.filter(Q(pk__in=seats) | Q(pk__in=scores), erased_at=None)
    return list(people.exclude(teams__team__player__entries__tournament=tournament).order_by("name"))


def substituted_seats(tournament: Tournament) -> list[Seat]:
    """Seats of rounds not closed yet in which somebody plays for another, by round; for a team only the seats in which
    neither of the usual two plays."""
    seats = Seat.objects.filter(round__in=tournament.rounds.living().filter(closed_at=None)).exclude(substitute=None)
    rows = seats.select_related("substitute", "entry__player", "round", "table").order_by("round__number", "pk")
    if not tournament.stage.has_teams:
        return list(rows)
    usual = {key: {player.pk for player in players} for key, players in lineups_of(tournament.entries.all()).items()}
    return [seat for seat in rows if seat.substitute_id not in usual[seat.entry_id]]
