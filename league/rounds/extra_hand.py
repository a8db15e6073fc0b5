"""One more hand among those whom the lot alone has parted at a cut: whoever wins it is ahead of the others.

The hand is played beside the event, with real cards; what is written down is who won it, as a point beside the hands.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from league.formats.progression import State
from league.ledger.locks import lock_tournament
from league.ledger.progression import read_progression
from league.lib.errors import Conflict
from league.models import Adjustment, Entry, Round, Stage, Tournament, User
from league.rounds.adjustments import adjust


def level_at_the_cut(stage: Stage, state: State) -> list[str]:
    """Those of the round that was closed last whom the lot alone has parted, as long as nobody has seen who goes on."""
    if stage.plays.in_tree or not stage.rounds.filter(state=Round.State.DRAFT).exists():
        return []
    last = max((line.round for line in state.lines.values() if line.round is not None), default=None)
    of_last = [line for line in state.lines.values() if line.round == last]
    cut = {line.second for line in of_last if line.through}  # in one ladder it may have been the final
    return [line.entry for line in of_last if line.by_lot and line.second in cut]


@transaction.atomic
def win_extra_hand(*, tournament: Tournament, entry: Entry, by: User | None) -> Adjustment:
    """Let somebody be ahead of those who were level with them. Raises `Conflict` where they are with nobody.

    Whoever has just a point more than they had loses nothing by it: all who were ahead of those at the cut go on.
    """
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    state = read_progression(tournament, stage).state if stage.plays.advances else None
    if state is None or entry.public_id not in level_at_the_cut(stage, state):
        raise Conflict("not-level", _("%(name)s is not level with anybody any more.") % {"name": entry})
    return adjust(
        tournament=tournament,
        entry=entry,
        points=-1 if stage.lowest_wins else 1,
        reason=_("Won an extra hand"),
        round_number=state.lines[entry.public_id].round,
        by=by,
        kind=Adjustment.Kind.EXTRA_HAND,
    )
