"""The log in words: one sentence for each kind of row."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.chain import ERASE
from league.models import LogEntry, Role


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


PEOPLE = {
    "invite": gettext_lazy("invited %(who)s: %(role)s"),
    "accept": gettext_lazy("invitation accepted by %(who)s: %(role)s"),
    "revoke-invitation": gettext_lazy("invitation of %(who)s revoked: %(role)s"),
    "take-back-role": gettext_lazy("role taken back from %(who)s: %(role)s"),
}
LINKS = {
    "invite": gettext_lazy("made a link for the role: %(role)s"),
    "revoke-invitation": gettext_lazy("revoked a link for the role: %(role)s"),
}
SCORERS = {
    "make-scorer-link": gettext_lazy("made a link for scorers: %(which)s"),
    "revoke-scorer-link": gettext_lazy("ended a link for scorers: %(which)s"),
}


def _role(about: dict[str, Any]) -> str:
    """“Scorer”, “Player (Farah)”."""
    kind = about.get("role", "")
    word = str(Role.Kind(kind).label) if kind in Role.Kind.values else kind
    return f"{word} ({about['player']})" if about.get("player") else word


def _what(entry: LogEntry) -> str:
    words = {
        "create": _("tournament made"),
        "clone": _("copied from an earlier tournament"),
        "draw": _("seating drawn"),
        "undo-draw": _("draft taken back"),
        "failed-publish-round": _("could not publish itself"),
        "snapshot": _("standings frozen"),
        "failed-snapshot": _("standings could not be frozen"),
        "export-all": _("everything exported"),
        "retry-job": _("a failed export tried again"),
        "publish": _("published"),
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
    if entry.action == "close-round":
        without = ", ".join(map(str, new.get("without", ())))
        return _("closed without all hands of table %(numbers)s") % {"numbers": without} if without else _("closed")
    if entry.action == "add-players" and isinstance(entry.new, list):
        names = ", ".join(_name(one) for one in entry.new[:8])
        return _("added %(names)s") % {"names": names + (" …" if len(entry.new) > 8 else "")}
    if entry.action == "remove-player":
        return _("removed %(name)s") % {"name": _name(entry.old)}
    if entry.action == ERASE and "user" in new:
        return _("an account closed, now %(name)s") % {"name": new["user"]}
    if entry.action == "hand-over":
        return _("passed from %(old)s to %(new)s") % {"old": old.get("user", ""), "new": new.get("user", "")}
    if entry.action == ERASE:
        return _("a person erased, now %(name)s") % {"name": _name(entry.new)}
    if entry.action in PEOPLE:
        about = new or old
        who = about.get("user") or about.get("email")
        sentence = PEOPLE[entry.action] if who else LINKS.get(entry.action, entry.action)
        return str(sentence) % {"role": _role(about), "who": who}
    if entry.action in SCORERS:
        about = new or old
        number, label = about.get("scorer_table"), about.get("label")
        which = _("table %(number)d") % {"number": number} if number else _("all tables")
        return str(SCORERS[entry.action]) % {"which": f"{which} ({label})" if label else which}
    if entry.action == "rename-player":
        return _("%(old)s is now %(new)s") % {"old": old.get("name", ""), "new": new.get("name", "")}
    if entry.action == "set-time":
        return _("publishes itself at %(time)s") % {"time": entry.new}
    if entry.action == "cancel-time":
        return _("the time %(time)s taken back") % {"time": entry.old}
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


def _name(value: Any) -> str:
    """A player as a row names them: with their id, or, in rows from before the chain, by name alone."""
    return str(value.get("player", "")) if isinstance(value, dict) else str(value or "")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
