"""The members of a club: who joins, who leaves, how they are called and what strangers see of them."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models.deletion import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.members import guests_of, members_of
from league.clubs.clubs import want_ratings
from league.entries.list_order import rename_person
from league.entries.persons import NewPlayer, new_person
from league.ledger.locks import lock_club, lock_tournaments_of
from league.lib.errors import Conflict, Refused
from league.log.write import member, note_in_club
from league.models import Club, ClubInvitation, Player, User

MOST_MEMBERS = 2000
PRIVACY = ("profile_is_public", "short_name", "is_rated")


@transaction.atomic
def add_members(*, club: Club, players: Sequence[NewPlayer], by: User | None) -> list[Player]:
    """Add those of a list who are no members yet, compared by name in any case. Returns whom it added."""
    club = lock_club(club.pk)
    known = {name.casefold() for name in members_of(club).values_list("name", flat=True)}
    new = {row.name.casefold(): row for row in reversed(players) if row.name.casefold() not in known}
    if len(known) + len(new) > MOST_MEMBERS:
        raise Refused("too-many", _("A club takes at most %(most)d members.") % {"most": MOST_MEMBERS})
    people = [new_person(row) for row in players if new.get(row.name.casefold()) is row]
    for person in people:
        person.club = club
    Player.objects.bulk_create(people)
    if people:
        note_in_club(club=club, by=by, action="add-members", new=[member(person) for person in people])
    return people


@transaction.atomic
def take_in(*, club: Club, players: Sequence[Player], by: User | None) -> list[Player]:
    """Make guests of the club's evenings members. Who is no guest, or has the name of a member, is left out."""
    club = lock_club(club.pk)
    known = {name.casefold() for name in members_of(club).values_list("name", flat=True)}
    taken = []
    for person in guests_of(club).filter(pk__in=[player.pk for player in players]).order_by("name", "pk"):
        if person.name.casefold() not in known:
            known.add(person.name.casefold())
            taken.append(person)
    Player.objects.filter(pk__in=[person.pk for person in taken]).update(club=club)
    if taken:
        note_in_club(club=club, by=by, action="take-in", new=[member(person) for person in taken])
        want_ratings([club.pk])
    return taken


@transaction.atomic
def change_member(
    *, player: Player, name: str, email: str, club_name: str, birthday: tuple[int, int] | None, by: User | None
) -> None:
    """Correct what the club knows of a member. A new name shows wherever they play; the logs there record it."""
    tournaments = lock_tournaments_of(player.pk)
    person = _lock_member(player)
    club = person.club
    if (name, club_name) != (person.name, person.club_name):
        rename_person(person=person, name=name, club=club_name, by=by, tournaments=tournaments)
    month, day = birthday or (None, None)
    if (email, month, day) != (person.email, person.birth_month, person.birth_day):
        person.email, person.birth_month, person.birth_day = email, month, day
        person.save(update_fields=["email", "birth_month", "birth_day"])
        if club is not None:
            note_in_club(club=club, by=by, action="change-member", new=member(person))


@transaction.atomic
def set_privacy(*, player: Player, by: User | None, **choices: bool) -> None:
    """Set what strangers see of a member: `profile_is_public`, `short_name`, `is_rated`."""
    person = _lock_member(player)
    old = {field: getattr(person, field) for field in PRIVACY}
    changed: dict[str, Any] = {key: value for key, value in choices.items() if key in PRIVACY and value != old[key]}
    if not changed or person.club is None:
        return
    for field, value in changed.items():
        setattr(person, field, value)
    person.save(update_fields=list(changed))
    before = member(person) | {field: str(old[field]) for field in changed}
    after = member(person) | {field: str(value) for field, value in changed.items()}
    note_in_club(club=person.club, by=by, action="privacy", old=before, new=after)


@transaction.atomic
def remove_member(*, player: Player, by: User | None) -> None:
    """Take a member out of the club. What they played stays theirs; without any play or division they are deleted."""
    person = _lock_member(player)
    club = person.club
    if club is None:
        return
    them = member(person)
    ClubInvitation.objects.filter(player=person, revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    try:
        with transaction.atomic():
            if person.divisions.exists():
                raise ProtectedError("In a division of a season.", {person})
            person.delete()
    except ProtectedError:
        Player.objects.filter(pk=player.pk).update(club=None, user=None, profile_is_public=False)
    note_in_club(club=club, by=by, action="remove-member", old=them)
    want_ratings([club.pk])


def _lock_member(player: Player) -> Player:
    """Lock the club and return the member as they are now. Raises `Conflict` if they have left it meanwhile."""
    if player.club_id is not None:
        lock_club(player.club_id)
    person = Player.objects.select_related("club", "user").filter(pk=player.pk, merged_into=None).first()
    if person is None or person.club is None:
        raise Conflict("no-member", _("%(name)s is no member of the club any more.") % {"name": player})
    if person.erased_at is not None:
        raise Conflict("erased", _("This person was erased, and stays without a name."))
    return person
