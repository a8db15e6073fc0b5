"""The facts of a table for one viewer: hands, free slots, reasons for none, and allowed actions."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games.hands import points_game, race_game
from games.hands.disputes import may_confirm, report_of
from games.hands.seats import person, seats_of
from games.models import Dispute, Hand
from league.access import Access, Visitor
from league.formats.seating import dealer
from league.ledger.dealer import first_dealer
from league.ledger.progress import (
    ENDED,
    PLAYING,
    TableNow,
    closed_early,
    hands_are_in_order,
    hands_in,
    race_of,
    table_now,
    tables_now,
)
from league.ledger.race import RaceLedger
from league.models import Deadline, Seat, Table


@dataclass(frozen=True)
class Sides:
    """What a player may do about a table's hands. `confirmers` are the names of players who may confirm."""

    may_confirm: bool
    confirmers: list[str]
    may_dispute: bool


@dataclass(frozen=True)
class TableState:
    """A table for one viewer, read once. `race` is the ledger of a Challenge UNO.

    `everyone`: all seats, also of players who are out. `hands`: living hands, latest first. `empty`: hands that may be
    entered. `over`: the reason if there is no next hand. `is_open`: whether hands are accepted. `latest`: the hand the
    viewer may undo. `objections`: open disputes by hand id. `sides`: for players only. `elsewhere`: other tables whose
    hands the viewer may enter.
    """

    access: Access
    table: Table
    race: RaceLedger | None
    everyone: Sequence[Seat]
    hands: Sequence[Hand]
    empty: Sequence[int]
    over: str
    is_open: bool
    is_online: bool
    latest: Hand | None
    objections: Mapping[int, Sequence[Dispute]]
    confirms_at: datetime | None
    sides: Sides | None
    elsewhere: Sequence[TableNow]


def state_of(access: Access, table: Table, visitor: Visitor) -> TableState:
    """Read a table for a visitor with this access."""
    everyone, race = seats_of(table), race_of(table.round)
    living = Hand.objects.living().filter(table=table).select_related("recorded_by", "scorer_link", "player__player")
    hands = list(living.order_by("-number"))
    now = None if table.round.stage.drawn_ahead else table_now(table, race)
    empty = empty_slots(table, {hand.number for hand in hands}, now)
    is_open = table.round.is_open and not access.tournament.is_over
    disputed = objections(table)
    return TableState(
        access=access,
        table=table,
        race=race,
        everyone=everyone,
        hands=hands,
        empty=empty,
        over=why_over(table, empty, now, everyone, race),
        is_open=is_open,
        is_online=played_online(table),
        latest=_latest(access, table, hands, visitor, disputed),
        objections=disputed,
        confirms_at=confirms_at(table),
        sides=_sides(access, table, everyone, hands) if access.entry and is_open else None,
        elsewhere=_elsewhere(access, table, race) if is_open else (),
    )


def played_online(table: Table) -> bool:
    """Return whether the table's next hand is played online, so that no one enters it."""
    return table.mode == Table.Mode.ONLINE and table.deals.open().exists()


def totals_of(
    table: Table, seats: Sequence[Seat], race: RaceLedger | None
) -> Sequence[race_game.Total | points_game.Total]:
    """Return the totals of these seats if everyone plays alone; empty for partners."""
    return race_game.totals(table, seats, race) if race else points_game.totals(table, seats)


def empty_slots(table: Table, filled: Container[int], now: TableNow | None = None) -> list[int]:
    """Return the hands that may be entered; only the next one if each hand decides the following ones.

    `now` is the table's progress, if it is more than a number of hands.
    """
    if now is not None and now.state != PLAYING:
        return []
    if now is not None and hands_are_in_order(table.round):
        return [now.played + 1]
    return [number for number in range(1, (table.hands_wanted or 0) + 1) if number not in filled]


