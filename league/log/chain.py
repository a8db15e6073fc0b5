"""The chain of a tournament's log: how a row is hashed and how a chain is checked. Pure.

A row's hash covers its number, when, who, what and where, the digest of its content, the facts in it, and the hash of
the row before it; before the first row stands the tournament's public id. The content (what was and is, and why) is
digested with a random salt of its own. So a row can be anonymised and still be checked: its digest stays in the chain,
while salt and content, from which names could be guessed, are replaced; the later row that records the erasure names it
with the digest of what it says now. Facts name nobody, so no erasure changes them. See docs/decisions/0004 and 0013.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

ERASE = "erase-player"
REDACTED = "redacted"  # in the `new` of an ERASE row: {number of a row: digest of its content from then on}
# Logs from before rows hashed facts and a public id: this row, added at the upgrade, has both for all rows before it.
BIND = "bind-log"
# Texts that are facts, by their keys: ids, codes, times and hashes. What is no text is one anyhow. All hashes hang on
# this list: a key that is added or taken away breaks every log there is.
FACTS = frozenset(
    {
        "cards", "decided_by", "entry", "facts", "played_by", "player_id", "public_id", "recorded_at", "sha256",
        "source", "status",
    }
)  # fmt: skip


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
    return _sha256([salt, _stored(old), _stored(new), reason])


def facts(value: Any) -> Any:
    """A JSON value without the texts in which somebody could be named: of those only that there is one."""
    if isinstance(value, Mapping):
        return {key: one if key in FACTS else facts(one) for key, one in value.items()}
    if isinstance(value, list):
        return [facts(one) for one in value]
    return None if isinstance(value, str) else value


def facts_digest(contents: Iterable[Any]) -> str:
    """Of the facts in several JSON values, in their order."""
    return _sha256([facts(_stored(one)) for one in contents])


def record_digest(rules: Any, rows: Any) -> str:
    """Of frozen standings, but for names."""
    return _sha256([_stored(rules), facts(_stored(rows))])


def bound(links: Iterable[Link], public_id: str) -> dict[str, str]:
    """What a BIND row says of the rows before it, by number."""
    return {"public_id": public_id, "facts": facts_digest([link.old, link.new] for link in links)}


def link_hash(link: Link, number: int | None = None, *, with_facts: bool = True) -> str:
    """What the row's hash must be, by its own number or another."""
    at = link.at.astimezone(UTC).isoformat(timespec="microseconds")
    place = [link.round, link.table, link.hand]
    number = link.number if number is None else number
    # Most rows, and all from before there were links, have neither.
    without_account: list[int | str] = [] if link.scorer_link is None else [link.scorer_link]
    without_account += [link.player] if link.player else []
    content = [{"facts": [facts(_stored(link.old)), facts(_stored(link.new))]}] if with_facts else []
    return _sha256([number, at, link.by, link.action, *place, link.digest, link.previous, *without_account, *content])


def _stored(value: Any) -> Any:
    """A JSON value as it comes back from the database."""
    return json.loads(json.dumps(value))


