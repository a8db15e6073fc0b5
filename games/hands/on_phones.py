"""Hands that phones still hold, because the server refused them or the hands before them are on their way.

A director sees them in the inbox. Nothing here changes a result, except a decision for the phone's version.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hands.disputes import version_of
from games.hands.judge import HandInput, HandRefused, as_json, judge
from games.hands.locks import lock_table
from games.hands.repairs import KEEP, repair_hand
from games.models import Dispute, Hand, PhoneHand, Submission
from league.access.viewer import Attribution
from league.ledger.locks import lock_tournament
from league.ledger.progress import dealt_in
from league.lib.errors import Conflict, Refused
from league.log.write import note_at_table
from league.models import Round, Table, Tournament, User

DIFFERS = "taken"  # the slot has another result
REASONS = frozenset({DIFFERS, "seating-changed", "closed", "called-off", "over", "undone"})  # a person has to decide
MOST_AT_A_TABLE = 40


def open_phone_hands(tournament: Tournament) -> QuerySet[PhoneHand]:
    """Return the hands that phones of a tournament hold, except those recorded, corrected or disputed since."""
    recorded = Submission.objects.filter(table=OuterRef("table"), key=OuterRef("key"))
    disputed = Dispute.objects.filter(hand=OuterRef("hand"), player=OuterRef("player"))
    hands = PhoneHand.objects.filter(table__round__tournament=tournament, ended_at=None, hand__voided_at=None)
    hands = hands.exclude(table__round__state=Round.State.VOID)
    return hands.exclude(Exists(recorded)).exclude(Exists(disputed))


@transaction.atomic
def note_refused(
    *, table_id: int, key: str, code: str, hand: HandInput, standing: Hand | None, by: Attribution
) -> None:
    """Note that a phone's hand was refused, once a key and code. `standing` has another result."""
    if not key or code not in REASONS:
        return
    table = lock_table(table_id)
    known = PhoneHand.objects.filter(table=table, key=key).first()
    if known is not None and known.code == code:
        return
    if known is None and PhoneHand.objects.filter(table=table, ended_at=None).count() >= MOST_AT_A_TABLE:
        return
    went_out, seats = _version(table, hand) if standing is not None else (None, [])
    values = {"code": code, "hand": standing, "went_out": went_out, "seats": seats, "number": hand.number}
    author = {"player": by.player, "scorer_link": by.link, "user": by.user}
    PhoneHand.objects.update_or_create(table=table, key=key, defaults=values | author)
    note_at_table(table=table, by=by, action="refuse-hand", hand=hand.number, new={"code": code})


def _version(table: Table, hand: HandInput) -> tuple[int | None, list[dict[str, object]]]:
    """Return who went out and the seats of a version; no seats if the engine can't accept it."""
    if not hand.counts:
        return None, []
    try:
        judged = judge(table=table, seats=dealt_in(table, hand.number), hand=hand)
    except HandRefused:
        return None, []
    return judged.went_out, as_json(judged)


def note_waiting(*, table: Table, waiting: Collection[tuple[int, str]], by: Attribution) -> None:
    """Note the hands, as (number, key), that wait on a phone behind the one that it sends."""
    PhoneHand.objects.bulk_create(
        (
            PhoneHand(table=table, key=key, number=number, player=by.player, scorer_link=by.link, user=by.user)
            for number, key in list(waiting)[:MOST_AT_A_TABLE]
        ),
        ignore_conflicts=True,
    )


@transaction.atomic
def drop_phone_hand(*, table_id: int, key: str, by: Attribution) -> None:
    """Note that a phone has discarded a hand; does nothing for an unknown or ended one."""
    table = lock_table(table_id)
    known = PhoneHand.objects.filter(table=table, key=key, ended_at=None).first()
    if known is not None:
        _end(known, table, by)


@transaction.atomic
def decide_phone_hands(*, table_id: int, hands: Collection[int], taken: bool, by: User, reason: str = "") -> None:
    """End the hands of a phone for a director: keep what is recorded, or correct it to the one version (`taken`).

    Raises `Conflict` if all of them have ended, or the recorded hand was corrected.
    """
    # Lock before the table: a correction can change the field, and so the draw.
    lock_tournament(Table.objects.values_list("round__tournament_id", flat=True).get(pk=table_id))
    table = lock_table(table_id)
    if table.round.tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    chosen = list(open_phone_hands(table.round.tournament).filter(table=table, pk__in=hands))
    if not chosen:
        raise Conflict("decided", _("This result is already decided."))
    for hand in chosen:
        _end(hand, table, Attribution(by))
    if not taken:
        return
    version = chosen[0]
    if len(chosen) > 1 or version.hand is None or not version.seats:
        raise Refused("no-version", _("This phone’s version can’t be used. Enter the hand instead."))
    why = reason.strip() or _("Second result, from %(who)s") % {"who": version.who}
    repair_hand(
        hand_id=version.hand.pk, version=None, hand=version_of(version), reason=why, repair=KEEP, by=Attribution(by)
    )


def _end(hand: PhoneHand, table: Table, by: Attribution) -> None:
    PhoneHand.objects.filter(pk=hand.pk).update(ended_at=timezone.now())
    if hand.code:
        note_at_table(table=table, by=by, action="drop-hand", hand=hand.number)
