"""Write and void a hand's rows, scores and log row, and remove names from reasons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from games.hands.judge import Judged, as_json, in_words, nothing_known
from games.models import Dispute, Hand
from league.access.viewer import Attribution
from league.ledger.progress import AtTable
from league.ledger.race import RaceLedger
from league.ledger.scores import ScoredHand, SeatScore, close_without_scores, post_score, void_score
from league.log.write import note_at_table
from league.models import HandScore, Seat, Table, Tournament


@dataclass(frozen=True)
class Instead:
    """The voided hand that is corrected, and the reason. `repair` as in games.hands.repairs."""

    hand: Hand
    reason: str
    repair: str = ""


def write_hand(
    table: Table,
    seats: Sequence[Seat],
    number: int,
    judged: Judged | None,
    *,
    by: Attribution,
    race: RaceLedger | None = None,
    before: AtTable | None = None,
    instead: Instead | None = None,
) -> Hand:
    """Write a hand, its ledger rows and its log row.

    `judged` is None for a hand that doesn't count; it has no ledger rows. `race` and `before` as in `post_score`.
    `instead` is the corrected hand.
    """
    replaces, reason, repair = (instead.hand, instead.reason, instead.repair) if instead else (None, "", "")
    hand = Hand.objects.create(
        table=table,
        number=number,
        source=by.source,
        counts=judged is not None,
        went_out=judged.went_out if judged else None,
        seats=as_json(judged) if judged else nothing_known(seats),
        checked=judged.checked.checked if judged else True,
        recorded_by=by.user,
        scorer_link=by.link,
        player=by.player,
        replaces=replaces,
    )
    stopped: tuple[int, ...] = ()
    if judged is None:
        dealt = [seat.number for seat in seats if seat.number is not None]
        close_without_scores(
            table=table,
            hand=number,
            seats=dealt,
            confirms=by.corrects,
            disputed=is_disputed(table),
            before=before,
        )
    else:
        stopped = _post(table, seats, hand, judged, by.corrects, race, before)
    note_at_table(
        table=table,
        by=by,
        action="correct" if instead else "record",
        hand=number,
        old=in_words(replaces) if replaces else None,
        new=in_words(hand, seats) | ({"repair": repair} if repair else {}),
        reason=reason.strip()[:200],
    )
    if stopped:
        note_at_table(table=table, by=None, action="last-two", hand=number, new=list(stopped))
    return hand


def _post(
    table: Table,
    seats: Sequence[Seat],
    hand: Hand,
    judged: Judged,
    confirms: bool,
    race: RaceLedger | None,
    before: AtTable | None,
) -> tuple[int, ...]:
    """Write the hand's ledger rows. Return the numbers of the tables that it stops."""
    partners = table.round.stage.has_partners
    lines = [
        SeatScore(
            seat=judged.numbers[at],
            entry=seat.entry,
            partner=seats[(at + 2) % 4].entry if partners else None,
            went_out=at == judged.checked.went_out,
            cards_left=judged.checked.cards_left[at],
            points_left=judged.checked.points_left[at],
            points_for=judged.scores.points_for[at],
            points_against=judged.scores.points_against[at],
            score=judged.scores.scores[at],
            played_by=seat.substitute,
        )
        for at, seat in enumerate(seats)
    ]
    counted_at = _counted_at(hand.replaces) if hand.replaces else hand.recorded_at
    scored = ScoredHand(hand.number, lines, hand.source, hand.recorded_at, counted_at)
    return post_score(
        table=table, hand=scored, confirms=confirms, disputed=is_disputed(table), race=race, before=before
    )


def _counted_at(hand: Hand) -> datetime:
    """Return the time that orders a hand among all others; a correction keeps it."""
    rows = HandScore.objects.filter(table=hand.table_id, hand=hand.number, recorded_at=hand.recorded_at)
    return rows.values_list("counted_at", flat=True).first() or hand.recorded_at


def void_row(
    hand: Hand,
    table: Table,
    *,
    reason: str,
    by: Attribution,
    action: str,
) -> None:
    """Void a hand's rows. `action` is for the log, empty if a replacement follows at once."""
    hand.voided_at, hand.voided_by, hand.void_reason = timezone.now(), by.user, reason.strip()[:200]
    hand.save(update_fields=["voided_at", "voided_by", "void_reason"])
    # The hand is gone, so its disputes are settled.
    hand.disputes.filter(state=Dispute.State.OPEN).update(
        state=Dispute.State.OTHER, decided_at=hand.voided_at, decided_by=by.user
    )
    void_score(table=table, hand=hand.number, disputed=is_disputed(table), settles=bool(action))
    if action:
        note_at_table(
            table=table,
            by=by,
            action=action,
            hand=hand.number,
            old=in_words(hand),
            reason=hand.void_reason,
        )


def is_disputed(table: Table) -> bool:
    """Return whether one of the table's hands has an open dispute. The caller holds the table's lock."""
    open_ones = Dispute.objects.filter(hand__table=table, state=Dispute.State.OPEN)
    return table.state == Table.State.DISPUTED and open_ones.exists()


def clean_reasons(tournament: Tournament, clean: Callable[[str], str]) -> None:
    """Remove a person's name from the reasons of voided and disputed hands (league.erasure.erase)."""
    for hand in Hand.objects.filter(table__round__tournament=tournament).exclude(void_reason=""):
        if (reason := clean(hand.void_reason)) != hand.void_reason:
            Hand.objects.filter(pk=hand.pk).update(void_reason=reason[:200])
    for dispute in Dispute.objects.filter(hand__table__round__tournament=tournament).exclude(reason=""):
        if (reason := clean(dispute.reason)) != dispute.reason:
            Dispute.objects.filter(pk=dispute.pk).update(reason=reason[:200])
