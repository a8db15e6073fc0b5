"""Add, change and remove members of a club, and set what strangers see of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Case, F, When
from django.db.models.deletion import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access.members import guests_of, members_of
from league.clubs.clubs import want_ratings
from league.clubs.joining import who_joins
from league.entries.list_order import rename_person
from league.entries.persons import NewPlayer, fill_gaps, new_person
from league.ledger.locks import lock_club, lock_tournaments_of
from league.lib.errors import Conflict, Refused
from league.lib.names import name_key
from league.lib.translate import name_order, names
from league.log.write import member, note_in_club
from league.models import Club, ClubInvitation, ClubLogEntry, Player, User

MOST_MEMBERS = 2000
MOST_CARDS = 200  # in a print, which takes some seconds
MOST_NAMED = 6  # names listed in a message
NOTHING: Mapping[int, str] = MappingProxyType({})
# A card of someone who left stays invalid if they return.
ENDED_CARD = Case(When(card_generation=0, then=0), default=F("card_generation") + 1)
PRIVACY = ("profile_is_public", "short_name", "is_rated")


@dataclass(frozen=True)
class Joined:
    """Result of a list of members.

    members: added ones, in list order. guests: those who were guests before. apart: names of new people although a
    guest has this name. almost: skipped names, close to a member's name.
    """

    members: Sequence[Player]
    guests: Sequence[Player] = ()
    apart: Sequence[str] = ()
    almost: Sequence[str] = ()


def add_members(*, club: Club, players: Sequence[NewPlayer], by: User | None) -> Sequence[Player]:
    """Add the people of a list who aren't members, as in `join_members`, and return them."""
    return join_members(club=club, players=players, by=by).members


@transaction.atomic
def join_members(
    *, club: Club, players: Sequence[NewPlayer], by: User | None, picked: Mapping[int, str] = NOTHING
) -> Joined:
    """Add the people of a list who aren't members. A certain guest becomes a member; others are new people.

    picked: {row index: public id of a player, or NEW}.
    """
    club = lock_club(club.pk)
    meant = who_joins(club, players, picked)
    added: set[str] = set()
    people: list[Player] = []
    apart, almost = [], []
    for at, row in enumerate(players):
        person = meant.settled_at(at)
        if person is not None and person.club_id is not None:
            if person.name.casefold() != row.name.casefold():
                almost.append(row.name)
        elif row.name.casefold() not in added and person not in people:
            added.add(row.name.casefold())
            people.append(new_person(row) if person is None else fill_gaps(person, row))
            if person is None and meant.known_at(at) and at not in picked:
                apart.append(row.name)
    new = [person for person in people if person.pk is None]
    guests = [person for person in people if person.pk is not None]
    if members_of(club).count() + len(people) > MOST_MEMBERS:
        raise Refused("too-many", _("A club can have at most %(most)d members.") % {"most": MOST_MEMBERS})
    for person in new:
        person.club = club
    Player.objects.bulk_create(new)
    if new:
        note_in_club(club=club, by=by, action="add-members", new=[member(person) for person in new])
    _make_members(club, guests, by)
    return Joined(people, guests, apart, almost)


@transaction.atomic
def take_in(*, club: Club, players: Sequence[Player], by: User | None, apart: bool = False) -> list[Player]:
    """Make guests of the club's events members, and return them. Guests with a member's name are skipped.

    apart: a guest with a member's name is a different person, and becomes a member too.
    """
    club = lock_club(club.pk)
    known = set() if apart else member_keys(club)
    taken = []
    for person in guests_of(club).filter(pk__in=[player.pk for player in players]).order_by("name", "pk"):
        key = name_key(person.name)
        if key not in known:
            taken.append(person)
        if not apart:
            known.add(key)
    _make_members(club, taken, by)
    return taken


def member_keys(club: Club) -> set[str]:
    """Return the members' names as keys for comparison (`name_key`)."""
    return {name_key(name) for name in members_of(club).values_list("name", flat=True)}


def _make_members(club: Club, guests: Sequence[Player], by: User | None) -> None:
    if not guests:
        return
    Player.objects.filter(pk__in=[person.pk for person in guests]).update(club=club)
    for person in guests:
        person.club = club
    note_in_club(club=club, by=by, action="take-in", new=[member(person) for person in guests])
    want_ratings([club.pk])


def guests_in_words(guests: Sequence[Player]) -> str:
    """Such as “2 were guests before: Ann and Bob.”"""
    count, named = len(guests), guests[:MOST_NAMED]
    if count > len(named):
        return _("%(count)d of them were guests before.") % {"count": count}
    words = ngettext("%(names)s was a guest before.", "%(names)s were guests before.", count)
    return words % {"names": names(named)}


def namesake(player: Player, name: str) -> Player | None:
    """Return another member of the club with this name, ignoring case, accents and order."""
    if player.club is None:
        return None
    others = members_of(player.club).exclude(pk=player.pk)
    return next((other for other in others if name_key(other.name) == name_key(name)), None)


