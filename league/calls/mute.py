"""Refuse the calls of one caller, and accept them again."""

from typing import Any

from django.db import transaction

from league.ledger.locks import lock_tournament
from league.log.write import note, player_in_log
from league.models import CallTap, MutedCaller, User
from league.models.calls import Caller


@transaction.atomic
def mute_caller(*, tap: CallTap, by: User) -> MutedCaller:
    """Refuse further calls of a tap's caller in the tournament. Their open call stays."""
    tournament = lock_tournament(tap.call.table.round.tournament_id)
    who: dict[str, Any] = {"entry": tap.entry, "scorer_link": tap.scorer_link, "user": tap.user}
    muted, is_new = MutedCaller.objects.get_or_create(tournament=tournament, **who)
    if is_new:
        note(tournament=tournament, by=by, action="mute-caller", new=_in_log(tap))
    return muted


@transaction.atomic
def unmute_caller(*, muted: MutedCaller, by: User) -> None:
    """Accept calls of a muted caller again; does nothing if they are accepted."""
    tournament = lock_tournament(muted.tournament_id)
    gone, _models = MutedCaller.objects.filter(pk=muted.pk).delete()
    if gone:
        note(tournament=tournament, by=by, action="unmute-caller", new=_in_log(muted))


def _in_log(caller: Caller) -> dict[str, Any]:
    if caller.entry is not None:
        return player_in_log(caller.entry)
    if caller.user is not None:
        return {"user": str(caller.user)}
    link = caller.scorer_link
    return {"scorer_table": link.table, "label": link.label} if link is not None else {}
