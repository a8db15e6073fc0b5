"""Check in or replace all ticked players, in one transaction with one message."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access.viewer import Attribution
from league.entries import places
from league.entries.check_in import CHECKED_IN, CHECKED_OUT, note_arrival, replace_no_show
from league.entries.ticked import Ticked, gone_in_words, ticked_entries
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.models import Entry, LogEntry, Tournament, User
from league.pages.people_list import MOST_SHOWN, in_names


@dataclass(frozen=True)
class Arrivals:
    """The noted people by name. rows: first and last log number; None without a change."""

    here: bool
    changed: tuple[str, ...]
    before: tuple[str, ...]
    gone: tuple[str, ...]
    rows: tuple[int, int] | None


class Marks(NamedTuple):
    """Names of marked players, of those marked before, and of removed ones; rows as in `Arrivals`."""

    changed: tuple[str, ...]
    before: tuple[str, ...]
    gone: tuple[str, ...]
    rows: tuple[int, int] | None


@transaction.atomic
def check_in_many(*, tournament: Tournament, ids: Sequence[str], here: bool, by: User | None) -> Arrivals:
    """Note these players as here or missing. Removed players are reported.

    Raises `Conflict` when the standings are final, and `Refused` for an unknown id.
    """
    tournament = _lock(tournament)
    ticked = ticked_entries(tournament, ids)
    marks = mark_each(ticked, lambda entry: note_arrival(tournament, entry, here=here, by=Attribution(by)))
    return Arrivals(here, *marks)


def mark_each(ticked: Ticked, mark: Callable[[Entry], LogEntry | None]) -> Marks:
    """Mark these players. mark: returns the log row, None without a change."""
    changed: list[str] = []
    before: list[str] = []
    numbers: list[int] = []
    for entry in ticked.entries:
        row = mark(entry)
        (before if row is None else changed).append(entry.name)
        if row is not None and row.number is not None:
            numbers.append(row.number)
    rows = (numbers[0], numbers[-1]) if numbers else None
    return Marks(tuple(changed), tuple(before), ticked.gone, rows)


@transaction.atomic
def undo_check_ins(*, tournament: Tournament, first: int, last: int, by: User) -> Arrivals:
    """Undo the notes of `check_in_many` in these rows, unless changed since.

    Raises `Conflict` if nothing is left to undo.
    """
    tournament = _lock(tournament)
    rows = marked_in(tournament, (CHECKED_IN, CHECKED_OUT), first, last, by)
    were_here = any(row.action == CHECKED_IN for row in rows)
    back = []
    for entry in owners_of(tournament, rows):
        if note_arrival(tournament, entry, here=not were_here, by=Attribution(by)):
            back.append(entry.name)
    if not back:
        raise Conflict("no-way-back", _("The list has changed since, so this can’t be undone."))
    return Arrivals(not were_here, tuple(back), (), (), None)


def marked_in(tournament: Tournament, actions: Sequence[str], first: int, last: int, by: User) -> list[LogEntry]:
    """Return the user's own log rows of these actions, from number `first` to `last`."""
    own = LogEntry.objects.filter(tournament=tournament, by=by, number__gte=first, number__lte=last)
    return list(own.filter(action__in=actions).order_by("number")[:MOST_SHOWN])


def owners_of(tournament: Tournament, rows: Sequence[LogEntry]) -> Iterator[Entry]:
    """Yield the entries that the rows name and that are still on the list."""
    ids = {(row.new or row.old or {}).get("player_id", "") for row in rows}
    for entry in tournament.entries.select_related("player").filter(public_id__in=ids).order_by("number", "id"):
        entry.tournament = tournament
        yield entry


def arrivals_in_words(done: Arrivals) -> str:
    """Return “3 people are here: Ana, Bo and Chidi. Emil was already here.”"""
    people = {"count": len(done.changed), "names": in_names(done.changed)}
    sentences = []
    if done.changed and done.here:
        words = ngettext("%(names)s is here.", "%(count)d people are here: %(names)s.", len(done.changed))
        sentences.append(words % people)
    elif done.changed:
        words = ngettext("%(names)s is not here.", "%(count)d people are not here: %(names)s.", len(done.changed))
        sentences.append(words % people)
    if done.before:
        if done.here:
            words = ngettext("%(names)s was already here.", "%(names)s were already here.", len(done.before))
        else:
            words = ngettext("%(names)s was not here anyway.", "%(names)s were not here anyway.", len(done.before))
        sentences.append(words % {"names": in_names(done.before)})
    return " ".join([*sentences, *gone_in_words(done.gone)])


@dataclass(frozen=True)
class Replaced:
    """pairs: (missing player, replacement). refused: reasons of players who stay. gone: by name."""

    pairs: tuple[tuple[str, str], ...]
    refused: tuple[str, ...]
    gone: tuple[str, ...]


@transaction.atomic
def replace_many(*, tournament: Tournament, ids: Sequence[str], by: User | None) -> Replaced:
    """Give the places of these players to the waiting list, in order. Each can be restored on its own.

    Raises `Conflict("nobody-waits")` if no one is waiting.
    """
    tournament = _lock(tournament)
    ticked = ticked_entries(tournament, ids)
    if places.next_in_line(tournament) is None:
        raise Conflict("nobody-waits", _("No one is waiting. Tick one person to type a replacement."))
    pairs, refused = [], []
    for entry in ticked.entries:
        try:
            with transaction.atomic():
                pairs.append((entry.name, replace_no_show(entry=entry, by=by).name))
        except Refused as why:
            refused.append(_why_not(entry, why))
    return Replaced(tuple(pairs), tuple(refused), ticked.gone)


def _why_not(entry: Entry, why: Refused) -> str:
    if why.code == "nobody-waits":
        return _("No one is left to take the place of %(name)s.") % {"name": entry.name}
    return str(why)


def replaced_in_words(done: Replaced) -> str:
    sentence = _("%(new)s replaces %(old)s.")
    pairs = [sentence % {"old": old, "new": new} for old, new in done.pairs]
    return " ".join([*pairs, *done.refused, *gone_in_words(done.gone)])


def _lock(tournament: Tournament) -> Tournament:
    tournament = lock_tournament(tournament.pk)
    if tournament.is_final:
        raise Conflict("final", _("The standings are final, so check-in is over."))
    return tournament
