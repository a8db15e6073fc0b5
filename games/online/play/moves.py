"""Moves at an online table: the engine checks each one, then it is stored, and only then shown.

A move is decided under its table's lock, alone in a transaction or in a group's (games/online/play/append.py). A group
leaves refused moves and ends of hands to single transactions.
"""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import BigIntegerField
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import refused
from engine.hand import check_action
from engine.state import Action
from games.hands.record import MOST_KEY
from games.models import Deal, Move
from games.online.play.append import Group, PendingMove, RetryOutsideGroup, this_group, write
from games.online.play.clock import charge, remember, set_clock
from games.online.play.deals import latest_deal, lock_cached_table, settings_of
from games.online.play.finish import finish
from games.online.play.places import own_copy, plays
from games.online.play.replay import BESIDES, Played, replay
from league.access.table_rows import at_table
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.models import Entry, Table, User


class Command(NamedTuple):
    """A player's request. `action` is the engine's without the seat, which is the player's own.

    `answers`: the number of the answered move: `Played.decision`, or for UNO and a catch one of `Played.windows`.
    """

    deal: int
    entry: Entry
    action: Action
    answers: int | None
    key: str = ""


@dataclass(frozen=True)
class Moved:
    """`replayed`: the key was known, so nothing happened again."""

    deal: Deal
    played: Played
    replayed: bool = False


def play(*, table_id: int, deal_id: int, entry: Entry, action: Action, answers: int | None, key: str = "") -> Moved:
    """Run a player's request once; the arguments are those of `Command`.

    Raises `Conflict("decided")` if the answered move is no longer open, `Conflict("gone")`, `Conflict("paused")`, and
    `Refused` with the engine's code and sentence. Then nothing has changed.
    """
    request = Command(deal_id, entry, action, answers, key)
    if (group := this_group()) is not None:
        return _play_in_group(table_id, request, group)
    return _play_alone(table_id, request)


def _play_in_group(table_id: int, command: Command, group: Group) -> Moved:
    """Queue the move. Raises `RetryOutsideGroup` for a refused (perhaps repeated) move and for the end of a hand."""
    here = at_table(table_id)
    deal = latest_deal(here.table, locked=True) if here and table_id in group.tables else None
    if deal is None or deal.pk != command.deal or len(command.key) > MOST_KEY:
        raise RetryOutsideGroup
    deal.places = own_copy(deal.places)
    try:
        pending = _decide(deal, command)
    except Refused:
        raise RetryOutsideGroup from None
    if pending.played.hand.over:
        raise RetryOutsideGroup
    group.add(pending)
    return Moved(pending.deal, pending.played)


@transaction.atomic
def _play_alone(table_id: int, command: Command) -> Moved:
    table = lock_cached_table(table_id)
    deal, earlier = _deal_of(table, command)
    at = _seat_of(deal, command.entry)
    if len(command.key) > MOST_KEY:
        raise Refused("key", _("The idempotency key is longer than %(most)d characters.") % {"most": MOST_KEY})
    if earlier is not None:
        if earlier != _digest(at, command):
            raise Refused("key-reused", _("This key was used for another move. Check the table."))
        return Moved(deal, _replay_unnamed(deal), replayed=True)
    pending = _decide(deal, command)
    store(pending)
    return Moved(deal, pending.played)


def _decide(deal: Deal, command: Command) -> PendingMove:
    """Return the move and the deal after it. Changes `deal`, but writes nothing."""
    at = _seat_of(deal, command.entry)
    check_goes_on(deal)
    action = check_action_here((command.action[0], at, *command.action[1:]))
    played = _replay_unnamed(deal)
    _check_open(played, action, command.answers)
    if deal.places[at]["misses"]:
        remember(deal.places[at], deal.moves_made + 1)
    deal.places[at].update(misses=0, bot=command.entry.bot)  # an absent player is back
    return follow(deal, played, action, key=command.key, digest=_digest(at, command), mover=command.entry.plays_as)


def _seat_of(deal: Deal, entry: Entry) -> int:
    if (at := next((n for n, place in enumerate(deal.places) if plays(place, entry)), None)) is None:
        raise Conflict("not-dealt-in", _("You don’t play in this hand."))
    return at


