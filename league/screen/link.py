"""Turn off the address of the hall screen."""

from django.db import transaction

from league.access.signed_links import screen_token
from league.ledger.locks import lock_tournament
from league.log.write import note
from league.models import Tournament, User


@transaction.atomic
def end_screen(*, tournament: Tournament, token: str, by: User | None) -> bool:
    """Replace the address with this token by a new one. Returns False if it was already replaced."""
    tournament = lock_tournament(tournament.pk)
    if screen_token(tournament) != token:
        return False
    tournament.screen_generation += 1
    tournament.save(update_fields=["screen_generation"])
    note(tournament=tournament, by=by, action="end-screen")
    return True
