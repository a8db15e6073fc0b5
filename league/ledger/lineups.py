"""Who belongs to a team, and who of it plays."""

from collections.abc import Iterable, Mapping, Sequence

from league.formats.teams import AT_TABLE
from league.models import Entry, Player, TeamMember, Tournament


def members_of(entries: Iterable[Entry]) -> dict[int, list[TeamMember]]:
    """The members of each team by the key of its entry, the captain first; one query, and none for no entries."""
    keys = {entry.player_id: entry.pk for entry in entries}
    found: dict[int, list[TeamMember]] = {key: [] for key in keys.values()}
    if not keys:
        return found
    members = TeamMember.objects.filter(team__player__in=keys).select_related("player", "team")
    for one in members.order_by("number", "id"):
        found[keys[one.team.player_id]].append(one)
    return found


def names_of_teams(tournament: Tournament) -> dict[str, list[str]]:
    """{player_id: the names of the team's members}, of a tournament of teams; empty of any other."""
    entries = list(tournament.entries.all())
    members = members_of(entries)
    return {entry.public_id: [one.player.name for one in members[entry.pk]] for entry in entries if members[entry.pk]}


def who_plays(members: Sequence[TeamMember]) -> list[Player]:
    """The two who sit down unless somebody says otherwise: the first who are no substitutes."""
    return [one.player for one in sorted(members, key=lambda one: (one.is_substitute, one.number))][:AT_TABLE]


Lineups = Mapping[int, Sequence[Player]]
"""By the key of the entry, who plays for it: places 0 and 1."""


def lineups_of(entries: Iterable[Entry]) -> dict[int, list[Player]]:
    return {key: who_plays(members) for key, members in members_of(entries).items()}
