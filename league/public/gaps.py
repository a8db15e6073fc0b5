"""How far ahead or behind somebody is, in words, while there is something to come."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.translate import figure
from league.models import Entry, Round, Seat
from league.standings.ranking import Standing
from league.standings.read import Ledger


def last_hands(book: Ledger, last: Round) -> dict[str, int]:
    """How many hands everybody at a table still plays in the last round; empty if nobody knows how many it has.

    Of the last round alone: of those before it some may be sat out, in seats that nobody sees yet.
    """
    hands = book.stage.hands_per_round
    if hands is None:
        return {}
    played = Counter(score.entry for score in book.counted if score.round == last.number)
    seats = Seat.objects.filter(round=last).exclude(table=None).values_list("entry__public_id", flat=True)
    return {entry: max(hands - played[entry], 0) for entry in seats}


def gap_in_words(line: Standing, lines: Sequence[Standing], left: Mapping[str, int]) -> str:
    """“37 ahead”, “12 behind”: to the second for who leads, to the first for the others who play.

    In the last round also in how many hands: “12 to catch up in the last 4 hands”; `left` is of `last_hands`.
    """
    if line.rank is None or line.entrant.status != Entry.Status.ACTIVE or len(lines) < 2:
        return ""
    gap = abs(line.total - lines[1 if line.rank == 1 else 0].total)
    points = {"points": figure(gap)}
    if line.rank == 1:
        return _("level at the top") if line.tied or not gap else _("%(points)s ahead") % points
    if not gap:
        return _("level with the first")
    if not (hands := left.get(line.entrant.id, 0)):
        return _("%(points)s behind") % points
    words = ngettext(
        "%(points)s to catch up in the last hand", "%(points)s to catch up in the last %(hands)d hands", hands
    )
    return words % {**points, "hands": hands}
