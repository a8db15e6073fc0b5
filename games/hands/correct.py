"""Void or correct a recorded hand; the history keeps it."""

from django.db import transaction
from django.utils.translation import gettext as _

from games.hands.in_play import check_deals_stand, check_game_goes_on, check_next_deal
from games.hands.judge import HandInput, as_json, judge
from games.hands.locks import check_by, lock_hand
from games.hands.rows import Instead, void_row, write_hand
from games.models import Dispute, Hand
from league.access.viewer import Attribution
from league.ledger.progress import (
    dealt_in,
    hands_are_in_order,
    race_before,
    race_of,
)
from league.ledger.reinstate import reinstate_those_back
from league.lib.errors import Conflict
from league.models import HandScore, Table


@transaction.atomic
def void_hand(
    *,
    hand_id: int,
    version: int | None,
    reason: str,
    by: Attribution,
) -> Hand:
    """Void a hand.

    `version` is the table's version that the caller saw; None checks only that the hand still exists. A confirmed or
    disputed hand needs the right to correct. A link voids only hands that were recorded through it.
    """
    hand, table = lock_hand(hand_id, version)
    check_by(by, table)
    if (by.link and hand.scorer_link_id != by.link.pk) or (by.player and hand.player_id != by.player.pk):
        raise Conflict("not-yours", _("Someone else entered this hand. Ask the organiser to correct it."))
    if table.state == Table.State.CONFIRMED and not by.corrects:
        raise Conflict("confirmed", _("This table is confirmed. Ask the organiser to correct the hand."))
    if not by.corrects and hand.disputes.filter(state=Dispute.State.OPEN).exists():
        raise Conflict("disputed", _("This hand is disputed. A director decides."))
    if not table.round.is_open:
        raise Conflict(
            "closed", _("Round %(number)d is closed. Correct the hand instead.") % {"number": table.round.number}
        )
    later = Hand.objects.living().filter(table=table, number__gt=hand.number)
    if hands_are_in_order(table.round) and later.exists():
        raise Conflict("not-last", _("Later hands are recorded. Undo the last one first, or correct this one."))
    check_next_deal(hand, table)
    if _seats_changed_since(hand, table):
        raise Conflict("seats-changed", _("Seats changed after this hand. Correct it instead."))
    void_row(hand, table, reason=reason, by=by, action="void")
    return hand


def _seats_changed_since(hand: Hand, table: Table) -> bool:
    """Return whether the seats changed, so that a new hand would count for other players."""
    sits = {number: people for number, *people in table.seats.values_list("number", "entry_id", "substitute_id")}
    rows = HandScore.objects.living().filter(table=table, hand=hand.number)
    return any(sits.get(seat) != people for seat, *people in rows.values_list("seat", "entry_id", "played_by_id"))


@transaction.atomic
def correct_hand(
    *,
    hand_id: int,
    version: int | None,
    hand: HandInput,
    reason: str,
    by: Attribution,
    repair: str = "",
) -> Hand:
    """Void a hand and record its replacement in one transaction; also in a closed round, but not in a closed
    tournament.

    Players who are no longer eliminated with the corrected hand are reinstated. `repair` is the repair of seats
    (games.hands.repairs), for the log.
    """
    old_hand, table = lock_hand(hand_id, version)
    if hand.number != old_hand.number:
        raise ValueError("A correction keeps the number of its hand.")
    seats = dealt_in(table, hand.number)
    judged = judge(table=table, seats=seats, hand=hand)
    if old_hand.counts and as_json(judged) == old_hand.seats and hand.went_out == old_hand.went_out:
        return old_hand
    before = race_before(table.round)
    void_row(old_hand, table, reason=reason, by=by, action="")
    new_hand = write_hand(table, seats, hand.number, judged, by=by, instead=Instead(old_hand, reason, repair))
    if before is not None and (after := race_of(table.round)) is not None:
        tournament = table.round.tournament
        reinstate_those_back(tournament=tournament, before=before.state, after=after.state, reason=reason, by=by.user)
        check_deals_stand(tournament, before.state, after.state)
    check_game_goes_on(table)
    return new_hand
