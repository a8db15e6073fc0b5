"""Set whether a tournament counts in the ratings of its club and in a season."""

from django.db import transaction

from league.ledger.locks import lock_tournament
from league.log.write import note
from league.models import Tournament, User
from league.seasons.seasons import put_in_season


@transaction.atomic
def set_counts(*, tournament: Tournament, counts: bool, by: User | None) -> Tournament:
    """Remove a tournament from ratings and its season, or let it count again. Its season isn't restored.

    Hands and standings stay. Raises `Conflict` if the season has ended.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.counts_in_club == counts:
        return tournament
    if not counts and tournament.season_id is not None:
        tournament = put_in_season(tournament=tournament, season=None, by=by)
    tournament.counts_in_club = counts
    tournament.save(update_fields=["counts_in_club"])
    about = "counts_in_club"
    note(tournament=tournament, by=by, action="settings", old={about: str(not counts)}, new={about: str(counts)})
    return tournament
