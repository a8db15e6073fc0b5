"""The cells of a line of the standings that take more than a word.

There is a line for every player, so they are made without a template. They hold numbers and words of the interface, and
nothing that anybody typed; that is why they need no escaping.
"""

from collections.abc import Sequence

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league.chart import SPARK_HEIGHT, SPARK_WIDTH, Spark

register = template.Library()

WIDE = '<td class="wide">'


@register.simple_tag
def movement(moved: int | None) -> SafeString | str:
    """Places gained since the round before, as an arrow and a figure."""
    if moved is None:
        return ""
    if moved > 0:
        tint, path, word = " up", "M5 0 10 9H0Z", _("up")
    elif moved < 0:
        tint, path, word = " dn", "M5 10 10 1H0Z", _("down")
    else:
        tint, path, word = "", "M1 4H9V6H1Z", _("same")
    return mark_safe(
        f'<span class="move{tint}"><svg viewBox="0 0 10 10" aria-hidden="true"><path d="{path}" fill="currentColor"/>'
        f'</svg><span class="sr">{conditional_escape(word)} </span>{abs(moved) or ""}</span>'
    )


@register.simple_tag
def rank_line(spark: Spark | None) -> SafeString | str:
    """The ranks so far as a small line."""
    if spark is None:
        return ""
    label, (x, y) = f"{_('Rank by round:')} {', '.join(map(str, spark.ranks))}", spark.end
    return mark_safe(
        f'<svg class="spark" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" role="img" '
        f'aria-label="{conditional_escape(label)}"><polyline points="{spark.points}" fill="none" stroke="currentColor" '
        f'stroke-width="2"/><circle cx="{x}" cy="{y}" r="3.5" fill="currentColor"/></svg>'
    )


@register.simple_tag
def tie_break_cells(cells: Sequence[tuple[int | None, bool]]) -> SafeString:
    """A cell for each tie-break: its value, and whether it decided. On a narrow screen only the first is shown."""
    return mark_safe(
        "".join(
            f"{WIDE if place else '<td>'}{_value(value, decides)}</td>" for place, (value, decides) in enumerate(cells)
        )
    )


def _value(value: int | None, decides: bool) -> str:
    if value is None:
        return '<span class="muted">–</span>'
    if not decides:
        return str(value)
    return f'<span class="decides">{value}</span><span class="sr"> {conditional_escape(_("decides"))}</span>'
