"""A line of the standings as their page shows it."""

from collections.abc import Sequence
from typing import NamedTuple

from league.lib.charts import Spark
from league.standings.ranking import Standing


class Line(NamedTuple):
    """A line as the page shows it. moved: places gained since the round before. tie_breaks: of each its value and
    whether it decided. round_points: None where the table has no such column. remark: the words beside the name; None
    for the word of the status. gap: how far ahead or behind, in words, while there is something to come."""

    standing: Standing
    moved: int | None
    spark: Spark | None
    round_points: int | str | None
    tie_breaks: list[tuple[int | None, bool]]
    remark: str | None = None
    members: Sequence[str] = ()  # of a team
    gap: str = ""
