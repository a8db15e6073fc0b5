"""Word a Challenge UNO for pages, screen and prints: danger, elimination and ranking rules."""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.race import ACTIVE, DROPPED, OUT, State
from league.lib.translate import names
from league.standings.ranking import Standing

IN_DANGER = 80  # per cent of the target


def is_in_danger(total: int, target: int) -> bool:
    return 100 * total >= IN_DANGER * target


def left_in_words(line: Standing, *, with_table: bool = False) -> str:
    """Return “eliminated in round 5, hand 3” or “withdrew in round 2”; empty for active players."""
    if line.out_in_round is None or line.entrant.status == ACTIVE:
        return ""
    words = {"round": line.out_in_round, "hand": line.out_in_hand, "table": line.out_at_table}
    if line.entrant.status == DROPPED:
        return _("withdrew in round %(round)d") % words if line.out_in_round else _("withdrew before round 1")
    if not line.out_in_round:
        return _("eliminated before round 1")
    if not line.out_in_hand:
        return _("eliminated in round %(round)d") % words
    if with_table and line.out_at_table:
        return _("eliminated in round %(round)d, hand %(hand)d, table %(table)d") % words
    return _("eliminated in round %(round)d, hand %(hand)d") % words


def to_spare(line: Standing, target: int) -> int:
    return max(0, target - line.total)


def status_in_words(line: Standing, target: int | None) -> str:
    """Return the words after a name in the standings: when the player left, or that they are the last one in.

    With a target, players from 80 % of it on also get their points to spare.
    """
    if line.rank is None:
        return ""
    if departure := left_in_words(line):
        return departure
    if line.ending is not None and line.ending.has_won:
        return _("last player in")
    if target is None:
        return ""
    spare = to_spare(line, target)
    if not is_in_danger(line.total, target) or not spare:
        return ""
    return ngettext("%(count)d point to spare", "%(count)d points to spare", spare) % {"count": spare}


def order_in_words(target: int) -> str:
    """Return what ranks players in a race."""
    return _(
        "Active players come first, lowest total first. %(target)d points eliminate a player. Later "
        "elimination ranks higher, then the lower total."
    ) % {"target": target}


def tie_sentences(lines: Sequence[Standing]) -> list[str]:
    """Return a sentence for each rank shared by players who left. Active players share only until the next hand."""
    shared: dict[int, list[Standing]] = defaultdict(list)
    for line in lines:
        if line.rank is not None and line.tied and line.out_in_round is not None:
            shared[line.rank].append(line)
    return [
        _("%(who)s left in the same round and hand with %(total)d points: they share rank %(rank)d.")
        % {"who": names(line.entrant.name for line in together), "total": together[0].total, "rank": rank}
        for rank, together in shared.items()
    ]


def gone_in_round(state: State, number: int) -> dict[str, str]:
    """Return {player_id: “eliminated, 512”} of players who left in a round, for the plan of their table."""
    words = {OUT: _("eliminated, %(total)d"), DROPPED: _("left, %(total)d")}
    return {
        player: words[line.status] % {"total": line.total}
        for player, line in state.lines.items()
        if line.departure is not None and line.departure.round == number and line.status in words
    }
