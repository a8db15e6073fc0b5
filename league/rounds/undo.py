"""Takes back the latest published round: it is void with its tables, and a draft has its number instead."""

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
    """The round if it can be undone, its tables locked. The caller holds the tournament's lock and a transaction."""
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to undo a round."))
    last = tournament.rounds.shown().order_by("-number").first()
    if last is None:
        raise Refused("round", _("No round has been published yet, so there is none to undo."))
    if last.number != number:
        message = _("Only the latest round can be undone: round %(last)d.")
        raise Refused("round", message % {"last": last.number})
    list(Table.objects.select_for_update().filter(round=last).order_by("pk").values_list("pk"))
    return last


def take_back_round(*, tournament: Tournament, played: Round, hands: int, reason: str, by: User | None) -> Round | None:
    """Void the round with its tables and scores, and draft its number anew; None where there is none to draw, and where
    it is the first after a cut, which is taken back.

    The caller has it from `round_to_undo` and has voided its `hands`. Where rounds are drawn ahead, the seating stays;
    else it is drawn for the event as it stands now. Points for its byes, those carried into it and
    those of extra hands go; other adjustments and events stay.
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
        take_back(tournament, after, by)  # made by results that there are not any more
    if not played.stage.rounds.shown().exists() and played.stage.number > 1:
        Stage.objects.filter(pk=played.stage_id).update(started_at=None)
    if played.stage.takes is not None and not played.stage.rounds.shown().exists():
        take_back(tournament, played.stage, by)  # the cut is looked at again, by the results as they are now
        return None
    if played.stage.drawn_ahead:
        return _draft_again(played)
    drafts = list(tournament.rounds.filter(state=Round.State.DRAFT))
    forget_drafts(tournament, drafts, by)
    return draw_following(tournament, played.stage, by)


def _draft_again(played: Round) -> Round:
    """A draft with the same seating, without unused tables and tables of a team that left, whose opponents sit out."""
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
