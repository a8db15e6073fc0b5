"""One more hand among tied players: at a cut that only the drawn lot decides, or in a final whose place they share.

The hand is played next to the event, with real cards. What is written down is who won it, as points beside the hands.
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
    """Those of the round that was closed last whom the lot alone has parted, as long as nobody has seen who goes on."""
    if stage.plays.in_tree or not stage.rounds.filter(state=Round.State.DRAFT).exists():
        return []
    last = max((line.round for line in state.lines.values() if line.round is not None), default=None)
    of_last = [line for line in state.lines.values() if line.round == last]
    cut = {line.second for line in of_last if line.through}  # in one ladder it may have been the final
    return [line.entry for line in of_last if line.by_lot and line.second in cut]


def tied_in_a_final(stage: Stage, state: State) -> list[list[str]]:
    """Return the players who share a place of a final that is over, the best place first."""
    if stage.plays.in_tree:
        return []
    closed = set(stage.rounds.filter(state=Round.State.CLOSED).values_list("number", flat=True))
    by_rank: dict[int, list[str]] = {}
    for line in state.lines.values():  # in a round that is closed only finalists are active and don't play on
        if line.tied and line.status == ACTIVE and not line.through and line.round in closed:
            by_rank.setdefault(line.rank, []).append(line.entry)
    return [tied for _rank, tied in sorted(by_rank.items())]


@transaction.atomic
def win_extra_hand(*, tournament: Tournament, entry: Entry, by: User | None) -> Adjustment:
    """Put a player ahead of those with whom they are tied. Raises `Conflict` where there are none.

    At a cut one point does it: all who were ahead go on in any case. In a final each of several tied players can win
    one of several extra hands, so the winner gets a point for each player who stays behind.
    """
    tournament = lock_tournament(tournament.pk)
    stage = tournament.stage
    state = read_progression(tournament, stage).state if stage.plays.advances else None
    points = 0
    if state is not None:
        tied = next((tied for tied in tied_in_a_final(stage, state) if entry.public_id in tied), [])
        points = len(tied) - 1 if tied else int(entry.public_id in level_at_the_cut(stage, state))
    if state is None or not points:
        raise Conflict("not-level", _("%(name)s is not level with anybody any more.") % {"name": entry})
    return adjust(
        tournament=tournament,
        entry=entry,
        points=-points if stage.lowest_wins else points,
        reason=_("Won an extra hand"),
        round_number=state.lines[entry.public_id].round,
        by=by,
        kind=Adjustment.Kind.EXTRA_HAND,
    )
