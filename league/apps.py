from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from league.models import Round, Tournament


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        """Register what closing a round calls."""
        from league import hooks

        hooks.after_closing.append(_let_leave)


def _let_leave(tournament: "Tournament", played: "Round") -> None:
    from league.leaving.departures import leave_after_round  # imports a director's actions; few processes close rounds

    leave_after_round(tournament, played)
