"""What happens by itself at online tables. Called a few times a second; what is due stands in the rows.

A table's row is the lock for everything at it, as for its players: whoever plays there now is not waited for, and what
was due is still due with the next sweep, unless the move that was made has changed that. So sweepers may run side by
side, and one that is killed has done nothing.

Once a second a sweep looks at what may have changed at all: a round was published, a hand came in on paper, people sit
elsewhere, a table or a round was closed, the event came to its last two. While hands are open, every sweep looks at
those whose time has come, by one query when there are none.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.state import DRAWN
from games.hands.record import check_counts
from games.models import Deal, OnlineSettings
from games.online.play import bots, pulse
from games.online.play.clock import remember
from games.online.play.deals import abandon, next_deal, open_deal, seal_anew, settings_of, start_if_ready
from games.online.play.finish import give_up
from games.online.play.moves import make_move
from games.online.play.places import ABSENT
from games.online.play.replay import Played, replay
from games.online.play.tell import tell_page
from league.ledger.progress import PLAYING, tables_now
from league.lib.errors import Refused
from league.models import Entry, Round, Table, Tournament

logger = logging.getLogger(__name__)

LOOK_EVERY = timedelta(seconds=1)
MOST_AT_ONCE = 100  # tables of one sweep; the next follows at once
# Time ends so much later than pages show, so that neither the way of a move nor a short stop of the service costs it.
TOLERANCE = timedelta(seconds=2)
AGAIN_AFTER = timedelta(seconds=5)  # what failed
BY_TIME = "time"  # in `Move.bot`: the time of a person was over


def sweep(now: datetime) -> int:
    """Do what is due, whatever earlier sweeps have looked at; returns at how many tables something happened."""
    return Sweeper().sweep(now)


class Sweeper:
    """Remembers what it has looked at, so that tables at which nothing changes are not worked out every second.

    Raises what the database raises when it is gone; the next sweep goes on from there.
    """

    def __init__(self) -> None:
        self._looked_at: datetime | None = None
        self._open = False  # whether any hand was, a second ago
        # {table: the version of its tournament's log at which it was looked at}, of those where nothing is played.
        self._seen: dict[int, int | None] = {}
        # {round: the version at which it was looked at, and its tables that need no more hands}
        self._done: dict[int, tuple[int | None, frozenset[int]]] = {}
        self._failed: dict[int, datetime] = {}  # {table: when to try it again}

    def sweep(self, now: datetime) -> int:
        done = 0
        if self._looked_at is None or abs(now - self._looked_at) >= LOOK_EVERY:
            self._looked_at = now
            done = self._look(now)
        if self._open and (tables := list(due_tables(now))):
            # Nothing ends before the gap is known by which it is put off (games/online/play/pulse.py).
            until = pulse.known(now)
            done += sum(bool(self._carry_out(table, now, until)) for table in tables)
        return done

    def _look(self, now: datetime) -> int:
        until = None
        if hands := _open_hands():
            pulse.take(now)
            until = pulse.known(now)
        done_with = self._tables_done(hands)
        stopped = {one.table for one in hands if not one.goes_on or (one.in_play and one.table in done_with)}
        tables = [
            (one.table, one.version, one.table in stopped) for one in hands if one.table in stopped or not one.in_play
        ]
        tables += [(table, version, False) for table, version in _without_a_hand()]
        done, seen, left = 0, {}, MOST_AT_ONCE
        for table, version, urgent in tables:
            if (not urgent and self._seen.get(table, -1) == version) or self._failed.get(table, now) > now:
                seen[table] = version
                continue
            if left:
                left -= 1
                did = self._carry_out(table, now, until, check=urgent)
                done += bool(did)
                if did is not None:
                    seen[table] = version
        self._open = bool(hands) or done > 0
        self._seen = seen
        self._failed = {table: again for table, again in self._failed.items() if again > now}
        return done

    def _tables_done(self, hands: "Sequence[_OpenHand]") -> frozenset[int]:
        """Tables with a hand in play that need none. Of each round once after every row of the log."""
        rounds = {one.round: one.version for one in hands if one.in_play and one.goes_on}
        self._done = {key: known for key, known in self._done.items() if rounds.get(key, -1) == known[0]}
        for key, version in rounds.items():
            if key not in self._done:
                self._done[key] = version, _done_in(key)
        return frozenset().union(*(tables for _version, tables in self._done.values()))

    def _carry_out(self, table: int, now: datetime, until: datetime | None, *, check: bool = False) -> bool | None:
        """Whether anything was done; None: that is to be seen, by the next sweep or a later one."""
        try:
            with transaction.atomic():
                return attend(table, now, until, check=check)
        except (OperationalError, InterfaceError):
            raise  # the database, not the table
        except Refused as refused:  # its sentence may name cards
            logger.error("What was due at table %s was refused: %s", table, refused.code)
            self._put_off(table, now)
        except Exception:
            logger.exception("What was due at table %s failed", table)
            self._put_off(table, now)
        return None

    def _put_off(self, table: int, now: datetime) -> None:
        """So that it keeps no other table from its turn."""
        self._failed[table] = now + AGAIN_AFTER
        failed = Deal.objects.open().filter(table=table)
        failed.filter(due_at__lte=now).update(due_at=now + AGAIN_AFTER)
        failed.filter(bot_at__lte=now).update(bot_at=now + AGAIN_AFTER)


def due_tables(now: datetime) -> Iterator[int]:
    """Where the time of a hand that is not paused has come. Of tables, by their keys."""
    going_on = Deal.objects.open().filter(paused_at=None, table__round__tournament__paused_at=None)
    due = going_on.filter(Q(due_at__lte=now - TOLERANCE) | Q(bot_at__lte=now))
    yield from due.order_by("pk").values_list("table_id", flat=True)[:MOST_AT_ONCE]


class _OpenHand(NamedTuple):
    """`version` is that of the tournament's log; `in_play`: the cards are dealt."""

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


