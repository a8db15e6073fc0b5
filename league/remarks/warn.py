"""Warn a player, and withdraw a warning. Both are steps of the player's sheet.

The reason is private: it is in no log, file or API response. Points that come with a warning are public, like any
points adjustment, under a neutral reason.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note, player_in_log
from league.models import Adjustment, Entry, Player, PlayerWarning, Tournament, User
from league.remarks.forms import MOST_REASON
from league.remarks.people import persons_of
from league.rounds.adjustments import adjust, void_adjustment


@transaction.atomic
def warn(
    *, entry: Entry, person: Player, reason: str, by: User, points: int = 0, round_number: int | None = None
) -> PlayerWarning:
    """Warn a person of an entry, and with `points` add a points adjustment from a round on (None: the start).

    Raises `Refused` or `Conflict` like `adjust`. Without points a warning is possible after the final standings.
    """
    tournament = lock_tournament(entry.tournament_id)
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    current.tournament = tournament
    if person not in persons_of(current):
        raise Conflict("gone", _("%(name)s is no longer in this team.") % {"name": person})
    reason = _checked(reason)
    warning = PlayerWarning(tournament=tournament, player=person, reason=reason, by=by)
    if points:
        warning.adjustment = adjust(
            tournament=tournament,
            entry=current,
            points=points,
            reason=public_reason(),
            round_number=round_number,
            by=by,
            kind=Adjustment.Kind.PENALTY,
        )
    warning.save()
    note(tournament=tournament, by=by, action="warn", new=player_in_log(current) | {"warning": warning.pk})
    return warning


@transaction.atomic
def withdraw(*, warning: PlayerWarning, reason: str, by: User) -> None:
    """Withdraw a warning, with its points. It stays, with the reason. Repeating it changes nothing."""
    tournament = lock_tournament(warning.tournament_id)
    warning = PlayerWarning.objects.select_for_update(of=("self",)).select_related("adjustment").get(pk=warning.pk)
    if warning.withdrawn_at is not None:
        return
    reason = _checked(reason)
    if warning.points and warning.adjustment_id is not None:
        void_adjustment(tournament=tournament, adjustment_id=warning.adjustment_id, by=by)
    warning.withdrawn_at, warning.withdrawn_by, warning.withdrawal = timezone.now(), by, reason
    warning.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawal"])
    note(tournament=tournament, by=by, action="withdraw-warning", old=_in_log(tournament, warning))


def public_reason() -> str:
    """Return the reason that everyone reads next to the points of a warning."""
    return _("Decision of the director")


def _checked(reason: str) -> str:
    if not reason.strip():
        sentence = _("Give a reason. Only directors see it.")
        raise Refused("reason", sentence, fields={"reason": [sentence]})
    return reason.strip()[:MOST_REASON]


def _in_log(tournament: Tournament, warning: PlayerWarning) -> dict[str, str | int]:
    """Return the warned player as the log names them; the entry may have left the list since."""
    for entry in tournament.entries.select_related("player"):
        entry.tournament = tournament
        if warning.player in persons_of(entry):
            return player_in_log(entry) | {"warning": warning.pk}
    return {"player_id": warning.player.public_id, "player": warning.player.name, "warning": warning.pk}
