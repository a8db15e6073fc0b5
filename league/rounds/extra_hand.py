"""An extra hand among tied players: at a cut decided by a random draw, or in a final with a shared place.

The hand is played with real cards. Only its winner is recorded, with a points adjustment.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from league.formats.progression import ACTIVE, State
from league.ledger.locks import lock_tournament
from league.ledger.progression import read_progression
from league.lib.errors import Conflict
from league.models import Adjustment, Entry, Round, Stage, Tournament, User
from league.rounds.adjustments import adjust


def level_at_the_cut(stage: Stage, state: State) -> list[str]:
    """Return the players of the last closed round parted only at random, until the next round is published."""
    if stage.plays.in_tree or not stage.rounds.filter(state=Round.State.DRAFT).exists():
        return []
    last = max((line.round for line in state.lines.values() if line.round is not None), default=None)
    of_last = [line for line in state.lines.values() if line.round == last]
    cut = {line.second for line in of_last if line.through}  # one ladder may have played its final
    return [line.entry for line in of_last if line.by_lot and line.second in cut]


def tied_in_a_final(stage: Stage, state: State) -> list[list[str]]:
    """Return the players who share a place of a finished final, the best place first."""
    if stage.plays.in_tree:
        return []
    closed = set(stage.rounds.filter(state=Round.State.CLOSED).values_list("number", flat=True))
    by_rank: dict[int, list[str]] = {}
    for line in state.lines.values():  # in a closed round only finalists are active without advancing
        if line.tied and line.status == ACTIVE and not line.through and line.round in closed:
            by_rank.setdefault(line.rank, []).append(line.entry)
    return [tied for _rank, tied in sorted(by_rank.items())]


@transaction.atomic
def win_extra_hand(*, tournament: Tournament, entry: Entry, by: User | None) -> Adjustment:
    """Put a player ahead of the tied players. Raises `Conflict` if there are none.

    At a cut one point is enough, because all players ahead advance in any case. A final may need several extra hands,
    so the winner gets a point for each player left behind.
    """
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    state = read_progression(tournament, stage).state if stage.plays.advances else None
    points = 0
    if state is not None:
        tied = next((tied for tied in tied_in_a_final(stage, state) if entry.public_id in tied), [])
        points = len(tied) - 1 if tied else int(entry.public_id in level_at_the_cut(stage, state))
    if state is None or not points:
        raise Conflict("not-level", _("%(name)s is no longer tied.") % {"name": entry})
    return adjust(
        tournament=tournament,
        entry=entry,
        points=-points if stage.lowest_wins else points,
        reason=_("Won an extra hand"),
        round_number=state.lines[entry.public_id].round,
        by=by,
        kind=Adjustment.Kind.EXTRA_HAND,
    )
