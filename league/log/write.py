"""Write the log row of a change, inside its transaction and after its other locks.

After the commit a row wakes open pages. It also outdates cached pages and estimates of the tournament, whose cache key
is the hash of its last row.
"""

import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from league.access.viewer import Attribution
from league.lib.wake import call_worker_after_commit, wake_after_commit
from league.log import chain
from league.models import Club, ClubLogEntry, Entry, LogEntry, LogHead, Player, Table, Tournament, User


def note(
    *,
    tournament: Tournament,
    by: User | Attribution | None,
    action: str,
    round_number: int | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
) -> LogEntry:
    """Append a row to the tournament's chain.

    `old` and `new` are JSON values that name people by `player_id`. An account as `by` is its own `Attribution`; None
    is the service. Locks the end of the chain until the transaction ends.
    """
    row = LogEntry(tournament=tournament, action=action, round=round_number, old=old, new=new, reason=reason)
    return _append(row, by)


def note_at_table(
    *,
    table: Table,
    by: User | Attribution | None,
    action: str,
    hand: int | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
) -> LogEntry:
    """Append a row about a table or one of its hands. Otherwise like `note`."""
    played = table.round
    row = LogEntry(
        tournament=played.tournament,
        action=action,
        round=played.number,
        table=table.number,
        hand=hand,
        old=old,
        new=new,
        reason=reason,
    )
    return _append(row, by, about=table.pk if action == "record" else None)  # other tables don't change


def _append(row: LogEntry, by: User | Attribution | None, about: int | None = None) -> LogEntry:
    """Append a row to its chain. `about` is the id of the only table that the change affects."""
    attribution = by if isinstance(by, Attribution) else Attribution(by)
    row.by, row.scorer_link, row.player = attribution.user, attribution.link, attribution.player_id
    row.salt = secrets.token_hex(16)
    row.digest = chain.content_digest(row.salt, row.old, row.new, row.reason)
    with transaction.atomic(savepoint=False):
        head = lock_head(row.tournament)
        row.at, row.number, row.previous = timezone.now(), head.number + 1, head.hash or row.tournament.public_id
        row.hash = chain.link_hash(chain.link_of(row))
        row.save()
        head.number, head.hash = row.number, row.hash
        if about is None:
            head.beside_hands = row.hash
        head.save(update_fields=["number", "hash", "beside_hands"])
        wake_after_commit(row.tournament_id, row.number, about=about)
    return row


def note_in_club(
    *, club: Club, by: User | None, action: str, old: Any = None, new: Any = None, reason: str = ""
) -> ClubLogEntry:
    """Append a row to a club's log; a club's tournaments have their own logs.

    `old` and `new` as in `note`; a member's `player_id` is the profile's (`member`).
    """
    call_worker_after_commit()  # ratings
    return ClubLogEntry.objects.create(club=club, by=by, action=action, old=old, new=new, reason=reason[:200])


def member(player: Player) -> dict[str, str]:
    """Return a member as a club's log names them."""
    return {"player_id": player.public_id, "player": player.name}


def player_in_log(entry: Entry) -> dict[str, str]:
    """Return a player as the log names them."""
    return {"player_id": entry.public_id, "player": entry.name}


def lock_head(tournament: Tournament) -> LogHead:
    """Return the end of a tournament's chain, locked: the last lock that a transaction takes."""
    heads = LogHead.objects.select_for_update().filter(tournament=tournament)
    if head := heads.first():
        return head
    LogHead.objects.get_or_create(tournament=tournament)
    return heads.get()
