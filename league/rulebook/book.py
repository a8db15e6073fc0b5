r"""Parse docs/rules.md into chapters and rules, so that their text exists only once.

Translations are docs/rules.fr.md and the like, with the same chapters, rules and forms. English is the source, and the
fallback.

The file is plain Markdown with headings, paragraphs, tables, and lists of rules; anything else is an error. A rule has
an id, its sources (or none: all), a title and a text, with notes:

- **DEAL-2** (FR) *Who deals, by birthday.* The player whose birthday …\n  - *Leaflets:* only FR goes by birthdays; …\n
- *Decided here:* …
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs"
SOURCE = "en"

ID = re.compile(r"\b[A-Z]{2,}[0-9]?-[0-9]+\b")
_RULE = re.compile(
    rf"- \*\*(?P<id>{ID.pattern})\*\*(?: \((?P<sources>[A-Z, ]+)\))? \*(?P<title>[^*]+)\.\* (?P<text>.+)"
)
_NOTE = re.compile(r"- \*(?P<kind>[^*:]+?)\s?:\* (?P<text>.+)")  # French has a space before the colon

LEAFLETS, DECIDED = "Leaflets", "Decided here"
_KINDS = {
    **dict.fromkeys((LEAFLETS, "Notices", "Folletos"), LEAFLETS),
    **dict.fromkeys((DECIDED, "Décidé ici", "Decidido aquí"), DECIDED),
}


class Unreadable(ValueError):
    """A line of the rule book has none of the allowed forms."""


@dataclass(frozen=True)
class Note:
    kind: str  # LEAFLETS: texts of the sources; DECIDED: our decision and its reason
    text: str

    @property
    def is_decision(self) -> bool:
        return self.kind == DECIDED


@dataclass(frozen=True)
class Rule:
    id: str
    title: str
    text: str
    sources: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def is_decided_here(self) -> bool:
        return any(note.is_decision for note in self.notes)

    @property
    def decision(self) -> str:
        """Return the first sentence of the decision, or ""."""
        text = next((note.text for note in self.notes if note.is_decision), "")
        sentence = re.split(r"(?<=\.) ", text, maxsplit=1)[0]
        return sentence[:1].upper() + sentence[1:]

    @property
    def first_sentence(self) -> str:
        return re.split(r"(?<=\.) ", self.text, maxsplit=1)[0]


@dataclass(frozen=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Block:
    """One piece under a heading; all fields but one are empty."""

    heading: str = ""
    text: str = ""
    table: Table | None = None
    items: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()


@dataclass
class Chapter:
    title: str
    slug: str  # the anchor, equal in all languages so that links work in each
    blocks: list[Block] = field(default_factory=list)

    @property
    def rules(self) -> list[Rule]:
        return [rule for block in self.blocks for rule in block.rules]


@dataclass(frozen=True)
class Book:
    chapters: tuple[Chapter, ...]
    language: str = SOURCE

    @property
    def is_translation(self) -> bool:
        return self.language != SOURCE

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Return the rules by id, in the order of the book."""
        return {rule.id: rule for chapter in self.chapters for rule in chapter.rules}


def path(language: str) -> Path:
    return FOLDER / ("rules.md" if language == SOURCE else f"rules.{language}.md")


def book(language: str | None = None) -> Book:
    """Return the book in a language, such as `fr` or `fr-ca`; English without a translation."""
    return _book((language or SOURCE).partition("-")[0])


@cache
def _book(language: str) -> Book:
    if language == SOURCE:
        return parse(path(SOURCE).read_text(encoding="utf-8"))
    source = _book(SOURCE)
    if not path(language).exists():
        return source
    translation = parse(path(language).read_text(encoding="utf-8"))
    for chapter, original in zip(translation.chapters, source.chapters, strict=True):
        chapter.slug = original.slug
    return replace(translation, language=language)


def parse(text: str) -> Book:
    """Parse the book. Raises `Unreadable`. The text before the first chapter describes the file and is left out."""
    chapters: list[Chapter] = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.splitlines()
        if lines[0].startswith("## "):
            title = _only_line(lines)[3:]
            chapters.append(Chapter(title, _slug(title)))
        elif chapters:
            chapters[-1].blocks.append(_block(lines))
    parsed = Book(tuple(chapters))
    if sum(len(chapter.rules) for chapter in chapters) != len(parsed.rules):
        raise Unreadable("Two rules have the same id.")
    return parsed


def _slug(title: str) -> str:
    """Return the anchor, in the form of other Markdown renderers."""
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def _only_line(lines: list[str]) -> str:
    if len(lines) > 1:
        raise Unreadable(f"After “{lines[0]}” an empty line is missing.")
    return lines[0]


def _block(lines: list[str]) -> Block:
    first = lines[0]
    if first.startswith("### "):
        return Block(heading=_only_line(lines)[4:])
    if first.startswith("|"):
        return Block(table=_table(lines))
    if first.startswith("- **"):
        return Block(rules=tuple(_rules(lines)))
    if first.startswith("- "):
        return Block(items=tuple(text[2:] for _depth, text in _items(lines)))
    if first.startswith(("#", ">", "```", "* ", "1.")):
        raise Unreadable(f"“{first}” is of no form that the rule book knows.")
    return Block(text=" ".join(line.strip() for line in lines))


def _table(lines: list[str]) -> Table:
    cells = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]
    if len({len(row) for row in cells}) != 1 or set(lines[1]) - set("|- :"):
        raise Unreadable(f"The table “{lines[0]}” is not one.")
    return Table(cells[0], tuple(cells[2:]))


def _items(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (depth, text) of the items of a list, each on one line."""
    depth, text = 0, ""
    for line in lines:
        stripped = line.lstrip()
        if stripped.startswith("- "):
            if text:
                yield depth, text
            depth, text = (len(line) - len(stripped)) // 2, stripped
        else:
            text += f" {stripped}"
    yield depth, text


def _rules(lines: list[str]) -> Iterator[Rule]:
    rule: Rule | None = None
    for depth, text in _items(lines):
        if depth == 0:
            if rule:
                yield rule
            rule = _rule(text)
        elif rule and (note := _NOTE.fullmatch(text)) and (kind := _KINDS.get(note["kind"])):
            rule = replace(rule, notes=(*rule.notes, Note(kind, note["text"])))
        else:
            raise Unreadable(f"“{text}” is no note of a rule.")
    if rule:
        yield rule


def _rule(text: str) -> Rule:
    match = _RULE.fullmatch(text)
    if match is None:
        raise Unreadable(f"“{text}” is no rule: an id, its sources, a title, a text.")
    sources = tuple(match["sources"].split(", ")) if match["sources"] else ()
    return Rule(match["id"], match["title"], match["text"], sources)
