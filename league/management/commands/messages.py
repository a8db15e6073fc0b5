r"""Manage translations: league/locale/LANGUAGE/LC_MESSAGES/django.po, compiled to django.mo.

python3 dev.py messages                      update the catalogues from the code, and compile them\n  python3 dev.py
messages missing LANGUAGE     print untranslated messages as JSON\n  python3 dev.py messages fill LANGUAGE FILE   add
translations: JSON, {"key": "text" or ["one", "many"], …}

English is in the code. A message with changed English is a new one: nothing is guessed. The files contain no dates or
locations, so that equal messages give equal files.
"""

import ast
import hashlib
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.utils.translation.template import templatize

from engine import cards
from engine.rules import EDITIONS
from engine.sentences import Sentence
from league.lib.command import SentenceCommand

ROOT = settings.BASE_DIR
LANGUAGES = ("fr", "es")
PLURALS = {"fr": "nplurals=2; plural=(n > 1);", "es": "nplurals=2; plural=(n != 1);"}
PACKAGES = ("config", "games", "league", "engine")
FUNCTIONS = {
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop", "_", "mark", "sentence"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "counted"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
WIDTH = 120


class _Catalog(Catalog):
    """A catalogue with only the headers that Django needs."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        language = str(self.locale_identifier)
        return [
            ("Language", language),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", PLURALS[language]),
        ]

    @mime_headers.setter
    def mime_headers(self, headers: object) -> None:
        pass


# Messages of the code


def messages_of_code() -> list[Message]:
    """Return every message of the code, its templates and its data, with its files."""
    catalog = Catalog()
    for path in _python_files():
        _add_messages(catalog, path, path.read_text(encoding="utf-8"))
    for path in templates():
        # templatize emits indents, which are errors in Python.
        lines = templatize(path.read_text(encoding="utf-8"), origin=str(path)).splitlines()
        _add_messages(catalog, path, "\n".join(line.strip() for line in lines))
    for words in _cards():
        catalog.add(words.template, context=words.context, locations=[("engine/cards.py", 0)])
    return [message for message in catalog if message.id]


def _python_files() -> Iterator[Path]:
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Yield each file that may hold messages, relative to the project, with its syntax tree."""
    for path in _python_files():
        yield path.relative_to(ROOT), ast.parse(path.read_bytes())


def translates(call: ast.Call) -> bool:
    """Return whether the call passes a literal text to a gettext function, by name."""
    function = call.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in FUNCTIONS and any(isinstance(argument, ast.Constant) for argument in call.args)


def templates() -> list[Path]:
    return sorted(path for path in (ROOT / "templates").rglob("*.*") if path.suffix in (".html", ".txt"))


def _add_messages(catalog: Catalog, path: Path, python: str) -> None:
    file = path.relative_to(ROOT).as_posix()
    functions = FUNCTIONS | (_renamed_functions(python) if path.suffix == ".py" else {})
    for _line, ids, _comments, context in extract("python", io.BytesIO(python.encode()), keywords=functions):
        catalog.add(ids, context=context, locations=[(file, 0)])


def _renamed_functions(python: str) -> dict[str, object]:
    """Return the functions imported under other names."""
    imports = (node for node in ast.walk(ast.parse(python)) if isinstance(node, ast.ImportFrom))
    names = [alias for node in imports for alias in node.names]
    return {alias.asname: FUNCTIONS[alias.name] for alias in names if alias.asname and alias.name in FUNCTIONS}


def _cards() -> Iterator[Sentence]:
    """Yield the names of cards and colours, which come from data."""
    for edition in EDITIONS.values():
        for card in edition.deck:
            yield edition.card_in_words(card)
        for face in "SRD":
            yield cards.symbol_in_words(face, edition.draw_size)
    for color in cards.COLORS.values():
        yield Sentence(color, context=cards.COLOR_NAMES)
        yield Sentence(color.lower(), context=cards.COLOR_NAMES)


# The catalogues


def po_file(language: str) -> Path:
    return ROOT / "league" / "locale" / language / "LC_MESSAGES" / "django.po"


def catalogue_of(language: str) -> Catalog:
    """Read the catalogue on disk, or an empty one."""
    path = po_file(language)
    text = path.read_bytes() if path.exists() else b""
    return read_po(io.BytesIO(text), locale=language, abort_invalid=True)


def merge(language: str, messages: Iterable[Message], old: Catalog) -> _Catalog:
    """Return the code's messages with the old translations; obsolete messages are dropped."""
    new = _Catalog(locale=language, header_comment="", fuzzy=False)
    for message in messages:
        before = old.get(message.id, message.context)
        if before is not None and before.id != message.id:
            before = None
        new.add(
            message.id,
            before.string if before else "",
            context=message.context,
            locations=message.locations,
            flags=message.flags,
            user_comments=before.user_comments if before else (),
        )
    return new


def as_po(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, catalog, width=WIDTH, sort_output=True, no_location=True)
    return file.getvalue().strip() + b"\n"


def as_mo(catalog: Catalog) -> bytes:
    """Compile only complete translations; Django falls back to English for the rest."""
    whole = _Catalog(locale=catalog.locale, header_comment="", fuzzy=False)
    for message in catalog:
        if message.id and not is_missing(message):
            whole.add(message.id, message.string, context=message.context)
    file = io.BytesIO()
    write_mo(file, whole)
    return file.getvalue()


def write(language: str, catalog: Catalog) -> None:
    for message in catalog:
        if isinstance(message.string, str):
            message.string = typeset(language, message.string)
        else:
            message.string = tuple(typeset(language, form) for form in message.string or ())
    path = po_file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    for file, content in ((path, as_po(catalog)), (path.with_suffix(".mo"), as_mo(catalog))):
        draft = file.with_suffix(".new")  # so that readers never get half a file
        draft.write_bytes(content)
        draft.replace(file)


def is_missing(message: Message) -> bool:
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    return not all(strings) or len(strings) < (2 if message.pluralizable else 1)


# Faults of a translation

_PARAMETER = re.compile(r"%\(\w+\)[-#0 +]*[0-9.]*[a-zA-Z]|\{\w*\}")
_MARKUP = re.compile(r"</?[a-z][^>]*>|`[^`]+`|https?://\S+")
_END = re.compile(r"[.:?…]$")


class _Anything(dict[str, int]):
    def __missing__(self, key: str) -> int:
        return 1


def faults(ids: str | Sequence[str], strings: str | Sequence[str]) -> list[str]:
    """Return the faults of a translation: parameters, markup, surrounding space, sentence end."""
    originals = ids if isinstance(ids, tuple) else (ids,)
    forms = strings if isinstance(strings, tuple | list) else (strings,)
    if isinstance(ids, tuple) != isinstance(strings, tuple | list) or len(originals) != len(forms):
        return [f"{len(originals)} forms are needed, {len(forms)} given"]
    wrong = []
    for number, form in enumerate(forms):
        # Forms before the last may leave out a count, as in English; the last has all.
        allowed = originals if number + 1 < len(forms) else originals[-1:]
        for part, pattern in (("parameters", _PARAMETER), ("markup", _MARKUP)):
            if not any(_count_matches(pattern, form) == _count_matches(pattern, original) for original in allowed):
                wrong.append(f"its {part} are not those of the English")
        if _PARAMETER.search(originals[-1]) and "%(" in originals[-1]:
            try:
                form % _Anything()
            except (ValueError, TypeError, KeyError):
                wrong.append("it has a % that stands for nothing; write %%")
        original = originals[min(number, len(originals) - 1)]
        if (form[:1].isspace(), form[-1:].isspace()) != (original[:1].isspace(), original[-1:].isspace()):
            wrong.append("it begins or ends with another space than the English")
        if _END.findall(original.strip()) != _END.findall(form.strip()):
            wrong.append("it does not end as the English does")
        if "!" in form.replace("¡", "!") and "!" not in original:
            wrong.append("it has an exclamation mark")
    return wrong


_FRENCH = ((re.compile(r"(?<=[^\W\d_])'(?=[\w%<«])"), "’"), (re.compile(r" (?=[:;?!»])|(?<=«) "), "\xa0"))


def typeset(language: str, text: str) -> str:
    """Return a translation with its language's apostrophes and no-break spaces; markup and code stay as they are."""
    if language != "fr":
        return text
    parts = re.split(f"({_MARKUP.pattern})", text)
    for number in range(0, len(parts), 2):
        for pattern, sign in _FRENCH:
            parts[number] = pattern.sub(sign, parts[number])
    return "".join(parts)


def _count_matches(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(pattern.findall(text))


# The command


def key(message: Message) -> str:
    """Return the key of a message in JSON."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    return hashlib.sha256("\x04".join((message.context or "", *ids)).encode()).hexdigest()[:10]


def update() -> None:
    """Update all catalogues from the code."""
    messages = messages_of_code()
    for language in LANGUAGES:
        with _lock_catalogues(language):
            catalog = merge(language, messages, catalogue_of(language))
            write(language, catalog)
        missing = sum(is_missing(message) for message in catalog if message.id)
        say(f"{language}: {len(catalog)} messages, {missing} of them not translated yet.")


def print_missing(language: str) -> None:
    """Print untranslated messages with their files."""
    rows = []
    catalog = merge(language, messages_of_code(), catalogue_of(language))
    for message in sorted(catalog, key=lambda message: min(message.locations, default=("", 0))):
        if message.id and is_missing(message):
            row: dict[str, object] = {"key": key(message)}
            if isinstance(message.id, tuple):
                row |= {"one": message.id[0], "many": message.id[1]}
            else:
                row["text"] = message.id
            if message.context:
                row["context"] = message.context
            rows.append(row | {"files": [file for file, _line in message.locations]})
    json.dump(rows, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")


def fill(language: str, file: str) -> int:
    """Add translations; report faulty ones and leave them out. Return how many were left out."""
    translations = json.loads(Path(file).read_text(encoding="utf-8"))
    left_out = 0
    with _lock_catalogues(language):
        catalog = merge(language, catalogue_of(language), catalogue_of(language))
        by_key = {key(message): message for message in catalog if message.id}
        for name, translation in translations.items():
            strings = tuple(translation) if isinstance(translation, list) else translation
            message = by_key.get(name)
            wrong = faults(message.id, strings) if message else ["no message has this key"]
            if message and not wrong:
                message.string = strings
                continue
            left_out += 1
            say(f"{name}: {'; '.join(wrong)}\n  {message.id if message else ''}\n  {translation}")
        write(language, catalog)
    missing = sum(is_missing(message) for message in catalog if message.id)
    say(f"{language}: {len(translations) - left_out} taken, {left_out} left out, {missing} not translated yet.")
    return left_out


@contextmanager
def _lock_catalogues(language: str) -> Iterator[None]:
    """Let one process write catalogues at a time; others wait."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with open(ROOT / "pyproject.toml", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


class Command(SentenceCommand):
    help = __doc__ or ""
    requires_system_checks = ()
    uses_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        doing = parser.add_subparsers(dest="what")
        doing.add_parser("missing").add_argument("language", choices=LANGUAGES)
        filling = doing.add_parser("fill")
        filling.add_argument("language", choices=LANGUAGES)
        filling.add_argument("file")

    def handle(self, *args: Any, what: str | None, **options: Any) -> None:
        if what == "missing":
            print_missing(options["language"])
        elif what == "fill":
            if fill(options["language"], options["file"]):
                raise CommandError("Some were left out.")
        else:
            update()
