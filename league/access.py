"""The only way to an object of a tournament: load it with the right that the request needs, or answer 404.

A stranger to a private tournament learns nothing, not even that it exists; who lacks a right is told no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404

from league.at_table import at_table
from league.links import screen_of
from league.models import (
    Adjustment,
    Deadline,
    Entry,
    EntryEvent,
    HandScore,
    Invitation,
    Job,
    Player,
    Role,
    Round,
    ScorerLink,
    Seat,
    SignUp,
    Table,
    Tournament,
    User,
)
from league.roles import OWNER, PLAYER_LINK, RIGHTS, SCORER_LINK, SCREEN_LINK, STRANGER, Can, open_to_all

Viewer = User | AnonymousUser
HeldPlayer = tuple[str, int]  # public id, and the generation of the link that was exchanged


@dataclass(frozen=True)
class Access:
    """A tournament as one viewer may see and change it.

    `link` is the scorer's link by which they may, if it is one; `entry` the player whose own link or role it is.
    """

    tournament: Tournament
    roles: frozenset[str]
    rights: frozenset[Can]
    link: ScorerLink | None = None
    entry: Entry | None = None

    def may(self, right: Can) -> bool:
        return right in self.rights

    @property
    def organises(self) -> bool:
        return Can.RUN in self.rights

    @property
    def records(self) -> bool:
        return Can.RECORD in self.rights

    @property
    def corrects(self) -> bool:
        return Can.CORRECT in self.rights

    @property
    def checks_in(self) -> bool:
        return Can.CHECK_IN in self.rights

    @property
    def sees_drafts(self) -> bool:
        return Can.SEE_DRAFTS in self.rights

    def rounds(self) -> QuerySet[Round]:
        """The living rounds; for who may not see drafts only those that were published."""
        rounds = self.tournament.rounds.all()
        return rounds.living() if self.sees_drafts else rounds.shown()


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


class RoundUndone(Http404):
    """The table is of a round that was undone, or no longer used; whoever asks might have opened it before."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table


def access_to(
    viewer: Viewer, tournament: Tournament, right: Can | None = None, players: Sequence[HeldPlayer] = ()
) -> Access:
    """What a viewer may do in a tournament that was loaded already. Raises Http404 without the right.

    Who holds the own link of one of its `players` may look at it, also where it is private.
    """
    note_in_log(viewer, tournament.slug)
    roles = _roles(viewer, tournament)
    if players and not open_to_all(tournament) and entries_held(viewer, tournament, players):
        roles |= {PLAYER_LINK}
    access = Access(tournament, roles, frozenset().union(*(RIGHTS[role] for role in roles)))
    if not access.may(Can.LOOK) and not open_to_all(tournament):
        raise Http404
    if right is not None and not access.may(right):
        raise Http404
    return access


def note_in_log(viewer: Viewer, slug: str) -> None:
    """What is logged from here to the end of the request says which tournament and account it was about."""
    structlog.contextvars.bind_contextvars(tournament=slug, user_id=viewer.pk)


def _roles(viewer: Viewer, tournament: Tournament) -> frozenset[str]:
    if not viewer.is_authenticated:
        return frozenset({STRANGER})
    if viewer.pk == tournament.owner_id or viewer.is_superuser:
        return frozenset({OWNER})
    kinds = Role.objects.filter(tournament=tournament, user_id=viewer.pk, revoked_at=None).values_list(
        "kind", flat=True
    )
    return frozenset(kinds) or frozenset({STRANGER})


def tournament_for(viewer: Viewer, slug: str, right: Can | None = None, players: Sequence[HeldPlayer] = ()) -> Access:
    """A tournament by its address. Without a right: for anybody who may look at it, as one of its `players` too."""
    try:
        tournament = Tournament.objects.get(slug=slug)
    except Tournament.DoesNotExist:
        raise Http404 from None
    return access_to(viewer, tournament, right, players)


def entry_for(
    viewer: Viewer, slug: str, public_id: str, right: Can | None = None, players: Sequence[HeldPlayer] = ()
) -> tuple[Access, Entry]:
    access = tournament_for(viewer, slug, right, players)
    if not public_id.isalnum():  # an address may hold anything, also what a database refuses to look for
        raise Http404
    try:
        return access, access.tournament.entries.select_related("player").get(public_id=public_id)
    except Entry.DoesNotExist:
        raise Http404 from None


