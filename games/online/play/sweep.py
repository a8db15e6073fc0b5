"""Scheduled actions at online tables. Called twice a second while hands are open; the due times are in the rows.

As for players, a table's row is the lock for all changes at it. A sweep skips a locked table, whose action stays due
for the next sweep. So sweepers may run in parallel, and a killed one leaves nothing half done.

Once a second a sweep checks for wider changes: a published round, a hand recorded on paper, changed seats, a closed
table or round, the event's last two. While hands are open, each sweep also looks for due hands, with one query if there
are none.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.state import DRAWN
from games.hands.record import check_counts
from games.models import Deal, OnlineSettings
from games.online.play import bots, pulse
from games.online.play.clock import remember
from games.online.play.deals import abandon, next_deal, open_deal, reseal, settings_of, start_if_ready
from games.online.play.finish import give_up
from games.online.play.moves import follow, store
from games.online.play.notify import notify_page
from games.online.play.places import ABSENT
from games.online.play.replay import Played, replay
from league.ledger.progress import PLAYING, tables_now
from league.lib.errors import Refused
from league.models import Entry, Round, Table, Tournament

logger = logging.getLogger(__name__)

LOOK_EVERY = timedelta(seconds=1)
MOST_AT_ONCE = 100  # tables a sweep; the next sweep follows at once
EARLIEST = datetime.min.replace(tzinfo=UTC)
# Time ends this much later than shown, so network delay or a short stop of the service costs no time.
TOLERANCE = timedelta(seconds=2)
AGAIN_AFTER = timedelta(seconds=5)  # delay before retrying a failed table
BY_TIME = "time"  # in `Move.bot`: a person's time ran out


def sweep(now: datetime) -> int:
    """Run all due actions without memory of earlier sweeps; return the number of changed tables."""
    return Sweeper().sweep(now)


class Sweeper:
    """Remembers checked tables, so unchanged ones are not worked out every second.

    Raises the database's errors when it is gone; the next sweep continues.
    """

    def __init__(self) -> None:
        self._looked_at: datetime | None = None
        self._open = False  # whether a hand was open a second ago
        # {table: log version when checked}, for tables without a hand in play
        self._seen: dict[int, int | None] = {}
        # {round: (log version when checked, its finished tables)}
        self._done: dict[int, tuple[int | None, frozenset[int]]] = {}
        self._failed: dict[int, datetime] = {}  # {table: when to try it again}

    def sweep(self, now: datetime) -> int:
        done = 0
        if self._looked_at is None or abs(now - self._looked_at) >= LOOK_EVERY:
            self._looked_at = now
            done = self._check_tables(now)
        if self._open and (tables := list(due_tables(now))):
            # A gap must be known before anything ends, since it shifts times (games/online/play/pulse.py).
            until = pulse.healthy_until(now)
            done += sum(bool(self._carry_out(table, now, until)) for table in tables)
        return done

    def _check_tables(self, now: datetime) -> int:
        until = None
        if hands := _open_hands():
            pulse.take(now)
            until = pulse.healthy_until(now)
        done_with = self._tables_done(hands)
        stopped = {hand.table for hand in hands if not hand.goes_on or (hand.in_play and hand.table in done_with)}
        tables = [
            (hand.table, hand.version, hand.table in stopped)
            for hand in hands
            if hand.table in stopped or not hand.in_play
        ]
        tables += [(table, version, False) for table, version in _tables_without_hand()]
        done, seen, remaining = 0, {}, MOST_AT_ONCE
        for table, version, urgent in tables:
            if (not urgent and self._seen.get(table, -1) == version) or self._failed.get(table, now) > now:
                seen[table] = version
                continue
            if remaining:
                remaining -= 1
                did = self._carry_out(table, now, until, check=urgent)
                done += bool(did)
                if did is not None:
                    seen[table] = version
        self._open = bool(hands) or done > 0
        self._seen = seen
        self._failed = {table: again for table, again in self._failed.items() if again > now}
        return done

    def _tables_done(self, hands: "Sequence[_OpenHand]") -> frozenset[int]:
        """Return tables with a hand in play that need none. Works out each round once a log row."""
        rounds = {hand.round: hand.version for hand in hands if hand.in_play and hand.goes_on}
        self._done = {key: known for key, known in self._done.items() if rounds.get(key, -1) == known[0]}
        for key, version in rounds.items():
            if key not in self._done:
                self._done[key] = version, _tables_done_in(key)
        return frozenset().union(*(tables for _version, tables in self._done.values()))

    def _carry_out(self, table: int, now: datetime, until: datetime | None, *, check: bool = False) -> bool | None:
        """Return whether anything was done; None if a later sweep must try again."""
        try:
            with transaction.atomic():
                return attend(table, now, until, check=check)
        except (OperationalError, InterfaceError):
            raise  # the database, not the table
        except Refused as refused:  # don't log its sentence, which may name cards
            logger.error("What was due at table %s was refused: %s", table, refused.code)
            self._put_off(table, now)
        except Exception:
            logger.exception("What was due at table %s failed", table)
            self._put_off(table, now)
        return None

    def _put_off(self, table: int, now: datetime) -> None:
        """Delay a failing table, so it doesn't hold up others."""
        self._failed[table] = now + AGAIN_AFTER
        failed = Deal.objects.open().filter(table=table)
        failed.filter(due_at__lte=now).update(due_at=now + AGAIN_AFTER)
        failed.filter(bot_at__lte=now).update(bot_at=now + AGAIN_AFTER)


