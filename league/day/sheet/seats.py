"""Seating in sentences, now and after a swap."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.ledger.progress import hands_in
from league.lib.translate import label_text, names
from league.models import Entry, Round, Seat, Table


def seats_in_words(people: Sequence[str], partners: bool) -> str:
    """“Ana and Chidi against Benoît and Zoë.”; without partners the names alone."""
    if partners and len(people) == 4:
        four = dict(zip(("one", "two", "three", "four"), people, strict=True))
        return _("%(one)s and %(three)s against %(two)s and %(four)s.") % four
    if partners and len(people) == 2:
        return _("%(one)s against %(other)s.") % {"one": people[0], "other": people[1]}
    return names(people)


def after_swap(played: Round, one: Entry, other: Entry) -> list[str]:
    """Return the new seating of the two players' tables, with the first affected hand."""
    swapped = {one.name: other.name, other.name: one.name}
    sentences = []
    for table, people in _table_lines(played):
        if swapped.keys() & set(people):
            will = [swapped.get(name, name) for name in people]
            where = {"table": table.number, "hand": len(hands_in([table])[table.pk]) + 1}
            at = _("Table %(table)d from hand %(hand)d on") % where
            sentences.append(label_text(at, seats_in_words(will, played.stage.has_partners)))
    return sentences


def _table_lines(played: Round) -> list[tuple[Table, list[str]]]:
    """Return the names at each table of a round, by seat; a team appears once."""
    seats = Seat.objects.filter(table__round=played, member=0).select_related("table", "entry__player")
    lines: dict[int, tuple[Table, list[str]]] = {}
    for seat in seats.order_by("table__number", "number"):
        if seat.table is not None:
            lines.setdefault(seat.table.pk, (seat.table, []))[1].append(seat.entry.name)
    return list(lines.values())
