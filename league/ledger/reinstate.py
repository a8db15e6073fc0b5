"""Reinstate players who are no longer eliminated after a correction: they get an event, and no row is edited."""

from league.formats.race import OUT, State
from league.log.write import note
from league.models import Entry, EntryEvent, Tournament, User


def reinstate_those_back(
    *, tournament: Tournament, before: State, after: State, reason: str, by: User | None
) -> list[Entry]:
    """Write an event for each player eliminated before a correction and not after it.

    By the corrected hands they never were eliminated, so the event changes nothing in the race; it only records it. The
    caller holds the table's lock.
    """
    back = [entry for entry in after.still_in if entry in before.lines and before.lines[entry].status == OUT]
    if not back:
        return []
    played = tournament.rounds.shown().order_by("-number").first()
    entries = list(tournament.entries.filter(public_id__in=back).select_related("player").order_by("number"))
    for entry in entries:
        event = EntryEvent.objects.create(
            entry=entry, kind=EntryEvent.Kind.REINSTATED, round=played, reason=reason.strip()[:200], by=by
        )
        note(
            tournament=tournament,
            by=by,
            action="reinstate",
            round_number=played.number if played else None,
            new={
                "event": event.pk,
                "player_id": entry.public_id,
                "player": entry.name,
                "total": after.lines[entry.public_id].total,
            },
            reason=reason.strip()[:200],
        )
    return entries
