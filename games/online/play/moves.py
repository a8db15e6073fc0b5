"""Moves at an online table: each is checked by the engine, stored, and only then shown to anybody.

A move is decided under its table's lock, alone in a transaction or in that of a group (games/online/play/append.py),
which leaves what is refused or ends a hand to the former.
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
from games.online.play.deals import latest_deal, lock_kept_table, settings_of
from games.online.play.finish import finish
from games.online.play.places import own_copy, plays
from games.online.play.replay import BESIDES, Played, replay
from league.access.table_rows import at_table
from league.lib.errors import Conflict, Refused
from league.lib.translate import translate
from league.models import Entry, Table, User


class Command(NamedTuple):
    """What a player asks. `action` is the engine's without the seat, which is the player's own. `answers` is the number
    of the move that the player answers: `Played.decision`, or for UNO and a catch that of `Played.windows`."""

    deal: int
    entry: Entry
    action: Action
    answers: int | None
    key: str = ""


@dataclass(frozen=True)
class Moved:
    """`replayed`: the command's key was known, so nothing was done again."""

    deal: Deal
    played: Played
    replayed: bool = False


def play(*, table_id: int, deal_id: int, entry: Entry, command: Action, answers: int | None, key: str = "") -> Moved:
    """Do what a player asks, once; the arguments are those of `Command`.

    Raises `Conflict("decided")` when what it answers is no longer open, `Conflict("gone")`, `Conflict("paused")`, and
    `Refused` with the engine's code and sentence; then nothing has changed.
    """
    asked = Command(deal_id, entry, command, answers, key)
    if (group := this_group()) is not None:
        return _play_in_group(table_id, asked, group)
    return _play_alone(table_id, asked)


def _play_in_group(table_id: int, asked: Command, group: Group) -> Moved:
    """Raise `RetryOutsideGroup` for a refused move (perhaps a repeated one) and for a move that ends the hand."""
    here = at_table(table_id)
    deal = latest_deal(here.table, locked=True) if here and table_id in group.tables else None
    if deal is None or deal.pk != asked.deal or len(asked.key) > MOST_KEY:
        raise RetryOutsideGroup
    deal.places = own_copy(deal.places)
    try:
        pending = _decide(deal, asked)
    except Refused:
        raise RetryOutsideGroup from None
    if pending.played.hand.over:
        raise RetryOutsideGroup
    group.add(pending)
    return Moved(pending.deal, pending.played)


@transaction.atomic
def _play_alone(table_id: int, asked: Command) -> Moved:
    table = lock_kept_table(table_id)
    deal, earlier = _deal_of(table, asked)
    at = _seat_of(deal, asked.entry)
    if len(asked.key) > MOST_KEY:
        raise Refused("key", _("The idempotency key is longer than %(most)d characters.") % {"most": MOST_KEY})
    if earlier is not None:
        if earlier != _digest(at, asked):
            raise Refused("key-reused", _("This key was used for another move. Check the table."))
        return Moved(deal, _replay_unnamed(deal), replayed=True)
    pending = _decide(deal, asked)
    store(pending)
    return Moved(deal, pending.played)


def _decide(deal: Deal, asked: Command) -> PendingMove:
    """What becomes of a deal by what a player asks. Writes nothing; `deal` is as it is after the move."""
    at = _seat_of(deal, asked.entry)
    check_goes_on(deal)
    action = check_action_here((asked.action[0], at, *asked.action[1:]))
    played = _replay_unnamed(deal)
    _check_open(played, action, asked.answers)
    if deal.places[at]["misses"]:
        remember(deal.places[at], deal.moves_made + 1)
    deal.places[at].update(misses=0, bot=asked.entry.bot)  # whoever was away is back
    return follow(deal, played, action, key=asked.key, digest=_digest(at, asked), mover=asked.entry.plays_as)


def _seat_of(deal: Deal, entry: Entry) -> int:
    if (at := next((n for n, place in enumerate(deal.places) if plays(place, entry)), None)) is None:
        raise Conflict("not-dealt-in", _("You don’t play in this hand."))
    return at


def _digest(at: int, asked: Command) -> str:
    """With the seat: a command that somebody else sent under this key was not done for this player."""
    return hashlib.sha256(json.dumps([at, asked.action, asked.answers]).encode()).hexdigest()


def _deal_of(table: Table, asked: Command) -> tuple[Deal, str | None]:
    """The deal, and the digest of an earlier command with this key, if there was one."""
    deal = latest_deal(table, locked=True)
    if deal is None or deal.pk != asked.deal:
        known = asked.deal <= BigIntegerField.MAX_BIGINT  # a form may hold any number
        deal = Deal.objects.filter(table=table, pk=asked.deal).first() if known else None
    if deal is None:
        raise Conflict("gone", _("This hand is no longer open. Check the table."))
    deal.table, deal.places = table, own_copy(deal.places)
    with_key = Move.objects.filter(deal=deal, key=asked.key).order_by()
    return deal, with_key.values_list("digest", flat=True).first() if asked.key else None


def _replay_unnamed(deal: Deal) -> Played:
    return replay(deal, [""] * len(deal.places))  # nobody is named in what decides


def check_goes_on(deal: Deal) -> None:
    """Raises `Conflict` for a hand that is not being played now."""
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
    """Check only that what an action names is still open: by nature catches and answers come at the same time."""
    if action[0] in BESIDES:
        seat = action[2] if action[0] == "catch" else action[1]
        still_open = played.windows.get(seat) == answers
    else:
        still_open = played.decision == answers
    if not still_open:
        raise Conflict("decided", _("The hand has moved on. Check the table and try again."))


def check_action_here(action: Action) -> Action:
    """Raises `Refused` for a command that is no action."""
    try:
        return check_action(action)
    except refused.Refused as no:
        raise in_words(no) from no


def in_words(no: refused.Refused) -> Refused:
    """The engine's refusal in the reader's language; `rule` goes with it."""
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
    """One more move of anybody and what follows from it: the clock and the next player. Writes nothing.

    The caller has checked that the hand goes on. `mover`: as `tell_page` takes it. Raises `Refused` with the engine's
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
    asked_anew = played.decision != decision
    if asked_anew:
        charge(deal, settings, now)
    set_clock(deal, played, settings, now, asked_anew=asked_anew)
    if not played.hand.over:
        deal.table.play_version += 1
    move = Move(deal=deal, number=played.moves, action=list(action), key=key, digest=digest, by=by, bot=bot, at=now)
    return PendingMove(deal, played, move, mover)


def store(pending: PendingMove) -> None:
    """Write a move, and the result if it ends the hand. The caller holds the table's lock."""
    if pending.played.hand.over:
        finish(pending.deal, pending.played)
    write([pending])
