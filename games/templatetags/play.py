"""Tags for the page of an online table."""

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def move_fields(context: Context, of: str | int, answers: int) -> SafeString:
    """What every move says besides what it is: the hand, for whom, the move that it answers, and a key of its form
    (`of`), so that it has one effect."""
    fields = '{}<input type="hidden" name="answers" value="{}"><input type="hidden" name="key" value="{}-{}">'
    return format_html(fields, context["who"], answers, context["page"].key, of)
