"""Correct a round in which two entries sat in each other's seats: exchange their seats and recorded scores.

Each recorded hand is voided and recorded again for the other entry. Repeating the correction undoes it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from games.hands.in_play import check_deals_stand, check_game_goes_on
from games.hands.judge import HandInput, Judged, judge
from games.hands.repairs import KEEP, lock_for_repair, repair_after
from games.hands.rows import Instead, is_disputed, void_row, write_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.ledger.locks import lock_tables, lock_tournament, tell_tables
from league.ledger.progress import race_of
from league.ledger.reinstate import reinstate_those_back
from league.ledger.scores import settle_tables
from league.lib.errors import Conflict, Refused
from league.log.write import note, player_in_log
from league.models import Entry, HandScore, LogEntry, Player, Round, Seat, Table, Tournament, User
from league.rounds.tables import check_pair, exchange_seats, seats_of_entry

ACTION = "correct-seats"
DONE_ALREADY = "done-already"


@dataclass(frozen=True)
class SeatCorrection:
    """A correction of two entries that sat in each other's seats.

    `seen` is the last log row when the form was opened, so that a repeated form corrects once.
    """

    tournament: Tournament
    round_number: int
    one: Entry
    other: Entry
    reason: str
    by: User | None
    seen: int | None = None

    hand_id = 0  # concerns no single hand; see games.hands.repair_preview

    def save(self, repair: str = KEEP) -> Hand:
        return correct_seats(**vars(self), repair=repair)


@dataclass(frozen=True)
class _Rewritten:
    """A hand, and the same hand with the seats as they were really taken."""

    hand: Hand
    table: Table
    seats: Sequence[Seat]
    judged: Judged


@transaction.atomic
def correct_seats(
    *,
    tournament: Tournament,
    round_number: int,
    one: Entry,
    other: Entry,
    reason: str,
    by: User | None,
    repair: str = KEEP,
    seen: int | None = None,
) -> Hand:
    """Exchange the seats and recorded hands of two entries in a round; return one of the new hands.

    `repair` as in games.hands.repairs. Raises `Refused` if there is nothing to correct or it isn't possible,
    `Conflict("done-already")` if it was done since `seen`.
    """
    tournament = lock_tournament(tournament.pk)
    played = _played_round(tournament, round_number)
    if one.pk == other.pk:
        raise _refusal("other", _("Choose two players."))
    if seen is not None:
        _check_not_done(played, {one.public_id, other.public_id}, seen)
    one_sat, other_sat = seats_of_entry(played, one), seats_of_entry(played, other)
    _check_seats(played, one_sat[0], other_sat[0])
    rows = HandScore.objects.living().filter(table__round=played, entry__in=(one, other))
    keys = {*rows.values_list("table_id", flat=True), *_keys(one_sat[0], other_sat[0])}
    repairable = lock_for_repair(tournament, played, keys, repair)
    lock_tables(keys)
    tables = _tables(keys)
    _check_tables(tables.values())
    rewritten = _rewrite(tables, {one: one_sat, other: other_sat})
    if not rewritten:
        raise _refusal("one", _("They have no recorded hands in this round. Swap their seats instead."))
    exchange_seats(one_sat, other_sat)
    tell_tables(keys)
    # Void all before writing any, so that no player has one hand at two tables.
    for line in rewritten:
        void_row(line.hand, line.table, reason=reason, by=Attribution(by), action="")
    new_hands = [
        write_hand(
            line.table,
            line.seats,
            line.hand.number,
            line.judged,
            by=Attribution(by),
            instead=Instead(line.hand, reason, repair if repairable.open_round is not None else ""),
        )
        for line in rewritten
    ]
    if repairable.before is not None and (after := race_of(played)) is not None:
        before = repairable.before
        reinstate_those_back(tournament=tournament, before=before, after=after.state, reason=reason, by=by)
        check_deals_stand(tournament, before, after.state)
        settle_tables(tournament)
    for table in tables.values():
        check_game_goes_on(table)
    note(
        tournament=tournament,
        by=by,
        action=ACTION,
        round_number=round_number,
        new=[player_in_log(entry) for entry in (one, other)],
        reason=reason.strip()[:200],
    )
    repair_after(repairable, played.stage, repair, reason, by)
    return new_hands[0]


def _keys(*seats: Seat) -> list[int]:
    return [seat.table_id for seat in seats if seat.table_id is not None]


def _played_round(tournament: Tournament, number: int) -> Round:
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    played = tournament.rounds.shown().select_related("stage", "tournament").filter(number=number).first()
    if played is None:
        raise _refusal("round", _("Round %(number)d has not been published yet.") % {"number": number})
    return played


def _check_not_done(played: Round, pair: set[str], seen: int) -> None:
    done = LogEntry.objects.filter(tournament=played.tournament_id, action=ACTION, round=played.number, number__gt=seen)
    for row in done:
        if {person["player_id"] for person in row.new or ()} == pair:
            raise Conflict(DONE_ALREADY, _("These seats are already corrected."))


def _check_seats(played: Round, one: Seat, other: Seat) -> None:
    for seat in (one, other):
        if seat.table_id is None:
            words = {"name": seat.entry, "number": played.number}
            raise _refusal("one", _("%(name)s has a bye in round %(number)d.") % words)
    if played.stage.plays.in_tree and one.table_id != other.table_id:
        raise _refusal("other", _("They sit at different tables, and the results decide the matches."))
    check_pair(played, one, other)


def _tables(keys: Collection[int]) -> dict[int, Table]:
    """Return the tables by id, read under the caller's locks."""
    tables = Table.objects.select_related("round__stage", "round__tournament").filter(pk__in=keys)
    return {table.pk: table for table in tables.order_by("number")}


