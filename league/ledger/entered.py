"""The players of a stage: the whole list, or the stage's members after a cut or a draw of groups."""

from collections import Counter
from typing import NamedTuple

from django.db.models import QuerySet

from league.models import Entry, Stage, StageEntry, Tournament


class Member(NamedTuple):
    """A member in the form of `StageEntry`: order and group from 1; ladder 2 is the second one."""

    order: int
    group: int
    ladder: int


def members_in(stage: Stage) -> dict[str, Member]:
    """Return the members by player_id, in order; empty if the whole list plays. No query with only one stage."""
    if not stage.has_members:
        return {}
    rows = stage.members.order_by("order").values_list("entry__public_id", "order", "group", "ladder")
    return {entry: Member(*row) for entry, *row in rows}


def seeds_in(stage: Stage) -> tuple[str, ...]:
    """Return the seeds of a tree, the first seed first. No query for other formats."""
    if not stage.plays.in_tree:
        return ()
    return tuple(stage.members.order_by("order").values_list("entry__public_id", flat=True))


def entries_in(stage: Stage) -> QuerySet[Entry]:
    """Return the entries of a stage in order of the list, without stand-ins."""
    entries = Entry.objects.filter(tournament=stage.tournament_id).exclude(status=Entry.Status.STANDIN)
    if stage.has_members and stage.members.exists():
        entries = entries.filter(stages__stage=stage)
    return entries.order_by("number", "id")


def playing_in(stage: Stage) -> QuerySet[Entry]:
    """Return the current entries of a stage; while the tournament runs, without players who dropped out."""
    entries = entries_in(stage)
    is_running = stage.tournament.state == Tournament.State.RUNNING
    return entries.exclude(status=Entry.Status.DROPPED) if is_running else entries


def join(stage: Stage, entry: Entry, *, group_of: Entry | None = None) -> None:
    """Add a late entry or stand-in to a stage with members: to the group of `group_of`, otherwise to the smallest.

    An existing group stays.
    """
    members = members_in(stage)
    if not members or entry.public_id in members:
        return
    sizes = Counter(dict.fromkeys(range(1, stage.groups + 1), 0))
    sizes.update(member.group for member in members.values())
    group = min(sizes, key=lambda number: (sizes[number], number))
    if group_of is not None and group_of.public_id in members:
        group = members[group_of.public_id].group
    order = max(member.order for member in members.values()) + 1
    StageEntry.objects.create(stage=stage, entry=entry, group=group, order=order)
