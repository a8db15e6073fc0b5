"""The page of a casual table without a waiting hand: the winner, and where play continues."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.models import Deal, Hand
from games.online.casual.end import rematch_of
from games.online.casual.seats import bot_to_replace
from games.online.casual.tables import table_of
from league.access import entries_held
from league.access.session_links import default_name, visitor_of
from league.models import Entry, LogEntry, Table, Tournament
from league.standings import read as ledger
from league.standings.ranking import Standing


@dataclass(frozen=True)
class CasualNow:
    """`elsewhere`: the table of the last two, or of the rematch for watchers; None before it exists. `has_rematch`: a
    player has started it. `plays`: the viewer is one of the last two, or played the game. `why`: why it ended early."""

    over: bool
    lines: tuple[Standing, ...]
    plays: bool
    has_rematch: bool
    elsewhere: Table | None
    why: str = ""
    hands: Mapping[int, int] = field(default_factory=dict)

    @property
    def winner(self) -> str:
        return next((line.entrant.name for line in self.lines if line.rank == 1), "")


def casual_now(request: HttpRequest, table: Table) -> CasualNow | None:
    """Return None for tables of other tournaments.

    Players eliminated before the last two have no seat at their table, but play in the rematch.
    """
    tournament = table.round.tournament
    if tournament.kind != Tournament.Kind.CASUAL:
        return None
    if not tournament.is_final:
        elsewhere = _table_after(table)
        mine = entries_held(visitor_of(request), tournament) if elsewhere else []
        plays = elsewhere is not None and elsewhere.seats.filter(entry__in=mine).exists()
        return CasualNow(False, (), plays, False, elsewhere)
    early = LogEntry.objects.filter(tournament=tournament, action="end-early").values_list("reason", flat=True)
    following = rematch_of(tournament)
    played = (
        Hand.objects.living().filter(table__round__tournament=tournament).values_list("table__round__number", flat=True)
    )
    return CasualNow(
        over=True,
        lines=tuple(ledger.read(tournament).standings()),
        plays=bool(entries_held(visitor_of(request), tournament)),
        has_rematch=following is not None,
        elsewhere=table_of(following) if following else None,
        why=_(reason) if (reason := early.last()) else "",  # stored in the service's language
        hands=Counter(played),
    )


def table_of_last_two(table: Table, me: Entry | None) -> Table | None:
    """Return the head-to-head table of a casual player."""
    tournament = table.round.tournament
    if me is None or tournament.kind != Tournament.Kind.CASUAL or table.round.is_open or tournament.is_final:
        return None
    following = _table_after(table)
    return following if following is not None and following.seats.filter(entry=me.pk).exists() else None


def hand_before(table: Table, deal: Deal | None) -> Deal | None:
    """Return the hand that left two players, while they wait for their own first one."""
    tournament = table.round.tournament
    if tournament.kind != Tournament.Kind.CASUAL or deal is None or deal.state != Deal.State.WAITING or deal.number > 1:
        return None
    over = Deal.objects.filter(state=Deal.State.OVER, table__round__tournament=tournament).exclude(table=table)
    return over.select_related("hand", "table__round__stage", "table__round__tournament").order_by("-id").first()


def _table_after(table: Table) -> Table | None:
    latest = table_of(table.round.tournament)
    return latest if latest is not None and latest.pk != table.pk else None


@dataclass(frozen=True)
class Newcomer:
    """A watcher's options. `waits`: why a bot's seat is theirs only later. `can_join`: they can take one, as `name`."""

    waits: str = ""
    can_join: bool = False
    name: str = ""


def newcomer_of(request: HttpRequest, table: Table, me: Entry | None, seen: dict[str, Any] | None) -> Newcomer:
    """Return a watcher's options at a casual table: a bot's seat, or the wait for their first hand.

    `seen`: the picture of the table.
    """
    tournament = table.round.tournament
    if tournament.kind != Tournament.Kind.CASUAL or seen is None or seen["you"] is not None:
        return Newcomer()
    if me is not None:
        name = next((at["name"] for at in seen["places"] if at["player_id"] == me.public_id), "")
        waits = _("%(name)s finishes this hand. Then the seat and its points are yours.")
        return Newcomer(waits % {"name": name} if name else "")
    if bot_to_replace(table) is None or entries_held(visitor_of(request), tournament):
        return Newcomer()
    return Newcomer(can_join=True, name=default_name(request))
