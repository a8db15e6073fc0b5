"""The ticked players of a list, and those removed since."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.errors import Refused
from league.lib.translate import name_order
from league.models import Entry, LogEntry, Tournament
from league.pages.people_list import in_names


@dataclass(frozen=True)
class Ticked:
    """entries: of the tournament's list, by name. gone: names of removed players."""

    entries: tuple[Entry, ...]
    gone: tuple[str, ...]


def ticked_entries(tournament: Tournament, ids: Sequence[str]) -> Ticked:
    """Return entries by public ids. The caller holds the tournament's lock.

    Raises `Refused("unknown")` for an id that was never listed.
    """
    plain = [public_id for public_id in ids if public_id.isalnum() and len(public_id) <= 12]
    entries = tournament.entries.select_related("player").filter(public_id__in=plain)
    found = {entry.public_id: entry for entry in sorted(entries, key=lambda entry: (name_order(entry.name), entry.pk))}
    gone = [_name_in_log(tournament, public_id) for public_id in plain if public_id not in found]
    if len(plain) < len(ids) or not all(gone):
        raise Refused("unknown", _("This page is too old. Nothing was changed; load it again."))
    for entry in found.values():
        entry.tournament = tournament
    return Ticked(tuple(found.values()), tuple(gone))


def _name_in_log(tournament: Tournament, public_id: str) -> str:
    """Return a removed player's name from the log, or an empty string."""
    rows = LogEntry.objects.filter(tournament=tournament)
    row = rows.filter(Q(old__player_id=public_id) | Q(new__player_id=public_id)).order_by("-number").first()
    both = [about for about in (row.old, row.new) if about and about.get("player_id") == public_id] if row else []
    return str(both[0].get("player", "")) if both else ""


def gone_in_words(gone: Sequence[str]) -> list[str]:
    """Return a sentence about removed players, as a list; empty without any."""
    if not gone:
        return []
    words = ngettext("%(names)s is no longer on the list.", "%(names)s are no longer on the list.", len(gone))
    return [words % {"names": in_names(gone)}]
