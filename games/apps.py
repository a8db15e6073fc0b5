from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.http import HttpRequest

if TYPE_CHECKING:
    from league.pushes import Shown


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """What this app keeps in free text is cleaned when a person is erased, and its hands are compared with the log;
        it knows what is disputed or in play, and what of an online table whoever looks may see."""
        from games.audit import hands_as_told
        from games.disputes import disputed_hands
        from games.in_play import plays_online, tables_in_play
        from games.online.arranging import copy_settings
        from games.online.director import clean_what_was_said
        from games.services import clean_reasons
        from league import audit, disputed, pushes, started
        from league.services import erasure, setup

        erasure.texts_elsewhere += [clean_reasons, clean_what_was_said]
        audit.compared_elsewhere.append(hands_as_told)
        disputed.said_elsewhere.append(disputed_hands)
        started.in_play_elsewhere.append(tables_in_play)
        started.plays_elsewhere.append(plays_online)
        setup.copied_elsewhere.append(copy_settings)
        pushes.looked_at_by(_pushed)


def _pushed(request: HttpRequest, table_id: int) -> "Shown | None":
    from games.online.views import pushed  # all pages hang on it, and most processes make none

    return pushed(request, table_id)
