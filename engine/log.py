"""The log of a hand as JSON lines (docs/rules.md, "The log of a hand"): tuples out, tuples in.

In play an event is a tuple: its type, then the fields below in this order, None or False where absent. It becomes an
object `{"hand", "n", "type", …}` only when it is written.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.rules import EDITIONS, LOG_VERSIONS
from engine.state import Event


class NotThisShape(ValueError):
    """A line that is JSON but no event: it says which field is wrong."""


class Unreadable(ValueError):
    """A file that is no log of this version, or that is cut; `str()` names the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"Line {line}: {reason}")
        self.line = line
        self.reason = reason


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _list_of(item: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(item, value))


def _or_null(item: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or item(value)


_cards = _list_of(_text)
_ABSENT_NULL = frozenset({"color", "target", "promised"})
_ABSENT_FALSE = frozenset({"returned", "uno", "drawn", "cancel", "guilty", "teams"})
_LEFT_OUT_FALSE = _ABSENT_FALSE - {"guilty", "teams"}  # which are written when false too

FIELDS: Mapping[str, Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    {
        "start": {
            "log": _whole,
            "edition": _text,
            "players": _list_of(_text),
            "dealer": _whole,
            "teams": _flag,
            "options": lambda value: isinstance(value, dict),
            "commitment": _text,
            "promised": _or_null(_list_of(_or_null(_text))),  # absent in version 1
            "entropy": _list_of(_or_null(_text)),
        },
        "deal": {"seat": _whole, "cards": _cards},
        "turn_up": {"card": _text, "returned": _flag},
        "color": {"seat": _whole, "color": _text},
        "play": {
            "seat": _whole,
            "card": _text,
            "color": _or_null(_text),
            "target": _or_null(_whole),
            "uno": _flag,
            "drawn": _flag,
            "cancel": _flag,
        },
        "draw": {"seat": _whole, "cards": _cards, "reason": _text},
        "pass": {"seat": _whole},
        "accept": {"seat": _whole},
        "challenge": {"seat": _whole, "guilty": _flag},
        "show": {"seat": _whole, "to": lambda value: value == "all" or _whole(value), "cards": _cards, "reason": _text},
        "uno": {"seat": _whole},
        "catch": {"seat": _whole, "by": _whole},
        "penalty": {"seat": _whole, "reason": _text},
        "undo": {"to": _whole, "reason": _text},
        "reshuffle": {"cards": _cards},
        "end": {
            "winner": _or_null(_whole),
            "points": _list_of(_whole),
            "scores": _list_of(_whole),
            "seed": _text,
            "deck": _cards,
        },
    }
)


def as_object(event: Event) -> dict[str, Any]:
    """Return the event as `{"type", …}` with JSON's types; absent fields are left out."""
    kind = event[0]
    record: dict[str, Any] = {"type": kind}
    for name, value in zip(FIELDS[kind], event[1:], strict=True):
        absent = (value is None and name in _ABSENT_NULL) or (value is False and name in _LEFT_OUT_FALSE)
        if not absent:
            record[name] = list(value) if isinstance(value, tuple) else value
    return record


def as_event(record: Mapping[str, Any]) -> Event:
    """Return the tuple of a `{"type", …}` object; unknown fields are ignored. Raises `NotThisShape`."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise NotThisShape(f"there is no line of type {json.dumps(kind)}")
    values = []
    for name, fits in FIELDS[kind].items():
        value = record.get(name, False if name in _ABSENT_FALSE else None)
        if not fits(value) or (value is None and name not in _ABSENT_NULL and name not in record):
            wrong = f"has {json.dumps(value)} as “{name}”" if name in record else f"lacks “{name}”"
            raise NotThisShape(f"the {kind} {wrong}")
        values.append(tuple(value) if isinstance(value, list) else value)
    return (kind, *values)


def lines(log: Sequence[Event], hand: int = 1) -> Iterator[str]:
    """Yield the log as JSON lines without line ends; equal logs give equal bytes."""
    for n, event in enumerate(log):
        yield json.dumps({"hand": hand, "n": n} | as_object(event), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class LoggedHand:
    """The lines of one hand as they stand in a file: objects that were not yet checked against the rules."""

    number: int
    line: int  # of its first line, from 1
    objects: tuple[Mapping[str, Any], ...]


def read(text: Iterable[str]) -> Iterator[LoggedHand]:
    """Read hand by hand, checking no rule. Raises `Unreadable` for no JSON lines, another version or a cut log."""
    objects: list[Mapping[str, Any]] = []
    first = number = 0
    line = 0
    for line, content in enumerate(text, start=1):
        if not content.strip():
            continue
        record = _object(line, content)
        if objects and (record["hand"] != number or (record["type"] == "start" and objects[-1]["type"] == "end")):
            yield _whole_hand(number, first, objects)
            objects = []
        if not objects:
            first, number = line, record["hand"]
            _check_version(line, record)
        objects.append(record)
    if not first:
        raise Unreadable(max(line, 1), "there is no hand in this file.")
    yield _whole_hand(number, first, objects)


def _object(line: int, content: str) -> Mapping[str, Any]:
    try:
        record = json.loads(content, object_pairs_hook=_unique_keys)
    except _KeyTwice as twice:
        raise Unreadable(line, f"“{twice}” stands in this line twice.") from None
    except (ValueError, RecursionError):
        cut = "the line is cut." if not content.endswith("\n") else "this is not JSON."
        raise Unreadable(line, cut) from None
    if not isinstance(record, dict) or not _whole(record.get("hand")) or not _text(record.get("type")):
        raise Unreadable(line, "this is no line of a hand's log: it needs “hand”, “n” and “type”.")
    return record


class _KeyTwice(Exception):
    pass


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that comes twice: JSON leaves open which of the two counts, and readers differ."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _KeyTwice(next(key for at, (key, _) in enumerate(pairs) if key in dict(pairs[:at])))
    return fields


def _check_version(line: int, record: Mapping[str, Any]) -> None:
    if record["type"] != "start":
        raise Unreadable(line, f"hand {record['hand']} has no start.")
    if not _whole(record.get("log")) or record["log"] not in LOG_VERSIONS:
        version, known = json.dumps(record.get("log")), " and ".join(map(str, LOG_VERSIONS))
        raise Unreadable(line, f"this log is of version {version}; versions {known} can be read.")
    if not _text(record.get("edition")) or record["edition"] not in EDITIONS:
        known = ", ".join(EDITIONS)
        raise Unreadable(line, f"the edition {json.dumps(record.get('edition'))} is unknown; there are {known}.")


def _whole_hand(number: int, first: int, objects: Sequence[Mapping[str, Any]]) -> LoggedHand:
    if all(record["type"] != "end" for record in objects):
        raise Unreadable(first + len(objects) - 1, f"the log is cut: hand {number} has no end.")
    return LoggedHand(number, first, tuple(objects))
