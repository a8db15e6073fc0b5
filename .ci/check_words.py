#!/usr/bin/env python3
"""Count odd words of our English, and fail if a count is above its number in pyproject.toml.

    python3 .ci/check_words.py            # faults, then totals
    python3 .ci/check_words.py --lower    # lower the numbers in pyproject.toml to today's counts

`[tool.wild-league.words]` has a line for each word, with a number for each kind of text in which the word is odd:

- messages: the English texts of the French catalogue, from Python, templates and scripts;
- prose: docstrings, comments and other untranslated texts of product Python;
- names: identifiers of product Python. A name counts once for each place; `kept_hands` contains `kept`.

The numbers may only fall. Case and a plural s make no difference, and "a lot" doesn't count.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "games", "league", "engine")
CATALOGUE = "league/locale/fr/LC_MESSAGES/django.po"
LONG = 20  # words; a longer sentence is hard to read on a phone

Counts = dict[str, Counter[str]]  # kind -> word -> count

_MESSAGE = re.compile(r'^(msgid|msgid_plural) ((?:".*"\n)+)', re.M)
_COMMENT = re.compile(
    r'"""(?:\\.|[^\\])*?"""' r'|"(?:\\.|[^"\\\n])*"' r"|'(?:\\.|[^'\\\n])*'" r"|(#[^\n]*)", re.S
)  # strings match first, so that a # in one starts no comment
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NAME_FIELDS = ("id", "attr", "arg", "name", "asname")
_NO_WORDS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]*>")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def catalogue(root: Path) -> list[tuple[str, str]]:
    """Return (field, English text) of each message; a plural is a pair of its own."""
    text = (root / CATALOGUE).read_text(encoding="utf-8")
    pairs = [(field, ast.literal_eval(f"({lines})")) for field, lines in _MESSAGE.findall(text)]
    return [(field, message) for field, message in pairs if message]  # the header has an empty one


def python_texts(root: Path, messages: set[str]) -> tuple[list[str], Counter[str]]:
    """Return the prose of product Python, and how often it writes each identifier."""
    prose: list[str] = []
    names: Counter[str] = Counter()
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        if "migrations" in path.parts:
            continue
        source = path.read_text(encoding="utf-8")
        prose += filter(None, _COMMENT.findall(source))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str) and " " in node.value and node.value not in messages:
                    prose.append(node.value)
            else:
                fields = node.__dict__
                names.update(fields[field] for field in _NAME_FIELDS if isinstance(fields.get(field), str))
    return prose, names


def count_words(words: list[str], root: Path = ROOT) -> Counts:
    """Return how often each word stands in each kind of text."""
    plain = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    odd = re.compile(rf"(?<!\ba )\b({plain})s?\b")
    messages = [message for _, message in catalogue(root)]
    prose, names = python_texts(root, set(messages))
    counts: Counts = {
        "messages": Counter(word for text in messages for word in odd.findall(text.lower())),
        "prose": Counter(word for text in prose for word in odd.findall(" ".join(text.lower().split()))),
        "names": Counter(),
    }
    for name, times in names.items():
        for word in odd.findall(" ".join(_NAME_PART.findall(name)).lower()):
            counts["names"][word] += times
    return counts


def sentences(message: str) -> Iterator[int]:
    """Yield the number of words of each sentence."""
    for sentence in re.split(r"(?<=[.!?:])\s+|\n", _NO_WORDS.sub(" x ", message)):
        yield len(_WORD.findall(sentence))


def faults_and_slack(numbers: Mapping[str, Mapping[str, int]], counts: Counts) -> tuple[list[str], int]:
    """Return a sentence for each count above its number, and how far all others are below."""
    faults, slack = [], 0
    for word, kinds in numbers.items():
        for kind, most in kinds.items():
            count = counts[kind][word]
            slack += max(0, most - count)
            if count > most:
                faults.append(f"“{word}”: {count} times in {kind}, allowed: {most}. Use a plainer word.")
    return faults, slack


def lower(numbers: Mapping[str, Mapping[str, int]], counts: Counts, root: Path) -> None:
    """Write into pyproject.toml each count that is below its number."""
    path = root / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    for word, kinds in numbers.items():
        key = word if word.isalpha() else f'"{word}"'
        row = ", ".join(f"{kind} = {min(most, counts[kind][word])}" for kind, most in kinds.items())
        text = re.sub(rf"^{key} = {{.*}}$", f"{key} = {{{row}}}", text, count=1, flags=re.M)
    path.write_text(text, encoding="utf-8")


def main(args: list[str], root: Path = ROOT) -> int:
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["wild-league"]
    numbers = table["words"]
    counts = count_words(list(numbers), root)
    if args == ["--lower"]:
        lower(numbers, counts, root)
    faults, slack = faults_and_slack(numbers, counts)
    singular = [message for field, message in catalogue(root) if field == "msgid"]
    lengths = [length for message in singular for length in sentences(message)]
    long = sum(length > LONG for length in lengths)
    if long > table["long-sentences"]:
        faults.append(f"Sentences of messages over {LONG} words: {long}, allowed: {table['long-sentences']}.")
    print("".join(f"{fault}\n" for fault in faults), end="")
    odd = ", ".join(f"{sum(of_kind.values())} in {kind}" for kind, of_kind in counts.items())
    print(f"Odd words: {odd}. {len(singular)} messages with {sum(lengths)} words; {long} sentences over {LONG} words.")
    if slack and args != ["--lower"]:
        print(f"{slack} odd words fewer than allowed: 'python3 .ci/check_words.py --lower' lowers the numbers.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
