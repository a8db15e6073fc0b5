"""A team's captain names a substitute from the team's members."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league.access.viewer import Attribution, Visitor
from league.day.people import tables_of, team_context
from league.day.stand_in import look_at_seats
from league.day.substitutes import substitute
from league.leaving.requests import check_plays, lock_entry
from league.ledger.lineups import members_of
from league.lib.errors import Conflict, Refused
from league.models import Entry, Seat


def swaps_of(entry: Entry) -> list[tuple[str, str]]:
    """Return the possible substitutions as (value, words), for all hands to come; empty without a free member."""
    seats = [seat for seat in look_at_seats(entry) if seat.table_id]
    return list(team_context(entry, seats, tables_of(seats))["swaps"])


def why_not_captain(entry: Entry, visitor: Visitor) -> str:
    """Return why this visitor may not name substitutes; empty if they may.

    The team's link is its captain's. An account of another member acts for the captain only if the captain has none.
    """
    if dict(visitor.players).get(entry.public_id) == entry.link_generation:
        return ""
    members = members_of([entry])[entry.pk]
    captain = members[0].player if members else None
    if captain is None or captain.user_id in (None, visitor.account.pk):
        return ""
    return _("Only the captain, %(name)s, can name a substitute.") % {"name": captain}


@transaction.atomic
def name_substitute(*, entry: Entry, swap: str, visitor: Visitor, by: Attribution) -> Sequence[Seat]:
    """Let another member of the team play in all hands to come. swap: a value of `swaps_of`.

    Raises `Refused` or `Conflict`, also if the line-up has changed since.
    """
    tournament, entry = lock_entry(entry)
    check_plays(tournament, entry)
    if not tournament.stage.has_teams:
        raise Refused("format", _("Only teams have substitutes. Ask the organiser."))
    if why := why_not_captain(entry, visitor):
        raise Refused("captain", why)
    if swap not in dict(swaps_of(entry)):
        raise Conflict("changed", _("The line-up has changed since. Choose again."))
    place, _dash, key = swap.partition("-")
    person = next(member.player for member in members_of([entry])[entry.pk] if str(member.player_id) == key)
    return substitute(tournament=tournament, entry=entry, name=person.name, member=int(place), by=by.user, player=entry)
