"""Who is meant by a name on a tournament's list: a member of its club, else somebody new."""

from collections.abc import Sequence
from typing import Protocol

from league.access.members import Unlisted, named, of_address
from league.ledger.locks import lock_club
from league.models import Player, SignUp, Tournament


class NewPlayer(Protocol):
    """What a roster row brings (league/entries/roster/parse.py)."""

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
    """The persons of a roster, in its order. A member of the club keeps what they have, and gets what they lacked."""
    _lock_club_of(tournament)
    members = Unlisted(tournament)
    people = [_filled(known, row) if (known := members.take(row.name)) else new_person(row) for row in players]
    Player.objects.bulk_create(one for one in people if one.pk is None)
    return people


def new_person(row: NewPlayer) -> Player:
    """Not saved yet."""
    month, day = row.birthday or (None, None)
    return Player(name=row.name, club_name=row.club, email=row.email, birth_month=month, birth_day=day)


def _filled(member: Player, row: NewPlayer) -> Player:
    if row.email and not member.email:
        member.email = row.email
        member.save(update_fields=["email"])
    if row.birthday and not member.birthday:
        member.birth_month, member.birth_day = row.birthday
        member.save(update_fields=["birth_month", "birth_day"])
    return member


def person_called(tournament: Tournament, name: str, club: str = "") -> Player:
    """Whom an organiser means who types a name."""
    _lock_club_of(tournament)
    return named(tournament, name) or Player.objects.create(name=name, club_name=club)


def person_of_sign_up(sign_up: SignUp) -> Player:
    """Who signed up: a member by name and address; where an organiser typed the name, and no address, by that alone."""
    tournament = sign_up.tournament
    _lock_club_of(tournament)
    if sign_up.email:
        known = of_address(tournament, name=sign_up.name, email=sign_up.email)
    else:
        known = named(tournament, sign_up.name)
    fresh = {"name": sign_up.name, "club_name": sign_up.club_name, "email": sign_up.email}
    return known or Player.objects.create(**fresh)


def _lock_club_of(tournament: Tournament) -> None:
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