def _done_in(round_id: int) -> frozenset[int]:
    """The tables of a round that were closed, have ended, or were overtaken by the rest of the event."""
    try:
        played = Round.objects.select_related("stage", "tournament").get(pk=round_id)
        return frozenset(one.table.pk for one in tables_now(played) if one.state != PLAYING)
    except (OperationalError, InterfaceError):
        raise  # the database, not the round
    except Exception:
        logger.exception("Which tables of round %s are done could not be worked out", round_id)
        return frozenset()


def _without_a_hand() -> Iterator[tuple[int, int | None]]:
    """The first two of online tables of open rounds where a hand may be missing."""
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
    """Do what is due at a table; whether that was anything, None while somebody else works there. In a transaction.

    `until`: by when time is counted (games/online/play/pulse.py); None: it stands, and nobody moves by themselves.
    `check`: whether a hand in play still counts may be another thing than before.
    """
    # SKIP LOCKED where the database has it. On SQLite one transaction writes at a time.
    locked = Table.objects.select_for_update(skip_locked=True).filter(pk=table_id)
    if not locked.values_list("pk", flat=True).first():
        return None
    table = Table.objects.select_related("round__stage", "round__tournament").get(pk=table_id)
    played = table.round
    deal = open_deal(table)
    if deal is not None and (why := _why_not(table, deal, check=check)):
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