def next_due() -> datetime | None:
    """Return when the tables need a sweep: always while hands are open or a table may need one.

    A sweep also counts the time of open hands, so it doesn't wait for the first due hand.
    """
    if first := Deal.objects.open().order_by().values_list("made_at", flat=True).first():
        return first
    return EARLIEST if next(_tables_without_hand(), None) else None


def due_tables(now: datetime) -> Iterator[int]:
    """Yield the keys of tables with a due hand that is not paused."""
    going_on = Deal.objects.open().filter(paused_at=None, table__round__tournament__paused_at=None)
    due = going_on.filter(Q(due_at__lte=now - TOLERANCE) | Q(bot_at__lte=now))
    yield from due.order_by("pk").values_list("table_id", flat=True)[:MOST_AT_ONCE]


class _OpenHand(NamedTuple):
    """`version`: the tournament's log number. `in_play`: the cards are dealt."""

    table: int
    round: int
    version: int | None
    in_play: bool
    goes_on: bool


def _open_hands() -> list[_OpenHand]:
    rows = Deal.objects.open().order_by("table_id")
    return [
        _OpenHand(table, played, version, state == Deal.State.PLAYING, _goes_on(*where))
        for table, played, version, state, *where in rows.values_list(
            "table_id",
            "table__round_id",
            "table__round__tournament__log_head__number",
            "state",
            "table__mode",
            "table__state",
            "table__round__state",
            "table__round__tournament__state",
        )
    ]


def _tables_done_in(round_id: int) -> frozenset[int]:
    """Return a round's tables that were closed, have ended, or were stopped by the event."""
    try:
        played = Round.objects.select_related("stage", "tournament").get(pk=round_id)
        return frozenset(progress.table.pk for progress in tables_now(played) if progress.state != PLAYING)
    except (OperationalError, InterfaceError):
        raise  # the database, not the round
    except Exception:
        logger.exception("Which tables of round %s are done could not be worked out", round_id)
        return frozenset()


def _tables_without_hand() -> Iterator[tuple[int, int | None]]:
    """Yield table and version, as in `_OpenHand`, of open online tables that may need a hand."""
    played = Round.objects.filter(
        state__in=(Round.State.PUBLISHED, Round.State.RUNNING), tournament__state=Tournament.State.RUNNING
    )
    tables = Table.objects.filter(round__in=played, mode=Table.Mode.ONLINE).exclude(
        state__in=(Table.State.VOID, Table.State.CONFIRMED, Table.State.REPORTED)
    )
    tables = tables.exclude(pk__in=Deal.objects.open().values("table"))
    yield from tables.order_by("pk").values_list("pk", "round__tournament__log_head__number")


def _goes_on(mode: str, state: str, round_state: str, tournament_state: str) -> bool:
    return (
        mode == Table.Mode.ONLINE
        and state != Table.State.VOID
        and round_state in (Round.State.PUBLISHED, Round.State.RUNNING)
        and tournament_state != Tournament.State.CLOSED
    )


def attend(table_id: int, now: datetime, until: datetime | None, *, check: bool = False) -> bool | None:
    """Run due actions at a table, in a transaction. Return whether any ran; None if the table is locked.

    `until`: the time that counts (games/online/play/pulse.py); None: time is stopped. `check`: a hand in play may not
    count any more.
    """
    # SKIP LOCKED where the database has it; on SQLite only one transaction writes at a time.
    locked = Table.objects.select_for_update(skip_locked=True).filter(pk=table_id)
    if not locked.values_list("pk", flat=True).first():
        return None
    table = Table.objects.select_related("round__stage", "round__tournament").get(pk=table_id)
    played = table.round
    deal = open_deal(table)
    if deal is not None and (why := _why_stopped(table, deal, check=check)):
        if deal.state == Deal.State.PLAYING:
            give_up(deal, why)
        else:
            abandon(deal, why)
        return True
    if deal is None or deal.state == Deal.State.WAITING:
        return _before_the_deal(table, deal, now, until)
    if until is None or deal.paused_at or played.tournament.paused_at:
        return False
    if deal.bot_at is not None and deal.bot_at <= now:
        return _bots_turn(deal, now)
    if deal.due_at is not None and deal.due_at + TOLERANCE <= until:
        _miss(deal, now)
        return True
    return False


