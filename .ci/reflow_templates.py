"""Templates are written one element a line: python3 .ci/reflow_templates.py [--check] [FILE …]

An element that holds others, or is too long for a line, has its content on lines of its own, indented by two; so have
{% if %}, {% for %} and their like. A tag longer than 120 has an attribute a line. What runs in a line (text, {{ … }},
<b>, a link) is wrapped at blanks. A line is broken only where league/lib/template_loader.py reads nothing, or one
blank where one blank stood: pages stay as they are. A long {% translate %} becomes {% blocktranslate trimmed %} of the
same message.

--check changes nothing; it names the templates that are written otherwise, and lines longer than 160.
"""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from league.lib.template_loader import Token, tokens  # noqa: E402

WIDTH, LONGEST = 120, 160

# Templates that are written by hand, and why. Their lines are not longer either.
EXCEPTIONS = {
    "templates/games/entry/_words.html": "attributes only: the tag round them stands in other templates",
    "templates/games/online/play/_play_tells.html": "attributes only, as well",
}

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
IN_A_LINE = """
a abbr b bdi br button circle cite code del em g i img input ins kbd label line mark meter output path picture
progress q rect s select small span strong sub sup svg time u use var wbr
"""
INLINE = set(IN_A_LINE.split())
OWN_LINE = {"extends", "load", "field", "segments", "note", "row", "choice_card", "one_line"}
CLOSING = ".,;:!?)…%"  # what follows a word without a blank

NONE, BLANK, SOFT, SOFT_BLANK, HARD = "none", "blank", "soft", "soft blank", "hard"


class Piece(NamedTuple):
    """What cannot be broken, how it joins what is before it, and how deep its line begins."""

    join: str
    text: str
    depth: int


@dataclass
class Node:
    """A token, or, with children, an element or block tag from its first to its last token."""

    token: Token
    parts: "list[list[Node]]" = field(default_factory=list)
    heads: list[Token] = field(default_factory=list)  # the tags before each part
    last: Token | None = None
    trimmed: bool = False

    @property
    def name(self) -> str:
        return _name(self.token)

    @property
    def is_text(self) -> bool:
        return self.token.kind in ("text", "value", "kept")

    @property
    def is_block(self) -> bool:
        """Whether it stands on lines of its own."""
        if self.token.kind == "element":
            return self.name not in INLINE
        return self.name in OWN_LINE or self.token.text.startswith("{#") or self.token.kind == "comment"

    @property
    def has_blocks(self) -> bool:
        return any(child.is_block or child.has_blocks for part in self.parts for child in part)

    @property
    def flat(self) -> str:
        if not self.parts:
            return self.token.text
        inner = "".join(h.text + "".join(c.flat for c in part) for h, part in zip(self.heads, self.parts, strict=True))
        return inner + (self.last.text if self.last else "")


def _name(token: Token) -> str:
    match = re.match(r"</?([a-zA-Z][\w-]*)|\{%\s*(\w+)", token.text)
    return (match[1].lower() if match[1] else match[2]) if match else ""


# From tokens to a tree


def tree(found: list[Token]) -> list[Node]:
    ends = {_name(t)[3:] for t in found if t.kind == "django" and _name(t).startswith("end")}
    nodes, _ = _blocks([_as_trimmed(t) for t in found], 0, ends, set())
    return nodes


def _blocks(found: list[Token], at: int, ends: set[str], stop: set[str]) -> tuple[list[Node], int]:
    """Nodes up to a tag that ends the block; elements that are whole within it are made nodes."""
    nodes: list[Node] = []
    while at < len(found):
        token = found[at]
        name = _name(token) if token.kind == "django" else ""
        if name and name in stop:
            break
        at += 1
        if name in ends:
            node = Node(token)
            head = token
            closing = {f"end{name}", "else", "elif", "empty"} if name in ("if", "for", "ifchanged") else {f"end{name}"}
            while True:
                part, at = _blocks(found, at, ends, closing)
                node.heads.append(head)
                node.parts.append(part)
                head = found[at]
                at += 1
                if _name(head) == f"end{name}":
                    break
            node.last = head
            nodes.append(node)
        else:
            nodes.append(_message(token) if token.kind == "raw" else Node(token))
    return _elements(nodes), at


