"""Load templates written one element a line.

A line break next to a tag, with its indentation, is dropped; elsewhere it is one space. A tag is `{% … %}`, `{# … #}`
or the edge of `<…>`. Between attributes of `<…>` a line break is one space, but dropped before a tag with its own
space: `{% if … %} checked{% endif %}`. The contents of <pre>, <textarea>, <script>, {% verbatim %} and {%
blocktranslate %} (which has `trimmed`) stay unchanged. djhtml indents the templates.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

_DJANGO = r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}"
# Up to its end, past any `>` in its attributes: in quotes, or in `{% if a > b %}`.
_ELEMENT = rf"</?[a-zA-Z](?:{_DJANGO}|\"(?:{_DJANGO}|[^\"])*\"|'(?:{_DJANGO}|[^'])*'|[^>\"'])*>"
_TOKEN = re.compile(
    r"(?P<raw>\{%\s*(?P<block>blocktranslate|blocktrans|verbatim|comment)\b.*?%\}(?s:.*?)\{%\s*end(?P=block)\b.*?%\})"
    rf"|(?P<django>\{{%.*?%\}}|\{{#.*?#\}})|(?P<value>\{{\{{.*?\}}\}})|(?P<comment><!(?s:.*?)>)|(?P<element>{_ELEMENT})"
)
_KEPT = re.compile(r"<(pre|textarea|script)\b", re.I)
_BREAK = re.compile(r"[ \t]*\n\s*")
_IN_ELEMENT = re.compile(
    rf"(?P<quoted>\"(?:{_DJANGO}|[^\"])*\"|'(?:{_DJANGO}|[^'])*')|(?P<django>{_DJANGO})"
    r"|[ \t]*\n\s*(?:(?P<end>/?>)|(?P<spaced>(?=\{%(?:(?!%\}).)*%\} )))?"
)
_IN_VALUE = re.compile(r"(?P<before>%\}|#\})?[ \t]*\n\s*(?P<after>\{[%#])?")


class Token(NamedTuple):
    """A piece of a template: text, value ({{ … }}), django ({% … %}, {# … #}), element (<…>), or raw (unchanged)."""

    kind: str
    text: str

    @property
    def is_tag(self) -> bool:
        return self.kind not in ("text", "value", "kept")


class Loader(FilesystemLoader):
    """Load .html templates in this way, others unchanged."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return join_lines(contents) if origin.name.endswith(".html") else contents


def join_lines(template: str) -> str:
    """Return the template without line breaks that only serve readability."""
    return "".join(token.text for token in tokens(template))


def tokens(template: str) -> list[Token]:
    """Return the pieces of a template, with joined line breaks."""
    pieces = list(_split(template))
    for number, (kind, text) in enumerate(pieces):
        if kind == "element":
            pieces[number] = Token(kind, _IN_ELEMENT.sub(_join_attributes, text))
        elif kind == "text":
            if (number == 0 or pieces[number - 1].is_tag) and "\n" in text[: len(text) - len(text.lstrip())]:
                text = text.lstrip()
            if (number == len(pieces) - 1 or pieces[number + 1].is_tag) and "\n" in text[len(text.rstrip()) :]:
                text = text.rstrip()
            pieces[number] = Token(kind, _BREAK.sub(" ", text))
    return [token for token in pieces if token.text]


def _join_attributes(match: re.Match[str]) -> str:
    if match["django"]:
        return match[0]
    if match["quoted"]:
        return _IN_VALUE.sub(_join_value, match[0])
    return match["end"] or (" " if match["spaced"] is None else "")


def _join_value(match: re.Match[str]) -> str:
    around = (match["before"] or "") + (match["after"] or "")
    return around or " "


def _split(template: str) -> Iterator[Token]:
    at = 0
    while match := _TOKEN.search(template, at):
        if match.start() > at:
            yield Token("text", template[at : match.start()])
        kind = match.lastgroup if match.lastgroup != "block" else "raw"
        assert kind is not None
        yield Token(kind, match[0])
        at = match.end()
        if kind == "element" and (element := _KEPT.match(match[0])) and not match[0].endswith("/>"):
            end = template.lower().find(f"</{element[1].lower()}", at)
            if end > at:
                yield Token("kept", template[at:end])
                at = end
    if at < len(template):
        yield Token("text", template[at:])
