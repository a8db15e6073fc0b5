"""Tell namesakes in a tournament apart: by club, otherwise by number, or by a typed addition."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from league.lib.errors import Refused
from league.lib.names import fold
from league.models import Entry, Player, Tournament

MOST_SHOWN = 20  # characters of an addition
_SHORT = re.compile(r"\d{1,3}|[^\W\d_]{1,2}\.?")  # a number or initials, which need no brackets


def addition_for(text: str) -> str:
    """Return what follows a name for a club or a typed text.

    >>> addition_for("the tall one"), addition_for("S."), addition_for("")
    ('(the tall one)', 'S.', '')
    """
    text = text.removeprefix("(").removesuffix(")").strip()
    if len(text) > MOST_SHOWN:
        text = f"{text[: MOST_SHOWN - 1].rstrip()}…"
    return text if not text or _SHORT.fullmatch(text) else f"({text})"


def typed_addition(entry: Entry) -> str:
    """Return the addition of an entry as an organiser types it."""
    return entry.addition.removeprefix("(").removesuffix(")")


def tell_apart(tournament: Tournament, *loaded: Entry) -> None:
    """Give entries with one name an addition each, and remove it from unique names; typed ones stay.

    Names that differ only by case, accents or spacing count as one. The caller holds the tournament's lock, and calls
    this after any change to the list or its names. `loaded`: entries that the caller uses further.
    """
    changed = with_other_additions(tournament.entries.select_related("player").order_by("number", "pk"))
    if not changed:
        return
    Entry.objects.bulk_update(changed, ["addition", "own_addition"])
    additions = {entry.pk: entry.addition for entry in changed}
    for entry in loaded:
        entry.addition = additions.get(entry.pk, entry.addition)


def with_other_additions(entries: Iterable[Entry]) -> list[Entry]:
    """Set the additions of all entries, unsaved, and return the changed entries."""
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        by_name.setdefault(fold(entry.player.name), []).append(entry)
    everyone = [entry for group in by_name.values() for entry in group]
    if len(by_name) == len(everyone) and not any(entry.addition for entry in everyone):
        return []
    before = {entry.pk: entry.addition for entry in everyone}
    taken: set[str] = set()
    for entry in everyone:
        entry.own_addition = entry.own_addition and _label(entry) not in taken  # a later name can cause a clash
        taken |= {_label(entry)} if entry.own_addition else set()
    taken |= {name for name, group in by_name.items() if len(group) == 1 and not group[0].own_addition}
    for group in by_name.values():
        _tell_apart([entry for entry in group if not entry.own_addition], len(group), taken)
    return [entry for entry in everyone if entry.addition != before[entry.pk]]


def names_apart(people: Iterable[Player]) -> dict[int, str]:
    """Return a unique name for each person by id, as on a tournament's list."""
    entries = [Entry(player=person) for person in people]
    with_other_additions(entries)
    return {entry.player_id: entry.name for entry in entries}


def _tell_apart(group: Sequence[Entry], size: int, taken: set[str]) -> None:
    """Set the additions of namesakes. `size` is the group's size including typed additions."""
    clubs = Counter(fold(entry.player.club_name) for entry in group)
    numbered = []
    for entry in group:
        number = entry.addition if entry.addition.isdecimal() else ""
        entry.addition = ""
        if size == 1:
            continue
        entry.addition = addition_for(entry.player.club_name)  # none if only this entry has no club
        is_alone = clubs[fold(entry.player.club_name)] == 1 and (len(clubs) > 1 or size > len(group))
        if is_alone and _label(entry) not in taken:
            taken.add(_label(entry))
        else:
            entry.addition = number
            numbered.append(entry)
    for entry in sorted(numbered, key=lambda one: not one.addition):  # existing numbers stay
        at = int(entry.addition or 1)
        entry.addition = str(at)
        while _label(entry) in taken:
            at += 1
            entry.addition = str(at)
        taken.add(_label(entry))


def _label(entry: Entry) -> str:
    return fold(f"{entry.player.name} {entry.addition}")


def set_addition(entry: Entry, text: str) -> None:
    """Set an entry's typed addition; an empty text restores the automatic one.

    Raises `Refused` if another entry has the same label. The caller holds the tournament's lock.
    """
    entry.addition, entry.own_addition = addition_for(text), bool(text)
    others = entry.tournament.entries.exclude(pk=entry.pk).select_related("player")
    if text and _label(entry) in map(_label, others):
        sentence = _("Another player is called “%(name)s”. Add something to tell them apart.")
        sentence = sentence % {"name": entry.name}
        raise Refused("shown-alike", sentence, fields={"addition": [sentence]})
    entry.save(update_fields=["addition", "own_addition"])
    tell_apart(entry.tournament, entry)
