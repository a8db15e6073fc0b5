"""The person behind a name on a tournament's list: a member of its club, else somebody new."""

from collections.abc import Sequence
from typing import Protocol

from league.access.members import Unlisted, member_named, member_of_address
from league.ledger.locks import lock_club
from league.models import Player, SignUp, Tournament


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


def persons_of(tournament: Tournament, players: Sequence[NewPlayer]) -> list[Player]:
    """The persons of a roster, in its order. A club member's own details stay; missing ones are filled in."""
    _lock_club_of(tournament)
    members = Unlisted(tournament)
    people = [_fill_gaps(known, row) if (known := members.take(row.name)) else new_person(row) for row in players]
    Player.objects.bulk_create(person for person in people if person.pk is None)
    return people


def new_person(row: NewPlayer) -> Player:
    """A new person, not saved yet."""
    month, day = row.birthday or (None, None)
    return Player(name=row.name, club_name=row.club, email=row.email, birth_month=month, birth_day=day)


def _fill_gaps(member: Player, row: NewPlayer) -> Player:
    if row.email and not member.email:
        member.email = row.email
        member.save(update_fields=["email"])
    if row.birthday and not member.birthday:
        member.birth_month, member.birth_day = row.birthday
        member.save(update_fields=["birth_month", "birth_day"])
    return member


def person_called(tournament: Tournament, name: str, club: str = "") -> Player:
    """The person an organiser means by a name: a member of the club, else a new one."""
    _lock_club_of(tournament)
    return member_named(tournament, name) or Player.objects.create(name=name, club_name=club)


def person_of_sign_up(sign_up: SignUp) -> Player:
    """The person who signed up: a member with this name and address; by the name alone if an organiser typed it."""
    tournament = sign_up.tournament
    _lock_club_of(tournament)
    known = None
    if sign_up.email:
        known = member_of_address(tournament, name=sign_up.name, email=sign_up.email)
    elif sign_up.is_of_organiser:
        known = member_named(tournament, sign_up.name)
    fresh = {"name": sign_up.name, "club_name": sign_up.club_name, "email": sign_up.email}
    return known or Player.objects.create(**fresh)


def _lock_club_of(tournament: Tournament) -> None:
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
