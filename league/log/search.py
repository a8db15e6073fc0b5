"""Find log rows by table, person and words. The page and its CSV use the same search."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from league.log.in_words import in_words
from league.models import Entry, LogEntry, Seat, Tournament, User

BY = "by-"  # prefix of an account's id; a person without it is a player's id


@dataclass(frozen=True)
class LogFilter:
    """The conditions of a search; empty ones match everything.

    `table` is round and number, “6.2”. `person` is an account (“by-7”) or the id of a player.
    """

    table: str = ""
    person: str = ""
    words: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "LogFilter":
        """Read the conditions from the query string."""
        return cls(query.get("table", "")[:20], query.get("person", "")[:40], query.get("q", "").strip()[:100])


EVERY_ROW = LogFilter()


def find_rows(tournament: Tournament, query: LogFilter) -> Iterator[LogEntry]:
    """Yield the matching rows, latest first; none for a malformed condition."""
    rows = LogEntry.objects.with_who().filter(tournament=tournament)
    if query.table:
        number, _dot, table = query.table.partition(".")
        if not (_is_number(number) and _is_number(table)):
            return
        rows = rows.filter(round=number, table=table)
    if query.person.startswith(BY):
        account = query.person.removeprefix(BY)
        if not _is_number(account):
            return
        rows = rows.filter(by=int(account))
    elif query.person:
        if not query.person.isalnum():  # an address may hold text that a database refuses to compare
            return
        yield from _rows_about(tournament, query, rows)
        return
    yield from (row for row in rows if _has_words(row, query.words))


def _rows_about(tournament: Tournament, query: LogFilter, rows: QuerySet[LogEntry]) -> Iterator[LogEntry]:
    """Yield rows that name the player, and rows of the player's tables."""
    tables = set(
        Seat.objects.filter(round__tournament=tournament, entry__public_id=query.person, table__isnull=False)
        .exclude(round__state="void")
        .values_list("round__number", "table__number")
    )
    for row in rows:
        at_their_table = row.table is not None and (row.round, row.table) in tables
        named = query.person in (row.player, *_texts([row.old, row.new]))
        if (at_their_table or named) and _has_words(row, query.words):
            yield row


def _has_words(row: LogEntry, words: str) -> bool:
    """Return whether a row contains every word: in its sentence, reason, author, or old and new values."""
    if not words:
        return True
    text = " ".join([in_words(row), row.reason, row.who, *_texts([row.old, row.new])]).casefold()
    return all(word in text for word in words.casefold().split())


def _texts(value: Any) -> list[str]:
    """Return every text and number in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [] if value is None else [str(value)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def tables_of(tournament: Tournament) -> list[tuple[int, int]]:
    """Return (round, table) of each table with log rows."""
    pairs = LogEntry.objects.filter(tournament=tournament).values_list("round", "table").distinct().order_by()
    return sorted((number, table) for number, table in pairs if number is not None and table is not None)


def people_of(tournament: Tournament) -> tuple[list[User], list[Entry]]:
    """Return the accounts with rows, and the entries."""
    accounts = LogEntry.objects.filter(Q(tournament=tournament) & ~Q(by=None)).values("by").order_by()
    users = sorted(User.objects.filter(pk__in=accounts), key=lambda user: str(user).casefold())
    entries = tournament.entries.select_related("player")
    return users, sorted(entries, key=lambda entry: entry.name.casefold())
