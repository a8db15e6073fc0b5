"""Record hands: pages, commands, the API and online tables all call `record_hand`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from games.hands import points_game
from games.hands.in_play import check_not_in_play, on_paper
from games.hands.judge import HandInput, HandRefused, agrees, judge
from games.hands.locks import check_by, locked
from games.hands.rows import write_hand
from games.models import Deal, Hand, Submission
from league.access.tables import undone_in_words
from league.access.viewer import Attribution
from league.ledger.progress import (
    COMPLETE,
    ENDED,
    STOPPED,
    AtTable,
    closed_early,
    dealt_in,
    hands_are_in_order,
    race_before,
    race_of,
    read_table,
    table_now,
    to_be_dealt_in,
)
from league.ledger.race import RaceLedger
from league.lib.errors import Conflict, Refused
from league.models import HandScore, Round, Seat, Table

MOST_KEY = 100
MOST_HANDS_AT_A_TABLE = 999  # at a table without a number of hands


@dataclass(frozen=True)
class Recorded:
    """`created`: this call filled the slot (201), otherwise an equal hand did (200). `replayed`: the key was known."""

    hand: Hand
    created: bool
    replayed: bool = False


@transaction.atomic
def record_hand(
    *,
    table_id: int,
    hand: HandInput,
    by: Attribution,
    key: str = "",
    seating_version: int | None = None,
) -> Recorded:
    """Fill the slot (table, hand) once.

    An empty slot takes the hand if the seating is still the one it was typed for. If the slot holds an equal hand,
    return that; otherwise raise `Conflict("taken")` with it as `current`. A known key gets its first answer again, and
    raises `Refused("key-reused")` with another body. A hand that doesn't count closes its slot without scores. A hand
    begun online and finished with real cards has the source CONTINUED.
    """
    deals = Deal.objects.filter(table=OuterRef("pk"), number=hand.number)
    table = locked(table_id).annotate(was_dealt=Exists(deals)).get()
    before = read_table(table)
    check_by(by, table, before.seats)
    if not hand.counts and (hand.went_out is not None or hand.reports):
        raise Refused("not-counted", _("A hand that doesn’t count has no cards or points. Leave them empty."))
    if answer := _earlier_answer(table, key, hand.digest):
        return answer
    _check_slot(table, hand.number)
    race = race_before(table.round)
    standing = _living(table, hand.number) if hand.number in before.hands else None
    if standing is None:
        _check_open(table, seating_version)
        if table.was_dealt or table.mode == Table.Mode.ONLINE:
            check_not_in_play(table, hand.number, by_player=by.player is not None)
            if on_paper(table, hand.number):
                by = replace(by, source=HandScore.Source.CONTINUED)
        recorded = _fill_slot(table, to_be_dealt_in(table, race, before.seats), hand, by, race, before)
    else:
        recorded = _compare(standing, table, dealt_in(table, hand.number, race), hand)
    if key:
        Submission.objects.create(
            table=table, key=key, digest=hand.digest, hand=recorded.hand, created=recorded.created
        )
    return recorded


@transaction.atomic
def record_played_hand(*, table: Table, hand: HandInput, seats: Sequence[Seat]) -> Recorded:
    """Fill the slot of a hand that was played online. `seats` were dealt in.

    The caller holds the table's lock and has read the table under it. Raises the refusals of `record_hand`.
    """
    _check_slot(table, hand.number)
    race = race_before(table.round)
    standing = _living(table, hand.number)
    if standing is not None:
        return _compare(standing, table, seats, hand)
    _check_open(table, None)
    return _fill_slot(table, seats, hand, Attribution(source=HandScore.Source.ENGINE), race)


def _living(table: Table, number: int) -> Hand | None:
    return Hand.objects.living().filter(table=table, number=number).first()


def _fill_slot(
    table: Table,
    seats: Sequence[Seat],
    hand: HandInput,
    by: Attribution,
    race: RaceLedger | None,
    before: AtTable | None = None,
) -> Recorded:
    _check_next(table, hand.number, race, before)
    judged = judge(table=table, seats=seats, hand=hand) if hand.counts else None
    return Recorded(write_hand(table, seats, hand.number, judged, by=by, race=race, before=before), created=True)


def _compare(standing: Hand, table: Table, seats: Sequence[Seat], hand: HandInput) -> Recorded:
    """Return the recorded hand if this one is equal. Raises `Conflict("taken")` otherwise."""
    if not agrees(standing, judge(table=table, seats=seats, hand=hand) if hand.counts else None):
        message = _("Hand %(hand)d is already recorded with another result.")
        raise Conflict("taken", message % {"hand": hand.number}, current=standing)
    return Recorded(standing, created=False)


def check_counts(table: Table, hand: int) -> None:
    """Raise `Refused` if a hand in play can no longer be recorded at its end."""
    _check_slot(table, hand)
    _check_next(table, hand, race_of(table.round))


def _earlier_answer(table: Table, key: str, digest: str) -> Recorded | None:
    if not key:
        return None
    if len(key) > MOST_KEY:
        raise Refused("key", _("The idempotency key is longer than %(most)d characters.") % {"most": MOST_KEY})
    earlier = Submission.objects.filter(table=table, key=key).first()
    if earlier is None:
        return None
    if earlier.digest != digest:
        raise Refused("key-reused", _("This form was already sent with other values. Open the table again."))
    return Recorded(earlier.hand, created=earlier.created, replayed=True)


def _check_slot(table: Table, hand: int) -> None:
    hands = table.hands_wanted
    if hands is None and not 1 <= hand <= MOST_HANDS_AT_A_TABLE:
        raise HandRefused("no-such-hand", _("There is no hand %(hand)d.") % {"hand": hand}, seat=None)
    if hands is not None and hand > hands and closed_early(table):
        message = _("Table %(number)d was closed before hand %(hand)d.")
        raise HandRefused("table-closed", message % {"number": table.number, "hand": hand}, seat=None)
    if hands is not None and not 1 <= hand <= hands:
        raise HandRefused(
            "no-such-hand",
            _("There is no hand %(hand)d.") % {"hand": hand},
            seat=None,
        )


def _check_next(table: Table, hand: int, race: RaceLedger | None, before: AtTable | None = None) -> None:
    """Check that the table still plays, and that the hand is the next one if hands come in order."""
    if table.round.stage.drawn_ahead:
        return
    now = table_now(table, race, before)
    if now.state == ENDED:
        if table.round.stage.has_teams:
            raise Conflict("over", _("Only one team is left at this table."))
        raise Conflict("over", _("Fewer than two players are left at this table."))
    if now.state == STOPPED:
        raise Conflict("over", _("Two players are left in the tournament. They meet head to head."))
    if over := points_game.why_over(table, before.hands if before else None):
        raise Conflict("over", over)
    if now.state == COMPLETE and hand > now.played and hands_are_in_order(table.round):
        raise Conflict("over", _("This table is already decided."))
    if hand != now.played + 1 and hands_are_in_order(table.round):
        raise Refused("order", _("Enter hand %(next)d first.") % {"next": now.played + 1})


def _check_open(table: Table, seating_version: int | None) -> None:
    if Table.State.VOID in (table.state, table.round.state):
        raise Conflict("undone", undone_in_words(table))
    if table.round.tournament.is_final:
        raise Conflict("closed", _("The tournament is closed. Its organiser can reopen it."))
    if table.round.tournament.is_called_off:
        raise Conflict("called-off", _("The tournament is called off, so no hand counts. Ask its organiser."))
    if not table.round.is_open or table.state == Table.State.VOID:
        if table.round.state == Round.State.DRAFT:
            raise Conflict("closed", _("Round %(number)d has not been published yet.") % {"number": table.round.number})
        raise Conflict("closed", _("Round %(number)d is closed.") % {"number": table.round.number})
    if seating_version is not None and seating_version != table.seating_version:
        raise Conflict(
            "seating-changed",
            _("The seats of this table changed. Check them and send again."),
        )
