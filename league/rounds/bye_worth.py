"""Points of a bye, chosen when the first bye occurs."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.formats.setting import MOST_BYE_POINTS
from league.ledger.locks import lock_tournament
from league.ledger.scores import note_byes
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Entry, Round, Seat, Tournament, User
from league.rounds.steps import give_bye_points

ACTION = "bye-worth"


def byes_in(played: Round) -> QuerySet[Seat]:
    """Return the seats of players with a bye in a round."""
    return Seat.objects.filter(round=played, table=None).exclude(entry__status=Entry.Status.STANDIN)


def is_undecided(played: Round) -> bool:
    """Return whether a round has the stage's first byes and no organiser has chosen their points."""
    stage, tournament = played.stage, played.tournament
    if stage.values.get("bye_points", None) != 0 or tournament.is_final or not byes_in(played).exists():
        return False
    earlier = tournament.rounds.shown().filter(stage=stage, number__lt=played.number)
    if Seat.objects.filter(round__in=earlier, table=None).exists():
        return False
    return not tournament.log.filter(action=ACTION, new__stage=stage.number).exists()


@transaction.atomic
def decide_bye_worth(*, tournament: Tournament, round_number: int, points: int, by: User | None) -> None:
    """Set the points of a bye in the stage of a round with the first byes, also for that round.

    Raises `Conflict("decided")` if they are already set, and `Refused` for a number out of range.
    """
    tournament = lock_tournament(tournament.pk)
    played = tournament.rounds.living().select_related("stage").filter(number=round_number).first()
    if played is None or not is_undecided(played):
        raise Conflict("decided", _("The points of a bye are already set. Change them in Settings."))
    if not 0 <= points <= MOST_BYE_POINTS:
        sentence = _("Choose 0 to %(most)d points.") % {"most": MOST_BYE_POINTS}
        raise Refused("points", sentence, fields={"points": [sentence]})
    now, stage = timezone.now(), played.stage
    stage.settings |= {"bye_points": points}
    stage.save(update_fields=["settings"])
    note(
        tournament=tournament,
        by=by,
        action=ACTION,
        round_number=played.number,
        old={"bye_points": 0},
        new={"bye_points": points, "stage": stage.number},
    )
    if points and played.state != Round.State.DRAFT:
        give_bye_points(played)
        note_byes(tournament, by, now)
