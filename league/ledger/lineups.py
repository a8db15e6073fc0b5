"""Who belongs to a team, and which two of them play."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from league.formats.teams import AT_TABLE
from league.lib.errors import Refused
from league.models import Entry, Player, Seat, TeamMember, Tournament


def members_of(entries: Iterable[Entry]) -> dict[int, list[TeamMember]]:
    """The members of each team by the key of its entry, the captain first; one query, none without entries."""
    keys = {entry.player_id: entry.pk for entry in entries}
    by_entry: dict[int, list[TeamMember]] = {key: [] for key in keys.values()}
    if not keys:
        return by_entry
    members = TeamMember.objects.filter(team__player__in=keys).select_related("player", "team")
    for member in members.order_by("number", "id"):
        by_entry[keys[member.team.player_id]].append(member)
    return by_entry


def names_of_teams(tournament: Tournament) -> dict[str, list[str]]:
    """{player_id: the names of the team's members}, of a tournament of teams; empty of any other."""
    entries = list(tournament.entries.all())
    members = members_of(entries)
    return {
        entry.public_id: [member.player.name for member in members[entry.pk]] for entry in entries if members[entry.pk]
    }


def usual_players(members: Sequence[TeamMember]) -> list[Player]:
    """The two who sit down unless somebody says otherwise: the first two who are no substitutes."""
    return [member.player for member in sorted(members, key=lambda member: (member.is_substitute, member.number))][
        :AT_TABLE
    ]


Lineups = Mapping[int, Sequence[Player]]
"""By the key of the entry, those who play for it: places 0 and 1."""


def lineups_of(entries: Iterable[Entry]) -> dict[int, list[Player]]:
    return {key: usual_players(members) for key, members in members_of(entries).items()}


def check_free(people: Iterable[Player], rounds: Iterable[int], *, beside: Iterable[int] = ()) -> None:
    """Raises `Refused` if one of these people plays in one of the rounds (keys) in another seat than those with the
    keys `beside`."""
    taken = Seat.objects.filter(round__in=rounds, substitute__in=people).exclude(pk__in=beside)
    clash = taken.select_related("round", "substitute", "entry__player").order_by("round__number", "pk").first()
    if clash is not None:
        sentence = _("%(name)s plays for “%(team)s” in round %(round)d already. Choose somebody else.")
        about = {"name": clash.substitute, "team": clash.entry, "round": clash.round.number}
        raise Refused("twice", sentence % about, fields={"name": [sentence % about]})