def _elements(nodes: list[Node]) -> list[Node]:
    out: list[Node] = []
    for node in nodes:
        if node.token.kind == "element" and node.token.text.startswith("</"):
            opens = [i for i, n in enumerate(out) if _opens(n)]
            if opens and out[opens[-1]].name == node.name:
                first = out[opens[-1]]
                whole = Node(first.token, [out[opens[-1] + 1 :]], [first.token], node.token)
                del out[opens[-1] :]
                out.append(whole)
                continue
        out.append(node)
    return out


def _opens(node: Node) -> bool:
    text = node.token.text
    is_open = node.token.kind == "element" and not text.startswith("</") and not text.endswith("/>")
    return is_open and not node.parts and node.name not in VOID


TRANSLATE = re.compile(r"\{% translate (\"[^\"{}%\\]*\"|'[^'{}%\\]*')((?: as \w+)?) %\}")
MESSAGE = re.compile(r"(\{% blocktranslate\b.*?%\})(.*)(\{% endblocktranslate %\})", re.S)
LONG = 90


def _as_trimmed(token: Token) -> Token:
    """A long {% translate %} or {% blocktranslate %} as one that may be broken, if its message stays the same."""
    if token.kind == "django" and (match := TRANSLATE.fullmatch(token.text)) and len(token.text) > LONG:
        message = match[1][1:-1]
        if message == message.strip() and "  " not in message:
            name = match[2].replace(" as ", " asvar ")
            return Token("raw", f"{{% blocktranslate trimmed{name} %}}{message}{{% endblocktranslate %}}")
    if token.kind == "raw" and (match := MESSAGE.fullmatch(token.text)) and " trimmed" not in match[1]:
        parts = re.split(r"\{% plural %\}", match[2])
        plain = all(p == p.strip() and "\n" not in p and "  " not in p for p in parts)
        if plain and len(token.text) > LONG:
            head = match[1].replace("{% blocktranslate", "{% blocktranslate trimmed", 1)
            return Token("raw", head + match[2] + match[3])
    return token


def _message(token: Token) -> Node:
    """A trimmed message as a node whose text can be wrapped."""
    match = MESSAGE.fullmatch(token.text)
    if match is None or " trimmed" not in match[1]:
        return Node(token)
    singular, *plural = (re.sub(r"\s*\n\s*", " ", p.strip()) for p in match[2].split("{% plural %}"))
    parts = [[Node(Token("text", text))] for text in (singular, *plural)]
    heads = [Token("raw", match[1]), *(Token("django", "{% plural %}") for _ in plural)]
    return Node(Token("raw", match[1]), parts, heads, Token("raw", match[3]), trimmed=True)


# From the tree to lines


def pieces(nodes: list[Node], depth: int, first: str) -> list[Piece]:
    """The nodes one after the other; `first` is how the first of them joins what is before."""
    out: list[Piece] = []
    join = first
    before: Node | None = None
    blank = False
    crowded = _crowded(nodes, depth)
    for number, node in enumerate(nodes):
        if node.token.kind == "text":
            out += _words(node, depth, join, first=before is None, after_value=before is not None and before.is_text)
            blank = node.token.text[-1:].isspace()
            join = BLANK if blank else SOFT
            before = node
            continue
        if before is not None:
            if before.is_text and node.token.kind == "value":
                join = (SOFT_BLANK if blank else NONE) if before.token.kind == "text" else NONE
            elif before.token.kind == "text" and blank:
                join = BLANK
            elif _alone(before) or _alone(node) or (_is_item(before) and _is_item(node)):
                join = HARD
            else:
                join = SOFT
        out += _node(node, depth, join, crowded=number in crowded)
        before, blank, join = node, False, SOFT
    return out


