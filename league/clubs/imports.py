"""Add a list of members or teams to a club as one step, and undo it while no one on it is used.

A member is used once they have an entry, a substitution, a division, another team, an account, an invitation, a merge
or a split. A team is used once it has an entry in an open tournament, or its players changed.

Undoing makes former guests guests again. Their earlier games don't count as used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.members import members_of
from league.clubs.clubs import want_ratings
from league.clubs.members import ENDED_CARD, NOTHING, Joined, join_members
from league.clubs.teams import put_together, teams_of
from league.entries.imports import put_back_details
from league.entries.known_people import guests_of_all_events
from league.entries.persons import NewPlayer
from league.entries.teams import set_members
from league.ledger.locks import lock_club
from league.lib.errors import Conflict
from league.log.write import member, note_in_club
from league.models import (
    Club,
    ClubInvitation,
    Entry,
    HandScore,
    ImportedPerson,
    ListImport,
    Merge,
    Player,
    Seat,
    SignUp,
    Team,
    TeamMember,
    User,
)


@transaction.atomic
def add_member_list(
    *, club: Club, players: Sequence[NewPlayer], by: User | None, picked: Mapping[int, str] = NOTHING
) -> tuple[Joined, ListImport | None]:
    """Add the members of a list as one step. Return the result and the step. picked: see `join_members`."""
    joined = join_members(club=club, players=players, by=by, picked=picked)
    people = [
        ImportedPerson(player=person, was_guest=person in joined.guests, **getattr(person, "filled", {}))
        for person in joined.members
    ]
    return joined, _record(club, by, people)


@transaction.atomic
def add_team_list(*, club: Club, rows: Sequence[NewPlayer], by: User | None) -> tuple[list[Team], ListImport | None]:
    """Create or change the teams of a list as one step. Return the teams and the step."""
    club = lock_club(club.pk)
    known = set(members_of(club).values_list("pk", flat=True))
    guests = set(guests_of_all_events(club).values_list("pk", flat=True))
    before = {team.pk: _keys_of(team) for team in teams_of(club)}
    teams = put_together(club=club, rows=rows, by=by)
    added = members_of(club).exclude(pk__in=known)
    people = [ImportedPerson(player=person, was_guest=person.pk in guests) for person in added]
    for team in teams:
        after = _keys_of(team)
        if before.get(team.pk) != after:
            was = before.get(team.pk)
            people.append(ImportedPerson(player=team.player, members=None if was is None else [was, after]))
    return teams, _record(club, by, people)


def _record(club: Club, by: User | None, people: Sequence[ImportedPerson]) -> ListImport | None:
    if not people:
        return None
    step = ListImport.objects.create(club=club, by=by)
    for person in people:
        person.list_import = step
    ImportedPerson.objects.bulk_create(people)
    return step


def _keys_of(team: Team) -> list[int]:
    return list(team.members.order_by("number", "id").values_list("player_id", flat=True))


def club_imports_to_undo(club: Club) -> list[ListImport]:
    """Return the latest list if it can be undone, else nothing."""
    step = club.list_imports.filter(undone_at=None).prefetch_related("people__player__team").first()
    return [step] if step is not None and step.people.all() and not _used(step) else []


@transaction.atomic
def undo_club_import(*, step: ListImport, by: User | None) -> int:
    """Remove the people and teams that a list added, and return their number.

    A second call changes nothing. Raises `Conflict` if one of them is used.
    """
    assert step.club_id is not None
    club = lock_club(step.club_id)
    step = ListImport.objects.select_for_update().get(pk=step.pk)
    if step.undone_at is not None:
        return 0
    if used := _used(step):
        sentence = _("%(name)s already has a history here. Remove the rest one by one.")
        raise Conflict("used", sentence % {"name": used[0]})
    people = list(step.people.select_related("player__team"))
    note_in_club(club=club, by=by, action="undo-import", old=[member(person.player) for person in people])
    for person in people:
        team = Team.objects.filter(player=person.player).first()
        if team is None:
            continue
        team.members.all().delete()
        if person.members is not None:
            set_members(team, _players(person.members[0]))
    for person in people:
        if person.members is None and not person.was_guest:
            person.player.delete()
    _give_back([person for person in people if person.was_guest], club)
    step.undone_at = timezone.now()
    step.save(update_fields=["undone_at"])
    return len(people)


def _give_back(people: Sequence[ImportedPerson], club: Club) -> None:
    """Make members guests again; their results stay."""
    if people:
        put_back_details(people)
        guests = Player.objects.filter(pk__in=[person.player_id for person in people])
        guests.update(club=None, profile_is_public=False, notes="", card_generation=ENDED_CARD)
        want_ratings([club.pk])


def _players(keys: Sequence[int]) -> list[Player]:
    found = Player.objects.in_bulk(keys)
    return [found[key] for key in keys if key in found]


def _used(step: ListImport) -> list[Player]:
    """Return the used people and teams of a list, which prevent undoing it."""
    people = list(step.people.all())
    created = [person.player_id for person in people if person.members is None and not person.was_guest]
    guests = [person.player_id for person in people if person.was_guest]
    of_list = Team.objects.filter(player__in=[person.player_id for person in people])
    in_other_teams = TeamMember.objects.exclude(team__in=of_list)
    return [
        *_used_members(step, created, in_other_teams),
        *_used_guests(step, guests, in_other_teams),
        *_changed_teams(people),
    ]


def _used_members(step: ListImport, created: Sequence[int], in_other_teams: QuerySet[TeamMember]) -> Iterable[Player]:
    """Return the new members of a list that another record refers to."""
    merges = Merge.objects.all()  # including undone ones and splits: their history names both records
    named_by = (
        Entry.objects.filter(player__in=created).values("player"),
        in_other_teams.filter(player__in=created).values("player"),
        merges.filter(kept__in=created).values("kept"),
        merges.filter(gone__in=created).values("gone"),
        Seat.objects.filter(substitute__in=created).values("substitute"),
        HandScore.objects.filter(played_by__in=created).values("played_by"),
        SignUp.objects.filter(person__in=created).values("person"),
        _invited(created),
    )
    used = Q(divisions__isnull=False) | Q(erased_at__isnull=False) | Q(user__isnull=False)
    used |= ~Q(club=step.club_id, team__isnull=True) & ~Q(team__club=step.club_id)
    for keys in named_by:
        used |= Q(pk__in=keys)
    return Player.objects.filter(used, pk__in=created).distinct()


def _used_guests(step: ListImport, guests: Sequence[int], in_other_teams: QuerySet[TeamMember]) -> Iterable[Player]:
    """Return the former guests of a list who have used their membership since."""
    teams_of_club = in_other_teams.filter(player__in=guests, team__club=step.club_id)
    since = Merge.objects.filter(Q(kept__in=guests) | Q(gone__in=guests), at__gte=step.at)
    joined = {key for pair in since.values_list("kept", "gone") for key in pair}
    used = Q(user__isnull=False) | Q(erased_at__isnull=False) | ~Q(club=step.club_id) | Q(pk__in=_invited(guests))
    used |= Q(pk__in=joined) | Q(pk__in=teams_of_club.values("player"))
    return Player.objects.filter(used, pk__in=guests)


def _changed_teams(people: Iterable[ImportedPerson]) -> Iterator[Player]:
    """Yield the teams of a list that are entered in an open tournament, or changed since."""
    for person in people:
        team = Team.objects.filter(player=person.player_id).first()
        if team is None or person.members is None:
            continue
        busy = team.player.entries.exclude(tournament__state="closed").exists()
        if busy or _keys_of(team) != person.members[1]:
            yield team.player


def _invited(people: Sequence[int]) -> QuerySet[ClubInvitation, Any]:
    return ClubInvitation.objects.filter(player__in=people, revoked_at=None).values("player")
