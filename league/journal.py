"""The log in words: one sentence for each kind of row."""

from typing import Any

from django.utils.translation import gettext as _

from league.models import LogEntry


def in_words(entry: LogEntry) -> str:
    """“Round 6, table 2, hand 4: recorded”; an action without words of its own shows its name."""
    where = []
    if entry.round is not None:
        where.append(_("Round %(number)d") % {"number": entry.round})
    if entry.table is not None:
        where.append(_("table %(number)d") % {"number": entry.table})
    if entry.hand is not None:
        where.append(_("hand %(number)d") % {"number": entry.hand})
    what = _what(entry)
    return f"{', '.join(where)}: {what}" if where else what[:1].upper() + what[1:]


def _what(entry: LogEntry) -> str:
    words = {
        "create": _("tournament made"),
        "clone": _("copied from an earlier tournament"),
        "draw": _("seating drawn"),
        "undo-draw": _("draft taken back"),
        "publish": _("published"),
        "close-round": _("closed"),
        "close": _("standings made final"),
        "reopen": _("tournament reopened"),
        "record": _("recorded"),
        "void": _("taken back"),
        "correct": _("corrected"),
        "confirm": _("confirmed"),
        "rules": _("rules changed"),
        "settings": _("settings changed"),
        "shuffle": _("order shuffled"),
        "order-by-hand": _("order set by hand"),
    }.get(entry.action)
    if words:
        return words
    new, old = _mapping(entry.new), _mapping(entry.old)
    if entry.action == "add-players" and isinstance(entry.new, list):
        return _("added %(names)s") % {"names": ", ".join(entry.new[:8]) + (" …" if len(entry.new) > 8 else "")}
    if entry.action == "remove-player":
        return _("removed %(name)s") % {"name": entry.old}
    if entry.action == "rename-player":
        return _("%(old)s is now %(new)s") % {"old": old.get("name", ""), "new": new.get("name", "")}
    if entry.action == "adjust":
        return _("%(points)s points for %(name)s") % {
            "points": f"{new.get('points', 0):+d}",
            "name": new.get("player", ""),
        }
    if entry.action == "void-adjustment":
        return _("%(points)s points for %(name)s taken back") % {
            "points": f"{old.get('points', 0):+d}", "name": old.get("player", "")
        }  # fmt: skip
    return entry.action


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
