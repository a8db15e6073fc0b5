"""The members of a club to tick while a tournament is made: those of last time are ticked first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db.models import Max, Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.access.members import members_of
from league.lib.names import name_key
from league.lib.translate import name_order, names
from league.models import Club, Player, Tournament
from league.pages.people_list import FEW, ListFilters, ListOf, PeopleList, PersonRow, ViewOf, people_list

FORM, FIELD = "new", "member"
NAMED = 3  # who is ticked, above the folded list


@dataclass(frozen=True)
class MembersToTick:
    """club: the name; slug: of the club whose members these are, for the form to tell. ticked: who is, in words.

    is_open: they are so few that nothing is folded away.
    """

    club: str
    slug: str
    people: PeopleList
    ticked: str = ""
    is_open: bool = False


def ticked_of(club: Club | None, ids: Collection[str]) -> tuple[Player, ...]:
    """Return the members of the club with these ids. Ids of a previously chosen club are dropped."""
    plain = [public_id for public_id in ids if public_id.isalnum() and len(public_id) <= 12]
    return tuple(members_of(club).filter(public_id__in=plain)) if club is not None and plain else ()


def ids_of_last_time(club: Club) -> frozenset[str]:
    """Return the ids of members who are on the list of the club's latest event."""
    events = Tournament.objects.events().filter(club=club).exclude(state=Tournament.State.PLANNED)
    last = events.order_by("-starts_on", "-pk").first()
    if last is None:
        return frozenset()
    return frozenset(members_of(club).filter(entries__tournament=last).values_list("public_id", flat=True))


def members_to_tick(club: Club, filters: ListFilters) -> MembersToTick:
    """Return the list for the club; those of last time are the first view, if there was one."""
    before = ids_of_last_time(club)
    begun = Q(entries__tournament__club=club) & ~Q(entries__tournament__state=Tournament.State.PLANNED)
    members = list(members_of(club).annotate(last=Max("entries__tournament__starts_on", filter=begun)))
    views = (
        ViewOf[Player]("last", _("Last time"), lambda member: member.public_id in before),
        ViewOf[Player]("all", _("All")),
    )
    of = ListOf(
        url=f"{reverse('new_members')}?club={club.slug}",
        find=_("Find a member"),
        id_of=lambda member: member.public_id,
        name_of=lambda member: member.name,
        row=_row,
        views=views if before else (),
        nothing=_("No one in this part of the list."),
        form=FORM,
        field=FIELD,
    )
    ticked = sorted((member.name for member in members if member.public_id in filters.ticked), key=name_order)
    is_open = len(members) <= FEW
    return MembersToTick(club.name, club.slug, people_list(members, of, filters), ticked_in_words(ticked), is_open)


def ticked_in_words(ticked: Sequence[str]) -> str:
    """Return “Ana, Benoît, Chidi and 13 more”; the whole list is folded away."""
    if not ticked:
        return _("no one")
    more = len(ticked) - NAMED
    return names([*ticked[:NAMED], _("%(count)d more") % {"count": more}] if more > 1 else ticked)


def _row(member: Player) -> PersonRow:
    last = getattr(member, "last", None)
    line = _("last on %(day)s") % {"day": date_format(last, _("j F Y"))} if last else _("no tournament yet")
    return PersonRow(member.public_id, member.name, line)


def first_ticks(club: Club) -> ListFilters:
    return replace(ListFilters(), ticked=ids_of_last_time(club))


def typed_twice(typed: Sequence[str], members: Sequence[Player]) -> set[str]:
    """Return the typed names that match a ticked member, who plays once."""
    ticked = {name_key(member.name) for member in members}
    return {name for name in typed if name_key(name) in ticked}
