"""Replace the addresses of an account's calendars.

They are signed, not stored (league/access/signed_links.py). The log counts the replacements, with author and time.
"""

from django.db import transaction

from league.access.signed_links import END_CALENDAR, account_calendar_token
from league.ledger.locks import lock_club, lock_tournament
from league.log.write import note, note_in_club
from league.models import Club, Tournament, User


@transaction.atomic
def end_calendar(*, tournament: Tournament, token: str, by: User) -> bool:
    """Replace the account's address with this token. Return False if it was replaced before."""
    tournament = lock_tournament(tournament.pk)
    if account_calendar_token(by, tournament) != token:
        return False
    note(tournament=tournament, by=by, action=END_CALENDAR)
    return True


@transaction.atomic
def end_club_calendar(*, club: Club, token: str, by: User) -> bool:
    """Replace the address of a club's calendar, and that of the account's own tournaments there."""
    club = lock_club(club.pk)
    if account_calendar_token(by, club) != token:
        return False
    note_in_club(club=club, by=by, action=END_CALENDAR)
    return True
