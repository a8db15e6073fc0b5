"""Render the lines of the standings. Built without a template for speed, since there is one for every player.

They contain numbers, interface texts, and the name, which is user input and escaped.
"""

from collections.abc import Iterable, Mapping

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.lib.charts import SPARK_HEIGHT, SPARK_WIDTH, Spark
from league.lib.translate import figure, shared_rank
from league.models import Entry
from league.public.standings_lines import Line
from league.standings.ranking import Standing

register = template.Library()

WIDE = '<td class="wide">'
NOTHING = '<span class="muted">–</span>'


@register.simple_tag
def standings_lines(lines: Iterable[Line], players: str, hands: bool = False) -> SafeString:
    """Render the rows of the table. players: address prefix of player pages. hands: include the number of hands
    played.
    """
    words = _words()
    return mark_safe("".join([_row(line, players, words, hands) for line in lines]))


def _words() -> dict[str, str]:
    """Look up and escape all words of a line once."""
    words = {
        "shared": _("shared"), "up": _("up"), "down": _("down"), "same": _("same"), "ranks": _("Rank by round:"),
        "decides": _("decides"),
    }  # fmt: skip
    words |= {status.value: str(status.label) for status in Entry.Status}
    return {name: escape(word) for name, word in words.items()}


def _row(line: Line, players: str, words: Mapping[str, str], hands: bool) -> str:
    standing, entrant = line.standing, line.standing.entrant
    word: str = escape(line.remark or "")
    if line.remark is None and entrant.status != Entry.Status.ACTIVE:
        word = words[entrant.status]
    out = f' <small class="{_tint(line)}">{word}</small>' if word else ""
    if line.gap:
        out += f'<small class="said muted">{escape(line.gap)}</small>'
    if line.members:
        out += f'<small class="members muted">{escape(", ".join(line.members))}</small>'
    latest = "" if line.round_points is None else f"{WIDE}{line.round_points}</td>"
    if hands:
        latest += f"<td>{standing.hands_played}</td>"
    # A narrow screen shows only the first tie-break, and none next to the number of hands.
    ties = "".join(
        [
            f"{WIDE if place or hands else '<td>'}{_tie_break(value, decides, words)}</td>"
            for place, (value, decides) in enumerate(line.tie_breaks)
        ]
    )
    return (
        f'<tr><td class="rank">{_rank(standing, words)}</td>\n'
        f'<td class="l">{_movement(line.moved, words)}</td>\n'
        f'<th class="l who" scope="row"><a href="{players}{entrant.id}/">{escape(entrant.name)}</a>{out}</th>\n'
        f"{WIDE}{_rank_line(line.spark, words)}</td>{latest}\n"
        f'<td class="pts">{figure(standing.total)}</td>{ties}</tr>'
    )


def _tint(line: Line) -> str:
    """The classes of the words beside a name: a plain word for the status; a line of its own for more than that."""
    if line.remark is None:
        return "muted"
    return "said danger" if line.standing.entrant.status == Entry.Status.ACTIVE else "said muted"


def _rank(standing: Standing, words: Mapping[str, str]) -> str:
    if standing.rank is None:
        return NOTHING
    if not standing.tied:
        return str(standing.rank)
    return shared_rank(standing.rank, words["shared"])


def _movement(moved: int | None, words: Mapping[str, str]) -> str:
    """An arrow and a figure."""
    if moved is None:
        return ""
    if moved > 0:
        tint, path, word = " up", "M5 0 10 9H0Z", words["up"]
    elif moved < 0:
        tint, path, word = " dn", "M5 10 10 1H0Z", words["down"]
    else:
        tint, path, word = "", "M1 4H9V6H1Z", words["same"]
    return (
        f'<span class="move{tint}"><svg viewBox="0 0 10 10" aria-hidden="true"><path d="{path}" fill="currentColor"/>'
        f'</svg><span class="sr">{word} </span>{abs(moved) or ""}</span>'
    )


def _rank_line(spark: Spark | None, words: Mapping[str, str]) -> str:
    """The ranks so far as a small line chart."""
    if spark is None:
        return ""
    x, y = spark.end
    return (
        f'<svg class="spark" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" role="img" '
        f'aria-label="{words["ranks"]} {", ".join(map(str, spark.ranks))}"><polyline points="{spark.points}" '
        f'fill="none" stroke="currentColor" stroke-width="2"/><circle cx="{x}" cy="{y}" r="3.5" fill="currentColor"/>'
        "</svg>"
    )


def _tie_break(value: int | None, decides: bool, words: Mapping[str, str]) -> str:
    if value is None:
        return NOTHING
    if not decides:
        return str(value)
    return f'<span class="decides">{value}</span><span class="sr"> {words["decides"]}</span>'
