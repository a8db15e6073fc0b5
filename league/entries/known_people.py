"""People known to a club, its members and past guests, matched with the names of a list.

A known name means the same person, so results add up without membership. Only the club's own people may match guests by
name (`sees_members`). For others, and for sign-ups, a name proves nothing.
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
    """A person known to the club. events: number of its events. last: day of the latest.

    is_swapped: the list has the last name first.
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
    """The members and guests a list may name, without those already listed."""

    by_key: Mapping[str, Sequence[Player]] = field(default_factory=dict)
    events: Mapping[int, tuple[int, date]] = field(default_factory=dict)

    def named(self, name: str) -> list[Known]:
        """Return people with this name: exact matches first, members before guests."""
        folded = fold(name)
        found = []
        for player in self.by_key.get(name_key(name), ()):
            events, last = self.events.get(player.pk, (0, None))
            found.append(Known(player, events, last, is_swapped=fold(player.name) != folded))
        return sorted(found, key=lambda one: (one.is_swapped, not one.is_member, -one.events, one.player.pk))

    def certain(self, name: str) -> Player | None:
        """Return the only possible person; a member wins over guests of the same name."""
        exact = [one for one in self.named(name) if not one.is_swapped]
        members = [one for one in exact if one.is_member]
        sure = exact if len(exact) == 1 else members
        return sure[0].player if len(sure) == 1 else None


def sees_members(by: User | None, tournament: Tournament) -> bool:
    """Return whether an account belongs to the tournament's club."""
    if by is None or tournament.club_id is None:
        return False
    return by.is_superuser or clubs_of(by).filter(pk=tournament.club_id).exists()


def known_people(tournament: Tournament, names: Iterable[str], *, guests: bool) -> KnownPeople:
    """Return the club's people with these names; empty without a club.

    guests: include past guests, if `sees_members`.
    """
    club = tournament.club
    if club is None:
        return KnownPeople()
    people = people_of(club) if guests else members_of(club)
    return _known_of(club, people.exclude(entries__tournament=tournament), names)


def known_to_club(club: Club, names: Iterable[str]) -> KnownPeople:
    """Return the members and past guests of a club with these names."""
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
    """Return people without a club who were listed at one of the club's events, alone or in a team."""
    events = Tournament.objects.events().filter(club=club)
    entries = Entry.objects.filter(tournament__in=events, bot="").exclude(status=Entry.Status.STANDIN)
    in_teams = TeamMember.objects.filter(team__player__in=entries.values("player"))
    here = Q(pk__in=entries.values("player")) | Q(pk__in=in_teams.values("player"))
    return Player.objects.filter(here, club=None, merged_into=None, erased_at=None, team=None)


def signed_up_publicly(people: Collection[int]) -> set[int]:
    """Return the keys of people who typed their own name on a public page, so it proves nothing."""
    public = SignUp.objects.exclude(email="", language="")
    found = {*public.filter(entry__player__in=people).values_list("entry__player", flat=True)}
    return found | {*public.filter(person__in=people).values_list("person", flat=True)}


def events_of(club: Club, people: Sequence[Player]) -> dict[int, tuple[int, date]]:
    """Return {player key: (number of the club's events, day of the last)}."""
    events = Tournament.objects.events().filter(club=club)
    played = Entry.objects.filter(tournament__in=events, player__in=people).order_by().values("player")
    counted = played.annotate(played=Count("pk"), last=Max("tournament__starts_on"))
    return {row["player"]: (row["played"], row["last"]) for row in counted}


def place_name(number: int) -> str:
    """Return the placeholder of a place without a name, in the organiser's language."""
    return _("Player %(number)d") % {"number": number}


def is_place_name(name: str) -> bool:
    """Return whether a name is a placeholder such as “Player 3”, in any language."""
    return bool(_place_names().fullmatch(name))


@cache
def _place_names() -> re.Pattern[str]:
    patterns = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            patterns.append(re.escape(place_name(7)).replace("7", "[0-9]{1,4}"))
    return re.compile("|".join(patterns))
