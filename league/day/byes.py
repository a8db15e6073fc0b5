"""Points for a single bye that differ from the settings."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.day.entrants import current_entry, lock_begun
from league.ledger.scores import MOST_POINTS
from league.lib.errors import Refused
from league.log.write import note, player_in_log
from league.models import Adjustment, Entry, Seat, Tournament, User


@transaction.atomic
def value_bye(
    *, tournament: Tournament, entry: Entry, round_number: int, points: int, reason: str, by: User | None
) -> None:
    """Set the points for an entry's bye in a published round; 0 gives none. Earlier points are voided."""
    tournament, _stage = lock_begun(tournament)
    entry = current_entry(tournament, entry)
    played = tournament.rounds.shown().filter(number=round_number).first()
    if played is None or not Seat.objects.filter(round=played, entry=entry, table=None).exists():
        sentence = _("%(name)s has no bye in round %(number)d.") % {"name": entry, "number": round_number}
        raise Refused("bye", sentence, fields={"round": [sentence]})
    if not 0 <= points <= MOST_POINTS:
        sentence = _("Choose 0 to %(most)d points.") % {"most": MOST_POINTS}
        raise Refused("points", sentence, fields={"points": [sentence]})
    before = Adjustment.objects.filter(entry=entry, round=played, kind=Adjustment.Kind.BYE, voided_at=None)
    old_points = sum(before.values_list("points", flat=True))
    if old_points == points:
        return
    before.update(voided_at=timezone.now())
    if points:
        Adjustment.objects.create(
            entry=entry,
            round=played,
            kind=Adjustment.Kind.BYE,
            points=points,
            reason=reason.strip()[:200] or _("Bye"),
        )
    note(
        tournament=tournament,
        by=by,
        action="value-bye",
        round_number=round_number,
        old={**player_in_log(entry), "points": old_points},
        new={**player_in_log(entry), "points": points},
        reason=reason.strip()[:200],
    )


def byes_of(entry: Entry) -> list[tuple[int, int]]:
    """Return (round, points) for each bye of an entry in published rounds."""
    rounds = entry.tournament.rounds.shown()
    seats = Seat.objects.filter(entry=entry, table=None, round__in=rounds).order_by("round__number")
    adjustments = Adjustment.objects.filter(entry=entry, kind=Adjustment.Kind.BYE, voided_at=None)
    worth: dict[int | None, int] = {}
    for number, points in adjustments.values_list("round__number", "points"):
        worth[number] = worth.get(number, 0) + points
    return [(number, worth.get(number, 0)) for number in seats.values_list("round__number", flat=True)]
