"""An entry's seats with hands to come, and their transfer. The caller holds the tournament's lock."""

from collections.abc import Sequence

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from league import hooks
from league.access.members import unlisted_members
from league.entries.persons import person_called
from league.ledger.lineups import check_name, namesake
from league.ledger.locks import lock_tables, tell_tables
from league.ledger.progress import PLAYING, tables_now
from league.ledger.same_names import tell_apart
from league.lib.names import fold
from league.models import Entry, HandScore, Player, Round, Seat, Tournament, User

STAND_IN = "Stand-in"  # stored and exported in English


def seats_to_come(entry: Entry, *, untouched: bool = False) -> list[Seat]:
    """Lock the tables and return `look_at_seats`."""
    rounds = entry.tournament.rounds.living().exclude(state=Round.State.CLOSED)
    lock_tables(entry.seats.filter(round__in=rounds).values_list("table", flat=True))
    return look_at_seats(entry, untouched=untouched)


def look_at_seats(entry: Entry, *, untouched: bool = False) -> list[Seat]:
    """Return the seats in which an entry has hands to come, by round, drafts included.

    Byes of published rounds are left out. untouched: only seats without a recorded hand.
    """
    rounds = entry.tournament.rounds.living().exclude(state=Round.State.CLOSED)
    seats = entry.seats.filter(round__in=rounds).select_related("round__stage", "table", "substitute")
    return [
        seat
        for seat in seats.order_by("round__number")
        if seat.round.state == Round.State.DRAFT or (seat.table_id and _has_hands_to_come(seat, untouched))
    ]


def _has_hands_to_come(seat: Seat, untouched: bool) -> bool:
    now = next((table_now for table_now in tables_now(seat.round) if table_now.table.pk == seat.table_id), None)
    return now is not None and now.state == PLAYING and not (untouched and now.played)


def hand_over(seats: Sequence[Seat], to: Entry) -> None:
    """Give these seats to another entry, from the next hand on."""
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(entry=to, substitute=None)
    tell_tables(seat.table_id for seat in seats)


def sits_in_rounds_of(entry: Entry, seats: Sequence[Seat]) -> bool:
    """Return whether an entry has its own seat in one of these rounds, even at a finished table."""
    return entry.seats.filter(round__in=[seat.round_id for seat in seats]).exists()


def stand_in_for(tournament: Tournament, name: str, seats: Sequence[Seat], *, another: bool = False) -> Entry:
    """Return a free stand-in for the vacated seats: the one named `name`, else any free or a new one.

    another: the organiser confirmed that the name is no listed person. Raises `Refused` if a player or another person
    of these rounds has the name.
    """
    stand_ins = tournament.entries.filter(status=Entry.Status.STANDIN).select_related("player").order_by("number")
    for entry in stand_ins if not (name and another) else ():
        if name and fold(entry.player.name) != fold(name):
            continue
        if not seats_to_come(entry) and not sits_in_rounds_of(entry, seats):
            return entry
    if name and not another:
        check_name(name, [seat.round_id for seat in seats], field="stand_in")
        check_listed(tournament, name, field="stand_in")
    return new_entry(tournament, name=name or _free_name(tournament), status=Entry.Status.STANDIN)


def check_listed(tournament: Tournament, name: str, *, field: str) -> None:
    """Raise `Refused` at `field` if a listed entry has this name, ignoring case and accents."""
    folded = fold(name)
    entries = tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player").order_by("number")
    listed = next((entry for entry in entries if fold(entry.player.name) == folded), None)
    if listed is None:
        return
    seat = next((seat for seat in look_at_seats(listed) if seat.table is not None), None)
    if seat is not None and seat.table is not None:
        words = {"name": listed, "round": seat.round.number, "table": seat.table.number}
        raise namesake(_("%(name)s already sits at table %(table)d in round %(round)d.") % words, field)
    if listed.status == Entry.Status.DROPPED:
        raise namesake(_("%(name)s has dropped out, and can return.") % {"name": listed}, field)
    raise namesake(_("%(name)s is on the list of players.") % {"name": listed}, field)


def people_without_seat(tournament: Tournament, seats: Sequence[Seat], *, listed: bool = False) -> list[str]:
    """Return names to offer for these seats, sorted: people without a seat in their rounds.

    These are unlisted club members, free stand-ins and free substitutes. listed: players too.
    """
    rounds = {seat.round_id for seat in seats}
    taken = Seat.objects.filter(round__in=rounds).exclude(table=None)
    busy = {key for pair in taken.values_list("entry__player", "substitute") for key in pair}
    stand_ins = tournament.entries.filter(status=Entry.Status.STANDIN).select_related("player")
    before = Seat.objects.filter(round__tournament=tournament).exclude(substitute=None).select_related("substitute")
    people = [entry.player for entry in stand_ins]
    people += [seat.substitute for seat in before if seat.substitute is not None]
    people += unlisted_members(tournament)
    entries = list(tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player"))
    names = {fold(entry.player.name) for entry in entries}
    free = [person for person in people if fold(person.name) not in names]
    if listed:
        free += [entry.player for entry in entries if entry.status != Entry.Status.DROPPED]
    return sorted({person.name for person in free if person.pk not in busy and person.erased_at is None}, key=fold)


def _free_name(tournament: Tournament) -> str:
    taken = set(tournament.entries.values_list("player__name", flat=True))
    names = (STAND_IN if number == 1 else f"{STAND_IN} {number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def new_entry(
    tournament: Tournament,
    *,
    name: str,
    club: str = "",
    status: str = Entry.Status.ACTIVE,
    person: Player | None = None,
    by: User | None = None,
    who: str = "",
) -> Entry:
    """Create an entry after the start; it counts as checked in if the tournament uses check-in.

    person: a team's. by, who: as for `person_called`.
    """
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    is_stand_in = status == Entry.Status.STANDIN  # never a known person
    if person is None:
        person = (
            Player.objects.create(name=name) if is_stand_in else person_called(tournament, name, club, by=by, who=who)
        )
    noted = tournament.entries.exclude(checked_in_at=None).exists()
    entry = Entry.objects.create(
        tournament=tournament,
        player=person,
        number=last + 1,
        status=status,
        checked_in_at=timezone.now() if noted else None,
    )
    tell_apart(tournament, entry)
    return entry


def forget_idle(entry: Entry) -> None:
    """Delete a stand-in without seats, hands or points."""
    played = HandScore.objects.filter(entry=entry).exists() or HandScore.objects.filter(partner=entry).exists()
    seats_or_points = entry.seats.exists() or entry.adjustments.exists()
    idle = not played and not hooks.games.plays_online(entry) and not seats_or_points
    if entry.status == Entry.Status.STANDIN and idle:
        person = entry.player
        entry.delete()
        person.delete()


def stand_ins_to_come(tournament: Tournament) -> list[tuple[Entry, list[Seat]]]:
    """Return the stand-ins with hands to come, and their seats."""
    stand_ins = tournament.entries.filter(status=Entry.Status.STANDIN).select_related("player").order_by("number")
    return [(entry, seats) for entry in stand_ins if (seats := seats_to_come(entry))]
