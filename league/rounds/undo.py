"""Undo the latest published round: void it with its tables, and create a draft of its number."""

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.scores import void_scores
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Adjustment, Deadline, Entry, Round, Seat, Stage, Table, Tournament, User
from league.rounds.cut import take_back, unseen_after
from league.rounds.draw import forget_drafts
from league.rounds.steps import draw_following


def round_to_undo(tournament: Tournament, number: int) -> Round:
    """Return the round if it can be undone, with its tables locked. The caller holds the tournament's lock."""
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to undo a round."))
    last = tournament.rounds.shown().order_by("-number").first()
    if last is None:
        raise Refused("round", _("No round is published yet."))
    if last.number != number:
        message = _("You can undo only the latest round: round %(last)d.")
        raise Refused("round", message % {"last": last.number})
    list(Table.objects.select_for_update().filter(round=last).order_by("pk").values_list("pk"))
    return last


def take_back_round(*, tournament: Tournament, played: Round, hands: int, reason: str, by: User | None) -> Round | None:
    """Void the round with its tables and scores, and return the new draft of its number.

    Return None without a round to draw, and for the first round after a cut, which is undone too. The caller got the
    round from `round_to_undo` and has voided its `hands`. A schedule drawn ahead keeps its seating; other rounds are
    drawn again. Points of byes, carry-over and extra hands are voided; other adjustments and events stay.
    """
    now = timezone.now()
    void_scores(played)
    given = (Adjustment.Kind.BYE, Adjustment.Kind.CARRIED_ON, Adjustment.Kind.EXTRA_HAND)
    Adjustment.objects.filter(round=played, kind__in=given, voided_at=None).update(voided_at=now)
    Deadline.objects.pending().filter(round=played).update(state=Deadline.State.CANCELLED)
    played.tables.update(state=Table.State.VOID, version=F("version") + 1, seating_version=F("seating_version") + 1)
    played.state = Round.State.VOID
    played.save(update_fields=["state"])
    note(
        tournament=tournament,
        by=by,
        action="undo-round",
        round_number=played.number,
        old={"hands": hands},
        reason=reason.strip()[:200],
    )
    if (after := unseen_after(played.stage)) is not None:
        take_back(tournament, after, by)  # its results are gone
    if not played.stage.rounds.shown().exists() and played.stage.number > 1:
        Stage.objects.filter(pk=played.stage_id).update(started_at=None)
    if played.stage.takes is not None and not played.stage.rounds.shown().exists():
        take_back(tournament, played.stage, by)  # the cut is previewed again with current results
        return None
    if played.stage.drawn_ahead:
        return _draft_again(played)
    drafts = list(tournament.rounds.filter(state=Round.State.DRAFT))
    forget_drafts(tournament, drafts, by)
    return draw_following(tournament, played.stage, by)


def _draft_again(played: Round) -> Round:
    """Return a draft with the same seating, without unused tables; opponents of a team that left have a bye."""
    draft = Round.objects.create(tournament=played.tournament, stage=played.stage, number=played.number)
    seats = list(played.seats.select_related("entry"))
    gone = {seat.entry for seat in seats if played.stage.has_teams and seat.entry.status == Entry.Status.DROPPED}
    left_tables = {seat.table_id for seat in seats if seat.entry in gone}
    tables: dict[int | None, Table] = {
        table.pk: Table(round=draft, number=table.number, mode=table.mode, hands_wanted=played.stage.hands_per_round)
        for table in played.tables.filter(pk__in={seat.table_id for seat in seats} - left_tables).order_by("number")
    }
    Table.objects.bulk_create(tables.values())
    alone = {seat.entry: Seat(round=draft, entry=seat.entry) for seat in seats if seat.table_id in left_tables - {None}}
    again = [
        Seat(
            round=draft,
            table=tables.get(seat.table_id),
            number=seat.number,
            entry=seat.entry,
            member=seat.member,
            substitute_id=seat.substitute_id,
        )
        for seat in seats
        if seat.entry not in alone
    ]
    Seat.objects.bulk_create(seat for seat in (*again, *alone.values()) if seat.entry not in gone)
    return draft