def here_for(viewer: Viewer, slug: str, public_id: str, held: Sequence[HeldPlayer]) -> Access:
    """An entry to be checked in: for who may check players in, and for that player. It is `Access.entry`."""
    access, entry = entry_for(viewer, slug, public_id, players=held)
    if access.checks_in:
        return replace(access, entry=entry)
    if entry in entries_held(viewer, access.tournament, held):
        return _as_player(viewer, entry)
    raise Http404


def may_check_in(viewer: Viewer, tournament: Tournament) -> bool:
    return any(Can.CHECK_IN in RIGHTS[role] for role in _roles(viewer, tournament))


def sign_up_for(viewer: Viewer, slug: str, sign_up_id: str, right: Can | None = None) -> tuple[Access, SignUp]:
    access = tournament_for(viewer, slug, right)
    if not sign_up_id.isalnum():
        raise Http404
    found = access.tournament.sign_ups.filter(public_id=sign_up_id).first()
    if found is None:
        raise Http404
    return access, found


def adjustment_for(
    viewer: Viewer, slug: str, adjustment_id: int, right: Can | None = None
) -> tuple[Access, Adjustment]:
    access = tournament_for(viewer, slug, right)
    made = Adjustment.objects.filter(pk=adjustment_id, entry__tournament=access.tournament).first()
    if made is None:
        raise Http404
    return access, made


def event_for(viewer: Viewer, slug: str, event_id: int, right: Can | None = None) -> tuple[Access, EntryEvent]:
    """That somebody came, left or came again."""
    access = tournament_for(viewer, slug, right)
    events = EntryEvent.objects.select_related("entry__player").filter(entry__tournament=access.tournament)
    event = events.filter(pk=event_id).first()
    if event is None:
        raise Http404
    return access, event


def substitute_for(viewer: Viewer, slug: str, player_id: int, right: Can | None = None) -> tuple[Access, Player]:
    """Somebody who plays, or played, for others of the tournament."""
    access = tournament_for(viewer, slug, right)
    here = Q(pk__in=Seat.objects.filter(round__tournament=access.tournament).values("substitute"))
    here |= Q(pk__in=HandScore.objects.filter(entry__tournament=access.tournament).values("played_by"))
    person = Player.objects.filter(here, pk=player_id).first()
    if person is None:
        raise Http404
    return access, person


def role_for(viewer: Viewer, slug: str, role_id: int, right: Can | None = None) -> tuple[Access, Role]:
    """A role that was not taken back yet."""
    access = tournament_for(viewer, slug, right)
    role = Role.objects.select_related("user").filter(tournament=access.tournament, pk=role_id, revoked_at=None).first()
    if role is None:
        raise Http404
    return access, role


def invitation_for(
    viewer: Viewer, slug: str, invitation_id: int, right: Can | None = None
) -> tuple[Access, Invitation]:
    access = tournament_for(viewer, slug, right)
    invitation = Invitation.objects.filter(tournament=access.tournament, pk=invitation_id).first()
    if invitation is None:
        raise Http404
    return access, invitation


def deadline_for(viewer: Viewer, slug: str, deadline_id: int, right: Can | None = None) -> tuple[Access, Deadline]:
    access = tournament_for(viewer, slug, right)
    deadline = access.tournament.deadlines.filter(pk=deadline_id).first()
    if deadline is None:
        raise Http404
    return access, deadline


def job_for(viewer: Viewer, slug: str, job_id: int, right: Can | None = None) -> tuple[Access, Job]:
    access = tournament_for(viewer, slug, right)
    job = access.tournament.jobs.filter(pk=job_id).first()
    if job is None:
        raise Http404
    return access, job


def may_erase(viewer: Viewer, player: Player) -> bool:
    """Whether somebody runs every tournament that a person is in: erasing changes all of them."""
    tournaments = Tournament.objects.filter(entries__player=player).distinct()
    return all(any(Can.RUN in RIGHTS[role] for role in _roles(viewer, one)) for one in tournaments)


def scorer_link_for(viewer: Viewer, slug: str, link_id: int, right: Can | None = None) -> tuple[Access, ScorerLink]:
    access = tournament_for(viewer, slug, right)
    link = ScorerLink.objects.select_related("tournament").filter(tournament=access.tournament, pk=link_id).first()
    if link is None:
        raise Http404
    return access, link


def scoring_for(viewer: Viewer, slug: str, links: Sequence[int] = ()) -> Access:
    """A tournament for whoever enters its hands, by a role or by one of the scorer's `links` that they hold."""
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise Http404
    held = _held(viewer, tournament, links)
    return _by_link(viewer, held[0]) if held else access_to(viewer, tournament, Can.RECORD)