@transaction.atomic
def change_member(
    *,
    player: Player,
    name: str,
    email: str,
    club_name: str,
    birthday: tuple[int, int] | None,
    by: User | None,
    notes: str | None = None,
    apart: bool = False,
) -> None:
    """Change a member's details. A new name also appears in their tournaments, whose logs record it.

    notes: None leaves them. apart: another member with this name is a different person; without it such a name raises
    `Refused("namesake")`.
    """
    tournaments = lock_tournaments_of(player.pk)
    person = lock_member(player)
    club = person.club
    if not apart and name_key(name) != name_key(person.name) and (other := namesake(person, name)):
        sentence = _("%(name)s is already a member. Merge the two, or tick that they are two people.")
        raise Refused("namesake", sentence % {"name": other.name}, fields={"name": [sentence % {"name": other.name}]})
    if (name, club_name) != (person.name, person.club_name):
        rename_person(person=person, name=name, club=club_name, by=by, tournaments=tournaments, apart=apart)
    month, day = birthday or (None, None)
    notes = person.notes if notes is None else notes
    private = {"email": email, "birth_month": month, "birth_day": day, "notes": notes}
    if any(getattr(person, field) != value for field, value in private.items()):
        for field, value in private.items():
            setattr(person, field, value)
        person.save(update_fields=list(private))
        if club is not None:
            note_in_club(club=club, by=by, action="change-member", new=member(person))


@transaction.atomic
def set_privacy(*, player: Player, by: User | None, **choices: bool) -> None:
    """Set what strangers see of a member: `profile_is_public`, `short_name`, `is_rated`."""
    person = lock_member(player)
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
    """Remove a member from the club. Results stay; a record without results or division is deleted.

    Clears the notes: the organisers of a later club would read them.
    """
    person = lock_member(player)
    club = person.club
    if club is None:
        return
    them = member(person)
    Player.objects.filter(merged_into=person).update(notes="")
    ClubInvitation.objects.filter(player=person, revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    try:
        with transaction.atomic():
            if person.divisions.exists():
                raise ProtectedError("In a division of a season.", {person})
            person.delete()
    except ProtectedError:
        left = {"club": None, "user": None, "profile_is_public": False, "notes": "", "card_generation": ENDED_CARD}
        Player.objects.filter(pk=player.pk).update(**left)
    note_in_club(club=club, by=by, action="remove-member", old=them)
    want_ratings([club.pk])


@dataclass(frozen=True)
class TickedMembers:
    """members: current ones, by name. gone: names of former ones."""

    members: tuple[Player, ...]
    gone: tuple[str, ...]


def ticked_members(club: Club, ids: Sequence[str]) -> TickedMembers:
    """Find members by public ids. Raises `Refused("unknown")` for an id that was never a member's."""
    plain = [public_id for public_id in ids if public_id.isalnum() and len(public_id) <= 12]
    found = {member.public_id: member for member in members_of(club).filter(public_id__in=plain)}
    gone = [_name_before(club, public_id) for public_id in plain if public_id not in found]
    if len(plain) < len(ids) or not all(gone):
        raise Refused("unknown", _("This page is outdated. Nothing changed; reload it."))
    return TickedMembers(
        tuple(sorted(found.values(), key=lambda member: (name_order(member.name), member.pk))), tuple(gone)
    )


def check_number_of_cards(count: int) -> None:
    """Raise `Refused` for too many member cards in a print."""
    if count > MOST_CARDS:
        sentence = _("Print at most %(most)d cards at a time: tick members on the list.")
        raise Refused("too-many", sentence % {"most": MOST_CARDS})


def _name_before(club: Club, public_id: str) -> str:
    """Return the name of a former member, from the merged record or the log; "" if there was none."""
    merged = Player.objects.filter(public_id=public_id, club=club).first()
    if merged is not None:
        return merged.name
    rows = ClubLogEntry.objects.filter(club=club, old__player_id=public_id)
    row = rows.order_by("-pk").first()
    return str(row.old.get("player", "")) if row and row.old else ""


@dataclass(frozen=True)
class RemovedMembers:
    """names: removed now. gone: removed before. refused: reasons why the others stay."""

    names: tuple[str, ...]
    gone: tuple[str, ...]
    refused: tuple[str, ...]


@transaction.atomic
def remove_members(*, club: Club, ids: Sequence[str], by: User | None) -> RemovedMembers:
    """Remove several members, as `remove_member` does. Raises `Refused` for an unknown id."""
    club = lock_club(club.pk)
    ticked = ticked_members(club, ids)
    removed, refused = [], []
    for member_ in ticked.members:
        name = member_.name
        try:
            remove_member(player=member_, by=by)
        except Conflict as conflict:
            refused.append(str(conflict))
        else:
            removed.append(name)
    return RemovedMembers(tuple(removed), ticked.gone, tuple(refused))


def lock_member(player: Player) -> Player:
    """Lock the club and return the current member. Raises `Conflict` if they have left."""
    if player.club_id is not None:
        lock_club(player.club_id)
    person = Player.objects.select_related("club", "user").filter(pk=player.pk, merged_into=None).first()
    if person is None or person.club is None:
        raise Conflict("no-member", _("%(name)s is no longer a member of the club.") % {"name": player})
    if person.erased_at is not None:
        raise Conflict("erased", _("This person was erased. That can’t be undone."))
    return person
