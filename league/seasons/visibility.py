"""What a viewer may see of a season's tournaments and players, for pages, files and the API.

A season may include hidden tournaments. Strangers see their day and points, but no address. Players who played only
there have no name for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.models import Player, Tournament
from league.seasons.table import SeasonTable


@dataclass(frozen=True)
class Seen:
    """evenings: visible tournament keys. unnamed: keys of players without a name. access None: sees everything."""

    access: ClubAccess | None
    evenings: frozenset[int]
    unnamed: frozenset[int]

    def name_of(self, player: Player) -> str:
        if player.pk in self.unnamed:
            return _("Guest")
        return player.name if self.access is None else self.access.name_of(player)

    def id_of(self, player: Player) -> str | None:
        """Return the public id of a named player, else None."""
        return None if player.pk in self.unnamed else player.public_id


def seen_by(access: ClubAccess | None, table: SeasonTable) -> Seen:
    """Return the viewer's visibility. At most one query; none if all tournaments are public."""
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
