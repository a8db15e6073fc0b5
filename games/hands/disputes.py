"""Two-sided reporting: a player confirms another side's report, or disputes a hand.

A confirmation covers the whole table, a dispute one hand. Both versions stay, and the reported one counts until a
director decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hands.judge import HandInput, Judged, as_json, in_words, judge, reports_in
from games.hands.locks import check_player, lock_hand, lock_table
from games.hands.repairs import KEEP, repair_hand
from games.hands.rows import is_disputed
from games.models import Dispute, Hand, PhoneHand
from league.access.viewer import Attribution
from league.ledger.locks import lock_tournament
from league.ledger.progress import dealt_in
from league.ledger.scores import confirm_table, settle
from league.lib.errors import Conflict, Refused
from league.log.write import note_at_table
from league.models import Entry, Seat, Table, Tournament, User


@dataclass(frozen=True)
class Reported:
    """The report of a table: its latest hand, and the seats of every side that reported a hand.

    A side that reported a hand may not confirm the table. Without partners every player is a side, and `seats` is
    empty.
    """

    hand: Hand
    seats: frozenset[int] = frozenset()
    players: frozenset[int] = frozenset()  # ids of the entries that reported


def report_of(table: Table, hands: Sequence[Hand] | None = None) -> Reported | None:
    """Return the report to be confirmed. `hands` are the table's living hands, if the caller has read them."""
    living = Hand.objects.living().filter(table=table).select_related("player__player") if hands is None else hands
    last = max(living, key=lambda hand: hand.pk, default=None)
    if last is None:
        return None
    reported = {(hand.number, hand.player_id) for hand in living if hand.player_id is not None}
    if not reported:
        return Reported(last)
    players = frozenset(player for _hand, player in reported)
    if not table.round.stage.has_partners:
        return Reported(last, players=players)
    # Use the seats of that time; other players may sit there now.
    sat = table.scores.filter(voided_at=None).values_list("hand", "entry_id", "seat")
    seats = {seat for hand, entry, seat in sat if (hand, entry) in reported}
    if any(hand.player_id is not None and not hand.counts for hand in living):  # these have no rows
        seats |= {seat.number for seat in table.seats.filter(entry__in=players) if seat.number is not None}
    return Reported(last, frozenset(seats | {(seat + 2) % 4 for seat in seats}), players)


def may_confirm(report: Reported | None, seat: Seat) -> bool:
    return report is not None and seat.number not in report.seats and seat.entry_id not in report.players


@transaction.atomic
def confirm_as_player(*, table_id: int, version: int | None, player: Entry) -> None:
    """Confirm the report of another side; does nothing if the table is confirmed.

    `version` is the table's version that the player saw. Raises `Conflict("own-side")` for a side that reported.
    """
    table = lock_table(table_id)
    seat = check_player(player, table)
    if table.state == Table.State.CONFIRMED:
        return
    if message := too_late(table):
        raise Conflict("closed", message)
    if table.state == Table.State.REPORTED and not may_confirm(report_of(table), seat):
        message = _("You reported hands of this table. Another side must confirm them.")
        raise Conflict("own-side", message)
    confirm_table(table_id=table.pk, version=version, by=None, player=player)


@transaction.atomic
def dispute_hand(
    *,
    hand_id: int,
    version: int | None,
    player: Entry,
    hand: HandInput,
    reason: str = "",
) -> Dispute | None:
    """Dispute a hand with another version, or only with a reason: then `hand` repeats the reported values.

    Return None, changing nothing, for the reported values without a reason. Raises `HandRefused` for an impossible
    hand, and `Conflict` if the table is confirmed, its round closed, or the hand already disputed by this player.
    """
    disputed, table = lock_hand(hand_id, version)
    check_player(player, table)
    if message := too_late(table):
        raise Conflict("confirmed" if table.state == Table.State.CONFIRMED else "closed", message)
    if disputed.disputes.filter(player=player, state=Dispute.State.OPEN).exists():
        raise Conflict("disputed", _("You already dispute this hand. Withdraw that dispute first."))
    judged = judge(table=table, seats=dealt_in(table, hand.number), hand=hand)
    seats, reason = as_json(judged), reason.strip()[:200]
    if (seats, judged.went_out) == (disputed.seats, disputed.went_out):
        if not reason:
            return None
        seats = []
    dispute = Dispute.objects.create(
        hand=disputed, player=player, went_out=judged.went_out if seats else None, seats=seats, reason=reason
    )
    settle(table=table, confirms=False, disputed=True)
    note_at_table(
        table=table,
        by=Attribution(player=player),
        action="dispute",
        hand=disputed.number,
        old=in_words(disputed),
        new={"went_out": dispute.went_out, "seats": seats} if seats else None,
        reason=reason,
    )
    return dispute


