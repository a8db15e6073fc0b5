"""Render the page components: a tag and a template in templates/components/ for each.

docs/components.md lists them, and /design/ shows them all. Tags get translated texts.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from django import template
from django.forms import BoundField
from django.middleware.csrf import get_token
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league.pages.downloads import chosen_form
from league.pages.people_list import PeopleList
from league.pages.table_files import Form

register = template.Library()

FORM_LABELS = {
    Form.XLSX: gettext_lazy("Excel (.xlsx)"),
    Form.CSV: gettext_lazy("CSV for programs"),
    Form.SEMICOLONS: gettext_lazy("CSV with semicolons"),
}
NOTE_ICONS = {"": "i-wait", "ok": "i-check", "warn": "i-warn", "bad": "i-warn"}


@register.simple_tag
def classes(*words: Any) -> str:
    """Build a class list from words, and pairs of a word and its condition.

    `class="{% classes 'token' 'token-on' is_mine 'token-bye' is_bye %}"`: the first word always, the others if the
    condition after them is true.
    """
    always, pairs = words[: len(words) % 2], words[len(words) % 2 :]
    return " ".join([*always, *(word for word, holds in zip(pairs[::2], pairs[1::2], strict=True) if holds)])


@register.simple_block_tag(takes_context=True)
def note(
    context: Context,
    content: str,
    kind: str = "",
    icon: str = "",
    css: str = "",
    role: str = "",
    undo: str = "",
    version: int | None = None,
) -> SafeString:
    """Render a notice. `kind`: ok, warn, bad or "".

    `undo`: address of an undo button, or with a # the place on a page that confirms it; `version`: version of the
    page. Role alert interrupts a screen reader, status waits.
    """
    parts: dict[str, Any] = {"content": content, "kind": kind, "icon": icon or NOTE_ICONS[kind]}
    parts |= {"css": css, "role": role, "undo": undo, "version": version}
    parts["asks"] = "#" in undo
    if undo:
        parts["csrf"] = get_token(context["request"])
    return render_to_string("components/note.html", parts)


@register.simple_block_tag
def row(
    content: str,
    title: str,
    text: str = "",
    href: str = "",
    token: Any = None,
    css: str = "",
) -> SafeString:
    """Render a list line: a name, a second line below it, and the tag's content at the right: a state or an action.

    `href`: link of the name; `token`: number in the disc before it.
    """
    parts = {"content": content, "title": title, "text": text, "href": href, "token": token, "css": css}
    return render_to_string("components/row.html", parts)


@register.simple_block_tag
def choice_card(
    content: str, name: str, value: str, chosen: str, title: str, text: str = "", plays: str = "", either: bool = False
) -> SafeString:
    """Render a choice as a card with a picture, the tag's content: a radio button, checked if `chosen` is its value.

    `plays`: slot of the format whose fields appear while it is checked; `either`: some of them exclude each other.
    """
    parts = {
        "content": content,
        "name": name,
        "value": value,
        "checked": value == chosen,
        "plays": plays,
        "either": either,
    }
    return render_to_string("components/choice_card.html", parts | {"title": title, "text": text})


@register.simple_block_tag
def one_line(content: str, name: str, id: str, text: str, is_open: Any = False) -> SafeString:
    """Render a setting as a line of name and value; the tag's fields unfold under it.

    `id`: of the text, for a page that updates it while the fields are filled in.
    """
    parts = {"content": content, "name": name, "id": id, "text": text, "is_open": bool(is_open)}
    return render_to_string("components/one_line.html", parts)


@register.inclusion_tag("components/field.html")
def field(field: BoundField, hint: str = "", optional: bool = False) -> dict[str, Any]:
    """Render a field with its label, hint or help text, and errors."""
    return {"field": field, "hint": hint, "optional": optional}


@register.inclusion_tag("components/tick.html")
def tick(field: BoundField) -> dict[str, Any]:
    """Render a checkbox with its label, errors and help text."""
    return {"field": field}


@register.inclusion_tag("components/errors.html")
def errors(field: BoundField) -> dict[str, Any]:
    """Render the errors of a field that isn't rendered by `field` or `segments`."""
    return {"errors": field.errors, "id": field.auto_id}


@register.inclusion_tag("components/segments.html")
def segments(field: BoundField, hints: Sequence[Any] = ()) -> dict[str, Any]:
    """Render two or three exclusive choices as a row of segments. hints: as in `SettingField`."""
    return {"field": field, "hints": hints}


@register.inclusion_tag("components/address.html")
def address(label: str, address: str, hidden: bool = False, small: bool = False) -> dict[str, Any]:
    """Render an address to copy or share. `hidden`: label for screen readers only; `small`: buttons only."""
    return {"label": label, "address": address, "hidden": hidden, "small": small}


@register.inclusion_tag("components/podium.html")
def podium(steps: Sequence[Any]) -> dict[str, Any]:
    """Render the first three of a finished event, best first: each with `rank`, `name` and `result`. Empty for none."""
    return {"steps": steps}


@register.inclusion_tag("components/people.html", takes_context=True)
def people(context: Context, people: PeopleList) -> dict[str, Any]:
    """Render a searchable list of people, from `league/pages/people_list.py:people_list`."""
    return {"people": people, "request": context["request"]}


@register.inclusion_tag("components/csv.html", takes_context=True)
def csv(
    context: Context, name: str, *args: Any, button: bool = False, query: str = "", **parameters: Any
) -> dict[str, Any]:
    """Render the link that saves a table in the browser's last file format, and a button for other formats.

    `name` and `args`: those of its address. `button=True`: styled like a button. Empty parameters are left out, True
    is 1; `query`: a whole query instead.
    """
    query = query or urlencode({key: 1 if value is True else value for key, value in parameters.items() if value})
    address = f"{reverse(name, args=args)}?{query}{'&' if query else ''}format="
    request = getattr(context, "request", None)
    number = getattr(request, "file_links", 0) + 1
    if request is not None:
        request.file_links = number
    chosen = chosen_form(request) if request is not None else Form.XLSX
    return {
        "form": chosen,
        "name": "Excel" if chosen == Form.XLSX else "CSV",
        "forms": [(form, f"{address}{form}", words) for form, words in FORM_LABELS.items()],
        "id": f"files-{number}-{crc32(address.encode()):x}",  # a reloaded part of a page counts from 1 again
        "button": button,
    }
