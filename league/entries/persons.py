"""Find the person behind a listed name, or create one."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from league.access.members import member_of_address
from league.entries.known_people import known_people, sees_members
from league.ledger.locks import lock_club
from league.models import Player, SignUp, Tournament, User


class NewPlayer(Protocol):
    """The data of a roster row (league/entries/roster/rows.py)."""

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
"""The person meant by each row, by its place from 0; None for a new person."""

NO_CHOICE: Chosen = MappingProxyType({})
NEW = "new"  # choice of a new person over a known one


def persons_of(
    tournament: Tournament, players: Sequence[NewPlayer], *, guests: bool, chosen: Chosen = NO_CHOICE
) -> list[Player]:
    """Return the people of a roster, in order. Known details stay; missing ones are filled in.

    Without a choice, a row means the only person the club knows by that name (known_people.py). guests: past guests of
    the club may match.
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
    """Return an unsaved person."""
    month, day = row.birthday or (None, None)
    return Player(name=row.name, club_name=row.club, email=row.email, birth_month=month, birth_day=day)


def fill_gaps(member: Player, row: NewPlayer) -> Player:
    """Fill in missing details of a person, and list them in `filled` for undo."""
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
    """Return the person `by` means by a name: a member, a past guest (if `by` sees the members), or a new person.

    who: the choice among namesakes, a public id or NEW.
    """
    lock_club_of(tournament)
    known = known_people(tournament, [name], guests=sees_members(by, tournament))
    person = known.certain(name)
    if who:
        person = next((one.player for one in known.named(name) if one.player.public_id == who), None)
    return person or Player.objects.create(name=name, club_name=club)


def person_of_sign_up(sign_up: SignUp, *, by: User | None = None) -> Player:
    """Return the person who signed up: a member with this name and address.

    by: the organiser who typed the name. Then the name alone is enough, and past guests match too.
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
    """Lock the tournament's club, so that its people don't change until the commit."""
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
