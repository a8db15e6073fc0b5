"""Load tournaments and their objects with the right that the request needs."""

from dataclasses import replace
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from league.access.rights import RIGHTS, SCREEN_LINK, Can
from league.access.signed_links import screen_of
from league.access.viewer import Access, Viewer, Visitor, access_to, as_player, entries_held, note_in_log, roles_of
from league.models import (
    Adjustment,
    Call,
    ClubRole,
    Deadline,
    Entry,
    EntryEvent,
    HandScore,
    Invitation,
    Job,
    LeaveRequest,
    ListImport,
    Merge,
    MutedCaller,
    Player,
    PlayerWarning,
    Role,
    ScorerLink,
    Seat,
    SignUp,
    Table,
    Tournament,
)


def tournament_for(viewer: Viewer | Visitor, slug: str, right: Can | None = None) -> Access:
    """Load a tournament by slug. Without a right: for anyone who may see it.

    A visitor also counts as the players whose links they hold; an account only by its roles.
    """
    return access_to(viewer, get_object_or_404(Tournament.objects.select_related("announcement"), slug=slug), right)


def entry_for(viewer: Viewer | Visitor, slug: str, public_id: str, right: Can | None = None) -> tuple[Access, Entry]:
    access = tournament_for(viewer, slug, right)
    if not public_id.isalnum():  # an address may contain characters that a database rejects
        raise Http404
    return access, get_object_or_404(access.tournament.entries.select_related("player"), public_id=public_id)


def table_of_round_for(
    viewer: Viewer | Visitor, slug: str, round_number: int, number: int, right: Can | None = None
) -> tuple[Access, Table]:
    """Load a table by round and table number, unless it is no longer used."""
    access = tournament_for(viewer, slug, right)
    tables = Table.objects.filter(round__in=access.rounds()).exclude(state=Table.State.VOID)
    table = get_object_or_404(tables.select_related("round__stage"), round__number=round_number, number=number)
    table.round.tournament = access.tournament
    return access, table


def here_for(visitor: Visitor, slug: str, public_id: str) -> Access:
    """Load an entry for check-in, as `Access.entry`: for check-in helpers, and for the player."""
    access, entry = entry_for(visitor, slug, public_id)
    if access.checks_in:
        return replace(access, entry=entry)
    if entry in entries_held(visitor, access.tournament):
        return as_player(visitor.account, entry)
    raise Http404


def may_check_in(viewer: Viewer, tournament: Tournament) -> bool:
    return any(Can.CHECK_IN in RIGHTS[role] for role in roles_of(viewer, tournament))


def sign_up_for(viewer: Viewer, slug: str, sign_up_id: str, right: Can | None = None) -> tuple[Access, SignUp]:
    access = tournament_for(viewer, slug, right)
    if not sign_up_id.isalnum():
        raise Http404
    return access, get_object_or_404(access.tournament.sign_ups, public_id=sign_up_id)


def adjustment_for(
    viewer: Viewer, slug: str, adjustment_id: int, right: Can | None = None
) -> tuple[Access, Adjustment]:
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(Adjustment, pk=adjustment_id, entry__tournament=access.tournament)


def warning_for(viewer: Viewer, slug: str, warning_id: int, right: Can | None = None) -> tuple[Access, PlayerWarning]:
    access = tournament_for(viewer, slug, right)
    warnings = PlayerWarning.objects.select_related("player").filter(tournament=access.tournament)
    return access, get_object_or_404(warnings, pk=warning_id)


def import_for(viewer: Viewer, slug: str, import_id: int, right: Can | None = None) -> tuple[Access, ListImport]:
    """Load an added list."""
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(ListImport, pk=import_id, tournament=access.tournament)


def event_for(viewer: Viewer, slug: str, event_id: int, right: Can | None = None) -> tuple[Access, EntryEvent]:
    """Load an event: a player was added, left or returned."""
    access = tournament_for(viewer, slug, right)
    events = EntryEvent.objects.select_related("entry__player").filter(entry__tournament=access.tournament)
    return access, get_object_or_404(events, pk=event_id)


