#!/usr/bin/env python3
"""Style sheets hold what pages use, and nothing else: python3 .ci/check_css.py [FOLDER]

Fails on a class or id in a selector that no page can have, a custom property that is used and not defined or defined
and not used, a colour that is no token, and a sheet that no template links. A class or id can be on a page if it stands

- in a class or id attribute, of a template or of markup in a Python string;
- as a word in a string of a template tag or filter, of a script, or of a Python module, if that string has nothing but
  words. Texts to translate do not count.

A name that is put together is known by its beginning: `seats-{{ count }}`, `state-${tint}` and f"rows-{rows}" allow
whatever begins so; `n{{ count }}` allows n and figures; `game-{% if … %}director{% else %}watch{% endif %}` allows
these two. Names inside :not() are not looked at. Colours belong into custom properties of the sheet that has :root.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "games", "league")

WORD = re.compile(r"[a-z][\w-]*")
ATTRIBUTE = re.compile(r"""\b(?:class|id)=(["'])((?:\{%.*?%\}|\{\{.*?\}\}|(?!\1).)*)""", re.S)
IN_ATTRIBUTE = re.compile(r"(?P<tag>\{%.*?%\})|(?P<value>\{\{.*?\}\}|\{[^{}]*\})|(?P<word>[\w-]+)|.", re.S)
TEMPLATE_TAG = re.compile(r"\{%\s*(?!translate|blocktranslate|comment)\w+.*?%\}|\{\{.*?\}\}", re.S)
TEMPLATE_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
SCRIPT_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`", re.S
)
LINK = re.compile(r"""\{% static ['"]([^'"]+\.css)['"]""")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
NOT_LOOKED_AT = re.compile(r":not\((?:[^()]|\([^()]*\))*\)|\[.*?\]")
NAME = re.compile(r"[.#]-?[A-Za-z_][\w-]*")
PROPERTY = re.compile(r"--[a-z][\w-]*")
USE = re.compile(r"var\(\s*(--[\w-]+)")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")


@dataclass
class Names:
    """The classes and ids that pages can have."""

    whole: set[str] = field(default_factory=set)
    beginnings: set[str] = field(default_factory=set)  # with a hyphen at the end, or followed by figures alone

    def __contains__(self, name: str) -> bool:
        return name in self.whole or any(
            name.startswith(start) and (start.endswith("-") or name.removeprefix(start).isdigit())
            for start in self.beginnings
        )

    def add_words(self, text: str) -> None:
        for match in WORD.finditer(text):
            is_beginning = match[0].endswith("-") or text.startswith("${", match.end())
            (self.beginnings if is_beginning else self.whole).add(match[0])

    def add_if_words(self, text: str) -> None:
        if all(WORD.fullmatch(word.removesuffix("${}")) for word in text.split()):
            self.add_words(text)

    def add_markup(self, text: str) -> None:
        for attribute in ATTRIBUTE.finditer(text):
            start = word = ""  # what may go on in the next part
            for part in IN_ATTRIBUTE.finditer(attribute[2]):
                if part["word"]:
                    word = start + part["word"]
                    self.whole.add(word)
                elif part["value"]:
                    self.beginnings |= {word} - {""}
                    word = ""
                elif part["tag"]:
                    start = start or (word if word.endswith("-") else "")
                    word = ""
                else:
                    start = word = ""

    def add_template(self, text: str) -> None:
        self.add_markup(text)
        for tag in TEMPLATE_TAG.findall(text):
            for match in TEMPLATE_STRING.finditer(tag):
                self.add_if_words((match[1] or match[2] or "").replace(",", " "))

    def add_script(self, text: str) -> None:
        for match in SCRIPT_STRING.finditer(text):
            self.add_words(match[1] or match[2] or match[3] or "")

    def add_module(self, text: str) -> None:
        tree = ast.parse(text)
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "${}" for part in node.values]
                self.add_if_words("".join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                self.add_markup(node.value)
                self.add_if_words(node.value)


@dataclass
class Sheet:
    """A style sheet, without its comments."""

    path: Path  # from the root
    text: str

    @property
    def static_name(self) -> str:
        return self.path.as_posix().partition("/static/")[2]

    @property
    def has_tokens(self) -> bool:
        return any(selector.startswith(":root") for _line, selector in self.selectors())

    def selectors(self) -> Iterator[tuple[int, str]]:
        """Line and text of what stands before a block that is no at-rule."""
        for match in re.finditer(r"[^{};\s][^{};]*(?=\{)", self.text):
            if not match[0].startswith("@"):
                yield self.line(match.start()), " ".join(match[0].split())

    def declarations(self) -> Iterator[tuple[int, str, str]]:
        """Line, property and value."""
        for match in re.finditer(r"(?<=[{;])\s*([\w-]+)\s*:\s*([^;{}]*)(?=[;}])", self.text):
            yield self.line(match.start(1)), match[1], match[2].strip()

    def line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1


def files(root: Path, place: str) -> Iterator[Path]:
    """What matches in the folder of a package."""
    return (path for package in PACKAGES for path in sorted((root / package).glob(place)))


def faults(root: Path) -> list[str]:
    templates = [path.read_text("utf-8") for path in sorted((root / "templates").rglob("*.html"))]
    scripts = [path.read_text("utf-8") for path in files(root, "static/**/*.js")]
    drawings = [path.read_text("utf-8") for path in files(root, "static/**/*.svg")]
    sheets = [
        Sheet(path.relative_to(root), COMMENT.sub(lambda match: "\n" * match[0].count("\n"), path.read_text("utf-8")))
        for path in files(root, "static/**/*.css")
    ]
    names = Names()
    for text in templates:
        names.add_template(text)
    for text in scripts:
        names.add_script(text)
    for path in files(root, "**/*.py"):
        names.add_module(path.read_text("utf-8"))
    linked = {link for text in templates for link in LINK.findall(text)}
    outside = {name for text in (*templates, *scripts, *drawings) for name in PROPERTY.findall(text)}
    return [
        *(f"{sheet.path}: no template links it." for sheet in sheets if sheet.static_name not in linked),
        *(fault for sheet in sheets for fault in unknown_names(sheet, names)),
        *faults_of_tokens(sheets, outside),
    ]


def unknown_names(sheet: Sheet, names: Names) -> Iterator[str]:
    for line, selector in sheet.selectors():
        for name in dict.fromkeys(NAME.findall(NOT_LOOKED_AT.sub("", selector))):
            if name[1:] not in names:
                yield f"{sheet.path}:{line}: no page has {name}, which stands in “{selector}”."


def faults_of_tokens(sheets: list[Sheet], outside: set[str]) -> Iterator[str]:
    """`outside`: the custom properties that templates, scripts and drawings name: each may set them or read them."""
    used = outside | {name for sheet in sheets for name in USE.findall(sheet.text)}
    defined = outside | {name for sheet in sheets for _line, name, _value in sheet.declarations()}
    for sheet in sheets:
        for line, name, value in sheet.declarations():
            is_property = name.startswith("--")
            if is_property and name not in used:
                yield f"{sheet.path}:{line}: {name} is defined and not used."
            for other in sorted(set(USE.findall(value)) - defined):
                yield f"{sheet.path}:{line}: {other} is used and not defined."
            if COLOUR.search(value) and not (is_property and sheet.has_tokens):
                yield f"{sheet.path}:{line}: {name} has a colour that is no token, {value}."


def main(root: Path = ROOT) -> int:
    found = faults(root)
    print("\n".join(found) or "Every class, id and token of the style sheets is used, and every sheet is linked.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*(Path(folder).resolve() for folder in sys.argv[1:2])))
