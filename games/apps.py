from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.http import HttpRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.access import Access
    from league.hooks import Shown
    from league.models import Tournament, User
    from league.pages.inbox import InboxItem


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register the answers of games to league's hooks."""
        from games.hands.audit import compare_hands
        from games.hands.disputes import disputed_hands
        from games.hands.in_play import plays_online, tables_in_play
        from games.hands.rows import clean_reasons
        from games.online.director.services import clean_deal_reasons
        from games.online.play.finish import after_casual_hand
        from games.online.play.settings import copy_settings
        from league import hooks

        def clean_texts(tournament: "Tournament", clean: hooks.Clean) -> None:
            clean_reasons(tournament, clean)
            clean_deal_reasons(tournament, clean)

        hooks.games = hooks.Games(
            clean_texts=clean_texts,
            compare_hands=compare_hands,
            copy_settings=copy_settings,
            disputed_hands=disputed_hands,
            inbox_items=_inbox_items,
            tables_in_play=tables_in_play,
            plays_online=plays_online,
            take_practice_away=_take_practice_away,
            show_table=_show_table,
        )
        after_casual_hand.append(_go_on)


def _inbox_items(tournament: "Tournament", viewer: "Access") -> "Sequence[InboxItem]":
    from games.hands import inbox  # imports pages

    return inbox.items(tournament, viewer)


def _show_table(request: HttpRequest, table_id: int) -> "Shown | None":
    from games.online.views import show_pushed  # imports all pages, which most processes don't need

    return show_pushed(request, table_id)


def _take_practice_away(user: "User") -> None:
    from games.service.practice import take_away  # imports the bots, which are rarely needed

    take_away(user)


def _go_on(tournament_id: int) -> None:
    from games.online.casual.end import go_on  # needed only where hands are played

    go_on(tournament_id=tournament_id)