def _held(viewer: Viewer, tournament: Tournament, links: Sequence[int]) -> list[ScorerLink]:
    """The links of a tournament that still hold, the latest used first, for who may not record without one.

    Raises `LinkEnded` when they had some and none is left.
    """
    if not links or any(Can.RECORD in RIGHTS[role] for role in _roles(viewer, tournament)):
        return []
    held = ScorerLink.objects.select_related("tournament").filter(tournament=tournament, pk__in=links)
    by_use = sorted(held, key=lambda link: links.index(link.pk))
    living = [link for link in by_use if link.holds]
    if by_use and not living:
        raise LinkEnded(by_use[0])
    return living


def _by_link(viewer: Viewer, link: ScorerLink) -> Access:
    note_in_log(viewer, link.tournament.slug)
    return Access(link.tournament, frozenset({SCORER_LINK}), RIGHTS[SCORER_LINK], link)


class NoPlayer(Http404):
    """Whoever asks plays in no tournament of this address. `ended`: whose link they had, before it was ended."""

    def __init__(self, ended: Entry | None) -> None:
        super().__init__()
        self.ended = ended


def player_for(
    viewer: Viewer, slug: str, held: Sequence[HeldPlayer] = (), public_id: str = ""
) -> tuple[Access, list[Entry]]:
    """A player's own page, and everybody in the tournament whom the viewer is: by links held and by roles.

    `Access.entry` is the one with `public_id`, else the one whose link was used last. Raises `NoPlayer`, which is
    Http404.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise Http404
    mine = entries_held(viewer, tournament, held)
    if not mine:
        raise NoPlayer(tournament.entries.filter(public_id__in=dict(held)).first())
    order = [one for one, _generation in held]
    mine.sort(key=lambda entry: order.index(entry.public_id) if entry.public_id in order else len(order))
    entry = next((one for one in mine if one.public_id == public_id), None) if public_id else mine[0]
    if entry is None:
        raise Http404
    return _as_player(viewer, entry), mine


def entries_held(viewer: Viewer, tournament: Tournament, held: Sequence[HeldPlayer]) -> list[Entry]:
    """Who somebody is in a tournament: by the players' links in their session that still hold, and by their roles."""
    return _own(viewer, tournament.entries.all(), held)


def players_of(viewer: Viewer, held: Sequence[HeldPlayer]) -> list[Entry]:
    """Who somebody is anywhere: in tournaments that go on first, then the latest."""
    order = [Tournament.State.RUNNING, Tournament.State.PLANNED, Tournament.State.CLOSED]
    mine = _own(viewer, Entry.objects.order_by("-tournament__starts_on", "-tournament", "number"), held)
    return sorted(mine, key=lambda entry: order.index(Tournament.State(entry.tournament.state)))


def _own(viewer: Viewer, entries: QuerySet[Entry], held: Sequence[HeldPlayer]) -> list[Entry]:
    generations = dict(held)
    entries = entries.select_related("tournament", "player")
    by_link = [
        entry
        for entry in (entries.filter(public_id__in=generations) if generations else ())
        if generations[entry.public_id] == entry.link_generation
    ]
    if not viewer.is_authenticated:
        return by_link
    roles = Role.objects.filter(user_id=viewer.pk, revoked_at=None, kind=Role.Kind.PLAYER)
    by_role = entries.filter(roles__in=roles).distinct()
    return by_link + [entry for entry in by_role if entry not in by_link]


def screen_for(viewer: Viewer, token: str) -> Access:
    """The hall screen, for whoever has its address. Raises Http404 for a forged one and for one that was ended."""
    tournament = screen_of(token)
    if tournament is None:
        raise Http404
    note_in_log(viewer, tournament.slug)
    return Access(tournament, frozenset({SCREEN_LINK}), RIGHTS[SCREEN_LINK])


def _as_player(viewer: Viewer, entry: Entry, also: frozenset[Can] = frozenset()) -> Access:
    note_in_log(viewer, entry.tournament.slug)
    return Access(entry.tournament, frozenset({PLAYER_LINK}), RIGHTS[PLAYER_LINK] | also, entry=entry)


def _seated(viewer: Viewer, table: Table, right: Can | None, held: Sequence[HeldPlayer]) -> Entry | None:
    """The player at a table who asks for it, where players may report their own hands and nothing else lets them."""
    tournament = table.round.tournament
    if right not in (Can.RECORD, Can.REPORT) or not tournament.players_report:
        return None
    if any(Can.RECORD in RIGHTS[role] for role in _roles(viewer, tournament)):
        return None
    mine = entries_held(viewer, tournament, held)
    seat = table.seats.filter(entry__in=mine).order_by("number").first() if mine else None
    return next(entry for entry in mine if entry.pk == seat.entry_id) if seat else None


