"""What a viewer may know of the evenings and players of a season: for its page, its files and the API.

A season may count evenings that not everybody may find. A stranger reads their day and points, but no address. Players
who have played only in such evenings are unknown to the stranger, and have no name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.models import Player, Tournament
from league.seasons.table import SeasonTable


@dataclass(frozen=True)
class Seen:
    """evenings: keys of the tournaments that the viewer may find. unnamed: keys of players. access None: sees all."""

    access: ClubAccess | None
    evenings: frozenset[int]
    unnamed: frozenset[int]

    def name_of(self, player: Player) -> str:
        if player.pk in self.unnamed:
            return _("Guest")
        return player.name if self.access is None else self.access.name_of(player)

    def id_of(self, player: Player) -> str | None:
        """Return the public id of a player who has a name here, else None."""
        return None if player.pk in self.unnamed else player.public_id


def seen_by(access: ClubAccess | None, table: SeasonTable) -> Seen:
    """At most one query; none where all evenings are public."""
    evenings = _visible_keys(access, [evening.tournament for evening in table.evenings])
    if access is None or access.inside or len(evenings) == len(table.evenings):
        return Seen(access, evenings, frozenset())
    played: set[int] = set()
    known: set[int] = set()
    for division in table.divisions:
        for line in division.lines:
            for evening, result in zip(table.evenings, line.results, strict=True):
                if result is not None:
                    played.add(line.player.pk)
                    if evening.tournament.pk in evenings:
                        known.add(line.player.pk)
    return Seen(access, evenings, frozenset(played - known))


def _visible_keys(access: ClubAccess | None, tournaments: Sequence[Tournament]) -> frozenset[int]:
    keys = frozenset(tournament.pk for tournament in tournaments)
    if access is None or all(tournament.visibility == Tournament.Visibility.PUBLIC for tournament in tournaments):
        return keys
    return frozenset(access.tournaments().filter(pk__in=keys).values_list("pk", flat=True))