def _crowded(nodes: list[Node], depth: int) -> set[int]:
    """The nodes that would make a line too long with what cannot be parted from them."""
    crowded: set[int] = set()
    run: list[int] = []
    length = 2 * depth
    for number, node in enumerate(nodes):
        text = node.flat
        words = text.split()
        if run and not _glued(nodes[number - 1], node):
            run, length = [], 2 * depth
        run.append(number)
        is_long_text = node.token.kind == "text" and len(words) > 1
        length += len(words[0]) if is_long_text else len(text)
        if length > WIDTH:
            crowded |= set(run)
        if is_long_text:
            run, length = [number], 2 * depth + len(words[-1]) + 1
    return crowded


def _glued(left: Node, right: Node) -> bool:
    """Whether no line may end between the two."""
    if left.token.kind == "text":
        return left.token.text[-1:].isspace() or right.token.kind == "value"
    if right.token.kind == "text":
        return left.is_text or right.token.text[:1].isspace() or right.token.text[:1] in CLOSING
    return left.is_text and right.is_text


def _alone(node: Node) -> bool:
    return node.is_block or node.has_blocks


def _is_item(node: Node) -> bool:
    """Whether it stands apart from its like: what runs in a line of text does not."""
    return (
        (bool(node.parts) and not node.trimmed)
        or node.token.kind == "element"
        or node.name in ("include", "csrf_token")
    )


def _words(node: Node, depth: int, join: str, *, first: bool, after_value: bool) -> list[Piece]:
    text = node.token.text
    if text.isspace():
        return []
    out = []
    words = re.findall(r"\{\{.*?\}\}(?:[^\s{]|\{(?!\{))*|(?:[^\s{]|\{(?!\{)|\{\{.*?\}\})+|\s+", text)
    between = ""
    for word in words:
        if word.isspace():
            between = word
            continue
        if out:
            how = SOFT_BLANK if between == " " or "\n" in between else BLANK
            out.append(Piece(how, word, depth))
        elif between:  # a blank beside what is before
            out.append(Piece(SOFT_BLANK if after_value else BLANK, word, depth))
        else:
            glued = after_value or (word[0] in CLOSING and join in (SOFT, HARD))
            out.append(Piece(NONE if glued and not first else join, word, depth))
    return out


def _node(node: Node, depth: int, join: str, *, crowded: bool = False) -> list[Piece]:
    flat = node.flat
    fits = len(flat) + 2 * depth <= WIDTH and "\n" not in flat and not crowded
    if not node.parts:
        return _tag(node.token, depth, join, crowded=crowded)
    if fits and not node.has_blocks:
        return [Piece(join, flat, depth)]
    if node.token.kind == "element" and node.name in ("pre", "textarea", "script"):
        text = flat[len(node.token.text) :]
        out = _tag(node.token, depth, join, crowded=not fits)
        return [*out[:-1], Piece(out[-1].join, out[-1].text + text, out[-1].depth)]
    out = []
    for number, (head, part) in enumerate(zip(node.heads, node.parts, strict=True)):
        out += _tag(head, depth, join if number == 0 else _join_after(node.parts[number - 1]))
        out += pieces(part, depth + 1, HARD)
    if node.last:
        out.append(Piece(_join_after(node.parts[-1]), node.last.text, depth))
    return out


def _join_after(part: list[Node]) -> str:
    if part and part[-1].token.kind == "text" and part[-1].token.text[-1:].isspace():
        return BLANK
    return HARD if part else SOFT


def _tag(token: Token, depth: int, join: str, *, crowded: bool = False) -> list[Piece]:
    text = token.text
    if token.kind == "element" and (crowded or len(text) + 2 * depth > WIDTH):
        return _attributes(text, depth, join)
    if text.startswith("{#") and len(text) + 2 * depth > WIDTH:
        parts = textwrap.wrap(text[2:-2].strip(), WIDTH - 2 * depth - 6, break_long_words=False, break_on_hyphens=False)
        return [Piece(HARD if number else join, f"{{# {part} #}}", depth) for number, part in enumerate(parts)]
    return [Piece(join, text, depth)]


