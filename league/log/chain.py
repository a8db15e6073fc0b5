"""The hash chain of a tournament's log: hashing rows and checking a chain. Pure.

A row's hash covers its number, time, author, action and place, the digest of its content, the facts in it, and the hash
of the previous row; the first row uses the tournament's public id instead. The content (old, new and reason) is
digested with a random salt. So an anonymised row can still be checked: its digest stays in the chain, and salt and
content are replaced. A later row records the erasure, with the digest of the new content. Facts name no one, so no
erasure changes them. See docs/decisions/0004 and 0013.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

ERASE = "erase-player"
REDACTED = "redacted"  # key in `new` of an ERASE row: {row number: digest of its new content}
# Old logs don't hash facts or public id; this row, added by the upgrade, covers both for all earlier rows.
BIND = "bind-log"
# Keys of texts that are facts: ids, codes, times and hashes. Values that aren't texts are always facts. All hashes
# depend on this list: adding or removing a key breaks every existing log.
FACTS = frozenset(
    {
        "cards", "decided_by", "entry", "facts", "played_by", "player_id", "public_id", "recorded_at", "sha256",
        "source", "status",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Link:
    """A log row in its hashed form. `by` is the account's id, which stays when the account is anonymised.

    `scorer_link` is the id of a scorer's link, `player` the public id of a player with a personal link.
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
    """Return the link of a stored LogEntry."""
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
        scorer_link=getattr(entry, "scorer_link_id", None),  # migration 0003 has no links yet
        player=getattr(entry, "player", ""),
    )


def content_digest(salt: str, old: Any, new: Any, reason: str) -> str:
    """Return the digest of JSON values; a round trip through the database doesn't change it."""
    return _sha256([salt, _as_stored(old), _as_stored(new), reason])


def facts(value: Any) -> Any:
    """Return a JSON value with None in place of every text that could name a person."""
    if isinstance(value, Mapping):
        return {key: part if key in FACTS else facts(part) for key, part in value.items()}
    if isinstance(value, list):
        return [facts(part) for part in value]
    return None if isinstance(value, str) else value


def facts_digest(contents: Iterable[Any]) -> str:
    """Return the digest of the facts in several JSON values, in order."""
    return _sha256([facts(_as_stored(content)) for content in contents])


def record_digest(rules: Any, rows: Any) -> str:
    """Return the digest of frozen standings without names."""
    return _sha256([_as_stored(rules), facts(_as_stored(rows))])


def binding(links: Iterable[Link], public_id: str) -> dict[str, str]:
    """Return the content of a BIND row for the rows before it, in order of their numbers."""
    return {"public_id": public_id, "facts": facts_digest([link.old, link.new] for link in links)}


def link_hash(link: Link, number: int | None = None, *, with_facts: bool = True) -> str:
    """Return the hash that the row must have, with its own number or another."""
    at = link.at.astimezone(UTC).isoformat(timespec="microseconds")
    place = [link.round, link.table, link.hand]
    number = link.number if number is None else number
    # Most rows have neither, and neither do rows older than links.
    without_account: list[int | str] = [] if link.scorer_link is None else [link.scorer_link]
    without_account += [link.player] if link.player else []
    content = [{"facts": [facts(_as_stored(link.old)), facts(_as_stored(link.new))]}] if with_facts else []
    return _sha256([number, at, link.by, link.action, *place, link.digest, link.previous, *without_account, *content])


def _as_stored(value: Any) -> Any:
    """Return a JSON value as the database would return it."""
    return json.loads(json.dumps(value))


def _sha256(values: list[Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Fault:
    """A fault. `number` is the row's, None without a row."""

    number: int | None
    # of the chain: unnumbered | missing | moved | edited | replaced | cut | empty | elsewhere | unbound | rewritten;
    # differs: other data doesn't match the log, see `about`
    kind: str
    other: int | None = None  # original number of a moved row; number of the last missing row, or of the row before
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
            }[self.kind]
        )


def faults(links: Iterable[Link], last_number: int, last_hash: str, public_id: str) -> Iterator[Fault]:
    """Yield every fault in order. `last_number` and `last_hash` are the stored end of the chain.

    `links` come by number, those without a number anywhere. `public_id` is the tournament's.
    """
    chained: dict[int, Link] = {}
    for link in links:
        if link.number is None:
            yield Fault(None, "unnumbered")
        else:
            chained[link.number] = link
    numbers = sorted(chained)
    before = upgraded_at(chained.values())
    sound = {number for number in numbers if chained[number].hash in _possible_hashes(chained[number], number, before)}
    allowed = {row: digest for _erasure, rows in erasures(chained[number] for number in sound) for row, digest in rows}
    if not numbers:
        yield Fault(None, "empty")
    elif 1 in sound:
        yield from _binding_faults(chained, sound, before, public_id)
    after = 0
    for number in numbers:
        if number > after + 1:
            yield Fault(after + 1, "missing", number - 1)
        after, link = number, chained[number]
        if number not in sound and (written_as := _original_number(link, numbers, before)):
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
    """Return the number of an old log's BIND row, or the number it would have.

    Return 1 for a log that has always hashed everything, because no row is older.
    """
    by_number = {link.number: link for link in links if link.number is not None}
    if 1 in by_number and by_number[1].previous:
        return 1
    bind = [number for number, link in by_number.items() if link.action == BIND]
    return min(bind, default=max(by_number, default=0) + 1)


def erasures(links: Iterable[Link]) -> list[tuple[Link, list[tuple[int, str]]]]:
    """Return the unchanged erasures, each with (row number, digest of its new content)."""
    pairs = []
    for link in sorted(links, key=lambda entry: entry.number or 0):
        redacted = link.new.get(REDACTED) if link.action == ERASE and isinstance(link.new, dict) else None
        if isinstance(redacted, dict) and _content_stands(link, None):
            pairs.append((link, [(int(row), digest) for row, digest in redacted.items() if row.isdecimal()]))
    return pairs


def _possible_hashes(link: Link, number: int, before: int) -> Sequence[str]:
    """Return the hashes that the row can have with this number: rows before an upgrade hash no facts."""
    with_facts = link_hash(link, number)
    return (with_facts, link_hash(link, number, with_facts=False)) if number < before else (with_facts,)


def _binding_faults(
    chained: Mapping[int, Link], sound: Collection[int], before: int, public_id: str
) -> Iterator[Fault]:
    """Yield faults if the log belongs to another tournament, by its first row or, in old logs, its BIND row."""
    if chained[1].previous:
        if chained[1].previous != public_id:
            yield Fault(1, "elsewhere")
    elif before not in chained:
        yield Fault(None, "unbound")
    elif before in sound and _content_stands(chained[before], None):
        recorded, expected = (
            chained[before].new,
            binding([chained[number] for number in sorted(chained) if number < before], public_id),
        )
        if recorded != expected:
            theirs = isinstance(recorded, dict) and recorded.get("public_id") == public_id
            yield Fault(before, "rewritten" if theirs else "elsewhere")


def _original_number(link: Link, numbers: Iterable[int], before: int) -> int | None:
    """Return the number that makes this row's hash right, if another row's number does."""
    return next((other for other in numbers if link.hash in _possible_hashes(link, other, before)), None)


def _content_stands(link: Link, redacted_to: str | None) -> bool:
    return content_digest(link.salt, link.old, link.new, link.reason) == (redacted_to or link.digest)
