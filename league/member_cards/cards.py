"""Print and renew member cards, and find the event that a card opens.

A card's link is signed, not stored (league/access/signed_links.py). The first print makes it valid.
"""

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.members import members_of
from league.by_link.player_links import PRINT_CARDS
from league.clubs.members import check_number_of_cards, lock_member, ticked_members
from league.ledger.locks import lock_club
from league.lib.errors import Conflict, Refused
from league.lib.translate import name_order
from league.log.write import member, note_in_club
from league.models import Club, ClubLogEntry, Entry, Player, Tournament, User

PRINT, RENEW = PRINT_CARDS, "renew-card"  # log actions


def members_to_print(club: Club, ids: Sequence[str] = ()) -> list[Player]:
    """Return the members with these public ids, or all, by name. Raises `Refused` for an unknown id."""
    members = ticked_members(club, ids).members if ids else members_of(club)
    return sorted(members, key=lambda person: (name_order(person.name), person.pk))


@transaction.atomic
def print_cards(*, club: Club, by: User, ids: Sequence[str] = ()) -> ClubLogEntry:
    """Make the cards of these members, or of all, valid. Return the log row, which names the cards to print.

    Raises `Refused` for an unknown id, without members, or for too many.
    """
    club = lock_club(club.pk)
    people = members_to_print(club, ids)
    if not people:
        raise Refused("no-member", _("No members yet."))
    check_number_of_cards(len(people))
    for person in people:
        person.card_generation = person.card_generation or 1
    keys = [person.pk for person in people]
    Player.objects.filter(pk__in=keys, card_generation=0).update(card_generation=1)
    return note_in_club(club=club, by=by, action=PRINT, new=[_card(person) for person in people])


def _card(person: Player) -> dict[str, object]:
    return {**member(person), "card": person.card_generation}


def cards_of(print_: ClubLogEntry) -> list[Player]:
    """Return the members of a print whose card is still the printed one, in order."""
    printed = {card["player_id"]: card["card"] for card in print_.new or () if "card" in card}
    members = members_of(print_.club).filter(public_id__in=list(printed)).select_related("club")
    found = {person.public_id: person for person in members}
    people = (found.get(public_id) for public_id in printed)
    return [person for person in people if person and person.card_generation == printed[person.public_id]]


@transaction.atomic
def renew_card(*, player: Player, by: User | None) -> None:
    """End a member's card. A new print has the new one. Raises `Conflict` if none was printed."""
    person = lock_member(player)
    if not person.card_generation or person.club is None:
        raise Conflict("no-card", _("No card of %(name)s has been printed yet.") % {"name": person.name})
    Player.objects.filter(pk=person.pk).update(card_generation=F("card_generation") + 1)
    note_in_club(club=person.club, by=by, action=RENEW, new=member(person))


def entry_of_card(person: Player) -> Entry | None:
    """Return a member's entry, or their team's, in the club's event of today, else a running one, else the next."""
    State = Tournament.State
    in_team = Q(player__team__members__player=person, player__team__club=person.club_id)
    entries = Entry.objects.select_related("tournament__club", "player").filter(Q(player=person) | in_team)
    events = Tournament.objects.events().not_cancelled().filter(club=person.club_id)
    open_ones = events.filter(state__in=(State.RUNNING, State.PLANNED)).values("pk")
    entries = entries.filter(tournament__in=open_ones).exclude(status=Entry.Status.STANDIN).distinct()
    ranked = [(_urgency(entry.tournament), entry) for entry in entries]
    return min(((rank, entry.pk, entry) for rank, entry in ranked if rank), default=(None, None, None))[2]


def _urgency(tournament: Tournament) -> tuple[int, int] | None:
    """Return a sort key; None for a planned event whose day has passed."""
    today: date = timezone.now().astimezone(tournament.zone).date()
    days = (tournament.starts_on - today).days
    if days == 0:
        return (0, 0 if tournament.state == Tournament.State.RUNNING else 1)
    if tournament.state == Tournament.State.RUNNING:
        return (1, -days)
    return (2, days) if days > 0 else None
