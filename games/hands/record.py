"""Hands in and out. Pages, commands, the API and online tables all end in `record_hand`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.paper import SeatReport
from games.hands import points_game
from games.hands.in_play import check_deals_stand, check_game_goes_on, check_next_deal, check_not_in_play, on_paper
from games.hands.judge import HandRefused, Judged, agrees, as_json, body_digest, in_words, judge, nothing_known
from games.models import Dispute, Hand, Submission
from league.access.by import By
from league.access.session_links import use_link
from league.access.tables import undone_in_words
from league.ledger.progress import (
    ENDED,
    STOPPED,
    closed_early,
    dealt_in,
    hands_are_in_order,
    is_race,
    race_of,
    table_now,
)
from league.ledger.race import RaceLedger
from league.ledger.reinstate import reinstate_those_back
from league.ledger.scores import SeatScore, close_without_scores, post_score, void_score
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Entry, HandScore, Round, Seat, Table, Tournament, User

MOST_KEY = 100
MOST_HANDS_AT_A_TABLE = 999  # where a table plays as long as it lasts


@dataclass(frozen=True)
class Recorded:
    """`created`: this call filled the slot (201); else an equal hand was there (200). `replayed`: the key was known."""

    hand: Hand
    created: bool
    replayed: bool = False


def lock_table(table_id: int) -> Table:
    """The table, its row locked for this transaction: the first thing every write to its hands does.

    Two queries: on PostgreSQL rows joined to the lock are those from before the wait, so a round that was closed
    meanwhile would still look open.
    """
    Table.objects.select_for_update().values_list("pk").get(pk=table_id)
    return Table.objects.select_related("round__stage", "round__tournament").get(pk=table_id)


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
) -> Recorded:
    """Fill the slot (table, hand) once.

    An empty slot takes the hand if the seating it was typed for still stands. A filled one answers with the hand that
    is there when the content is equal, and else raises `Conflict("taken")` with it as `current`. A key that was
    answered answers the same again; with another body it raises `Refused("key-reused")`. `confirms`: whether the hand
    needs nobody else's word, as an organiser's own. `counts`: False closes the slot of a hand that time was up for,
    without anybody's score; `went_out` and `reports` are empty then. `seats`: who was dealt in, of a hand that was
    played online. One that was begun online and finished with real cards has the source CONTINUED, whoever enters it.
    """
    table = lock_table(table_id)
    _check(by, table)
    if not counts and (went_out is not None or reports):
        raise Refused("not-counted", _("A hand that does not count has no cards and no points: leave them empty."))
    digest = body_digest(hand=hand, went_out=went_out, reports=reports, counts=counts)
    if answered := _answered(table, key, digest):
        return answered
    _check_slot(table, hand)
    race = race_of(table.round)
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
    made = _write(table, seats, hand, judged, by=by, source=source, action="record", confirms=confirms)
    _remember(table, key, digest, made, created=True)
    return Recorded(made, created=True)


@transaction.atomic
def void_hand(
    *,
    hand_id: int,
    version: int | None,
    reason: str,
    by: By,
    also_confirmed: bool = True,
) -> Hand:
    """Take a hand back; it stays in the history.

    `version` is the table's as the caller saw it; None asks only that this very hand still stands.

    `also_confirmed`: whether who asks may undo what was confirmed or is disputed. Whoever came by a link takes back
    only what was entered with it.
    """
    hand, table = lock_hand(hand_id, version)
    _check(by, table)
    if (by.link and hand.scorer_link_id != by.link.pk) or (by.player and hand.player_id != by.player.pk):
        raise Conflict("not-yours", _("Somebody else entered this hand. Ask the organiser to correct it."))
    if table.state == Table.State.CONFIRMED and not also_confirmed:
        raise Conflict("confirmed", _("This table is confirmed. Ask the organiser to correct the hand."))
    if not also_confirmed and hand.disputes.filter(state=Dispute.State.OPEN).exists():
        raise Conflict("disputed", _("This hand is disputed. The organiser sees both versions and decides."))
    if not table.round.is_open:
        raise Conflict(
            "closed", _("Round %(number)d is closed. Correct the hand instead.") % {"number": table.round.number}
        )
    later = Hand.objects.living().filter(table=table, number__gt=hand.number)
    if hands_are_in_order(table.round) and later.exists():
        raise Conflict(
            "not-last", _("Hands were played after this one. Take back the last one first, or correct this one.")
        )
    check_next_deal(hand, table)
    if _seats_changed_since(hand, table):
        raise Conflict("seats-changed", _("Seats were changed after this hand. Correct it instead of taking it back."))
    _void(hand, table, reason=reason, by=by, action="void")
    return hand


def _seats_changed_since(hand: Hand, table: Table) -> bool:
    """Whether somebody else sits there now: entered anew, the hand would count for them."""
    sits = {number: who for number, *who in table.seats.values_list("number", "entry_id", "substitute_id")}
    rows = HandScore.objects.living().filter(table=table, hand=hand.number)
    return any(sits.get(seat) != who for seat, *who in rows.values_list("seat", "entry_id", "played_by_id"))


@transaction.atomic
def correct_hand(
    *,
    hand_id: int,
    version: int | None,
    went_out: int | None,
    reports: Sequence[SeatReport],
    reason: str,
    by: User | None,
    source: str = HandScore.Source.ORGANISER,
    repair: str = "",
) -> Hand:
    """Void a hand and record it anew in one transaction; also in a closed round, not in a closed tournament.

    Who was out, and is not by the corrected hand, is reinstated. `repair`: what is done about seats
    (games.hands.repairs), for the log.
    """
    hand, table = lock_hand(hand_id, version)
    if not reason.strip():
        raise Refused(
            "reason", _("Say why the hand is corrected: it stays in the log."), fields={"reason": [_("Say why.")]}
        )
    seats = dealt_in(table, hand.number)
    judged = judge(table=table, seats=seats, went_out=went_out, reports=reports)
    if hand.counts and as_json(judged) == hand.seats and went_out == hand.went_out:
        return hand
    before = race_of(table.round)
    who = By(by)
    _void(hand, table, reason=reason, by=who, action="")
    made = _write(
        table,
        seats,
        hand.number,
        judged,
        by=who,
        source=source,
        action="correct",
        replaces=hand,
        reason=reason,
        repair=repair,
    )
    if before is not None:
        reinstate_those_back(tournament=table.round.tournament, before=before.state, reason=reason, by=by)
        check_deals_stand(table, before)
    check_game_goes_on(table)
    return made


def _check(by: By, table: Table) -> None:
    """That a link still holds, asked anew under the table's lock."""
    if by.link is not None:
        use_link(by.link)
    if by.player is not None:
        check_player(by.player, table)


