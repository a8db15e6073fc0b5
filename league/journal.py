"""The log in words: one sentence for each kind of row."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.chain import ERASE
from league.models import LogEntry, Role
from league.words import labelled


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
    return labelled(", ".join(where), what) if where else what[:1].upper() + what[1:]


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
OWN_LINKS = {
    "end-player-link": gettext_lazy("ended the own link of %(name)s"),
    "mail-player-link": gettext_lazy("sent %(name)s their own link by mail"),
}

SIGN_UPS = {
    "sign-up": gettext_lazy("%(name)s signed up"),
    "join-list": gettext_lazy("%(name)s joined the waiting list"),
    "move-up": gettext_lazy("%(name)s moved up from the waiting list"),
    "withdraw": gettext_lazy("%(name)s withdrew"),
    "leave-list": gettext_lazy("%(name)s left the waiting list"),
    "check-in": gettext_lazy("%(name)s is here"),
    "undo-check-in": gettext_lazy("%(name)s is not here after all"),
    "waits-here": gettext_lazy("%(name)s waits in the hall"),
    "waits-elsewhere": gettext_lazy("%(name)s waits, but not in the hall"),
    "replace": gettext_lazy("%(name)s did not come, %(new)s plays"),
    "put-back": gettext_lazy("%(new)s came after all and has the place of %(name)s"),
}

# The round's clock: with `minutes`, or with the time that was `left`.
CLOCK = {
    "pause-clock": gettext_lazy("clock stopped with %(left)s left"),
    "resume-clock": gettext_lazy("clock goes on with %(left)s left"),
}


def _minutes(number: int) -> str:
    return ngettext("%(count)d minute", "%(count)d minutes", number) % {"count": number}


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
        "failed-confirm-table": _("could not confirm itself"),
        "dispute": _("disputed"),
        "withdraw-dispute": _("dispute withdrawn"),
        "rules": _("rules changed"),
        "settings": _("settings changed"),
        "sign-up-page": _("places and times of sign-up set"),
        "close-sign-up": _("sign-up closed"),
        "open-sign-up": _("sign-up opened"),
        "shuffle": _("order shuffled"),
        "stop-clock": _("clock taken away"),
        "end-screen": _("address of the hall screen ended"),
        "order-by-hand": _("order set by hand"),
    }.get(entry.action)
    if words:
        return words
    new, old = _mapping(entry.new), _mapping(entry.old)
    if entry.action == "close-round":
        return _closed(new)
    if entry.action == "confirm-by-itself":
        return _("confirmed by itself after %(minutes)s") % {"minutes": _minutes(new.get("minutes", 0))}
    if entry.action == "keep-hand":
        return _("disputed by %(name)s; it stands") % {"name": _name(new)}
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
    if entry.action in SIGN_UPS:
        return str(SIGN_UPS[entry.action]) % {"name": _name(old or new), "new": _name(new)}
    if entry.action in CLOCK:
        return str(CLOCK[entry.action]) % {"left": new.get("left", "")}
    if entry.action == "start-clock":
        return _("clock started: %(minutes)s") % {"minutes": _minutes(new.get("minutes", 0))}
    if entry.action == "add-minutes":
        return _("more time for all: %(minutes)s") % {"minutes": _minutes(new.get("minutes", 0))}
    if entry.action == "extra-time":
        return _("extra time: %(minutes)s") % {"minutes": _minutes(new.get("minutes", 0))}
    if entry.action in SCORERS:
        about = new or old
        number, label = about.get("scorer_table"), about.get("label")
        which = _("table %(number)d") % {"number": number} if number else _("all tables")
        return str(SCORERS[entry.action]) % {"which": f"{which} ({label})" if label else which}
    if entry.action in OWN_LINKS:
        return str(OWN_LINKS[entry.action]) % {"name": _name(new or old)}
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


def _closed(new: dict[str, Any]) -> str:
    without, disputed = (", ".join(map(str, new.get(key, ()))) for key in ("without", "disputed"))
    if without and disputed:
        sentence = _("closed without all hands of table %(numbers)s, and with a dispute at table %(disputed)s")
    elif disputed:
        sentence = _("closed with a dispute at table %(disputed)s")
    else:
        sentence = _("closed without all hands of table %(numbers)s") if without else _("closed")
    return sentence % {"numbers": without, "disputed": disputed}


def _name(value: Any) -> str:
    """A player as a row names them: with their id, or, in rows from before the chain, by name alone."""
    return str(value.get("player", "")) if isinstance(value, dict) else str(value or "")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
