"""Writes the log row of a change, inside the transaction that makes the change and after its other locks."""

import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from league.access.by import By
from league.live.wake import wake_after_commit
from league.log import chain
from league.models import (
    Club,
    ClubLogEntry,
    Entry,
    LogEntry,
    LogHead,
    Player,
    SignUp,
    Table,
    Tournament,
    User,
)


def note(
    *,
    tournament: Tournament,
    by: User | By | None,
    action: str,
    table: Table | None = None,
    round_number: int | None = None,
    hand: int | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
    player: Entry | SignUp | None = None,
) -> LogEntry:
    """Add a row to the end of the tournament's chain.

    `old` and `new` are JSON values that name people with their `player_id`. `by`: an account stands for a `By` of its
    own, None for what the service did by itself. `player`: the player that the account in `by` is at the table. Locks
    the end of the chain until the transaction ends.
    """
    done = by if isinstance(by, By) else By(by)
    player = player or done.player
    entry = LogEntry(
        tournament=tournament,
        by=done.user,
        scorer_link=done.link,
        player=player.public_id if player else "",
        action=action,
        round=table.round.number if table else round_number,
        table=table.number if table else None,
        hand=hand,
        old=old,
        new=new,
        reason=reason,
        salt=secrets.token_hex(16),
    )
    entry.digest = chain.content_digest(entry.salt, old, new, reason)
    about = table.pk if table is not None and action == "record" else None  # nothing changes at other tables
    with transaction.atomic(savepoint=False):
        head = lock_head(tournament)
        entry.at, entry.number, entry.previous = timezone.now(), head.number + 1, head.hash or tournament.public_id
        entry.hash = chain.link_hash(chain.link_of(entry))
        entry.save()
        head.number, head.hash = entry.number, entry.hash
        if about is None:
            head.beside_hands = entry.hash
        head.save(update_fields=["number", "hash", "beside_hands"])
        wake_after_commit(tournament.pk, entry.number, about=about)
    return entry


def note_in_club(
    *, club: Club, by: User | None, action: str, old: Any = None, new: Any = None, reason: str = ""
) -> ClubLogEntry:
    """Add a row to the log of a club, about anything but its tournaments, which have logs of their own.

    `old` and `new` as in `note`; a member's `player_id` is that of their profile (`member`).
    """
    return ClubLogEntry.objects.create(club=club, by=by, action=action, old=old, new=new, reason=reason[:200])


def member(player: Player) -> dict[str, str]:
    """A member as the log of the club names them."""
    return {"player_id": player.public_id, "player": player.name}


def player_in_log(entry: Entry) -> dict[str, str]:
    """A player as the log names them."""
    return {"player_id": entry.public_id, "player": entry.player.name}


def lock_head(tournament: Tournament) -> LogHead:
    """The end of a tournament's chain, locked for this transaction: the last lock that a transaction takes."""
    heads = LogHead.objects.select_for_update().filter(tournament=tournament)
    if head := heads.first():
        return head
    LogHead.objects.get_or_create(tournament=tournament)
    return heads.get()
