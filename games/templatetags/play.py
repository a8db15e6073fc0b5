"""Tags for the page of an online table."""

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.online.page.clocks import Clock

register = template.Library()


@register.simple_tag
def clock(of: Clock | None, plain: bool = False) -> SafeString | str:
    """How long somebody has for a move, or the table for its players; play.js counts on. `plain`: without the reserve.

    Each page has another time, so this is made for each, and a template would take ten times as long.
    """
    if not of:
        return ""
    return format_html(
        '<span class="clock num{}" id="clock" role="timer" data-from="{}" data-move="{}" data-due="{}">'
        '<span class="sr">{} </span><span class="clock-move">{}</span>{}</span>',
        " clock-late" if of.is_late else "",
        of.from_ms,
        of.move_ms,
        of.due_ms,
        _("Time left"),
        of.time_left,
        _reserve(of.bank) if of.bank and not plain else "",
    )


def _reserve(bank: str) -> SafeString:
    return format_html(
        '<small title="{}"><span class="sr">{} </span>+<span class="clock-bank">{}</span>'
        ' <span class="in-words" aria-hidden="true">{}</span></small>',
        _("A reserve for the whole hand, used when the time for a move is over"),
        _("In reserve"),
        bank,
        _("in reserve"),
    )


@register.simple_tag
def time_bar(of: Clock | None) -> SafeString:
    """How much of the time is left, as a bar, which play.js lets shrink."""
    if not of:
        return mark_safe('<div class="timebar"></div>')
    return format_html(
        '<svg class="timebar" id="timebar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{}" height="4" fill="currentColor"/></svg>',
        of.percent,
    )


@register.simple_tag(takes_context=True)
def move_fields(context: Context, of: str | int, answers: int) -> SafeString:
    """What every move says besides what it is: the hand, for whom, the move that it answers, and a key of its form
    (`of`), so that it has one effect."""
    fields = '{}<input type="hidden" name="answers" value="{}"><input type="hidden" name="key" value="{}-{}">'
    return format_html(fields, context["who"], answers, context["page"].key, of)