def check_player(player: Entry, table: Table) -> Seat:
    """The seat of a player who came by their own link, asked anew under the table's lock. Raises `Conflict`."""
    if not Entry.objects.filter(pk=player.pk, link_generation=player.link_generation).exists():
        raise Conflict("link-ended", _("The organiser ended your link. Ask for your new one."))
    if not table.round.tournament.players_report:
        raise Conflict("players-off", _("The organiser enters the hands now. Tell them how yours ended."))
    seat = table.seats.filter(entry=player).first()
    if seat is None:
        raise Conflict("not-seated", _("You do not sit at this table any more. Look up your table."))
    return seat


def check_counts(table: Table, hand: int) -> None:
    """Raises `Refused` where a hand that is being played could not be recorded any more when it is over."""
    _check_slot(table, hand)
    _check_next(table, hand, race_of(table.round))


def is_disputed(table: Table) -> bool:
    """Whether a dispute of one of its hands is open. The caller holds the table's lock."""
    open_ones = Dispute.objects.filter(hand__table=table, state=Dispute.State.OPEN)
    return table.state == Table.State.DISPUTED and open_ones.exists()


def _answered(table: Table, key: str, digest: str) -> Recorded | None:
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
    """Where a hand decides what comes after it they come in their order, as long as there is something to play for."""
    if table.round.stage.drawn_ahead:
        return
    now = table_now(table, race)
    if now.state == ENDED:
        raise Conflict("over", _("One player is left at this table, so it has ended."))
    if now.state == STOPPED:
        raise Conflict("over", _("Two players are left in the whole event, so this table is over."))
    if over := points_game.why_over(table):
        raise Conflict("over", over)
    if hand != now.played + 1 and hands_are_in_order(table.round):
        message = _("Hand %(next)d comes first: the game may end with it.")
        if is_race(table.round.stage):
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