def _why_stopped(table: Table, deal: Deal, *, check: bool) -> str:
    """Return why an open hand must stop; empty if it continues."""
    if table.mode != Table.Mode.ONLINE:
        return _("The table is no longer online.")
    if not _goes_on(table.mode, table.state, table.round.state, table.round.tournament.state):
        return _("The round is over.")
    if check and deal.state == Deal.State.PLAYING:
        try:
            check_counts(table, deal.number)
        except Refused as refused:
            return str(refused)
    return ""


# Before the cards are dealt


def _before_the_deal(table: Table, before: Deal | None, now: datetime, until: datetime | None) -> bool:
    """Seal a deck, or a new one if the players changed; start a hand that has waited long enough."""
    deal = next_deal(table)
    if deal is None:
        return before is not None
    if is_new := before is None or deal.pk != before.pk:
        notify_page(table)
    if table.round.tournament.paused_at or deal.paused_at:
        return is_new
    settings = settings_of(table.round.tournament)
    if deal.opening:
        if until is None or deal.due_at is None or deal.due_at > until:
            return is_new
        reseal(deal)
    elif _only_bots(deal) or _all_ready(deal):
        start_if_ready(deal)
    elif until is None or deal.due_at is None or deal.due_at > until:
        return is_new
    elif table.deals.filter(state=Deal.State.OVER).exists():
        start_if_ready(deal, anyway=True)
    else:
        _no_show(deal, settings)
    notify_page(table)
    return True


def _only_bots(deal: Deal) -> bool:
    """Return whether no person will ever come."""
    if not all(place["bot"] for place in deal.places):
        return False
    return not Entry.objects.filter(pk__in=[place["entry"] for place in deal.places], bot="").exists()


def _all_ready(deal: Deal) -> bool:
    """Return whether all are ready, with at least one person: then only a pause delayed the deal."""
    return all(place["ready"] for place in deal.places) and not all(place["bot"] for place in deal.places)


def _no_show(deal: Deal, settings: OnlineSettings) -> None:
    """End the time to come to the table. If no one came, wait for the first, then again for the rest."""
    is_anyone_there = any(place["ready"] and not place["bot"] for place in deal.places)
    if not is_anyone_there or settings.no_show == OnlineSettings.NoShow.WAIT:
        deal.due_at = None
        deal.save(update_fields=["due_at"])
        return
    for place in deal.places:
        if not place["ready"]:
            plays = settings.bot if settings.no_show == OnlineSettings.NoShow.BOT else ABSENT
            place.update(bot=plays, ready=True)
    start_if_ready(deal)


# In play


def _replay_unnamed(deal: Deal) -> Played:
    return replay(deal, [""] * len(deal.places))  # no names, since they don't affect decisions


def _bots_turn(deal: Deal, now: datetime) -> bool:
    """Let a bot act once: call UNO or catch, if possible, or make its own move."""
    played = _replay_unnamed(deal)
    if played.windows:
        for action in bots.interruptions(deal, played.hand):
            store(follow(deal, played, action, bot=deal.places[action[1]]["bot"], now=now))
            return True
    kind = deal.places[played.hand.public.turn]["bot"]
    if not kind:
        deal.bot_at = None
        deal.save(update_fields=["bot_at"])
        return False
    _move(deal, played, kind, kind, now)
    return True


def _move(deal: Deal, played: Played, kind: str, mover: str, now: datetime) -> None:
    """Make a bot's move; if the rules refuse it, make the least move they allow."""
    action = bots.answer(played.hand, kind)
    try:
        store(follow(deal, played, action, bot=mover, now=now))
    except Refused as refused:  # log neither action nor sentence: both name cards
        logger.error("A bot (%s) wanted what the rules refuse: %s", kind, refused.code)
        store(follow(deal, played, bots.answer(played.hand, ABSENT), bot=mover, now=now))


def _miss(deal: Deal, now: datetime) -> None:
    """Move for a player whose time is over, including the decision about a drawn card."""
    settings = settings_of(deal.table.round.tournament)
    played = _replay_unnamed(deal)
    seat = played.hand.public.turn
    place = deal.places[seat]
    remember(place, deal.moves_made + 1)
    timed_out = [*place.get("timed_out", ()), len(played.hand.log)]
    place.update(misses=place["misses"] + 1, bank=0, timed_out=timed_out)
    if place["misses"] >= settings.misses:
        place["bot"] = settings.bot  # until they return (moves.play, deals.get_ready)
    by_bot = settings.absent == OnlineSettings.Absent.BOT
    kind, mover = (settings.bot, settings.bot) if by_bot else (ABSENT, BY_TIME)
    _move(deal, played, kind, mover, now)
    if (played.hand.public.turn, played.hand.public.step) == (seat, DRAWN):
        _move(deal, played, kind, mover, now)