def leave_request_for(
    viewer: Viewer, slug: str, request_id: int, right: Can | None = None
) -> tuple[Access, LeaveRequest]:
    """Load a player's request to leave, or message that they come late."""
    access = tournament_for(viewer, slug, right)
    requests = LeaveRequest.objects.select_related("entry__player").filter(entry__tournament=access.tournament)
    return access, get_object_or_404(requests, pk=request_id)


def substitute_for(viewer: Viewer, slug: str, player_id: int, right: Can | None = None) -> tuple[Access, Player]:
    """Load a person who substitutes or substituted in the tournament, or belongs to one of its teams."""
    access = tournament_for(viewer, slug, right)
    here = Q(pk__in=Seat.objects.filter(round__tournament=access.tournament).values("substitute"))
    here |= Q(pk__in=HandScore.objects.filter(entry__tournament=access.tournament).values("played_by"))
    here |= Q(teams__team__player__entries__tournament=access.tournament)
    return access, get_object_or_404(Player.objects.filter(here).distinct(), pk=player_id)


def call_for(viewer: Viewer, slug: str, call_id: int, right: Can | None = None) -> tuple[Access, Call]:
    """Load a call of the director from a table."""
    access = tournament_for(viewer, slug, right)
    calls = Call.objects.select_related("table__round", "coming")
    return access, get_object_or_404(calls, pk=call_id, table__round__tournament=access.tournament)


def muted_caller_for(viewer: Viewer, slug: str, muted_id: int, right: Can | None = None) -> tuple[Access, MutedCaller]:
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(access.tournament.muted_callers, pk=muted_id)


def role_for(viewer: Viewer, slug: str, role_id: int, right: Can | None = None) -> tuple[Access, Role]:
    """Load a current role."""
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(
        Role.objects.select_related("user"), tournament=access.tournament, pk=role_id, revoked_at=None
    )


def invitation_for(
    viewer: Viewer, slug: str, invitation_id: int, right: Can | None = None
) -> tuple[Access, Invitation]:
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(Invitation, tournament=access.tournament, pk=invitation_id)


def deadline_for(viewer: Viewer, slug: str, deadline_id: int, right: Can | None = None) -> tuple[Access, Deadline]:
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(access.tournament.deadlines, pk=deadline_id)


def job_for(viewer: Viewer, slug: str, job_id: int, right: Can | None = None) -> tuple[Access, Job]:
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(access.tournament.jobs, pk=job_id)


def tournaments_naming(*players: int) -> QuerySet[Tournament]:
    """Return every tournament in which the name of one of these people (keys) appears.

    They entered it, alone or in a team, wait for a place, substituted or were warned there; or were once merged with a
    person who did.
    """
    sources = Merge.objects.filter(kept__in=players).values_list("gone", flat=True)
    targets = Merge.objects.filter(gone__in=players).values_list("kept", flat=True)
    players = (*players, *sources, *targets)
    keys = (  # each uses an index; a join would multiply hands by seats
        Entry.objects.filter(player__in=players).values("tournament"),
        Entry.objects.filter(player__team__members__player__in=players).values("tournament"),
        Seat.objects.filter(substitute__in=players).values("round__tournament"),
        HandScore.objects.filter(played_by__in=players).values("entry__tournament"),
        SignUp.objects.filter(person__in=players).values("tournament"),
        PlayerWarning.objects.filter(player__in=players).values("tournament"),
    )
    return Tournament.objects.filter(reduce(or_, (Q(pk__in=of_them) for of_them in keys))).order_by()


def runs(viewer: Viewer, tournament: Tournament) -> bool:
    return any(Can.RUN in RIGHTS[role] for role in roles_of(viewer, tournament))


