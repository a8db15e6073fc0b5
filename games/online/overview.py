"""The state of a tournament's online tables, one sentence each, from public facts only."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from games.models import Deal, Hand
from games.online.play.deals import settings_of
from games.online.play.presence import lost_since
from league.ledger.progress import PLAYING, tables_now
from league.lib.translate import names
from league.models import Entry, Player, Round, Table, Tournament

MOST_NAMED = 3


@dataclass(frozen=True)
class TableInPlay:
    """`until`: the time by which the players must be ready."""

    table: Table
    words: str
    paused: bool = False
    until: datetime | None = None


def in_play(tournament: Tournament, tables: Iterable[Table]) -> list[TableInPlay]:
    """Return the unfinished online tables by number, in a fixed number of queries."""
    online = {table.pk: table for table in tables if table.mode == Table.Mode.ONLINE}
    if not online:
        return []
    deals = {deal.table_id: deal for deal in Deal.objects.open().filter(table__in=online)}
    called = _names_by_place(deals.values())
    gone = _tables_with_absent(deals.values())
    late = settings_of(tournament).spectator_delay > 0
    stands = tournament.paused_at is not None
    lines = [TableInPlay(online[key], words) for key, words in _without_deal(set(online) - set(deals))]
    for key, deal in deals.items():
        waits = deal.state == Deal.State.WAITING and not deal.paused_at and not stands
        lines.append(
            TableInPlay(
                online[key],
                _words(deal, called, late, key in gone),
                deal.paused_at is not None,
                deal.due_at if waits else None,
            )
        )
    return sorted(lines, key=lambda line: line.table.number)


def _without_deal(tables: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield the state of tables without a sealed deck: just published, or waiting for a scorer."""
    if not tables:
        return
    hand_is_in = Hand.objects.living().filter(table=OuterRef("table"), number=OuterRef("number"))
    on_paper = dict(
        Deal.objects.filter(~Exists(hand_is_in), table__in=tables, on_paper=True).values_list("table", "number")
    )
    rounds = Round.objects.select_related("stage", "tournament").filter(tables__in=tables).distinct()
    for now in (progress for played in rounds for progress in tables_now(played)):
        key = now.table.pk
        if key in on_paper:
            yield key, _("Hand %(number)d continues with real cards.") % {"number": on_paper[key]}
        elif key in tables and now.state == PLAYING:
            yield key, _("The deck is being shuffled.")


def _names_by_place(deals: Iterable[Deal]) -> dict[tuple[int, int | None], str]:
    """Return {(entry, substitute): name of the player}."""
    places = {(place["entry"], place["played_by"]) for deal in deals for place in deal.places}
    entries = Entry.objects.select_related("player").in_bulk([entry for entry, _by in places])
    substitutes = Player.objects.in_bulk([by for _entry, by in places if by])
    # A deck may wait for a player who has lost the place since; then the sweeper seals a new one.
    return {(entry, by): substitutes[by].name if by else str(entries.get(entry, "–")) for entry, by in places}


def _tables_with_absent(deals: Iterable[Deal]) -> set[int]:
    """Return the keys of tables that wait for an offline player."""
    awaited = {deal.table_id: deal.places[deal.turn] for deal in deals if deal.turn is not None}
    entries = Entry.objects.in_bulk([place["entry"] for place in awaited.values()])
    waits_for = {}
    for key, place in awaited.items():
        if (entry := entries.get(place["entry"])) and not place["bot"]:
            entry.member = place.get("member", 0)
            waits_for[key] = entry.plays_as
    lost = lost_since(waits_for.values())
    return {key for key, player in waits_for.items() if lost.get(player)}


def _words(deal: Deal, called: dict[tuple[int, int | None], str], late: bool, gone: bool) -> str:
    number = {"number": deal.number}
    if deal.paused_at:
        return _("Hand %(number)d is paused.") % number
    if deal.state == Deal.State.WAITING:
        missing = [called[place["entry"], place["played_by"]] for place in deal.places if not place["ready"]]
        if not missing:
            return _("Hand %(number)d: everyone is ready.") % number
        more = [_("%(count)d more") % {"count": len(missing) - MOST_NAMED}] if len(missing) > MOST_NAMED else []
        ready = {"ready": len(deal.places) - len(missing), "places": len(deal.places)}
        people = names([*missing[:MOST_NAMED], *more])
        return _("Hand %(number)d: %(ready)d of %(places)d ready, waiting for %(names)s.") % (
            number | ready | {"names": people}
        )
    if late or deal.turn is None:  # spectators see the table later, and so do these readers
        return _("Hand %(number)d is being played.") % number
    place = deal.places[deal.turn]
    words = number | {"move": deal.moves_made, "name": called[place["entry"], place["played_by"]]}
    if gone:
        return _("Hand %(number)d, move %(move)d: waiting for %(name)s (offline).") % words
    return _("Hand %(number)d, move %(move)d: waiting for %(name)s.") % words