@transaction.atomic
def withdraw_dispute(*, dispute_id: int, player: Entry) -> None:
    """Withdraw a player's dispute; does nothing if it is decided or withdrawn. The last one restores the state."""
    dispute, table = _lock_dispute(dispute_id)
    check_player(player, table)
    if dispute.player_id != player.pk or dispute.state != Dispute.State.OPEN:
        return
    _end(dispute, Dispute.State.WITHDRAWN, None)
    settle(table=table, confirms=False, disputed=is_disputed(table))
    note_at_table(
        table=table,
        by=Attribution(player=player),
        action="withdraw-dispute",
        hand=dispute.hand.number,
    )


@transaction.atomic
def decide_dispute(*, dispute_id: int, version: int | None, taken: bool, by: User | None, reason: str = "") -> None:
    """Decide a dispute: keep the hand, or correct it to the player's version (`taken`).

    Seats don't change. Deciding the last open dispute confirms a complete table. Raises `Conflict` if the dispute is
    already decided or withdrawn, or the table changed since `version`.
    """
    # Lock before the table: a correction can change the field, and so the draw.
    lock_tournament(Dispute.objects.values_list("hand__table__round__tournament_id", flat=True).get(pk=dispute_id))
    dispute, table = _lock_dispute(dispute_id)
    if table.round.tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if dispute.state != Dispute.State.OPEN:
        raise Conflict("decided", _("This dispute is already decided or withdrawn."))
    if version is not None and version != table.version:
        raise Conflict("version", _("This table has changed since. Check it and try again."))
    if taken and not dispute.seats:
        raise Refused(
            "no-version", _("The dispute has no version of its own. Keep the reported one, or enter another.")
        )
    _end(dispute, Dispute.State.TAKEN if taken else Dispute.State.KEPT, by)
    if taken:
        why = reason.strip() or dispute.reason or _("Disputed by %(name)s") % {"name": dispute.player}
        repair_hand(
            hand_id=dispute.hand_id,
            version=None,
            hand=version_of(dispute),
            reason=why,
            repair=KEEP,
            by=Attribution(by),
        )
        return
    settle(table=table, confirms=True, disputed=is_disputed(table))
    note_at_table(
        table=table,
        by=by,
        action="keep-hand",
        hand=dispute.hand.number,
        new={"player_id": dispute.player.public_id, "player": dispute.player.name},
        reason=reason.strip()[:200],
    )


def too_late(table: Table) -> str:
    """Return why players can't change a table's hands any more; empty if they can."""
    if table.state == Table.State.CONFIRMED:
        return _("This table is confirmed. Ask the organiser to correct the hand.")
    if not table.round.is_open or table.state == Table.State.VOID:
        message = _("Round %(number)d is closed. Ask the organiser to correct the hand.")
        return message % {"number": table.round.number}
    return ""


def _lock_dispute(dispute_id: int) -> tuple[Dispute, Table]:
    table = lock_table(Dispute.objects.values_list("hand__table_id", flat=True).get(pk=dispute_id))
    return Dispute.objects.select_related("hand", "player__player").get(pk=dispute_id), table


def _end(dispute: Dispute, state: Dispute.State, by: User | None) -> None:
    dispute.state, dispute.decided_at, dispute.decided_by = state, timezone.now(), by
    dispute.save(update_fields=["state", "decided_at", "decided_by"])


def judged_of(table: Table, seats: Sequence[Seat], dispute: Dispute | PhoneHand) -> Judged:
    """Return the engine's result for the player's version."""
    return judge(table=table, seats=seats, hand=version_of(dispute))


def version_of(dispute: Dispute | PhoneHand) -> HandInput:
    """Return the version of a player, or of a phone, as it would be recorded."""
    number = dispute.number if isinstance(dispute, PhoneHand) else dispute.hand.number
    return HandInput(number, dispute.went_out, reports_in(dispute.seats, dispute.went_out))


def disputed_hands(tournament: Tournament) -> frozenset[tuple[int, int]]:
    """Return (table id, hand number) of each open dispute."""
    of = Dispute.objects.filter(hand__table__round__tournament=tournament, state=Dispute.State.OPEN)
    return frozenset(of.values_list("hand__table_id", "hand__number"))
