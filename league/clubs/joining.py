"""Match names of a list of new members with members, guests and new people."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from league.entries.known_people import Known, known_to_club, signed_up_publicly
from league.entries.list_preview import Meant
from league.entries.persons import NewPlayer
from league.lib.names import fold
from league.models import Club, Player


@dataclass(frozen=True)
class Joining(Meant):
    """Matches for the rows of a list of new members.

    unsure: indexes of rows whose known person may be someone else.
    """

    unsure: Collection[int] = ()
    joins_club: ClassVar[bool] = True

    @property
    def is_doubtful(self) -> bool:
        """Return whether an organiser must decide. Members are skipped and certain guests added without asking."""
        return bool(self.unsure)

    def settled_at(self, at: int) -> Player | None:
        """Return the known person for a row, certain or chosen.

        A name close to a member's name counts as that member.
        """
        if at < len(self.listed) and isinstance(listed := self.listed[at], Player):
            return listed
        if at in self.picked or at not in self.unsure:
            return self.chosen_at(at)
        return next((one.player for one in self.known_at(at) if one.is_member), None)


def who_joins(club: Club, rows: Sequence[NewPlayer], picked: Mapping[int, str]) -> Joining:
    """Match the rows of a list with the club's members and guests."""
    people = known_to_club(club, [row.name for row in rows])
    options = [people.named(row.name) for row in rows]
    members = [_member(row, found) for row, found in zip(rows, options, strict=True)]
    known = [[] if member else found for member, found in zip(members, options, strict=True)]
    public = signed_up_publicly({one.player.pk for found in known for one in found})
    pairs = enumerate(zip(rows, known, strict=True))
    unsure = {at for at, (row, found) in pairs if found and not _is_certain(row, found, public)}
    return Joining(rows, known, members, picked, unsure)


def _member(row: NewPlayer, found: Sequence[Known]) -> Player | None:
    """Return the member with this name, ignoring case."""
    same = (one.player for one in found if one.is_member and one.player.name.casefold() == row.name.casefold())
    return next(same, None)


def _is_certain(row: NewPlayer, found: Sequence[Known], public: Collection[int]) -> bool:
    """Return whether only one guest matches, with no contradicting detail."""
    one, player = found[0], found[0].player
    if len(found) > 1 or one.is_member or one.is_swapped or player.pk in public:
        return False
    other_address = bool(row.email and player.email) and row.email.casefold() != player.email.casefold()
    other_club = bool(row.club and player.club_name) and fold(row.club) != fold(player.club_name)
    other_birthday = bool(row.birthday and player.birthday) and row.birthday != player.birthday
    return not (other_address or other_club or other_birthday)