def _check_tables(tables: Collection[Table]) -> None:
    by_engine = Hand.objects.living().filter(table__in=tables, source=HandScore.Source.ENGINE)
    played_online = set(by_engine.values_list("table_id", flat=True))
    for table in tables:
        words = {"number": table.number}
        if table.mode == Table.Mode.ONLINE or table.pk in played_online:
            message = _("Table %(number)d is played online. Its seats are always right.")
            raise _refusal("one", message % words)
        if is_disputed(table):
            message = _("Table %(number)d has an open dispute. Decide it first.")
            raise Conflict("disputed", message % words)


def _rewrite(tables: dict[int, Table], sat: dict[Entry, Sequence[Seat]]) -> list[_Rewritten]:
    """Return the hands of either entry, in order, with the two exchanged."""
    by_slot: dict[tuple[int, int], list[HandScore]] = {}
    rows = HandScore.objects.living().filter(table__in=tables).select_related("entry__player", "played_by")
    for row in rows.order_by("counted_at", "table__number", "hand", "seat"):
        by_slot.setdefault((row.table_id, row.hand), []).append(row)
    hands = {(hand.table_id, hand.number): hand for hand in Hand.objects.living().filter(table__in=tables)}
    people = _people(by_slot, sat)
    one, other = sat
    swapped = {one: other, other: one}
    found = []
    for (table_key, number), dealt in by_slot.items():
        if not any(row.entry in swapped for row in dealt):
            continue
        table = tables[table_key]
        waiting = {entry: list(people[entry, number]) for entry in sat}
        seats = []
        for row in dealt:
            entry = swapped.get(row.entry, row.entry)
            played_by = waiting[entry].pop(0) if row.entry in swapped else row.played_by
            seats.append(Seat(round=table.round, table=table, number=row.seat, entry=entry, substitute=played_by))
        hand = hands[table_key, number]
        judged = judge(table=table, seats=seats, hand=HandInput.of(hand))
        found.append(_Rewritten(hand, table, seats, judged))
    return found


def _people(
    by_slot: dict[tuple[int, int], list[HandScore]], sat: dict[Entry, Sequence[Seat]]
) -> dict[tuple[Entry, int], list[Player | None]]:
    """Return the players of each (entry, hand number), seat by seat: as recorded, otherwise as seated."""
    people: dict[tuple[Entry, int], list[Player | None]] = {}
    numbers = {number for _table, number in by_slot}
    for entry, seats in sat.items():
        for number in numbers:
            people[entry, number] = [seat.substitute for seat in seats]
    for (_table, number), dealt in by_slot.items():
        for entry in sat:
            if own := [row.played_by for row in dealt if row.entry == entry]:
                people[entry, number] = own
    return people


def _refusal(field: str, sentence: str) -> Refused:
    return Refused(field, sentence, fields={field: [sentence]})
