"""What a casual table shows when no hand waits there: who won, and where it goes on."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.online.casual.end import rematch_of
from games.online.casual.seats import bot_to_replace
from games.online.casual.tables import table_of
from league.access import entries_held
from league.access.session_links import default_name, players_in
from league.models import Entry, LogEntry, Table, Tournament
from league.standings import read as ledger
from league.standings.ranking import Standing


@dataclass(frozen=True)
class CasualNow:
    """`elsewhere`: the table of the last two, or of the next game for watchers. `has_rematch`: somebody has asked for
    that game. `plays`: whether the viewer is one of the last two, or played in the game. `why`: why it ended early.
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
    """None for tables of other tournaments, and while the game goes on here.

    Players who were out before the last two played on have no seat at their table, but play in the next game.
    """
    tournament = table.round.tournament
    if tournament.kind != Tournament.Kind.CASUAL:
        return None
    latest = table_of(tournament)
    if not tournament.is_final:
        elsewhere = latest if latest is not None and latest.pk != table.pk else None
        if elsewhere is None:
            return None
        mine = entries_held(request.user, tournament, players_in(request))
        return CasualNow(False, (), elsewhere.seats.filter(entry__in=mine).exists(), False, elsewhere)
    early = LogEntry.objects.filter(tournament=tournament, action="end-early").values_list("reason", flat=True)
    following = rematch_of(tournament)
    return CasualNow(
        over=True,
        lines=tuple(ledger.read(tournament).standings()),
        plays=bool(entries_held(request.user, tournament, players_in(request))),
        has_rematch=following is not None,
        elsewhere=table_of(following) if following else None,
        why=_(reason) if (reason := early.last()) else "",  # it was written in the service's language
    )


def newcomer(request: HttpRequest, table: Table, me: Entry | None, seen: dict[str, Any] | None) -> dict[str, Any]:
    """For watchers of a casual table: whether a bot's seat is to be had, or whose hand this is before their first one.

    `seen` is the picture of the table.
    """
    tournament = table.round.tournament
    if tournament.kind != Tournament.Kind.CASUAL or seen is None or seen["you"] is not None:
        return {}
    if me is not None:
        return {"takes_over": next((at["name"] for at in seen["places"] if at["player_id"] == me.public_id), "")}
    if bot_to_replace(table) is None or entries_held(request.user, tournament, players_in(request)):
        return {}
    return {"seat_of_bot": True, "called": default_name(request)}
