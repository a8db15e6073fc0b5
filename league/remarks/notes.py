"""Private notes on a person, such as “needs a table near the door”. Directors read them on the pages of the event."""

from collections.abc import Sequence
from hashlib import sha256
from textwrap import shorten

from django.db import transaction
from django.utils.translation import gettext as _

from league.access import Access, keeps_members
from league.access.tournaments import runs
from league.ledger.locks import lock_club, lock_tournament
from league.lib.errors import Conflict, Refused
from league.lib.translate import label_text
from league.log.write import note, player_in_log
from league.models import Entry, Player, Tournament, User
from league.remarks.people import people_of, persons_of

MOST_IN_A_LIST = 60


def notes_on(access: Access, entries: Sequence[Entry]) -> dict[int, str]:
    """Return {entry id: notes on its persons} for directors; empty for other viewers."""
    if not access.corrects:
        return {}
    notes = {}
    for key, persons in people_of(entries).items():
        texts = [_text(person, alone=len(persons) == 1) for person in persons if _is_of(person, access.tournament)]
        if text := "; ".join(filter(None, texts)):
            notes[key] = text
    return notes


def short_notes(access: Access, entries: Sequence[Entry]) -> dict[int, str]:
    """Return notes as one short line for lists."""
    return {key: shorten(text, MOST_IN_A_LIST, placeholder="…") for key, text in notes_on(access, entries).items()}


def _text(person: Player, *, alone: bool) -> str:
    return person.notes if alone or not person.notes else label_text(person.name, person.notes)


def _is_of(person: Player, tournament: Tournament) -> bool:
    """Return whether directors of a tournament may read the notes: of guests, and of members of its club."""
    return person.club_id in (None, tournament.club_id)


def may_write_notes(by: User, entry: Entry, person: Player) -> bool:
    """Return whether an account manages the member, or runs the tournament of a guest."""
    if person.erased_at is not None or entry.bot or not _is_of(person, entry.tournament):
        return False
    return keeps_members(by, person.club) if person.club is not None else runs(by, entry.tournament)


def state_of(notes: str) -> str:
    """Return a short hash, by which a form tells that the notes have changed since."""
    return sha256(notes.encode()).hexdigest()[:16]


@transaction.atomic
def write_notes(*, entry: Entry, person: Player, notes: str, was: str, by: User) -> None:
    """Replace the notes on a person of an entry. The log has no word of them.

    was: `state_of` the notes that were edited. Raises `Conflict("changed")` if they are others now.
    """
    tournament = lock_tournament(entry.tournament_id)
    if person.club_id is not None:
        lock_club(person.club_id)
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    current.tournament = tournament
    known = Player.objects.select_for_update(of=("self",)).select_related("club").get(pk=person.pk)
    if known not in persons_of(current) or not may_write_notes(by, current, known):
        raise Refused("not-yours", _("Only the organisers of the club write notes on %(name)s.") % {"name": known})
    if known.notes == notes:
        return
    if state_of(known.notes) != was:
        raise Conflict("changed", _("Someone has changed these notes since. Compare both, then save again."))
    known.notes = notes
    known.save(update_fields=["notes"])
    note(tournament=tournament, by=by, action="write-notes", new=player_in_log(current))
