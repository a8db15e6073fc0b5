"""Substitutes play an entry's hands, and the entry gets the points. Team line-ups work the same way."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.access.viewer import Attribution
from league.day.entrants import current_entry, lock_begun
from league.day.stand_in import seats_to_come
from league.entries.persons import person_called
from league.ledger.lineups import check_free, check_name, lineups_of, members_of, namesake
from league.ledger.locks import tell_tables
from league.lib.errors import Conflict, Refused
from league.lib.names import fold
from league.log.write import note, player_in_log
from league.models import Entry, HandScore, Player, Seat, Stage, Table, Tournament, User


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
    another: bool = False,
    who: str = "",
) -> list[Seat]:
    """Let the named person play for an entry, at one table or (None) at all with hands to come; return the seats.

    Recorded hands don't change. In a team, the substitute takes the place `member`, 0 or 1. The name of a team member,
    first of this team, means that member. player: the entry `by` plays as. another: the organiser confirmed that the
    name is no listed person. who: as for `person_called`. Raises `Refused` if a person would sit twice in a round.
    """
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    if not name.strip():
        raise Refused("name", _("Type a name."), fields={"name": [_("Type a name.")]})
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and table in (None, seat.table)]
    seats = [seat for seat in seats if seat.member == member]
    if not seats:
        raise Conflict("no-hands", _("%(name)s has no hands left there.") % {"name": entry})
    name = name.strip()
    person = Player.objects.create(name=name) if another else _person(stage, entry, name, seats, by, who)
    check_free([person], [seat.round_id for seat in seats], except_seats=[seat.pk for seat in seats])
    _set_substitute(seats, person)
    new = {**player_in_log(entry), "substitute": name.strip(), "tables": _places_of(seats)}
    note(tournament=tournament, by=Attribution(by, player=player), action="substitute", new=new)
    return seats


@transaction.atomic
def end_substitute(*, tournament: Tournament, entry: Entry, by: User | None, player: Entry | None = None) -> None:
    """Let the player, or a team's usual two, play again from the next hand on.

    Nothing happens without a substitute. player: as for `substitute`. Raises `Refused` if a usual player sits for
    another team in one of these rounds.
    """
    tournament, stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    usual = lineups_of([entry])[entry.pk] if stage.has_teams else []
    seats = [seat for seat in seats_to_come(entry) if seat.table_id and seat.substitute_id != _key_of(usual, seat)]
    if not seats:
        return
    check_free(usual, [seat.round_id for seat in seats], except_seats=entry.seats.values_list("pk", flat=True))
    names = sorted(
        set(Player.objects.filter(pk__in=[seat.substitute_id for seat in seats]).values_list("name", flat=True))
    )
    for place in sorted({seat.member for seat in seats}):
        _set_substitute([seat for seat in seats if seat.member == place], usual[place] if usual else None)
    old = {**player_in_log(entry), "substitute": ", ".join(names), "tables": _places_of(seats)}
    note(tournament=tournament, by=Attribution(by, player=player), action="end-substitute", old=old)


def _key_of(usual: Sequence[Player], seat: Seat) -> int | None:
    return usual[seat.member].pk if usual else None


def _person(stage: Stage, entry: Entry, name: str, seats: Sequence[Seat], by: User | None, who: str) -> Player:
    """Return the person meant by a name: a team member, a listed player, a past substitute, or a new one.

    Raises `Refused` if a person of that name has another seat in one of the rounds.
    """
    tournament = entry.tournament
    if stage.has_teams and (member := _member_called([entry], name) or _member_called(tournament.entries.all(), name)):
        return member
    if not stage.has_teams and fold(entry.player.name) == fold(name):
        raise namesake(_("%(name)s has this seat already.") % {"name": entry}, "name")
    same = [seat.pk for seat in seats if seat.substitute is not None and fold(seat.substitute.name) == fold(name)]
    check_name(name, [seat.round_id for seat in seats], field="name", except_seats=same)
    return _known(tournament, name) or person_called(tournament, name, by=by, who=who)


def _member_called(teams: Iterable[Entry], name: str) -> Player | None:
    members = (member for of_team in members_of(teams).values() for member in of_team)
    return next((member.player for member in members if fold(member.player.name) == fold(name)), None)


def _known(tournament: Tournament, name: str) -> Player | None:
    """Return the listed player or past substitute of that name."""
    entries = tournament.entries.filter(player__team=None).select_related("player").order_by("number")
    seats = Seat.objects.filter(round__tournament=tournament).exclude(substitute=None).select_related("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament).exclude(played_by=None).select_related("played_by")
    others = (*(seat.substitute for seat in seats), *(row.played_by for row in scores))
    people = [*(entry.player for entry in entries), *(person for person in others if person is not None)]
    return next((person for person in people if fold(person.name) == fold(name)), None)


def _set_substitute(seats: Sequence[Seat], person: Player | None) -> None:
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(substitute=person)
    tell_tables(seat.table_id for seat in seats)


def _places_of(seats: Sequence[Seat]) -> list[list[int]]:
    """Return the round and table of each seat."""
    return [[seat.round.number, seat.table.number] for seat in seats if seat.table is not None]


def substitutes_of(tournament: Tournament) -> list[Player]:
    """Return current and past substitutes, except erased people, listed players and their team members."""
    seats = Seat.objects.filter(round__tournament=tournament).exclude(substitute=None).values("substitute")
    scores = HandScore.objects.filter(entry__tournament=tournament).exclude(played_by=None).values("played_by")
    people = Player.objects.filter(Q(pk__in=seats) | Q(pk__in=scores), erased_at=None)
    people = people.exclude(entries__tournament=tournament)
    return list(people.exclude(teams__team__player__entries__tournament=tournament).order_by("name"))


def substituted_seats(tournament: Tournament) -> list[Seat]:
    """Return the substituted seats of open rounds, by round.

    Of a team, only seats in which no usual member plays.
    """
    seats = Seat.objects.filter(round__in=tournament.rounds.living().filter(closed_at=None)).exclude(substitute=None)
    rows = seats.select_related("substitute", "entry__player", "round", "table").order_by("round__number", "pk")
    if not tournament.stage.has_teams:
        return list(rows)
    usual = {key: {player.pk for player in players} for key, players in lineups_of(tournament.entries.all()).items()}
    return [seat for seat in rows if seat.substitute_id not in usual[seat.entry_id]]
