"""What a casual table shows when no hand waits there: who won, and where it goes on."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.models import Deal
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
    """`elsewhere`: the table of the last two, or of the next game for watchers; None while the next step is made.
    `has_rematch`: somebody has asked for that game. `plays`: whether the viewer is one of the last two, or played in
    the game. `why`: why it ended early.
    """

    over: bool
    lines: tuple[Standing, ...]
    plays: bool
    has_rematch: bool
    elsewhere: Table | None
    why: str = ""

    @property
    def winner(self) -> str:
        return next((line.entrant.name for line in self.lines if line.rank == 1), "")


def casual_now(request: HttpRequest, table: Table) -> CasualNow | None:
    """None for tables of other tournaments.

    Players who were out before the last two played on have no seat at their table, but play in the next game.
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
    return CasualNow(
        over=True,
        lines=tuple(ledger.read(tournament).standings()),
        plays=bool(entries_held(visitor_of(request), tournament)),
        has_rematch=following is not None,
        elsewhere=table_of(following) if following else None,
        why=_(reason) if (reason := early.last()) else "",  # it was written in the service's language
    )


def table_of_last_two(table: Table, me: Entry | None) -> Table | None:
    """The table where a player of a casual table plays on with one other player."""
    tournament = table.round.tournament
    if me is None or tournament.kind != Tournament.Kind.CASUAL or table.round.is_open or tournament.is_final:
        return None
    following = _table_after(table)
    return following if following is not None and following.seats.filter(entry=me.pk).exists() else None


def hand_before(table: Table, deal: Deal | None) -> Deal | None:
    """The hand that left two players in a casual game, while they wait for the first one at their own table."""
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
    """What a watcher of a casual table can do. `waits`: why the seat of a bot is theirs only later. `is_asked`: they
    can take one, as `name`."""

    waits: str = ""
    is_asked: bool = False
    name: str = ""


def newcomer_of(request: HttpRequest, table: Table, me: Entry | None, seen: dict[str, Any] | None) -> Newcomer:
    """For watchers of a casual table: whether a bot's seat is to be had, or whose hand this is before their first one.

    `seen` is the picture of the table.
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
    return Newcomer(is_asked=True, name=default_name(request))
