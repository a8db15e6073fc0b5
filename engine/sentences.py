"""The engine's words for people: in English, and in parts from which others can make them in their language.

Nothing is translated here. A message is found for translation where it stands as text in a call of `mark`, `sentence`
or `counted` (`dev.py messages`); `league/lib/translate.py` shows it in the reader's language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sentence:
    """A sentence or a name: a template and what stands in it, which may be sentences too. `str()` is the English."""

    template: str
    params: Mapping[str, object] = field(default_factory=dict)
    many: str = ""  # the template for every count but 1; empty where nothing is counted
    count: int = 1
    context: str = ""  # for a translator: what is named

    def __str__(self) -> str:
        template = self.many if self.many and self.count != 1 else self.template
        return template % self.params if self.params else template


def mark(text: str) -> str:
    """Return the text itself: a name or a template that is data, and translated where it is shown."""
    return text


def sentence(template: str, **params: object) -> Sentence:
    return Sentence(template, params)


def counted(singular: str, many: str, count: int, **params: object) -> Sentence:
    """`singular` for a count of 1, else `many`; `count` is a parameter of both."""
    return Sentence(singular, {"count": count} | params, many, count)


def listed(parts: Sequence[object]) -> Sentence:
    """Return the parts with commas between them: the same in every language, but for what the parts say."""
    return Sentence(
        ", ".join(f"%({number})s" for number in range(len(parts))),
        dict(zip(map(str, range(len(parts))), parts, strict=True)),
    )