def _digest(at: int, command: Command) -> str:
    """Return a hash with the seat, so another player's command under the same key doesn't match."""
    return hashlib.sha256(json.dumps([at, command.action, command.answers]).encode()).hexdigest()


def _deal_of(table: Table, command: Command) -> tuple[Deal, str | None]:
    """Return the deal, and the digest of an earlier command with this key, if any."""
    deal = latest_deal(table, locked=True)
    if deal is None or deal.pk != command.deal:
        known = command.deal <= BigIntegerField.MAX_BIGINT  # a form may send any number
        deal = Deal.objects.filter(table=table, pk=command.deal).first() if known else None
    if deal is None:
        raise Conflict("gone", _("This hand is no longer open. Check the table."))
    deal.table, deal.places = table, own_copy(deal.places)
    with_key = Move.objects.filter(deal=deal, key=command.key).order_by()
    return deal, with_key.values_list("digest", flat=True).first() if command.key else None


def _replay_unnamed(deal: Deal) -> Played:
    return replay(deal, [""] * len(deal.places))  # no names, since they don't affect decisions


def check_goes_on(deal: Deal) -> None:
    """Raise `Conflict` for a hand that is not in play."""
    played = deal.table.round
    if deal.state == Deal.State.OVER:
        raise Conflict("gone", _("This hand is over."))
    if deal.state != Deal.State.PLAYING:
        raise Conflict("gone", _("This hand is no longer open. Check the table."))
    if not played.is_open or played.tournament.is_final:
        raise Conflict("closed", _("Round %(number)d is closed.") % {"number": played.number})
    if played.tournament.is_called_off:
        raise Conflict("called-off", _("The tournament is cancelled, so no hand counts. Ask the organiser."))
    if deal.paused_at or played.tournament.paused_at:
        raise Conflict("paused", _("Play is paused until the organiser resumes it."))


def _check_open(played: Played, action: Action, answers: int | None) -> None:
    """Check only that the answered move is still open, since catches and answers can come at the same time."""
    if action[0] in BESIDES:
        seat = action[2] if action[0] == "catch" else action[1]
        still_open = played.windows.get(seat) == answers
    else:
        still_open = played.decision == answers
    if not still_open:
        raise Conflict("decided", _("The hand has moved on. Check the table and try again."))


def check_action_here(action: Action) -> Action:
    """Raise `Refused` for a malformed action."""
    try:
        return check_action(action)
    except refused.Refused as no:
        raise in_words(no) from no


def in_words(no: refused.Refused) -> Refused:
    """Return the engine's refusal in the reader's language, with its `rule`."""
    refusal = Refused(no.code, translate(no.sentence))
    refusal.rule = no.rule  # type: ignore[attr-defined]
    return refusal


def follow(
    deal: Deal,
    played: Played,
    action: Action,
    *,
    key: str = "",
    digest: str = "",
    bot: str = "",
    by: User | None = None,
    mover: str | None = None,
    now: datetime | None = None,
) -> PendingMove:
    """Make one more move, set the clock and the next player. Writes nothing.

    The caller has checked that the hand continues. `mover`: as for `notify_page`. Raises `Refused` with the engine's
    code.
    """
    settings = settings_of(deal.table.round.tournament)
    now = now or timezone.now()
    decision = played.decision
    try:
        played.follow(action)
    except refused.Refused as no:
        raise in_words(no) from no
    deal.moves_made = played.moves
    new_decision = played.decision != decision
    if new_decision:
        charge(deal, settings, now)
    set_clock(deal, played, settings, now, new_decision=new_decision)
    if not played.hand.over:
        deal.table.play_version += 1
    move = Move(deal=deal, number=played.moves, action=list(action), key=key, digest=digest, by=by, bot=bot, at=now)
    return PendingMove(deal, played, move, mover)


def store(pending: PendingMove) -> None:
    """Write a move, and the result if it ends the hand. The caller holds the table's lock."""
    if pending.played.hand.over:
        finish(pending.deal, pending.played)
    write([pending])