def _sha256(values: list[Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Fault:
    """What is wrong. `number` is the row's, or None where there is no row to name."""

    number: int | None
    # unnumbered | missing | moved | edited | replaced | cut | empty | elsewhere | unbound | rewritten, of the chain;
    # differs: what else there is does not fit, as `about` says
    what: str
    other: int | None = None  # the number that a moved row was written with, of the last missing row, of the row before
    about: str = ""

    def __str__(self) -> str:
        return (
            self.about
            or {
                "unnumbered": "an entry stands outside of the chain",
                "missing": f"entry {self.number} is missing"
                if self.number == self.other
                else f"entries {self.number} to {self.other} are missing",
                "moved": f"entry {self.number} was written as entry {self.other}: entries were swapped or renumbered",
                "edited": f"entry {self.number} was changed after it was written",
                "replaced": f"entry {self.number} does not follow entry {self.other}: one of the two was replaced",
                "cut": f"the log does not end with entry {self.number}, which was its last",
                "empty": "the log is empty: not even the entry that made the tournament is there",
                "elsewhere": "the log is not the one of this tournament",
                "unbound": "the log does not say to which tournament it belongs",
                "rewritten": f"an entry before entry {self.number} was changed since the upgrade that wrote that one",
            }[self.what]
        )


def faults(links: Iterable[Link], last_number: int, last_hash: str, public_id: str) -> Iterator[Fault]:
    """Everything that is wrong, by number. `last_number` and `last_hash` are where the chain ended when it was written.

    `links` come by number, those without one anywhere. `public_id` is that of the tournament whose log it is to be.
    """
    chained: dict[int, Link] = {}
    for link in links:
        if link.number is None:
            yield Fault(None, "unnumbered")
        else:
            chained[link.number] = link
    numbers = sorted(chained)
    before = upgraded_at(chained.values())
    sound = {number for number in numbers if chained[number].hash in _hashes(chained[number], number, before)}
    allowed = {row: digest for _erasure, rows in erasures(chained[number] for number in sound) for row, digest in rows}
    if not numbers:
        yield Fault(None, "empty")
    elif 1 in sound:
        yield from _bound_elsewhere(chained, sound, before, public_id)
    after = 0
    for number in numbers:
        if number > after + 1:
            yield Fault(after + 1, "missing", number - 1)
        after, link = number, chained[number]
        if number not in sound and (written_as := _written_as(link, numbers, before)):
            yield Fault(number, "moved", written_as)
        elif number not in sound or not _content_stands(link, allowed.get(number)):
            yield Fault(number, "edited")
        elif number - 1 in sound and link.previous != chained[number - 1].hash:
            yield Fault(number, "replaced", number - 1)
    if last_number > after:
        yield Fault(after + 1, "missing", last_number)
    last = chained.get(last_number)
    if last_number != max(numbers, default=0) or (last is not None and last.hash != last_hash):
        yield Fault(last_number, "cut")


def upgraded_at(links: Iterable[Link]) -> int:
    """The number of the BIND row of an old log, or the one that it would have.

    1 of a log that hashed everything from its beginning: no row is older.
    """
    by_number = {link.number: link for link in links if link.number is not None}
    if 1 in by_number and by_number[1].previous:
        return 1
    bind = [number for number, link in by_number.items() if link.action == BIND]
    return min(bind, default=max(by_number, default=0) + 1)


def erasures(links: Iterable[Link]) -> list[tuple[Link, list[tuple[int, str]]]]:
    """The erasures that stand as they were written, each with (number of a row, digest of its content from then on)."""
    found = []
    for link in sorted(links, key=lambda one: one.number or 0):
        redacted = link.new.get(REDACTED) if link.action == ERASE and isinstance(link.new, dict) else None
        if isinstance(redacted, dict) and _content_stands(link, None):
            found.append((link, [(int(row), digest) for row, digest in redacted.items() if row.isdecimal()]))
    return found


def _hashes(link: Link, number: int, before: int) -> Sequence[str]:
    """What the row's hash can be by this number: rows from before an upgrade hash no facts."""
    with_facts = link_hash(link, number)
    return (with_facts, link_hash(link, number, with_facts=False)) if number < before else (with_facts,)


def _bound_elsewhere(
    chained: Mapping[int, Link], sound: Collection[int], before: int, public_id: str
) -> Iterator[Fault]:
    """Whether the log is another tournament's, by what its first row hashes or, of an old one, by its BIND row."""
    if chained[1].previous:
        if chained[1].previous != public_id:
            yield Fault(1, "elsewhere")
    elif before not in chained:
        yield Fault(None, "unbound")
    elif before in sound and _content_stands(chained[before], None):
        said, there = chained[before].new, bound([chained[one] for one in sorted(chained) if one < before], public_id)
        if said != there:
            theirs = isinstance(said, dict) and said.get("public_id") == public_id
            yield Fault(before, "rewritten" if theirs else "elsewhere")


def _written_as(link: Link, numbers: Iterable[int], before: int) -> int | None:
    """The number of another row that the hash of this one is right for."""
    return next((other for other in numbers if link.hash in _hashes(link, other, before)), None)


def _content_stands(link: Link, redacted_to: str | None) -> bool:
    return content_digest(link.salt, link.old, link.new, link.reason) == (redacted_to or link.digest)
