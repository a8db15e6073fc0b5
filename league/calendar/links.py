"""Ending the addresses of an account's calendars. They are signed and not stored (league/access/signed_links.py), so
nothing makes them.

The log counts how many were ended, and says who ended each and when.
"""

from django.db import transaction

from league.access.signed_links import END_CALENDAR, account_calendar_token
from league.ledger.locks import lock_club, lock_tournament
from league.log.write import note, note_in_club
from league.models import Club, Tournament, User


@transaction.atomic
def end_calendar(*, tournament: Tournament, token: str, by: User) -> bool:
    """End the account's address with this token; another one takes its place. Returns False if it had ended."""
    tournament = lock_tournament(tournament.pk)
    if account_calendar_token(by, tournament) != token:
        return False
    note(tournament=tournament, by=by, action=END_CALENDAR)
    return True


@transaction.atomic
def end_club_calendar(*, club: Club, token: str, by: User) -> bool:
    """End the address of a club's calendar, and with it that of the account's own evenings there."""
    club = lock_club(club.pk)
    if account_calendar_token(by, club) != token:
        return False
    note_in_club(club=club, by=by, action=END_CALENDAR)
    return True
