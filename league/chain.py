"""The chain of a tournament's log: how a row is hashed and how a chain is checked. Pure.

A row's hash covers its number, when, who, what and where, the digest of its content and the hash of the row before it.
The content (what was and is, and why) is digested with a random salt of its own. So a row can be anonymised and still
be checked: its digest stays in the chain, while salt and content, from which names could be guessed, are replaced; the
later row that records the erasure names it with the digest of what it says now. See docs/decisions/0004.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

ERASE = "erase-player"
REDACTED = "redacted"  # in the `new` of an ERASE row: {number of a row: digest of its content from then on}


@dataclass(frozen=True)
class Link:
    """A row of the log as it is hashed. `by` is the account's key, which stays when the account is anonymised.

    `scorer_link` is the key of the link with which somebody without an account did it, `player` the public id of the
    player who did it by their own link.
    """

    number: int | None
    at: datetime
    by: int | None
    action: str
    round: int | None
    table: int | None
    hand: int | None
    old: Any
    new: Any
    reason: str
    salt: str
    digest: str
    previous: str
    hash: str
    scorer_link: int | None = None
    player: str = ""


def link_of(entry: Any) -> Link:
    """A row of league.models.LogEntry, as it stands."""
    return Link(
        number=entry.number,
        at=entry.at,
        by=entry.by_id,
        action=entry.action,
        round=entry.round,
        table=entry.table,
        hand=entry.hand,
        old=entry.old,
        new=entry.new,
        reason=entry.reason,
        salt=entry.salt,
        digest=entry.digest,
        previous=entry.previous,
        hash=entry.hash,
        scorer_link=getattr(entry, "scorer_link_id", None),  # migration 0003 knows no links yet
        player=getattr(entry, "player", ""),
    )


def content_digest(salt: str, old: Any, new: Any, reason: str) -> str:
    """Of JSON values: equal after a round trip through the database."""
    return _sha256([salt, json.loads(json.dumps(old)), json.loads(json.dumps(new)), reason])


def link_hash(link: Link, number: int | None = None) -> str:
    """What the row's hash must be, by its own number or another."""
    at = link.at.astimezone(UTC).isoformat(timespec="microseconds")
    place = [link.round, link.table, link.hand]
    number = link.number if number is None else number
    # Most rows, and all from before there were links, have neither.
    without_account: list[int | str] = [] if link.scorer_link is None else [link.scorer_link]
    without_account += [link.player] if link.player else []
    return _sha256([number, at, link.by, link.action, *place, link.digest, link.previous, *without_account])


def _sha256(values: list[Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Fault:
    """What is wrong with a chain. `number` is the row's, or None for a row that has none."""

    number: int | None
    what: str  # unnumbered | missing | moved | edited | replaced | cut
    other: int | None = None  # the number that a moved row was written with, or of the row before

    def __str__(self) -> str:
        return {
            "unnumbered": "an entry stands outside of the chain",
            "missing": f"entry {self.number} is missing",
            "moved": f"entry {self.number} was written as entry {self.other}: entries were swapped or renumbered",
            "edited": f"entry {self.number} was changed after it was written",
            "replaced": f"entry {self.number} does not follow entry {self.other}: one of the two was replaced",
            "cut": f"the log does not end with entry {self.number}, which was its last",
        }[self.what]


def faults(links: Iterable[Link], last_number: int, last_hash: str) -> Iterator[Fault]:
    """Everything that is wrong, by number. `last_number` and `last_hash` are where the chain ended when it was written.

    `links` come by number, those without one anywhere.
    """
    chained: dict[int, Link] = {}
    for link in links:
        if link.number is None:
            yield Fault(None, "unnumbered")
        else:
            chained[link.number] = link
    numbers = sorted(chained)
    sound = {number for number in numbers if chained[number].hash == link_hash(chained[number])}
    allowed = _redactions(chained, sound)
    for number in range(1, max([last_number, *numbers]) + 1):
        if number not in chained:
            yield Fault(number, "missing")
            continue
        link = chained[number]
        if number not in sound and (written_as := _written_as(link, numbers)):
            yield Fault(number, "moved", written_as)
        elif number not in sound or not _content_stands(link, allowed.get(number)) or (number == 1 and link.previous):
            yield Fault(number, "edited")
        elif number - 1 in sound and link.previous != chained[number - 1].hash:
            yield Fault(number, "replaced", number - 1)
    last = chained.get(last_number)
    if last_number != max(numbers, default=0) or (last is not None and last.hash != last_hash):
        yield Fault(last_number, "cut")


def _written_as(link: Link, numbers: Iterable[int]) -> int | None:
    """The number of another row that the hash of this one is right for."""
    return next((other for other in numbers if link_hash(link, other) == link.hash), None)


def _redactions(chained: Mapping[int, Link], sound: set[int]) -> dict[int, str]:
    """{number of an anonymised row: digest of what it says now}, by the latest erasure that names it."""
    allowed: dict[int, str] = {}
    for number in sorted(sound):
        link = chained[number]
        if link.action == ERASE and isinstance(link.new, dict) and _content_stands(link, None):
            allowed |= {int(row): digest for row, digest in link.new.get(REDACTED, {}).items()}
    return allowed


def _content_stands(link: Link, redacted_to: str | None) -> bool:
    return content_digest(link.salt, link.old, link.new, link.reason) == (redacted_to or link.digest)
