"""What a single bye is worth, where it is not what the settings say."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.day.entrants import begun, one_of
from league.ledger.scores import MOST_POINTS
from league.lib.errors import Refused
from league.log.write import note, who
from league.models import Adjustment, Entry, Seat, Tournament, User


@transaction.atomic
def value_bye(
    *, tournament: Tournament, entry: Entry, round_number: int, points: int, reason: str, by: User | None
) -> None:
    """Give the bye of an entry in a published round its points; 0 gives none. What it was worth before is voided."""
    tournament, _stage = begun(tournament)
    entry = one_of(tournament, entry)
    played = tournament.rounds.shown().filter(number=round_number).first()
    if played is None or not Seat.objects.filter(round=played, entry=entry, table=None).exists():
        sentence = _("%(name)s does not sit out round %(number)d.") % {"name": entry, "number": round_number}
        raise Refused("bye", sentence, fields={"round": [sentence]})
    if not 0 <= points <= MOST_POINTS:
        sentence = _("Choose 0 to %(most)d points.") % {"most": MOST_POINTS}
        raise Refused("points", sentence, fields={"points": [sentence]})
    before = Adjustment.objects.filter(entry=entry, round=played, kind=Adjustment.Kind.BYE, voided_at=None)
    was = sum(before.values_list("points", flat=True))
    if was == points:
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
        old={**who(entry), "points": was},
        new={**who(entry), "points": points},
        reason=reason.strip()[:200],
    )


def byes_of(entry: Entry) -> list[tuple[int, int]]:
    """(round, what it is worth) of the published rounds that an entry sits out."""
    rounds = entry.tournament.rounds.shown()
    seats = Seat.objects.filter(entry=entry, table=None, round__in=rounds).order_by("round__number")
    given = Adjustment.objects.filter(entry=entry, kind=Adjustment.Kind.BYE, voided_at=None)
    worth: dict[int | None, int] = {}
    for number, points in given.values_list("round__number", "points"):
        worth[number] = worth.get(number, 0) + points
    return [(number, worth.get(number, 0)) for number in seats.values_list("round__number", flat=True)]
