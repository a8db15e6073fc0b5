"""Finding rows of the log: by table, by person, by words. The page and its CSV show the same ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from league.log.in_words import in_words
from league.models import Entry, LogEntry, Seat, Tournament, User

BY = "by-"  # before an account's key; without it a person is a player's id


@dataclass(frozen=True)
class LogFilter:
    """What is asked for; empty is everything. `table` is round and number, “6.2”; `person` is who did it, “by-7”, or
    the id of the player who is concerned."""

    table: str = ""
    person: str = ""
    words: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "LogFilter":
        """From the query of an address."""
        return cls(query.get("table", "")[:20], query.get("person", "")[:40], query.get("q", "").strip()[:100])


EVERY_ROW = LogFilter()


def found(tournament: Tournament, wanted: LogFilter) -> Iterator[LogEntry]:
    """The rows, the latest first. What fits nothing finds nothing."""
    rows = LogEntry.objects.with_who().filter(tournament=tournament)
    if wanted.table:
        number, _dot, table = wanted.table.partition(".")
        if not (_is_number(number) and _is_number(table)):
            return
        rows = rows.filter(round=number, table=table)
    if wanted.person.startswith(BY):
        account = wanted.person.removeprefix(BY)
        if not _is_number(account):
            return
        rows = rows.filter(by=int(account))
    elif wanted.person:
        if not wanted.person.isalnum():  # an address may hold anything, also what a database refuses to look for
            return
        yield from _concerning(tournament, wanted, rows)
        return
    yield from (row for row in rows if _says(row, wanted.words))


def _concerning(tournament: Tournament, wanted: LogFilter, rows: QuerySet[LogEntry]) -> Iterator[LogEntry]:
    """Rows that name the player, and those of the tables at which they sit."""
    tables = set(
        Seat.objects.filter(round__tournament=tournament, entry__public_id=wanted.person, table__isnull=False)
        .exclude(round__state="void")
        .values_list("round__number", "table__number")
    )
    for row in rows:
        at_their_table = row.table is not None and (row.round, row.table) in tables
        named = wanted.person in (row.player, *_texts([row.old, row.new]))
        if (at_their_table or named) and _says(row, wanted.words):
            yield row


def _says(row: LogEntry, words: str) -> bool:
    """Whether a row has every word somewhere: in what the page says, in its reason, in who did it, in old and new."""
    if not words:
        return True
    text = " ".join([in_words(row), row.reason, row.who, *_texts([row.old, row.new])]).casefold()
    return all(word in text for word in words.casefold().split())


def _texts(value: Any) -> list[str]:
    """Every text and number in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [] if value is None else [str(value)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def tables_of(tournament: Tournament) -> list[tuple[int, int]]:
    """(round, table) of which the log speaks."""
    pairs = LogEntry.objects.filter(tournament=tournament).values_list("round", "table").distinct().order_by()
    return sorted((number, table) for number, table in pairs if number is not None and table is not None)


def people_of(tournament: Tournament) -> tuple[list[User], list[Entry]]:
    """Who did something, and who plays."""
    accounts = LogEntry.objects.filter(Q(tournament=tournament) & ~Q(by=None)).values("by").order_by()
    users = sorted(User.objects.filter(pk__in=accounts), key=lambda user: str(user).casefold())
    entries = tournament.entries.select_related("player")
    return users, sorted(entries, key=lambda entry: entry.player.name.casefold())
