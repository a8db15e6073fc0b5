"""The people that a club knows: its members and the guests of its events, found by the names of a list.

A name of someone known is the same person, so that events add up without anyone becoming a member. Only people of the
club may meet its guests by name (`sees_members`): for everyone else, and for sign-ups, a name alone proves nothing.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache

from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from league.access.clubs import clubs_of
from league.access.members import members_of
from league.lib.names import fold, name_key
from league.models import Club, Entry, Player, SignUp, TeamMember, Tournament, User


@dataclass(frozen=True)
class Known:
    """Someone the club knows. events: earlier ones of the club; last: the day of the latest.

    is_swapped: the list has first and last name in the other order.
    """

    player: Player
    events: int = 0
    last: date | None = None
    is_swapped: bool = False

    @property
    def is_member(self) -> bool:
        return self.player.club_id is not None


@dataclass(frozen=True)
class KnownPeople:
    """The members and guests of a tournament's club that a list may name, without those who are on its list."""

    by_key: Mapping[str, Sequence[Player]] = field(default_factory=dict)
    events: Mapping[int, tuple[int, date]] = field(default_factory=dict)

    def named(self, name: str) -> list[Known]:
        """Return who may be meant by a name: those with exactly this name first, members before guests."""
        folded = fold(name)
        found = []
        for player in self.by_key.get(name_key(name), ()):
            events, last = self.events.get(player.pk, (0, None))
            found.append(Known(player, events, last, is_swapped=fold(player.name) != folded))
        return sorted(found, key=lambda one: (one.is_swapped, not one.is_member, -one.events, one.player.pk))

    def certain(self, name: str) -> Player | None:
        """Return the one person who must be meant; of a member and guests of one name the member, as ever."""
        exact = [one for one in self.named(name) if not one.is_swapped]
        members = [one for one in exact if one.is_member]
        sure = exact if len(exact) == 1 else members
        return sure[0].player if len(sure) == 1 else None


def sees_members(by: User | None, tournament: Tournament) -> bool:
    """Return whether an account is one of the own people of a tournament's club."""
    if by is None or tournament.club_id is None:
        return False
    return by.is_superuser or clubs_of(by).filter(pk=tournament.club_id).exists()


def known_people(tournament: Tournament, names: Iterable[str], *, guests: bool) -> KnownPeople:
    """Return the people of the club who may be meant by these names; no one in a tournament without a club.

    guests: its earlier guests too, for whom `sees_members`.
    """
    club = tournament.club
    if club is None:
        return KnownPeople()
    people = people_of(club) if guests else members_of(club)
    return _known_of(club, people.exclude(entries__tournament=tournament), names)


def known_to_club(club: Club, names: Iterable[str]) -> KnownPeople:
    """Return the members and earlier guests of a club who may be meant by these names."""
    return _known_of(club, people_of(club), names)


def _known_of(club: Club, people: QuerySet[Player], names: Iterable[str]) -> KnownPeople:
    wanted = {name_key(name) for name in names}
    if not wanted:
        return KnownPeople()
    found: dict[str, list[Player]] = defaultdict(list)
    for player in people.order_by("pk"):
        is_free_place = player.club_id is None and is_place_name(player.name)
        if (key := name_key(player.name)) in wanted and not is_free_place:
            found[key].append(player)
    return KnownPeople(found, events_of(club, [player for group in found.values() for player in group]))


def people_of(club: Club) -> QuerySet[Player]:
    """Return the members of a club and the guests of its events."""
    return (members_of(club) | guests_of_all_events(club)).distinct()


def guests_of_all_events(club: Club) -> QuerySet[Player]:
    """Return people of no club who were on a list of one of the club's events, alone or in a team."""
    events = Tournament.objects.events().filter(club=club)
    entries = Entry.objects.filter(tournament__in=events, bot="").exclude(status=Entry.Status.STANDIN)
    in_teams = TeamMember.objects.filter(team__player__in=entries.values("player"))
    here = Q(pk__in=entries.values("player")) | Q(pk__in=in_teams.values("player"))
    return Player.objects.filter(here, club=None, merged_into=None, erased_at=None, team=None)


def signed_up_publicly(people: Collection[int]) -> set[int]:
    """Return the keys of those people who typed their name on a public page, so that it may be another's."""
    public = SignUp.objects.exclude(email="", language="")
    found = {*public.filter(entry__player__in=people).values_list("entry__player", flat=True)}
    return found | {*public.filter(person__in=people).values_list("person", flat=True)}


def events_of(club: Club, people: Sequence[Player]) -> dict[int, tuple[int, date]]:
    """{key of a player: number of the club's events with them, and the day of the last}"""
    events = Tournament.objects.events().filter(club=club)
    played = Entry.objects.filter(tournament__in=events, player__in=people).order_by().values("player")
    counted = played.annotate(played=Count("pk"), last=Max("tournament__starts_on"))
    return {row["player"]: (row["played"], row["last"]) for row in counted}


def place_name(number: int) -> str:
    """Return what a place of a list is called until it has a name, in the language of the organiser who makes it."""
    return _("Player %(number)d") % {"number": number}


def is_place_name(name: str) -> bool:
    """Whether a name is only a place’s, “Player 3”, in any language of the product."""
    return bool(_place_names().fullmatch(name))


@cache
def _place_names() -> re.Pattern[str]:
    patterns = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            patterns.append(re.escape(place_name(7)).replace("7", "[0-9]{1,4}"))
    return re.compile("|".join(patterns))