def scorer_link_for(viewer: Viewer, slug: str, link_id: int, right: Can | None = None) -> tuple[Access, ScorerLink]:
    access = tournament_for(viewer, slug, right)
    return access, get_object_or_404(
        ScorerLink.objects.select_related("tournament"), tournament=access.tournament, pk=link_id
    )


class NoPlayer(Http404):
    """The visitor plays in no tournament of this slug. ended: player of a replaced link."""

    def __init__(self, ended: Entry | None) -> None:
        super().__init__()
        self.ended = ended


def player_for(visitor: Visitor, slug: str, public_id: str = "") -> tuple[Access, list[Entry]]:
    """Return a player's page access, and all entries the visitor holds in the tournament, by link or role.

    `Access.entry` is the one with `public_id`, else the latest used. Raises `NoPlayer` (Http404).
    """
    tournament = get_object_or_404(Tournament.objects.select_related("announcement"), slug=slug)
    mine = entries_held(visitor, tournament)
    if not mine:
        raise NoPlayer(tournament.entries.filter(public_id__in=dict(visitor.players)).first())
    order = [held_id for held_id, _generation in visitor.players]
    mine.sort(key=lambda entry: order.index(entry.public_id) if entry.public_id in order else len(order))
    entry = next((own for own in mine if own.public_id == public_id), None) if public_id else mine[0]
    if entry is None:
        raise Http404
    return as_player(visitor.account, entry), mine


def screen_for(viewer: Viewer, token: str) -> Access:
    """Load the hall screen by token. Raises Http404 for a forged or replaced one."""
    tournament = screen_of(token)
    if tournament is None:
        raise Http404
    note_in_log(viewer, tournament.slug)
    return Access(tournament, frozenset({SCREEN_LINK}), RIGHTS[SCREEN_LINK])


def casual_for(visitor: Visitor, slug: str) -> tuple[Access, Entry | None]:
    """Load a casual table by slug, with the visitor's entry there: the latest held."""
    access = tournament_for(visitor, slug)
    if access.tournament.kind != Tournament.Kind.CASUAL:
        raise Http404
    mine = entries_held(visitor, access.tournament)
    order = [public_id for public_id, _generation in visitor.players]
    mine.sort(key=lambda entry: order.index(entry.public_id) if entry.public_id in order else len(order))
    return access, mine[0] if mine else None


def tournaments_of(viewer: Viewer) -> QuerySet[Tournament]:
    """Return the tournaments a viewer owns or has a role in, also through a club; no casual tables."""
    if not viewer.is_authenticated:
        return Tournament.objects.none()
    with_role = Role.objects.filter(user_id=viewer.pk, revoked_at=None).values("tournament_id")
    clubs = ClubRole.objects.filter(user_id=viewer.pk, revoked_at=None).values("club_id")
    by_club = Q(club__owner_id=viewer.pk) | Q(club__in=clubs)
    return Tournament.objects.events().filter(Q(owner_id=viewer.pk) | Q(pk__in=with_role) | by_club)


def casual_tables_of(viewer: Viewer) -> QuerySet[Tournament]:
    """Return the open casual tables a viewer created, latest first."""
    casual = Tournament.objects.filter(kind=Tournament.Kind.CASUAL).exclude(state=Tournament.State.CLOSED)
    return casual.filter(owner_id=viewer.pk).order_by("-pk") if viewer.is_authenticated else casual.none()


def last_own_event(viewer: Viewer) -> Tournament | None:
    """Return the newest tournament a viewer owns, except demo and practice ones."""
    events = own_tournaments(viewer).filter(is_demo=False).exclude(kind=Tournament.Kind.PRACTICE)
    return events.order_by("-created_at").first()


def own_tournaments(viewer: Viewer) -> QuerySet[Tournament]:
    """Return the tournaments a viewer owns, except casual tables."""
    events = Tournament.objects.events()
    return events.filter(owner_id=viewer.pk) if viewer.is_authenticated else events.none()
