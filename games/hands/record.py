"""Hands in. Pages, commands, the API and online tables all end in `record_hand`."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from engine.paper import SeatReport
from games.hands import points_game
from games.hands.in_play import check_not_in_play, on_paper
from games.hands.judge import HandRefused, agrees, body_digest, judge
from games.hands.locks import check_by, lock_table
from games.hands.rows import write_hand
from games.models import Hand, Submission
from league.access.by import By
from league.access.tables import undone_in_words
from league.ledger.progress import (
    COMPLETE,
    ENDED,
    STOPPED,
    closed_early,
    dealt_in,
    hands_are_in_order,
    race_before,
    race_of,
    table_now,
)
from league.ledger.race import RaceLedger
from league.lib.errors import Conflict, Refused
from league.models import HandScore, Round, Seat, Table

MOST_KEY = 100
MOST_HANDS_AT_A_TABLE = 999  # where a table plays as long as it lasts


@dataclass(frozen=True)
class Recorded:
    """`created`: this call filled the slot (201); else an equal hand was there (200). `replayed`: the key was known."""

    hand: Hand
    created: bool
    replayed: bool = False


@transaction.atomic
def record_hand(
    *,
    table_id: int,
    hand: int,
    went_out: int | None,
    reports: Sequence[SeatReport],
    by: By,
    source: str = HandScore.Source.ORGANISER,
    key: str = "",
    seating_version: int | None = None,
    confirms: bool = True,
    counts: bool = True,
    seats: Sequence[Seat] | None = None,
    locked: Table | None = None,
) -> Recorded:
    """Fill the slot (table, hand) once.

    An empty slot takes the hand if the seating it was typed for still stands. A filled one answers with the hand that
    is there if the content is equal, and else raises `Conflict("taken")` with it as `current`. A known key gets its
    first answer again; with another body it raises `Refused("key-reused")`. `confirms`: whether nobody else has to
    confirm the hand, as with an organiser's own. `counts`: False closes the slot of a hand that time was up for,
    without anybody's score; `went_out` and `reports` are empty then. `seats`: who was dealt in for a hand that was
    played online. `locked`: the table, where the caller holds its lock and has read it under it. A hand begun
    online and finished with real cards has the source CONTINUED, whoever enters it.
    """
    table = locked or lock_table(table_id)
    check_by(by, table)
    if not counts and (went_out is not None or reports):
        raise Refused("not-counted", _("A hand that does not count has no cards and no points: leave them empty."))
    digest = body_digest(hand=hand, went_out=went_out, reports=reports, counts=counts)
    if answer := _earlier_answer(table, key, digest):
        return answer
    _check_slot(table, hand)
    race = race_before(table.round)
    seats = seats or dealt_in(table, hand, race)
    standing = Hand.objects.living().filter(table=table, number=hand).first()
    if standing is None:
        _check_open(table, seating_version)
        if source != HandScore.Source.ENGINE:
            check_not_in_play(table, hand, by_player=by.player is not None)
            source = HandScore.Source.CONTINUED if on_paper(table, hand) else source
        _check_next(table, hand, race)
    judged = judge(table=table, seats=seats, went_out=went_out, reports=reports) if counts else None
    if standing is not None:
        if not agrees(standing, judged):
            message = _("Hand %(hand)d of this table is in already, with another result.")
            raise Conflict("taken", message % {"hand": hand}, current=standing)
        _remember(table, key, digest, standing, created=False)
        return Recorded(standing, created=False)
    new_hand = write_hand(
        table, seats, hand, judged, by=by, source=source, action="record", confirms=confirms, race=race
    )
    _remember(table, key, digest, new_hand, created=True)
    return Recorded(new_hand, created=True)


def check_counts(table: Table, hand: int) -> None:
    """Raises `Refused` where a hand that is being played could not be recorded any more when it is over."""
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
        raise Refused(
            "key-reused", _("This form was sent before with another content. Open the table again and enter the hand.")
        )
    return Recorded(earlier.hand, created=earlier.created, replayed=True)


def _remember(table: Table, key: str, digest: str, hand: Hand, *, created: bool) -> None:
    if key:
        Submission.objects.create(table=table, key=key, digest=digest, hand=hand, created=created)


def _check_slot(table: Table, hand: int) -> None:
    hands = table.hands_wanted
    if hands is None and not 1 <= hand <= MOST_HANDS_AT_A_TABLE:
        raise HandRefused("no-such-hand", _("There is no hand %(hand)d.") % {"hand": hand}, seat=None)
    if hands is not None and hand > hands and closed_early(table):
        message = _("Table %(number)d was closed, so hand %(hand)d is not played there.")
        raise HandRefused("table-closed", message % {"number": table.number, "hand": hand}, seat=None)
    if hands is not None and not 1 <= hand <= hands:
        raise HandRefused(
            "no-such-hand",
            _("A round has %(hands)d hands; there is no hand %(hand)d.") % {"hands": hands, "hand": hand},
            seat=None,
        )


def _check_next(table: Table, hand: int, race: RaceLedger | None) -> None:
    """Check that a hand is the next one, where each decides what comes after it, and that the table still plays."""
    if table.round.stage.drawn_ahead:
        return
    now = table_now(table, race)
    if now.state == ENDED:
        if table.round.stage.has_teams:
            raise Conflict("over", _("One team is left at this table, so it has ended."))
        raise Conflict("over", _("One player is left at this table, so it has ended."))
    if now.state == STOPPED:
        raise Conflict("over", _("Two players are left in the whole event, so this table is over."))
    if over := points_game.why_over(table):
        raise Conflict("over", over)
    if now.state == COMPLETE and hand > now.played and hands_are_in_order(table.round):
        raise Conflict("over", _("This table is decided already, so no more hands are played at it."))
    if hand != now.played + 1 and hands_are_in_order(table.round):
        message = _("Hand %(next)d comes first: the game may end with it.")
        if table.round.stage.eliminates:
            message = _("Hand %(next)d comes first: who is eliminated in it is not dealt in any more.")
        raise Refused("order", message % {"next": now.played + 1})


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
            _("The seating of this table changed while you were typing. Check who sits where and send again."),
        )
