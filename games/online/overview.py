"""What is going on at the online tables of a tournament, in a sentence each: public facts alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Deal
from games.online.deals import settings_of
from league.models import Entry, Player, Table, Tournament
from league.templatetags.wild import names

MOST_NAMED = 3


@dataclass(frozen=True)
class TableInPlay:
    table: Table
    words: str
    paused: bool = False


def in_play(tournament: Tournament, tables: Iterable[Table]) -> list[TableInPlay]:
    """By number. Three queries, however many tables."""
    online = {table.pk: table for table in tables if table.mode == Table.Mode.ONLINE}
    if not online:
        return []
    deals = {deal.table_id: deal for deal in Deal.objects.open().filter(table__in=online)}
    called = _called(deals.values())
    late = settings_of(tournament).spectator_delay > 0
    lines = []
    for table in sorted(online.values(), key=lambda table: table.number):
        deal = deals.get(table.pk)
        words = _words(deal, called, late) if deal else _("Nothing is dealt there now.")
        lines.append(TableInPlay(table, words, deal is not None and deal.paused_at is not None))
    return lines


def _called(deals: Iterable[Deal]) -> dict[tuple[int, int | None], str]:
    """{(entry, substitute): the name of who plays}"""
    places = {(one["entry"], one["played_by"]) for deal in deals for one in deal.places}
    entries = Entry.objects.select_related("player").in_bulk([entry for entry, _by in places])
    substitutes = Player.objects.in_bulk([by for _entry, by in places if by])
    # A deck may wait for somebody whose place was given to another since; the sweeper seals one for that one.
    return {(entry, by): substitutes[by].name if by else str(entries.get(entry, "–")) for entry, by in places}


def _words(deal: Deal, called: dict[tuple[int, int | None], str], late: bool) -> str:
    number = {"number": deal.number}
    if deal.paused_at:
        return _("Hand %(number)d is paused.") % number
    if deal.state == Deal.State.WAITING:
        missing = [called[one["entry"], one["played_by"]] for one in deal.places if not one["ready"]]
        more = [_("%(count)d more") % {"count": len(missing) - MOST_NAMED}] if len(missing) > MOST_NAMED else []
        who = names([*missing[:MOST_NAMED], *more])
        return _("Hand %(number)d waits for %(names)s.") % (number | {"names": who})
    if late or deal.turn is None:  # spectators see later, and so does who reads this
        return _("Hand %(number)d is being played.") % number
    place = deal.places[deal.turn]
    what = number | {"move": deal.moves_made, "name": called[place["entry"], place["played_by"]]}
    return _("Hand %(number)d, move %(move)d: waiting for %(name)s.") % what
