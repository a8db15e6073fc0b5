"""What pages, screen and prints say about a Challenge UNO: who is in danger, who is out since when, what ranks."""

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
    """“out in round 5, hand 3”, “dropped out in round 2”; empty for those who are still in."""
    if line.out_in_round is None or line.entrant.status == ACTIVE:
        return ""
    words = {"round": line.out_in_round, "hand": line.out_in_hand, "table": line.out_at_table}
    if line.entrant.status == DROPPED:
        return _("dropped out in round %(round)d") % words if line.out_in_round else _("dropped out before round 1")
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
    """Return the words beside a name in standings: when they left, or that they are the last one in.

    With the target also, from 80 % of it on, how little they can spare.
    """
    if line.rank is None:
        return ""
    if departure := left_in_words(line):
        return departure
    if line.ending is not None and line.ending.has_won:
        return _("last one in")
    if target is None:
        return ""
    spare = to_spare(line, target)
    if not is_in_danger(line.total, target) or not spare:
        return ""
    return ngettext("%(count)d point to spare", "%(count)d points to spare", spare) % {"count": spare}


def order_in_words(target: int) -> str:
    """What ranks in a race, in two sentences."""
    return _(
        "Who is still in comes first, the lower total before the higher. Who reaches %(target)d points is eliminated: "
        "the later, by round and by hand at the own table, the better the place; after that the lower total."
    ) % {"target": target}


def tie_sentences(lines: Sequence[Standing]) -> list[str]:
    """A sentence for each rank that several who have left share; those still in share one until the next hand."""
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
    """{player_id: “out, 512”} of those who left in a round, for the plan of their table."""
    words = {OUT: _("eliminated, %(total)d"), DROPPED: _("left, %(total)d")}
    return {
        player: words[line.status] % {"total": line.total}
        for player, line in state.lines.items()
        if line.departure is not None and line.departure.round == number and line.status in words
    }
