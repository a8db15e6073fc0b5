"""The tables, for whoever enters their hands or plays there, by a role, a scorer's link or a player's own link."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.access.rights import RIGHTS, SCORER_LINK, Can
from league.access.signed_links import OF_EVENTS
from league.access.table_rows import at_table
from league.access.viewer import (
    Access,
    Viewer,
    Visitor,
    access_to,
    as_player,
    as_visitor,
    claimed_by,
    entries_held_at,
    note_in_log,
)
from league.models import Entry, Role, Round, ScorerLink, Table, Tournament


class LinkEnded(Http404):
    """Whoever asks came by a scorer's link that was revoked or expired since."""

    def __init__(self, link: ScorerLink) -> None:
        super().__init__()
        self.link = link


class WrongTable(Http404):
    """Whoever asks has a scorer's link to another table of the tournament."""

    def __init__(self, link: ScorerLink, table: Table) -> None:
        super().__init__()
        self.link, self.table = link, table


class OneSeat(Http404):
    """Whoever asks holds this player's link too, and acts at online tables for another alone
    (league/access/session_links.py).
    """

    def __init__(self, tournament: Tournament) -> None:
        super().__init__()
        self.tournament = tournament


class RoundUndone(Http404):
    """The table is of a round that was undone, or no longer used; whoever asks might have opened it before."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table


def table_for(viewer: Viewer | Visitor, table_id: int, right: Can | None = None) -> tuple[Access, Table]:
    """A table of a round that was published.

    A visitor may record its hands by a scorer's link too, or as a player who sits there, where the organiser lets
    players. Raises `WrongTable` or `LinkEnded` where the links are of this tournament and do not help, and
    `RoundUndone`; all are Http404.
    """
    table = get_object_or_404(Table.objects.select_related("round__tournament", "round__stage"), pk=table_id)
    access = _at_table(as_visitor(viewer), table, right)
    if Table.State.VOID in (table.state, table.round.state):
        raise RoundUndone(table)
    return access, table


def look_at_table(visitor: Visitor, table_id: int) -> tuple[Access, Table]:
    """A table of a published round that is not undone, for whoever may look at its tournament and only looks."""
    table = get_object_or_404(Table.objects.select_related("round__tournament", "round__stage"), pk=table_id)
    access = access_to(visitor, table.round.tournament)
    if table.round.state in (Round.State.DRAFT, Round.State.VOID) or table.state == Table.State.VOID:
        raise Http404
    return access, table


def _at_table(visitor: Visitor, table: Table, right: Can | None) -> Access:
    is_published = table.round.state != Round.State.DRAFT
    entry = _player_at(visitor, table, right) if is_published and visitor.in_browser else None
    try:
        living = _living_links(visitor, table.round.tournament) if is_published and right in RIGHTS[SCORER_LINK] else []
    except LinkEnded:
        if entry is None:
            raise
        living = []
    if link := next((scorer_link for scorer_link in living if scorer_link.covers(table.number)), None):
        return _by_link(visitor, link)
    if entry is not None:
        return as_player(visitor.account, entry, frozenset({Can.RECORD}))
    if living:
        raise WrongTable(living[0], table)
    access = access_to(visitor.without_links(), table.round.tournament, right)
    if not is_published:
        raise Http404
    return access


def _player_at(visitor: Visitor, table: Table, right: Can | None) -> Entry | None:
    """The visitor's player at a table, where players may report their own hands and no role lets the visitor record."""
    tournament = table.round.tournament
    if right not in (Can.RECORD, Can.REPORT) or not tournament.players_report:
        return None
    if any(Can.RECORD in RIGHTS[role] for role in visitor.roles_in(tournament)):
        return None
    return next(iter(entries_held_at(visitor, table)), None)


def playing_for(visitor: Visitor, table_id: int) -> tuple[Access, Table, list[Entry]]:
    """A table where people play online, for whoever may look at it, and the entries there that the visitor is."""
    here = at_table(table_id)
    if here is None or here.table.round.state == Round.State.DRAFT:
        raise Http404
    table = here.table
    access = access_to(visitor, table.round.tournament)
    if Table.State.VOID in (table.state, table.round.state):
        raise RoundUndone(table)
    generations, viewer = dict(visitor.players), visitor.account
    by_role: set[int | None] = set()
    if viewer.is_authenticated and not access.tournament.is_casual:
        roles = Role.objects.filter(tournament=access.tournament, user_id=viewer.pk, revoked_at=None)
        by_role = set(roles.filter(kind=Role.Kind.PLAYER).values_list("entry_id", flat=True))
    if viewer.is_authenticated and access.tournament.club_id is not None:
        seated = {entry.pk for entry in here.seated}
        by_role.update(Entry.objects.filter(claimed_by(viewer), pk__in=seated).values_list("pk", flat=True))
    return (
        access,
        table,
        [
            entry
            for entry in here.seated
            if generations.get(entry.public_id) == entry.link_generation or entry.pk in by_role
        ],
    )


def scoring_for(visitor: Visitor, slug: str) -> Access:
    """A tournament for whoever enters its hands, by a role or by a scorer's link that they hold."""
    tournament = get_object_or_404(Tournament, slug=slug)
    living = _living_links(visitor, tournament)
    return _by_link(visitor, living[0]) if living else access_to(visitor.without_links(), tournament, Can.RECORD)


def _living_links(visitor: Visitor, tournament: Tournament) -> list[ScorerLink]:
    """The links of a tournament that still hold, the latest used first, for visitors who may not record without one.

    Raises `LinkEnded` when the visitor had some and none holds any more.
    """
    if not visitor.links or any(Can.RECORD in RIGHTS[role] for role in visitor.roles_in(tournament)):
        return []
    generations = dict(visitor.links)
    order = list(generations)
    held = ScorerLink.objects.filter(OF_EVENTS, tournament=tournament, pk__in=order)
    scorer_links = held.select_related("tournament")
    by_use = sorted(scorer_links, key=lambda link: order.index(link.pk))
    living = [link for link in by_use if link.holds and link.generation == generations[link.pk]]
    if by_use and not living:
        raise LinkEnded(by_use[0])
    return living


def _by_link(visitor: Visitor, link: ScorerLink) -> Access:
    note_in_log(visitor.account, link.tournament.slug)
    return Access(link.tournament, frozenset({SCORER_LINK}), RIGHTS[SCORER_LINK], link)


def undone_in_words(table: Table) -> str:
    """The words for a table of a round that was undone, or of a round that was seated anew without it."""
    if table.round.state != Round.State.VOID:
        return _("Table %(number)d is not used any more in this round. Look up your table.") % {"number": table.number}
    return _("Round %(number)d was undone. Look up your table.") % {"number": table.round.number}