def lock_hand(hand_id: int, version: int | None) -> tuple[Hand, Table]:
    """A living hand and its table, locked. Raises `Conflict` when either changed since `version`."""
    table = lock_table(Hand.objects.values_list("table_id", flat=True).get(pk=hand_id))
    hand = Hand.objects.get(pk=hand_id)
    if table.round.tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if hand.voided_at is not None:
        raise Conflict("void", _("This hand has been taken back already."), current=hand)
    if version is not None and version != table.version:
        raise Conflict(
            "version",
            _("This table changed since you opened the page. Look at it again before you go on."),
            current=hand,
        )
    return hand, table


def _void(
    hand: Hand,
    table: Table,
    *,
    reason: str,
    by: By,
    action: str,
) -> None:
    hand.voided_at, hand.voided_by, hand.void_reason = timezone.now(), by.user, reason.strip()[:200]
    hand.save(update_fields=["voided_at", "voided_by", "void_reason"])
    # Whoever disputed it was right in one way or another.
    hand.disputes.filter(state=Dispute.State.OPEN).update(
        state=Dispute.State.OTHER, decided_at=hand.voided_at, decided_by=by.user
    )
    void_score(table=table, hand=hand.number, disputed=is_disputed(table))
    if action:
        note(
            tournament=table.round.tournament,
            by=by,
            action=action,
            table=table,
            hand=hand.number,
            old=in_words(hand),
            reason=hand.void_reason,
        )


def _write(
    table: Table,
    seats: Sequence[Seat],
    number: int,
    judged: Judged | None,
    *,
    by: By,
    source: str,
    action: str,
    replaces: Hand | None = None,
    reason: str = "",
    repair: str = "",
    confirms: bool = True,
) -> Hand:
    """`judged` is None of a hand that does not count: it has no rows in the ledger."""
    hand = Hand.objects.create(
        table=table,
        number=number,
        source=source,
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
        close_without_scores(table=table, hand=number, seats=dealt, confirms=confirms, disputed=is_disputed(table))
    else:
        stopped = _post(table, seats, hand, judged, source=source, confirms=confirms, replaces=replaces)
    note(
        tournament=table.round.tournament,
        by=by,
        action=action,
        table=table,
        hand=number,
        old=in_words(replaces) if replaces else None,
        new=in_words(hand) | ({"repair": repair} if repair else {}),
        reason=reason.strip()[:200],
    )
    if stopped:
        note(tournament=table.round.tournament, by=None, action="last-two", table=table, hand=number, new=list(stopped))
    return hand


def _post(
    table: Table,
    seats: Sequence[Seat],
    hand: Hand,
    judged: Judged,
    *,
    source: str,
    confirms: bool,
    replaces: Hand | None,
) -> tuple[int, ...]:
    """The hand's rows in the ledger. Returns the tables that it stops."""
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
    return post_score(
        table=table,
        hand=hand.number,
        lines=lines,
        source=source,
        recorded_at=hand.recorded_at,
        confirms=confirms,
        disputed=is_disputed(table),
        counted_at=_counted_at(replaces) if replaces else None,
    )


def _counted_at(hand: Hand) -> datetime:
    """The place of a hand among all others, which a correction keeps."""
    rows = HandScore.objects.filter(table=hand.table_id, hand=hand.number, recorded_at=hand.recorded_at)
    return rows.values_list("counted_at", flat=True).first() or hand.recorded_at


def clean_reasons(tournament: Tournament, clean: Callable[[str], str]) -> None:
    """Take a person's name out of the reasons for which hands were taken back or disputed (league.erasure.erase)."""
    for hand in Hand.objects.filter(table__round__tournament=tournament).exclude(void_reason=""):
        if (reason := clean(hand.void_reason)) != hand.void_reason:
            Hand.objects.filter(pk=hand.pk).update(void_reason=reason[:200])
    for dispute in Dispute.objects.filter(hand__table__round__tournament=tournament).exclude(reason=""):
        if (reason := clean(dispute.reason)) != dispute.reason:
            Dispute.objects.filter(pk=dispute.pk).update(reason=reason[:200])
