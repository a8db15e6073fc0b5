"""What the director's bar shows at an online table."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from games.models import Deal
from games.online.director.services import on_paper_now, took_to_paper
from games.online.play.places import places_of
from league.access import Access, Viewer
from league.models import Table, Tournament, User


@dataclass(frozen=True)
class Bar:
    """`deal` is played or waits; `on_paper` is finished with real cards. `seconds_left` is what the clock has.

    `away`: the place and name of the person who is waited for, and whether a bot plays for them.
    """

    deal: Deal | None
    on_paper: Deal | None
    may_print: bool
    to_move: str
    away: tuple[int, str, bool] | None
    seconds_left: int | None

    @property
    def clock(self) -> str:
        return f"{(self.seconds_left or 0) // 60}:{(self.seconds_left or 0) % 60:02}"

    @property
    def in_play(self) -> bool:
        return self.deal is not None and self.deal.state == Deal.State.PLAYING


def directs(access: Access) -> bool:
    """Whether the viewer directs the tables here; at a casual table people settle things among themselves."""
    return access.corrects and access.tournament.kind != Tournament.Kind.CASUAL


def context(access: Access, table: Table, viewer: Viewer) -> dict[str, Any]:
    """{"director": the bar, or None for people who direct nothing}."""
    if not directs(access) or not isinstance(viewer, User):
        return {"director": None}
    return {"director": _bar(table, table.deals.open().first(), viewer)}


def _bar(table: Table, deal: Deal | None, viewer: User) -> Bar:
    on_paper = on_paper_now(table) if deal is None else None
    if on_paper is not None:
        on_paper.table = table
    may_print = on_paper is not None and took_to_paper(on_paper, viewer)
    if deal is None or deal.turn is None:
        return Bar(deal, on_paper, may_print, "", None, None)
    deal.table = table
    place = places_of(deal)[deal.turn]
    away = None if place.is_bot else (place.at, place.name, bool(place.bot))
    return Bar(deal, None, False, place.name, away, _seconds_left(deal, timezone.now()))


def _seconds_left(deal: Deal, now: datetime) -> int | None:
    """What is left of the time for a move and the bank; while the hand is paused, what was left when that began."""
    if deal.due_at is None or deal.asked_at is None:
        return None
    at = max(deal.paused_at, deal.asked_at) if deal.paused_at else now
    return max(0, round((deal.due_at - at).total_seconds()))
