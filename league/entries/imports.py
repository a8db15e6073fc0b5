"""Add a list to a tournament as one step, which can be undone until a round is published.

Undo deletes a drawn round, as removing a player does. Club members, people in other tournaments and details changed
since stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.entries import places
from league.entries.list_order import add_entries, lock_planned, name_places
from league.entries.persons import NO_CHOICE, Chosen, NewPlayer
from league.erasure.unused import forget_if_unused
from league.ledger.locks import lock_club
from league.lib.errors import Conflict
from league.log.write import note, player_in_log
from league.models import Entry, ImportedPerson, ListImport, Player, SignUp, Tournament, User
from league.rounds.draw import drop_draft

MOST_OFFERED = 5  # lists; a single typed name counts as one


@dataclass(frozen=True)
class Imported:
    """The result of a list. named: places that got a name. added: new entries at the end."""

    named: Sequence[Entry]
    added: Sequence[Entry]
    step: ListImport | None = None


@transaction.atomic
def add_list(
    *,
    tournament: Tournament,
    rows: Sequence[NewPlayer],
    members: Sequence[Player] = (),
    by: User | None,
    chosen: Chosen = NO_CHOICE,
) -> Imported:
    """Add the people of a list as one step: first to places without a name, then at the end."""
    named: list[Entry] = []
    old_names: dict[int, str] = {}
    if not tournament.stage.has_teams:
        left, others = name_places(
            tournament=tournament, players=rows, members=members, by=by, chosen=chosen, named=named, names=old_names
        )
        used = len(rows) - len(left)
        rows, members = left, others
        chosen = {at - used: person for at, person in chosen.items() if at >= used}
    added: Sequence[Entry] = ()
    if rows or members:
        added = add_entries(tournament=tournament, players=rows, members=members, by=by, chosen=chosen)
    if not named and not added:
        return Imported(named, added)
    step = ListImport.objects.create(tournament=tournament, by=by)
    ImportedPerson.objects.bulk_create(
        ImportedPerson(
            list_import=step,
            player=entry.player,
            entry=entry,
            place=old_names.get(entry.pk, ""),
            **getattr(entry.player, "filled", {}),
        )
        for entry in (*named, *added)
    )
    return Imported(named, added, step)


def imports_to_undo(tournament: Tournament) -> list[ListImport]:
    """Return the latest lists that can be undone, newest first."""
    if tournament.has_begun:
        return []
    steps = tournament.list_imports.filter(undone_at=None, people__isnull=False).distinct()
    return list(steps.prefetch_related("people")[:MOST_OFFERED])


@transaction.atomic
def undo_import(*, step: ListImport, by: User | None) -> int:
    """Remove the entries of a list and return their number; 0 if already undone. Raises `Conflict`."""
    assert step.tournament is not None
    tournament, _stage = lock_planned(step.tournament)
    if tournament.club_id is not None:
        lock_club(tournament.club_id)
    step = ListImport.objects.select_for_update().get(pk=step.pk)
    if step.undone_at is not None:
        return 0
    people = [person for person in step.people.select_related("entry__player", "player") if _is_as_added(person)]
    for person in people:
        if person.entry and person.entry.adjustments.exists():
            sentence = _("%(name)s has a points adjustment. Undo it first, or remove the other players one by one.")
            raise Conflict("has-adjustments", sentence % {"name": person.player})
    drop_draft(tournament, by)
    gone = [player_in_log(person.entry) for person in people if person.entry]
    put_back_details(people)
    for person in people:
        _take_off(person)
    step.undone_at = timezone.now()
    step.save(update_fields=["undone_at"])
    note(tournament=tournament, by=by, action="undo-import", old=gone)
    places.move_up(tournament, by)
    return len(gone)


def put_back_details(people: Iterable[ImportedPerson]) -> None:
    """Remove details that a list filled in about known people, unless changed since."""
    for person in people:
        player = person.player
        if person.email and player.email == person.email:
            player.email = ""
            player.save(update_fields=["email"])
        if person.birth_month and player.birthday == (person.birth_month, person.birth_day):
            player.birth_month = player.birth_day = None
            player.save(update_fields=["birth_month", "birth_day"])


def _is_as_added(person: ImportedPerson) -> bool:
    """Return whether the entry still belongs to this person and not to a replacement."""
    entry = person.entry
    return entry is not None and (entry.player_id == person.player_id or person.player.merged_into_id is not None)


def _take_off(person: ImportedPerson) -> None:
    entry = person.entry
    assert entry is not None
    if not person.place:
        # A person who was waiting before the list waits again.
        places.vacate(entry, SignUp.State.WAITING)
        return
    player, entry.player = entry.player, Player.objects.create(name=person.place)
    entry.save(update_fields=["player"])
    SignUp.objects.filter(entry=entry).update(name=person.place, club_name="")
    person.delete()
    forget_if_unused(player)
