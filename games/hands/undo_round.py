"""Undoes a round: takes its hands back; league.rounds.undo does all else."""

from django.db import transaction
from django.utils import timezone

from games.models import Dispute, Hand
from league.ledger.locks import lock_tournament
from league.models import Round, Tournament, User
from league.rounds.undo import round_to_undo, take_back_round


@transaction.atomic
def undo_round(*, tournament: Tournament, round_number: int, reason: str, by: User | None) -> Round | None:
    """Take back the latest published round, open or closed, and return the new draft of its number.

    Its hands are voided and stay in the history. None for a Challenge UNO that has no further round now, or whose
    wishes for seats cannot be met. Raises `Conflict("closed")`, or `Refused` for another round or without a reason.
    """
    tournament = lock_tournament(tournament.pk)
    played = round_to_undo(tournament, round_number, reason)
    now = timezone.now()
    Dispute.objects.filter(hand__table__round=played, state=Dispute.State.OPEN).update(
        state=Dispute.State.OTHER, decided_at=now, decided_by=by
    )
    hands = Hand.objects.living().filter(table__round=played)
    voided = hands.update(voided_at=now, voided_by=by, void_reason=reason.strip()[:200])
    return take_back_round(tournament=tournament, played=played, hands=voided, reason=reason, by=by)
