"""Calendars at secret addresses, since calendar programs can't sign in.

An account's address shows what the account may see at the time of the request; without rights it is empty or gone. A
player's address shows their tournaments with the same organisers.
"""

from dataclasses import dataclass

import structlog
from django.db.models import Q, QuerySet
from django.http import Http404

from league.access.clubs import access_to_club, played_by
from league.access.rights import Can, InClub
from league.access.signed_links import account_with_calendar, entry_with_calendar
from league.access.viewer import access_to
from league.models import Club, Entry, Player, Tournament, User


@dataclass(frozen=True)
class OwnCalendar:
    name: str
    tournaments: QuerySet[Tournament]


def calendar_for(token: str) -> OwnCalendar:
    """Return the calendar for a token. Raises Http404 for a forged or replaced one."""
    calendar = account_with_calendar(token)
    if calendar is None:
        return _calendar_of_entry(token)
    user, of = calendar
    if isinstance(of, Tournament):
        access_to(user, of, Can.LOOK)
        return OwnCalendar(of.name, Tournament.objects.filter(pk=of.pk))
    if isinstance(of, Club):
        return OwnCalendar(of.name, access_to_club(user, of, InClub.LOOK).tournaments())
    return _calendar_of_member(user, of)


def _calendar_of_member(user: User, player: Player) -> OwnCalendar:
    if player.user_id != user.pk or player.club is None or player.merged_into_id is not None:
        raise Http404
    evenings = access_to_club(user, player.club, InClub.LOOK).evenings_of(player)
    return OwnCalendar(f"{player.name}, {player.club.name}", evenings)


def _calendar_of_entry(token: str) -> OwnCalendar:
    entry = entry_with_calendar(token)
    if entry is None:
        raise Http404
    structlog.contextvars.bind_contextvars(tournament=entry.tournament.slug)
    return OwnCalendar(entry.name, evenings_with(entry))


def evenings_with(entry: Entry) -> QuerySet[Tournament]:
    """Return the tournaments of a player or team that have the same organiser: its club, else its owner."""
    tournament = entry.tournament
    theirs = Q(club=tournament.club_id) if tournament.club_id else Q(club=None, owner=tournament.owner_id)
    events = Tournament.objects.events().filter(theirs)
    return events.filter(pk__in=events.filter(played_by(entry.player)).values("pk"))
