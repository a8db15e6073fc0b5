"""Add and void points adjustments. Drafts are drawn again, because places decide the seats."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tournament
from league.ledger.progress import PLAYING, game_at, table_now
from league.ledger.scores import MOST_POINTS, settle_tables
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Adjustment, Entry, Round, Tournament, User
from league.rounds.cut import take_back_early
from league.rounds.redraw import redraw_next


@transaction.atomic
def adjust(
    *,
    tournament: Tournament,
    entry: Entry,
    points: int,
    reason: str,
    round_number: int | None,
    by: User | None,
    kind: Adjustment.Kind | None = None,
) -> Adjustment:
    """Add or deduct points (PEN-2, or a director's decision). `kind` None is a penalty for negative points."""
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    if not tournament.entries.filter(pk=entry.pk).exists():
        raise Conflict("gone", _("This player is no longer on the list."))
    if not points or abs(points) > MOST_POINTS:
        raise Refused("points", _("Enter points other than 0, at most 10,000."), fields={"points": []})
    if not reason.strip():
        raise Refused("reason", _("Give a reason. It appears next to the points."), fields={"reason": []})
    played = None
    if round_number is not None:
        played = tournament.rounds.living().filter(number=round_number).first()
        if played is None or played.state == Round.State.DRAFT:
            raise Refused("round", _("Round %(number)d has not been published.") % {"number": round_number})
    elif tournament.stage_shown.number > 1:  # "from the start" means this stage; the earlier stage keeps its places
        played = tournament.stage_shown.rounds.shown().order_by("number").first()
    stage = played.stage if played else tournament.stage_shown
    if stage.plays.advances and not (played and played.seats.filter(entry=entry).exclude(table=None).exists()):
        sentence = _("Every round starts at 0. Choose a round in which %(name)s plays.")
        raise Refused("round", sentence % {"name": entry}, fields={"round": [sentence % {"name": entry}]})
    _refuse_in_a_duel(entry, played, points)
    kind = kind or (Adjustment.Kind.PENALTY if points < 0 else Adjustment.Kind.CARRIED)
    adjustment = Adjustment.objects.create(
        entry=entry, round=played, kind=kind, points=points, reason=reason.strip()[:200]
    )
    settle_tables(tournament)
    take_back_early(tournament, stage, by)
    redraw_next(tournament, tournament.stage, by)
    note(
        tournament=tournament,
        by=by,
        action="adjust",
        round_number=played.number if played else None,
        new={"player_id": entry.public_id, "player": entry.name, "points": points, "kind": kind},
        reason=adjustment.reason,
    )
    return adjustment


@transaction.atomic
def void_adjustment(*, tournament: Tournament, adjustment_id: int, by: User | None) -> None:
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    adjustment = (
        Adjustment.objects.select_for_update(of=("self",))
        .select_related("entry__player", "round")
        .filter(pk=adjustment_id, entry__tournament=tournament)
        .first()
    )
    if adjustment is None:
        raise Refused("gone", _("This points adjustment doesn’t exist."))
    if adjustment.voided_at is not None:
        return
    if adjustment.kind == Adjustment.Kind.BYE:
        raise Refused("bye", _("These are the points of a bye. Change them on the player’s page."))
    _refuse_in_a_duel(adjustment.entry, adjustment.round, -adjustment.points)
    adjustment.voided_at = timezone.now()
    adjustment.save(update_fields=["voided_at"])
    settle_tables(tournament)
    take_back_early(tournament, adjustment.round.stage if adjustment.round else tournament.stage_shown, by)
    redraw_next(tournament, tournament.stage, by)
    note(
        tournament=tournament,
        by=by,
        action="void-adjustment",
        round_number=adjustment.round.number if adjustment.round else None,
        old={
            "player_id": adjustment.entry.public_id,
            "player": adjustment.entry.name,
            "points": adjustment.points,
            "kind": adjustment.kind,
        },
    )


def _refuse_in_a_duel(entry: Entry, played: Round | None, points: int) -> None:
    """Refuse points in a running duel, or points that would tie a decided one, since no hand could break the tie."""
    if played is None or not played.stage.plays.in_tree:
        return
    seat = played.seats.filter(entry=entry).exclude(table=None).select_related("table__round__stage").first()
    if seat is None or seat.table is None or (game := game_at(seat.table)) is None:
        return
    if game.over_in is None:
        if table_now(seat.table).state == PLAYING:
            message = _("This duel is still running. Change points when it is decided.")
            raise Refused("round", message, fields={"round": [message]})
        return
    totals = {
        public_id: game.totals.get(public_id, 0)
        for public_id in seat.table.seats.values_list("entry__public_id", flat=True)
    }
    others = Adjustment.objects.filter(round=played, voided_at=None, entry__public_id__in=totals)
    for public_id, more in [*others.values_list("entry__public_id", "points"), (entry.public_id, points)]:
        totals[public_id] += more
    if len(set(totals.values())) == 1:
        message = _("That would tie the duel. Give one point more or less.")
        raise Refused("points", message, fields={"points": [message]})
