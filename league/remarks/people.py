"""The persons of an entry: the player, or the members of a team."""

from collections.abc import Iterable

from league.ledger.lineups import members_of
from league.models import Entry, Player


def people_of(entries: Iterable[Entry]) -> dict[int, list[Player]]:
    """Return {entry id: persons, captains first}; one query more with teams."""
    entries = list(entries)
    if not entries or not entries[0].tournament.stage.has_teams:
        return {entry.pk: [entry.player] for entry in entries}
    teams = members_of(entries)
    return {entry.pk: [member.player for member in teams[entry.pk]] or [entry.player] for entry in entries}


def persons_of(entry: Entry) -> list[Player]:
    return people_of([entry])[entry.pk]
