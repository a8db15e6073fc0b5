"""Explain the order of entries with equal points."""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.translate import names
from league.standings.ranking import Standing
from league.standings.tie_breaks import TIE_BREAKS

MOST_NAMES = 6


def tie_sentences(lines: Sequence[Standing], tie_breaks: Sequence[str]) -> list[str]:
    """Return sentences for each group with equal points, best first: names and what decided."""
    groups: dict[tuple[str, int], list[Standing]] = defaultdict(list)
    for line in lines:
        if line.rank is not None:
            groups[line.entrant.status, line.total].append(line)
    return [_group_in_words(group, tie_breaks) for group in groups.values() if len(group) > 1]


def _group_in_words(group: Sequence[Standing], tie_breaks: Sequence[str]) -> str:
    people = _names(group) if len(group) <= MOST_NAMES else _("%(count)d players") % {"count": len(group)}
    points = ngettext("%(count)d point", "%(count)d points", group[0].total) % {"count": group[0].total}
    pattern = _("%(who)s both have %(points)s.") if len(group) == 2 else _("%(who)s all have %(points)s.")
    sentences = [pattern % {"who": people, "points": points}]
    deciding = [code for code in tie_breaks if any(line.decided_by == code for line in group)]
    if len(group) == 2 and deciding:
        place = tie_breaks.index(deciding[0])
        first, second = (line.tie_breaks[place] for line in group)
        words = {"tie_break": _in_a_sentence(deciding[0]), "first": first, "second": second}
        sentences.append(_("Deciding tie-break: %(tie_break)s, %(first)s to %(second)s.") % words)
    elif deciding:
        sentences.append(
            _("Deciding: %(tie_breaks)s.") % {"tie_breaks": names(_in_a_sentence(code) for code in deciding)}
        )
    return " ".join([*sentences, *_shared_ranks(group)])


def _shared_ranks(group: Sequence[Standing]) -> list[str]:
    """Return a sentence for each rank shared by several of the group."""
    ranks: dict[int | None, list[Standing]] = defaultdict(list)
    for line in group:
        ranks[line.rank].append(line)
    shared = [(rank, together) for rank, together in ranks.items() if len(together) > 1]
    if shared and len(shared[0][1]) == len(group):
        return [_("No tie-break separates them: they share rank %(rank)d.") % {"rank": shared[0][0]}]
    return [_("%(who)s share rank %(rank)d.") % {"who": _names(together), "rank": rank} for rank, together in shared]


def order_in_words(tie_breaks: Sequence[str], *, lowest: bool = False) -> str:
    """Return "points, hands won, head-to-head"; `lowest`: "fewest points, hands won, …"."""
    return ", ".join([_("fewest points") if lowest else _("points"), *(_in_a_sentence(code) for code in tie_breaks)])


def _names(lines: Sequence[Standing]) -> str:
    return names(line.entrant.name for line in lines)


def _in_a_sentence(code: str) -> str:
    name = _(TIE_BREAKS[code].name)
    return name[:1].lower() + name[1:]