def _why_not(table: Table, deal: Deal, *, check: bool) -> str:
    """Why an open hand does not go on; empty if it does."""
    if table.mode != Table.Mode.ONLINE:
        return _("The table is not played online any more.")
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
    """Seal a deck, or one for those who sit here now; and start a hand that has waited long enough."""
    deal = next_deal(table)
    if deal is None:
        return before is not None
    if is_new := before is None or deal.pk != before.pk:
        tell_page(table)
    if table.round.tournament.paused_at or deal.paused_at:
        return is_new
    settings = settings_of(table.round.tournament)
    if deal.opening:
        if until is None or deal.due_at is None or deal.due_at > until:
            return is_new
        seal_anew(deal)
    elif _only_bots(deal) or _all_said_so(deal):
        start_if_ready(deal)
    elif until is None or deal.due_at is None or deal.due_at > until:
        return is_new
    elif table.deals.filter(state=Deal.State.OVER).exists():
        start_if_ready(deal, anyway=True)
    else:
        _no_show(deal, settings)
    tell_page(table)
    return True


def _only_bots(deal: Deal) -> bool:
    """Whether no person will ever come."""
    if not all(place["bot"] for place in deal.places):
        return False
    return not Entry.objects.filter(pk__in=[place["entry"] for place in deal.places], bot="").exists()


def _all_said_so(deal: Deal) -> bool:
    """Whether it was the pause alone that kept the cards from being dealt: all are ready, and not bots alone."""
    return all(place["ready"] for place in deal.places) and not all(place["bot"] for place in deal.places)


def _no_show(deal: Deal, settings: OnlineSettings) -> None:
    """The time to come to the table is over. Without anybody there it waits for the first, and then anew."""
    somebody = any(place["ready"] and not place["bot"] for place in deal.places)
    if not somebody or settings.no_show == OnlineSettings.NoShow.WAIT:
        deal.due_at = None
        deal.save(update_fields=["due_at"])
        return
    for place in deal.places:
        if not place["ready"]:
            plays = settings.bot if settings.no_show == OnlineSettings.NoShow.BOT else ABSENT
            place.update(bot=plays, ready=True)
    start_if_ready(deal)


# In play


def _played(deal: Deal) -> Played:
    return replay(deal, [""] * len(deal.places))  # nobody is named in what decides


def _bots_turn(deal: Deal, now: datetime) -> bool:
    """One thing that a bot does: call UNO or catch somebody, while that is possible, or make its own move."""
    played = _played(deal)
    if played.windows:
        for action in bots.interruptions(deal, played.hand):
            make_move(deal, played, action, bot=deal.places[action[1]]["bot"], now=now)
            return True
    kind = deal.places[played.hand.public.turn]["bot"]
    if not kind:
        deal.bot_at = None
        deal.save(update_fields=["bot_at"])
        return False
    _move(deal, played, kind, kind, now)
    return True


def _move(deal: Deal, played: Played, kind: str, said: str, now: datetime) -> None:
    """The move of a bot; where the rules refuse what it wants, the least that they allow."""
    action = bots.answer(played.hand, kind)
    try:
        make_move(deal, played, action, bot=said, now=now)
    except Refused as refused:  # neither what it wanted nor the sentence: both name cards
        logger.error("A bot (%s) wanted what the rules refuse: %s", kind, refused.code)
        make_move(deal, played, bots.answer(played.hand, ABSENT), bot=said, now=now)


def _miss(deal: Deal, now: datetime) -> None:
    """Somebody's time is over: a bot, or nobody, makes this move, and a card that it draws is decided with it."""
    settings = settings_of(deal.table.round.tournament)
    played = _played(deal)
    seat = played.hand.public.turn
    place = deal.places[seat]
    remember(place, deal.moves_made + 1)
    place.update(misses=place["misses"] + 1, bank=0)
    if place["misses"] >= settings.misses:
        place["bot"] = settings.bot  # until they are back (moves.play, deals.get_ready)
    by_bot = settings.absent == OnlineSettings.Absent.BOT
    kind, said = (settings.bot, settings.bot) if by_bot else (ABSENT, BY_TIME)
    _move(deal, played, kind, said, now)
    if (played.hand.public.turn, played.hand.public.step) == (seat, DRAWN):
        _move(deal, played, kind, said, now)