def why_over(
    table: Table, empty: Sequence[int], now: TableNow | None, everyone: Sequence[Seat], race: RaceLedger | None
) -> str:
    """Return why a table ended before all hands of its round; otherwise an empty string."""
    if race is not None and now is not None and (sentence := race_game.why_over(now, everyone, race)):
        return sentence
    if race is None and (sentence := points_game.why_over(table)):
        return sentence
    if race is None and now is not None and now.state == ENDED:
        if table.round.stage.has_teams:
            return _("Only one team is left at this table.")
        return _("Fewer than two players are left at this table.")
    return _("The table was closed early.") if not empty and closed_early(table) else ""


def _latest(
    access: Access,
    table: Table,
    hands: Sequence[Hand],
    visitor: Visitor,
    disputed: Container[int],
) -> Hand | None:
    """Return the last recorded hand if the viewer may undo it; with a link, only a hand recorded through it."""
    if not table.round.is_open or (table.state == Table.State.CONFIRMED and not access.corrects):
        return None
    latest = max(hands, key=lambda hand: hand.pk, default=None)
    if latest is None or access.corrects:
        return latest
    if access.link is not None and latest.scorer_link_id not in dict(visitor.links):
        return None
    if access.entry is not None and latest.player_id != access.entry.pk:
        return None
    return None if latest.pk in disputed else latest


def objections(table: Table) -> dict[int, list[Dispute]]:
    """Return the open disputes of a table by hand id."""
    by_hand: dict[int, list[Dispute]] = {}
    if table.state == Table.State.DISPUTED:
        open_ones = Dispute.objects.filter(hand__table=table, state=Dispute.State.OPEN)
        for dispute in open_ones.select_related("player__player"):
            by_hand.setdefault(dispute.hand_id, []).append(dispute)
    return by_hand


def _sides(access: Access, table: Table, everyone: Sequence[Seat], hands: Sequence[Hand]) -> Sides:
    """Return a player's rights. `everyone` includes eliminated players, who may confirm or dispute too."""
    mine = next((seat for seat in everyone if access.entry and seat.entry_id == access.entry.pk), None)
    report = report_of(table, hands)
    reported = table.state == Table.State.REPORTED
    return Sides(
        may_confirm=reported and mine is not None and may_confirm(report, mine),
        confirmers=list(dict.fromkeys(str(seat.entry) for seat in everyone if may_confirm(report, seat))),
        may_dispute=mine is not None and table.state != Table.State.CONFIRMED,
    )


def confirms_at(table: Table) -> datetime | None:
    """Return the time at which a reported table is confirmed automatically."""
    if table.state != Table.State.REPORTED:
        return None
    clock = Deadline.objects.pending().filter(table=table, kind=Deadline.Kind.CONFIRM)
    return clock.values_list("due_at", flat=True).last()


def dealers(table: Table, dealt: Sequence[Seat], hands: Sequence[int]) -> dict[int, str]:
    """Return {hand: name of the dealer}, if `dealt` are dealt in for the hands to come."""
    played: dict[int, list[int]] = {}
    if not table.round.stage.drawn_ahead:
        played = hands_in([table])[table.pk]
    here = {seat.number or 0: seat for seat in dealt}
    if not here:
        return {}
    first = first_dealer(table, begun=bool(played))
    if first is None:
        return {}
    in_order = (played.get(hand, here) for hand in range(1, max(hands, default=0) + 1))
    numbers = dealer.dealers(in_order, first.seat)
    return {hand: person(here[at]) for hand, at in enumerate(numbers, start=1) if hand in hands and at in here}


def _elsewhere(access: Access, table: Table, race: RaceLedger | None) -> list[TableNow]:
    """Return the other tables of the round whose hands the viewer may enter, starting after this one."""
    if access.entry is not None:
        return []
    tables = [
        progress
        for progress in tables_now(table.round, race)
        if progress.state == PLAYING and progress.table.pk != table.pk
    ]
    if access.link is not None:
        tables = [progress for progress in tables if access.link.covers(progress.table.number)]
    return sorted(tables, key=lambda progress: (progress.table.number < table.number, progress.table.number))
