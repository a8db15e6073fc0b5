"""Build the lines of the standings page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.ledger.in_words import group_title, rounds_in_all
from league.lib.charts import Spark, spark
from league.lib.translate import figure
from league.models import Entry, Round, Seat, Table
from league.standings import progression_in_words
from league.standings import read as ledger
from league.standings.ranking import Standing
from league.standings.text import StandingsText

SPARK_ROUNDS = 10


class Line(NamedTuple):
    """A line of the standings. moved: places gained since the previous round. tie_breaks: value of each, and whether
    it decided. round_points: None without that column. remark: text after the name; None: text of the status. gap:
    distance to the leader in words, while hands remain.
    """

    standing: Standing
    moved: int | None
    spark: Spark | None
    round_points: int | str | None
    tie_breaks: list[tuple[int | None, bool]]
    remark: str | None = None
    members: Sequence[str] = ()  # of a team
    gap: str = ""


def standing_lines(
    text: StandingsText,
    lines: Sequence[Standing],
    as_of_round: int | None,
    played: Sequence[int],
    members: Mapping[str, Sequence[str]],
    *,
    to_come: bool,
) -> list[Line]:
    """Return the standings with movement, earlier ranks, and round points. members: team members' names, by id.

    to_come: points remain to be won.
    """
    book, of_round = text.book, as_of_round if text.has_round_points else None
    counted = [number for number in played if as_of_round is not None and number <= as_of_round]
    earlier = list(book.ranks_by_round(counted[-SPARK_ROUNDS:-1]).values())
    last = next((one for one in book.rounds if one.number == rounds_in_all(book.stage, book.planned)), None)
    left = _last_hands(book, last) if to_come and last is not None else {}
    against: dict[int, list[Standing]] = {}
    for line in lines:
        against.setdefault(line.group, []).append(line)
    rows = []
    for line in lines:
        player = line.entrant.id
        ranks = [*(ranks.get(player) for ranks in earlier), line.rank]
        previous = ranks[-2] if earlier else None
        rows.append(
            Line(
                standing=line,
                moved=previous - line.rank if previous is not None and line.rank is not None else None,
                spark=spark([rank for rank in ranks if rank is not None], len(lines)) if counted else None,
                round_points=line.by_round.get(of_round, "–") if of_round is not None else None,
                tie_breaks=[
                    (value, line.decided_by == code)
                    for code, value in zip(book.tie_breaks, line.tie_breaks, strict=True)
                ],
                remark=_stayed_in_words(line) if line.stage else text.remark(line, as_of_round),
                members=members.get(player, ()),
                gap=_gap_in_words(line, against[line.group], left) if to_come else text.progress(line),
            )
        )
    return rows


def _stayed_in_words(line: Standing) -> str:
    """Return text such as “place 3 in group B” for an entry that did not advance."""
    if line.entrant.status == Entry.Status.DROPPED:
        return _("withdrawn")
    place = group_title(line.group) if line.group else ""
    by_lot = progression_in_words.decided_in_words(line.decided_by or "")
    return ", ".join(filter(None, (place, by_lot)))


OVER = (Table.State.REPORTED, Table.State.CONFIRMED, Table.State.VOID)  # tables without hands to come


def _last_hands(book: ledger.Ledger, last: Round) -> dict[str, int]:
    """Return the number of hands each seated player has left in the last round; empty if unknown.

    Limited to the last round: earlier byes are in seats that aren't public.
    """
    hands = book.stage.hands_per_round
    if hands is None or not last.is_open:
        return {}
    played = Counter(score.entry for score in book.counted if score.round == last.number)
    if all(played[one.id] >= hands for one in book.entrants if one.status == Entry.Status.ACTIVE):
        return {}
    at_tables = Seat.objects.filter(round=last).exclude(table=None).exclude(table__state__in=OVER)
    seats = at_tables.values_list("entry__public_id", "table__hands_wanted")
    return {entry: max((wanted or 0) - played[entry], 0) for entry, wanted in seats}


def _gap_in_words(line: Standing, lines: Sequence[Standing], left: Mapping[str, int]) -> str:
    """Return “leads by 37” for the leader, and “12 behind the leader” for other active players.

    In the last round, add the number of hands: “12 to catch up in the last 4 hands”. left: result of `_last_hands`.
    """
    if line.rank is None or line.entrant.status != Entry.Status.ACTIVE or len(lines) < 2:
        return ""
    gap = abs(line.total - lines[1 if line.rank == 1 else 0].total)
    points = {"points": figure(gap)}
    if line.rank == 1:
        return _("tied for first") if line.tied or not gap else _("leads by %(points)s") % points
    if not gap:
        return _("tied with the leader")
    if not (hands := left.get(line.entrant.id, 0)):
        return _("%(points)s behind the leader") % points
    words = ngettext(
        "%(points)s to catch up in the last hand", "%(points)s to catch up in the last %(hands)d hands", hands
    )
    return words % {**points, "hands": hands}
