"""The person behind a name on a tournament's list: someone the club knows, else a new person."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from league.access.members import member_of_address
from league.entries.known_people import known_people, sees_members
from league.ledger.locks import lock_club
from league.models import Player, SignUp, Tournament, User


class NewPlayer(Protocol):
    """What a row of a roster has (league/entries/roster/rows.py)."""

    @property
    def name(self) -> str: ...
    @property
    def club(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def birthday(self) -> tuple[int, int] | None: ...
    @property
    def members(self) -> Sequence["NewPlayer"]: ...  # of a team


Chosen = Mapping[int, Player | None]
"""By the place of a row in its list, from 0: the person who is meant, or None for a new person."""

NO_CHOICE: Chosen = MappingProxyType({})
NEW = "new"  # chosen instead of a known person: a new one


def persons_of(
    tournament: Tournament, players: Sequence[NewPlayer], *, guests: bool, chosen: Chosen = NO_CHOICE
) -> list[Player]:
    """Return the persons of a roster, in its order. What is known of a person stays; missing details are filled in.

    Where nothing is chosen for a row, it is the one whom the club knows by that name, if there is only one
    (known_people.py). guests: whether that may be an earlier guest of the club.
    """
    lock_club_of(tournament)
    known = known_people(tournament, [row.name for row in players], guests=guests)
    people: list[Player] = []
    for at, row in enumerate(players):
        person = chosen[at] if at in chosen else known.certain(row.name)
        if person is None or any(person == other for other in people):
            people.append(new_person(row))
        else:
            people.append(fill_gaps(person, row))
    Player.objects.bulk_create(person for person in people if person.pk is None)
    return people


def new_person(row: NewPlayer) -> Player:
    """A new person, not saved yet."""
    month, day = row.birthday or (None, None)
    return Player(name=row.name, club_name=row.club, email=row.email, birth_month=month, birth_day=day)


def fill_gaps(member: Player, row: NewPlayer) -> Player:
    """Fill in what is not known of a person, and note it in their `filled`, so that it can be undone."""
    filled: dict[str, str | int] = {}
    if row.email and not member.email:
        member.email = filled["email"] = row.email
        member.save(update_fields=["email"])
    if row.birthday and not member.birthday:
        member.birth_month, member.birth_day = row.birthday
        filled |= {"birth_month": member.birth_month, "birth_day": member.birth_day}
        member.save(update_fields=["birth_month", "birth_day"])
    member.filled = filled  # type: ignore[attr-defined]
    return member


def person_called(tournament: Tournament, name: str, club: str = "", *, by: User | None, who: str = "") -> Player:
    """Return the person whom `by` means by a name: a member, or for those who see the members an earlier guest; else
    a new person.

    who: what was chosen of several of that name, a public id or NEW.
    """
    lock_club_of(tournament)
    known = known_people(tournament, [name], guests=sees_members(by, tournament))
    person = known.certain(name)
    if who:
        person = next((one.player for one in known.named(name) if one.player.public_id == who), None)
    return person or Player.objects.create(name=name, club_name=club)


def person_of_sign_up(sign_up: SignUp, *, by: User | None = None) -> Player:
    """Return the person who signed up: a member with this name and address.

    By the name alone if an organiser typed it; `by` is the organiser who types it now and may mean an earlier guest.
    """
    tournament = sign_up.tournament
    lock_club_of(tournament)
    known = None
    if sign_up.email:
        known = member_of_address(tournament, name=sign_up.name, email=sign_up.email)
    elif sign_up.is_of_organiser:
        people = known_people(tournament, [sign_up.name], guests=sees_members(by, tournament))
        known = people.certain(sign_up.name)
    fresh = {"name": sign_up.name, "club_name": sign_up.club_name, "email": sign_up.email}
    return known or Player.objects.create(**fresh)


def lock_club_of(tournament: Tournament) -> None:
    """Lock the tournament's club, so that no one whom it knows is removed, joined or added meanwhile."""
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
