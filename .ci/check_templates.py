#!/usr/bin/env python3
"""The shape of the templates: python3 .ci/check_templates.py

A page is one file of up to about 200 lines. A partial has two users, is fetched by itself (Python names it), or keeps a
page under that length. Fails on

- a partial that only one template includes, if both fit into MOST_LINES;
- a partial that nothing includes;
- a page of more than MOST_FILES files, or whose partials include others more than MOST_DEEP levels deep, itself being
  the first. OLD lists the pages that were like that before the limits; their numbers may only fall;
- a line longer than LONGEST. djhtml indents the lines, and their author breaks them.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
MOST_LINES, MOST_FILES, MOST_DEEP, LONGEST = 200, 12, 3, 160

# {page: (files, levels)}
OLD = {
    "league/day/day.html": (11, 4),
}
# Partials that stand inside a tag, or that a page chooses by name.
INSIDE_A_TAG = {"games/entry/_words.html"}
CHOSEN_BY_NAME = "league/setup/new/_picture_"

INCLUDE = re.compile(r'\{%\s*(?:include|part)\s+"([^"]+)"')
NAMED = re.compile(r'"((?:[\w-]+/)+[\w-]+\.html)"')


def main() -> int:
    texts = {path.relative_to(TEMPLATES).as_posix(): path.read_text("utf-8") for path in TEMPLATES.rglob("*.html")}
    faults = [*_partials(texts), *_pages(texts), *_long_lines(texts)]
    for fault in faults:
        print(fault)
    pages = sum(not _is_partial(name) for name in texts)
    print(f"{len(texts)} files for {pages} pages" + (f": {len(faults)} faults." if faults else "."))
    return 1 if faults else 0


def _is_partial(name: str) -> bool:
    return Path(name).name.startswith("_")


def _partials(texts: dict[str, str]) -> list[str]:
    python = "".join(path.read_text("utf-8") for room in ("games", "league") for path in (ROOT / room).rglob("*.py"))
    in_python = set(NAMED.findall(python))
    users: dict[str, list[str]] = defaultdict(list)
    for name, text in texts.items():
        for named in NAMED.findall(text):
            users[named].append(name)
    faults = []
    for name, text in sorted(texts.items()):
        if not _is_partial(name) or name in in_python or name.startswith(CHOSEN_BY_NAME):
            continue
        if not users[name]:
            faults.append(f"{name}: nothing includes it")
        elif len(users[name]) == 1 and _can_be_inlined(name, text, users[name][0], texts):
            faults.append(f"{name}: only {users[name][0]} includes it; write it there")
    return faults


def _can_be_inlined(name: str, text: str, user: str, texts: dict[str, str]) -> bool:
    """Whether both fit into one file, and the partial is included between tags. {% part %} has a context of its own."""
    page = texts[user]
    if name in INSIDE_A_TAG or f'{{% include "{name}"' not in page:
        return False
    if page.count("\n") + text.count("\n") - 1 > MOST_LINES:
        return False
    before = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", page[: page.index(f'"{name}"')].rpartition("{%")[0])
    with_only = re.search(rf'"{re.escape(name)}"[^%]*\bonly\b', page)
    return before.rfind("<") <= before.rfind(">") and not with_only


def _pages(texts: dict[str, str]) -> list[str]:
    children = {name: set(INCLUDE.findall(text)) & set(texts) for name, text in texts.items()}

    def levels(name: str, level: int, found: dict[str, int]) -> dict[str, int]:
        found[name] = max(found.get(name, 0), level)
        for child in children[name]:
            levels(child, level + 1, found)
        return found

    faults = []
    for name in sorted(texts):
        if _is_partial(name):
            continue
        found = levels(name, 1, {})
        files, deep = len(found), max(found.values())
        most_files, most_deep = OLD.get(name, (MOST_FILES, MOST_DEEP))
        if files > max(most_files, MOST_FILES) or deep > max(most_deep, MOST_DEEP):
            faults.append(f"{name}: {files} files, {deep} levels deep; at most {most_files} and {most_deep}")
        elif name in OLD and (files, deep) != OLD[name]:
            faults.append(f"{name}: {files} files, {deep} levels deep: better than OLD says, so lower it there")
    return faults


def _long_lines(texts: dict[str, str]) -> list[str]:
    return [
        f"{name}, line {number}: {len(line)} characters; at most {LONGEST}"
        for name, text in sorted(texts.items())
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > LONGEST
    ]


if __name__ == "__main__":
    sys.exit(main())