def table_for(
    viewer: Viewer,
    table_id: int,
    right: Can | None = None,
    links: Sequence[int] = (),
    players: Sequence[HeldPlayer] | None = None,
) -> tuple[Access, Table]:
    """A table of a round that was published.

    `links` are the keys of the scorer's links that the viewer holds, `players` the players whose own links they hold:
    who sits at the table may record its hands, where the organiser lets players; None where none may. Raises
    `WrongTable` or `LinkEnded` where the links are of this tournament and do not help, and `RoundUndone`; all are
    Http404.
    """
    try:
        table = Table.objects.select_related("round__tournament", "round__stage").get(pk=table_id)
    except Table.DoesNotExist:
        raise Http404 from None
    access = _at_table(viewer, table, right, links, players)
    if Table.State.VOID in (table.state, table.round.state):
        raise RoundUndone(table)
    return access, table


def _at_table(
    viewer: Viewer,
    table: Table,
    right: Can | None,
    links: Sequence[int],
    players: Sequence[HeldPlayer] | None,
) -> Access:
    shown = table.round.state != Round.State.DRAFT
    entry = _seated(viewer, table, right, players) if shown and players is not None else None
    try:
        held = _held(viewer, table.round.tournament, links) if shown and right in RIGHTS[SCORER_LINK] else []
    except LinkEnded:
        if entry is None:
            raise
        held = []
    if link := next((one for one in held if one.covers(table.number)), None):
        return _by_link(viewer, link)
    if entry is not None:
        return _as_player(viewer, entry, frozenset({Can.RECORD}))
    if held:
        raise WrongTable(held[0], table)
    access = access_to(viewer, table.round.tournament, right)
    if not shown:
        raise Http404
    return access


def playing_for(viewer: Viewer, table_id: int, held: Sequence[HeldPlayer] = ()) -> tuple[Access, Table, list[Entry]]:
    """A table where people play online, for whoever may look at it, and those who sit there whom the viewer is."""
    here = at_table(table_id)
    if here is None or here.table.round.state == Round.State.DRAFT:
        raise Http404
    table = here.table
    access = access_to(viewer, table.round.tournament, players=held)
    if Table.State.VOID in (table.state, table.round.state):
        raise RoundUndone(table)
    generations = dict(held)
    by_role: set[int | None] = set()
    if viewer.is_authenticated:
        roles = Role.objects.filter(tournament=access.tournament, user_id=viewer.pk, revoked_at=None)
        by_role = set(roles.filter(kind=Role.Kind.PLAYER).values_list("entry_id", flat=True))
    return (
        access,
        table,
        [one for one in here.seated if generations.get(one.public_id) == one.link_generation or one.pk in by_role],
    )


def casual_for(viewer: Viewer, slug: str, held: Sequence[HeldPlayer] = ()) -> tuple[Access, Entry | None]:
    """A casual table, for whoever has its address, and who the viewer is there: the one held last."""
    access = tournament_for(viewer, slug, players=held)
    if access.tournament.kind != Tournament.Kind.CASUAL:
        raise Http404
    mine = entries_held(viewer, access.tournament, held)
    order = [one for one, _generation in held]
    mine.sort(key=lambda entry: order.index(entry.public_id) if entry.public_id in order else len(order))
    return access, mine[0] if mine else None


def tournaments_of(viewer: Viewer) -> QuerySet[Tournament]:
    """The tournaments that a viewer owns or has a role in; casual tables are none."""
    if not viewer.is_authenticated:
        return Tournament.objects.none()
    with_role = Role.objects.filter(user_id=viewer.pk, revoked_at=None).values("tournament_id")
    return Tournament.objects.events().filter(Q(owner_id=viewer.pk) | Q(pk__in=with_role))


def casual_tables_of(viewer: Viewer) -> QuerySet[Tournament]:
    """Those that a viewer made and that are not over, the latest first."""
    casual = Tournament.objects.filter(kind=Tournament.Kind.CASUAL).exclude(state=Tournament.State.CLOSED)
    return casual.filter(owner_id=viewer.pk).order_by("-pk") if viewer.is_authenticated else casual.none()


def own_tournaments(viewer: Viewer) -> QuerySet[Tournament]:
    """Those that a viewer owns; casual tables are none."""
    events = Tournament.objects.events()
    return events.filter(owner_id=viewer.pk) if viewer.is_authenticated else events.none()
