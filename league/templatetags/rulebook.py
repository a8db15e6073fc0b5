"""Render the text of the rule book as markup. A rule's id becomes a link."""

import re
from collections.abc import Mapping

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from league.rulebook.book import ID

register = template.Library()

_INLINE = re.compile(rf"`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|(?P<rule>{ID.pattern})")


@register.simple_tag(takes_context=True)
def rule_text(context: Context, text: str) -> SafeString:
    """Render a text of the book with code and emphasis; a rule links to the whole book if it isn't on the page."""
    return _markup(text, context["rules"].addresses)


@register.simple_tag(takes_context=True)
def rule_link(context: Context, rule_id: str) -> SafeString:
    return _link(rule_id, context["rules"].addresses)


def _markup(text: str, addresses: Mapping[str, str]) -> SafeString:
    pieces: list[str] = []
    end = 0
    for match in _INLINE.finditer(text):
        pieces += [text[end : match.start()], _piece(match, addresses)]
        end = match.end()
    return format_html_join("", "{}", ((piece,) for piece in (*pieces, text[end:])))


def _piece(match: re.Match[str], addresses: Mapping[str, str]) -> SafeString:
    if match["rule"]:
        return _link(match["rule"], addresses)
    if match["code"]:
        return format_html("<code>{}</code>", match["code"])
    if match["strong"]:
        return format_html("<strong>{}</strong>", _markup(match["strong"], addresses))
    return format_html("<em>{}</em>", _markup(match["em"], addresses))


def _link(rule_id: str, addresses: Mapping[str, str]) -> SafeString:
    if rule_id not in addresses:  # not a rule, such as SHA-256
        return format_html("{}", rule_id)
    return format_html('<a class="rule-id" href="{}">{}</a>', addresses[rule_id], rule_id)
