from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from league.access import Access
    from league.models import Round, Tournament


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        """Register what lower packages call."""
        from league import hooks

        hooks.after_closing.append(_let_leave)
        hooks.count_inbox = _count_inbox


def _let_leave(tournament: "Tournament", played: "Round") -> None:
    from league.leaving.departures import leave_after_round  # imports a director's actions; few processes close rounds

    leave_after_round(tournament, played)


def _count_inbox(viewer: "Access") -> int:
    from league.setup.overview.inbox import count_items  # imports pages, which most processes don't need

    return count_items(viewer)
