"""The member list as a value: search, and for organisers bulk actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import shorten

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.access.rights import InClub
from league.clubs.members import RemovedMembers
from league.models import Club, Player, Season
from league.pages.confirm import Confirmation, Way
from league.pages.links import Link
from league.pages.people_list import (
    Bulk,
    BulkAction,
    ListFilters,
    ListOf,
    PeopleList,
    PersonRow,
    Ticks,
    ViewOf,
    in_names,
    people_list,
)

PLACE, JOIN, CARDS, REMOVE = "place", "join", "cards", "remove"
ACTIONS = (PLACE, JOIN, CARDS, REMOVE)
MOST_OF_NOTES = 40  # characters in the list; the member's page has all


@dataclass(frozen=True)
class MemberLine:
    """A member by the name the viewer may see. evenings: number of tournaments. last: day of the latest."""

    player: Player
    name: str
    opens: bool
    is_mine: bool
    evenings: int
    last: date | None


def season_with_divisions(club: Club) -> Season | None:
    """Return the newest open season with divisions."""
    return club.seasons.filter(closed_at=None, divisions__isnull=False).order_by("-pk").distinct().first()


def members_list(access: ClubAccess, lines: Sequence[MemberLine], filters: ListFilters) -> PeopleList:
    has_notes = access.manages and any(line.player.notes for line in lines)
    people = ListOf(
        url=reverse("members", args=[access.club.slug]),
        find=_("Find a member"),
        id_of=lambda line: line.player.public_id,
        name_of=lambda line: line.name,
        row=lambda line: _row(access, line, has_notes=has_notes),
        views=_views(lines),
        columns=(_("Tournaments"), _("Last tournament"), *([_("Notes")] if has_notes else ())),
        bulk=_bulk(access),
    )
    return people_list(lines, people, filters)


def _views(lines: Sequence[MemberLine]) -> tuple[ViewOf[MemberLine], ...]:
    if len({bool(line.evenings) for line in lines}) < 2:
        return ()
    return (
        ViewOf("all", _("All")),
        ViewOf("played", _("Have played"), lambda line: bool(line.evenings)),
        ViewOf("new", _("Not yet"), lambda line: not line.evenings),
    )


def _bulk(access: ClubAccess) -> Bulk | None:
    if not access.manages:
        return None
    place = []
    if access.may(InClub.SEASONS) and season_with_divisions(access.club):
        place.append(BulkAction(PLACE, _("Division")))
    merge, remove = BulkAction(JOIN, _("Merge")), BulkAction(REMOVE, _("Remove"))
    actions = (*place, merge, BulkAction(CARDS, _("Print cards")), remove)
    return Bulk(reverse("members_ticked", args=[access.club.slug]), actions)


def _row(access: ClubAccess, line: MemberLine, *, has_notes: bool) -> PersonRow:
    """has_notes: show the notes column."""
    slug, public_id = access.club.slug, line.player.public_id
    last = date_format(line.last, _("j F Y")) if line.last else ""
    text = _("No tournament yet")
    if line.evenings:
        words = ngettext("%(count)s tournament, %(last)s", "%(count)s tournaments, last on %(last)s", line.evenings)
        text = words % {"count": line.evenings, "last": last}
    notes = shorten(line.player.notes, MOST_OF_NOTES, placeholder="…") if has_notes else ""
    edit = Link(_("Edit"), reverse("edit_member", args=[slug, public_id])) if access.manages else None
    return PersonRow(
        id=public_id,
        name=line.name,
        line=f"{notes} · {text}" if notes else text,
        cells=(str(line.evenings), last, *([notes] if has_notes else ())),
        url=reverse("profile", args=[slug, public_id]) if line.opens else "",
        mark=_("(you)") if line.is_mine else "",
        link=edit,
    )


def remove_question(access: ClubAccess, members: Sequence[Player], ticks: Ticks) -> Confirmation:
    """Confirm removing several members."""
    club, count = access.club, len(members)
    title = ngettext("Remove %(count)d member?", "Remove %(count)d members?", count) % {"count": count}
    text = _("%(names)s. Their results stay. Anyone who has played becomes a guest; the other records are deleted.")
    return Confirmation(
        title=title,
        text=text % {"names": in_names([member.name for member in members])},
        ways=(Way(_("Keep"), ticks.filters.address(reverse("members", args=[club.slug]))),),
        button=ngettext("Remove %(count)d member", "Remove %(count)d members", count) % {"count": count},
        is_quiet=True,
        hidden=ticks.fields(sure=True),
        url=reverse("members_ticked", args=[club.slug]),
    )


def removed_in_words(done: RemovedMembers) -> str:
    count, sentences = len(done.names), []
    if count:
        words = ngettext("%(names)s is no longer a member.", "%(count)d are no longer members: %(names)s.", count)
        sentences.append(words % {"count": count, "names": in_names(done.names)})
    if done.gone:
        words = ngettext("%(names)s had already left.", "%(names)s had already left.", len(done.gone))
        sentences.append(words % {"names": in_names(done.gone)})
    return " ".join([*sentences, *done.refused])
