"""Members of teams, their two players, and the check that no person has two seats in a round."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.formats.teams import AT_TABLE
from league.lib.errors import Conflict, Refused
from league.lib.names import fold
from league.models import Entry, Player, Round, Seat, TeamMember, Tournament

SAME_NAME = "same-name"  # the code of a refusal that a form answers with “this is another person”


def members_of(entries: Iterable[Entry]) -> dict[int, list[TeamMember]]:
    """Return {entry id: team members, the captain first}; one query, none without entries."""
    keys = {entry.player_id: entry.pk for entry in entries}
    by_entry: dict[int, list[TeamMember]] = {key: [] for key in keys.values()}
    if not keys:
        return by_entry
    members = TeamMember.objects.filter(team__player__in=keys).select_related("player", "team")
    for member in members.order_by("number", "id"):
        by_entry[keys[member.team.player_id]].append(member)
    return by_entry


def names_of_teams(tournament: Tournament) -> dict[str, list[str]]:
    """Return {player_id: names of the team's members}; empty without teams."""
    entries = list(tournament.entries.all())
    members = members_of(entries)
    return {
        entry.public_id: [member.player.name for member in members[entry.pk]] for entry in entries if members[entry.pk]
    }


def usual_players(members: Sequence[TeamMember]) -> list[Player]:
    """Return a team's usual two players: the first two who aren't substitutes.

    A substitute replaces a member who was erased.
    """

    def order(member: TeamMember) -> tuple[bool, bool, int]:
        return member.player.erased_at is not None, member.is_substitute, member.number

    return [member.player for member in sorted(members, key=order)][:AT_TABLE]


Lineups = Mapping[int, Sequence[Player]]
"""By the key of the entry, those who play for it: places 0 and 1."""


def lineups_of(entries: Iterable[Entry]) -> dict[int, list[Player]]:
    return {key: usual_players(members) for key, members in members_of(entries).items()}


def check_free(people: Iterable[Player], rounds: Iterable[int], *, except_seats: Iterable[int] = ()) -> None:
    """Raise `Refused` if one of these people has a seat in these rounds (ids), other than `except_seats` (ids)."""
    people = list(people)
    sits = Q(substitute__in=people) | Q(substitute=None, entry__player__in=people)
    clash = _seats_at_tables(rounds).filter(sits).exclude(pk__in=except_seats).first()
    if clash is not None:
        raise _sits_already(clash)


def check_name(
    name: str,
    rounds: Iterable[int],
    *,
    field: str,
    except_seats: Iterable[int] = (),
) -> None:
    """Raise `Refused` at a form's `field` if a person of this name has a seat in these rounds (ids).

    `except_seats` (ids) are ignored, and so are case and accents.
    """
    folded = fold(name)
    for seat in _seats_at_tables(rounds).exclude(pk__in=except_seats):
        if fold(sitter(seat).name) == folded:
            raise namesake(_sits_already(seat).message, field)


def namesake(sentence: str, field: str) -> Refused:
    """Refuse a typed name that is on the list; the organiser may confirm that it is another person."""
    sentence = _("%(sentence)s Choose another name, or confirm that this is another person.") % {"sentence": sentence}
    return Refused(SAME_NAME, sentence, fields={field: [sentence]})


def check_no_one_sits_twice(played: Round) -> None:
    """Raise `Conflict` if a person (player, team member, substitute or stand-in) has two seats in the round."""
    first: dict[int, Seat] = {}
    for seat in _seats_at_tables([played.pk]):
        other = first.setdefault(sitter(seat).pk, seat)
        if other is not seat and other.table is not None and seat.table is not None:
            tables = {"first": other.table.number, "second": seat.table.number}
            where = (
                _("%(name)s has two seats at table %(first)d of round %(round)d.")
                if other.table == seat.table
                else _("%(name)s has a seat at table %(first)d and at table %(second)d of round %(round)d.")
            ) % {"name": seat.substitute or seat.entry, "round": played.number, **tables}
            raise Conflict("twice", _("%(where)s Change one of these seats first.") % {"where": where})


def sitter(seat: Seat) -> Player:
    """Return the person in a seat: the substitute or team member, otherwise the entry's own player."""
    return seat.substitute or seat.entry.player


def _seats_at_tables(rounds: Iterable[int]) -> QuerySet[Seat]:
    seats = Seat.objects.filter(round__in=rounds).exclude(table=None)
    related = seats.select_related("round", "table", "substitute", "entry__player")
    return related.order_by("round__number", "table__number", "number")


def _sits_already(seat: Seat) -> Refused:
    words = {
        "name": seat.substitute or seat.entry,
        "round": seat.round.number,
        "table": seat.table.number if seat.table else 0,
    }
    if seat.substitute is None:
        sentence = _("%(name)s already sits at table %(table)d in round %(round)d.") % words
    else:
        sentence = _("%(name)s already plays for “%(entry)s” in round %(round)d, at table %(table)d.")
        sentence = sentence % (words | {"entry": seat.entry})
    return Refused("twice", sentence, fields={"name": [sentence]})