def _attributes(text: str, depth: int, join: str) -> list[Piece]:
    match = re.fullmatch(r"(<[\w-]+)(.*?)(/?>)", text, re.S)
    if match is None:
        return [Piece(join, text, depth)]
    out = [Piece(join, match[1], depth)]
    for part in _attribute_list(match[2]):
        if len(part) + 2 * depth + 2 > WIDTH:
            out += _value(part, depth + 1)
        else:
            out.append(Piece(HARD, part, depth + 1))
    return [*out, Piece(HARD, match[3], depth)]


PARTS = re.compile(
    r"(?P<tag>\{%.*?%\})|\{\{.*?\}\}|\{#.*?#\}|\"(?:\{%.*?%\}|\{\{.*?\}\}|[^\"])*\"|'(?:\{%.*?%\}|\{\{.*?\}\}|[^'])*'|(?P<blank>\s+)|.",
    re.S,
)


def _attribute_list(text: str) -> list[str]:
    """Attributes; a {% if %} round some is one with them."""
    out, now, deep = [], "", 0
    for match in PARTS.finditer(text):
        if match["tag"]:
            name = re.match(r"\{%\s*(\w+)", match["tag"])[1]  # type: ignore[index]
            if name in ("if", "for", "with"):
                if deep == 0 and now.strip():
                    out.append(now)
                    now = ""
                deep += 1
            now += match[0]
            if name in ("endif", "endfor", "endwith"):
                deep -= 1
                if deep == 0:
                    out.append(now)
                    now = ""
        elif match["blank"] and deep == 0:
            if now:
                out.append(now)
            now = ""
        else:
            now += match[0]
    return [part for part in [*out, now] if part.strip()]


def _value(text: str, depth: int) -> list[Piece]:
    """A long attribute: broken at its conditions, or in its value at blanks and beside {% … %}."""
    if text.startswith("{%"):
        bits = "".join("\0" if match["blank"] else match[0] for match in PARTS.finditer(text)).split("\0")
        inner = [Piece(SOFT_BLANK, bit, depth if bit.startswith("{%") else depth + 1) for bit in bits[1:]]
        return [Piece(HARD, bits[0], depth), *inner]
    match = re.fullmatch(r"([\w:@.-]+=)([\"'])(.*)\2", text, re.S)
    if match is None or not match[3]:
        return [Piece(HARD, text, depth)]
    out = pieces(tree(tokens(match[3])), depth + 1, NONE)
    head = Piece(HARD, match[1] + match[2] + out[0].text, depth)
    return [head, *out[1:], Piece(NONE, match[2], depth)]


def lines(found: list[Piece]) -> str:
    done: list[str] = []
    now = ""
    for number, piece in enumerate(found):
        ahead = len(piece.text.split("\n")[0])
        for other in found[number + 1 :]:
            if other.join not in (NONE, BLANK):
                break
            ahead += len(other.text) + (other.join == BLANK)
        blank = " " if piece.join in (BLANK, SOFT_BLANK) else ""
        too_long = piece.join in (SOFT, SOFT_BLANK) and len(now.rsplit("\n")[-1]) + len(blank) + ahead > WIDTH
        if now and (piece.join == HARD or too_long):
            done.append(now)
            now = ""
        now = now + blank + piece.text if now else "  " * piece.depth + piece.text
    return "\n".join(one for one in [*done, now] if one.strip()) + "\n"


def reflowed(template: str) -> str:
    return lines(pieces(tree(tokens(template)), 0, HARD))


def faults(path: Path) -> list[str]:
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    same = name in EXCEPTIONS or reflowed(text) == text
    found = [] if same else [f"{name} is written otherwise: python3 .ci/reflow_templates.py {name}"]
    long = (number for number, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST)
    return found + [f"{name}:{number} is longer than {LONGEST}." for number in long]


def main(args: list[str]) -> int:
    check = "--check" in args
    named = [Path(arg).resolve() for arg in args if arg != "--check"]
    paths = named or sorted((ROOT / "templates").rglob("*.html"))
    if check:
        found = [fault for path in paths for fault in faults(path)]
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    for path in paths:
        if path.relative_to(ROOT).as_posix() in EXCEPTIONS:
            continue
        text = path.read_text(encoding="utf-8")
        new = reflowed(text)
        if new != text:
            path.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
