"""Load tables for users who enter hands or play there, by role, scorer link or player link."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.access.rights import RIGHTS, SCORER_LINK, Can
from league.access.signed_links import OF_EVENTS
from league.access.table_rows import at_table
from league.access.tournaments import NoPlayer
from league.access.viewer import (
    Access,
    Viewer,
    Visitor,
    access_to,
    as_player,
    as_visitor,
    claimed_by,
    entries_held,
    entries_held_at,
    note_in_log,
)
from league.models import Entry, Role, Round, ScorerLink, Table, Tournament


class LinkEnded(Http404):
    """The visitor's scorer link was revoked or has expired."""

    def __init__(self, link: ScorerLink) -> None:
        super().__init__()
        self.link = link


class WrongTable(Http404):
    """The visitor has a scorer link to another table of the tournament."""

    def __init__(self, link: ScorerLink, table: Table) -> None:
        super().__init__()
        self.link, self.table = link, table


class OneSeat(Http404):
    """The visitor also holds this player's link, but acts at online tables for another (`session_links.py`)."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__()
        self.tournament = tournament


class RoundUndone(Http404):
    """The table belongs to an undone round, or is no longer used; the visitor may have opened it before."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table


class NotSeated(Http404):
    """The visitor has a player's link of the tournament, but the player sits elsewhere. at: their table, if any."""

    def __init__(self, table: Table, entry: Entry, at: Table | None) -> None:
        super().__init__()
        self.table, self.entry, self.at = table, entry, at


def table_for(viewer: Viewer | Visitor, table_id: int, right: Can | None = None) -> tuple[Access, Table]:
    """Load a table of a published round.

    Visitors may also record its hands by scorer link, or as a seated player if players may report. Raises `WrongTable`
    or `LinkEnded` if links to this tournament don't help, and `RoundUndone`; all are Http404.
    """
    table = get_object_or_404(Table.objects.select_related(*_ROWS), pk=table_id)
    access = _at_table(as_visitor(viewer), table, right)
    if Table.State.VOID in (table.state, table.round.state):
        raise RoundUndone(table)
    return access, table


_ROWS = ("round__tournament__announcement", "round__stage")


def look_at_table(visitor: Visitor, table_id: int) -> tuple[Access, Table]:
    """Load a table of a published, living round for viewers who may see its tournament."""
    table = get_object_or_404(Table.objects.select_related(*_ROWS), pk=table_id)
    access = access_to(visitor, table.round.tournament)
    if table.round.state in (Round.State.DRAFT, Round.State.VOID) or table.state == Table.State.VOID:
        raise Http404
    return access, table


def caller_for(visitor: Visitor, table_id: int, public_id: str = "") -> tuple[Access, Table]:
    """Load a table for its players and scorers, who may call the director to it.

    public_id: the player who calls, if the browser acts for several. Raises `NoPlayer` for a replaced link,
    `NotSeated`, `WrongTable`, `LinkEnded` or `RoundUndone`; all are Http404.
    """
    table = get_object_or_404(Table.objects.select_related("round__tournament", "round__stage"), pk=table_id)
    if table.round.state == Round.State.DRAFT or table.round.tournament.is_casual:
        raise Http404
    access = _caller_at(visitor, table, public_id)
    if Table.State.VOID in (table.state, table.round.state):
        raise RoundUndone(table)
    return access, table


def _caller_at(visitor: Visitor, table: Table, public_id: str) -> Access:
    seated = entries_held_at(visitor, table)
    entry = next((each for each in seated if each.public_id == public_id), None)
    tournament = table.round.tournament
    if entry is None and any(Can.RECORD in RIGHTS[role] for role in visitor.roles_in(tournament)):
        return access_to(visitor.without_links(), tournament, Can.RECORD)
    try:
        living = _living_links(visitor, tournament)
    except LinkEnded:
        if not seated:
            raise
        living = []
    link = next((scorer_link for scorer_link in living if scorer_link.covers(table.number)), None)
    if entry is None and link is not None:
        return _by_link(visitor, link)
    if entry is not None or seated:
        return as_player(visitor.account, entry or seated[0])
    if living:
        raise WrongTable(living[0], table)
    mine = entries_held(visitor, tournament)
    if not mine:
        raise NoPlayer(tournament.entries.filter(public_id__in=dict(visitor.players)).first())
    seat = table.round.seats.filter(entry__in=mine).exclude(table=None).select_related("table").first()
    raise NotSeated(table, mine[0], seat.table if seat else None)


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
    """Return the visitor's player at a table, if players may report and no role lets the visitor record."""
    tournament = table.round.tournament
    if right not in (Can.RECORD, Can.REPORT) or not tournament.players_report:
        return None
    if any(Can.RECORD in RIGHTS[role] for role in visitor.roles_in(tournament)):
        return None
    return next(iter(entries_held_at(visitor, table)), None)


def playing_for(visitor: Visitor, table_id: int) -> tuple[Access, Table, list[Entry]]:
    """Load an online table for viewers who may see it, with the visitor's entries there."""
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
    """Load a tournament for users who enter its hands, by role or scorer link."""
    tournament = get_object_or_404(Tournament, slug=slug)
    living = _living_links(visitor, tournament)
    return _by_link(visitor, living[0]) if living else access_to(visitor.without_links(), tournament, Can.RECORD)


def _living_links(visitor: Visitor, tournament: Tournament) -> list[ScorerLink]:
    """Return the visitor's valid links of a tournament, latest used first, unless a role lets them record.

    Raises `LinkEnded` if the visitor had links, and none is valid.
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
    """Return the sentence for a table of an undone or redrawn round."""
    if table.round.state != Round.State.VOID:
        return _("Table %(number)d is no longer used in this round. Find your table.") % {"number": table.number}
    return _("Round %(number)d was undone. Find your table.") % {"number": table.round.number}
