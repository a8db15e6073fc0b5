"""The log in words: one sentence for each kind of row."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.lib.translate import labelled
from league.log.chain import ERASE
from league.models import EntryEvent, LogEntry, Role


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
    "show-player-link": gettext_lazy("was shown the own link of %(name)s"),
    "list-player-links": gettext_lazy("was shown a list with the own links of %(name)s"),
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

# What a correction of a hand did to the seats of the open round (games.hands.repairs).
REPAIRS = {
    "keep": gettext_lazy("corrected, and the seating kept"),
    "reseat": gettext_lazy("corrected, and tables not started drawn again"),
    "undo": gettext_lazy("corrected, and the open round undone"),
}

# At a casual table (games/online/casual/tables.py).
CASUAL = {
    "sit-down": gettext_lazy("%(name)s sat down"),
    "add-bot": gettext_lazy("%(name)s, a bot, was put in a place"),
    "stand-up": gettext_lazy("%(name)s left the table"),
    "take-over": gettext_lazy("%(name)s took the seat of a bot"),
}

TODAY = {
    "late-entry": gettext_lazy("%(name)s came late and is in"),
    "drop-out": gettext_lazy("%(name)s dropped out"),
    "no-show": gettext_lazy("%(name)s did not come"),
    "come-back": gettext_lazy("%(name)s plays again"),
    "reinstate": gettext_lazy("%(name)s is in again"),
    "substitute": gettext_lazy("%(substitute)s plays for %(name)s"),
    "end-substitute": gettext_lazy("%(substitute)s does not play for %(name)s any more"),
    "fix-table": gettext_lazy("%(name)s sits at table %(at)s"),
    "unfix-table": gettext_lazy("%(name)s sits wherever again"),
    "value-bye": gettext_lazy("the bye of %(name)s is worth %(points)s"),
}
# Beside who left or came, where a stand-in has to do with it.
LEFT_TO = gettext_lazy("%(what)s; %(stand_in)s stands in")
TAKEN_FROM = gettext_lazy("%(what)s, in the place of %(stand_in)s")
PAIRS = {
    "keep-apart": gettext_lazy("%(names)s must not meet"),
    "let-meet": gettext_lazy("%(names)s may meet again"),
}

# The round's clock: with `minutes`, or with the time that was `left`.
CLOCK = {
    "pause-clock": gettext_lazy("clock stopped with %(left)s left"),
    "resume-clock": gettext_lazy("clock goes on with %(left)s left"),
}

# What a director does about a hand that is played online (games.online.director.services), and what gives it up
# (finish).
DIRECTED = {
    "pause-hand": gettext_lazy("paused"),
    "why-paused": gettext_lazy("why it is paused"),
    "resume-hand": gettext_lazy("goes on"),
    "seat-bot": gettext_lazy("a bot plays for %(name)s"),
    "bring-back": gettext_lazy("%(name)s is back"),
    "penalise-suggestion": gettext_lazy("two cards for %(name)s, for suggesting a play"),
    "undo-moves": gettext_lazy("taken back to move %(move)s"),
    "void-deal": gettext_lazy("voided before its end"),
    "to-paper": gettext_lazy("taken to real cards, everybody’s cards printed"),
    "deal-anew": gettext_lazy("dealt anew online"),
    "not-opened": gettext_lazy("dealt no cards, since %(name)s did not open what they had promised for the shuffle"),
    "give-up-hand": gettext_lazy("broken off, since it could not count any more"),
}

# What is done about tables and rounds on the day (league/rounds/tables.py and its neighbours).
DAY = {
    "swap-seats": gettext_lazy("%(one)s and %(other)s changed places"),
    "first-dealer": gettext_lazy("%(name)s deals first"),
    "move-table": gettext_lazy("it was table %(old)s before"),
    "close-table": gettext_lazy("closed after %(new)s hands"),
    "open-table": gettext_lazy("opened again"),
    "redraw-tables": gettext_lazy("tables %(tables)s seated anew"),
    "take-seating": gettext_lazy("tables %(tables)s seated as a search found it"),
    "undo-round": gettext_lazy("undone"),
    "pause": gettext_lazy("play paused"),
    "resume": gettext_lazy("play goes on"),
    "amend": gettext_lazy("rules changed after the start"),
    "online-settings": gettext_lazy("settings of online tables changed"),
    "put-online": gettext_lazy("played online from here on: table %(tables)s"),
    "end-early": gettext_lazy("ended early, standings made final"),
}

# Before a tournament begins (league/entries/reminders.py).
REMINDERS = {
    "3-hours": gettext_lazy("3 hours before"),
    "1-day": gettext_lazy("a day before"),
    "2-days": gettext_lazy("2 days before"),
    "7-days": gettext_lazy("a week before"),
}

# Whose evening a tournament is, and who of its players is whom.
OF_CLUB = {
    "put-in-club": gettext_lazy("an evening of the club %(club)s"),
    "leave-club": gettext_lazy("no evening of the club %(club)s any more"),
}
OF_SEASON = {
    "put-in-season": gettext_lazy("counts in the season “%(season)s”"),
    "leave-season": gettext_lazy("does not count in the season “%(season)s” any more"),
}
ONE_PERSON = {
    "merge-player": gettext_lazy("%(old)s is the same person as %(new)s"),
    "part-player": gettext_lazy("%(new)s is somebody else than %(old)s after all"),
}


def _of_the_day(entry: LogEntry, old: dict[str, Any], new: dict[str, Any]) -> str:
    if entry.action == "put-online" and not new.get("tables"):
        return _("no table is played online from here on")
    if entry.action == "undo-round" and old.get("hands"):
        hands = old["hands"]
        return ngettext("undone, with %(count)d hand", "undone, with %(count)d hands", hands) % {"count": hands}
    if entry.action == "close-table" and new.get("hands") == 1:
        return _("closed after 1 hand")
    people = [_name(one) for one in entry.new] if isinstance(entry.new, list) else []
    words = {
        "name": _name(new),
        "one": people[0] if people else "",
        "other": people[-1] if people else "",
        "old": old.get("number", ""),
        "new": new.get("hands", ""),
        "tables": ", ".join(map(str, new.get("tables", ()))),
    }
    return str(DAY[entry.action]) % words


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
        "redraw": _("drawn again for who is in now"),
        "failed-publish-round": _("could not publish itself"),
        "snapshot": _("standings frozen"),
        "failed-snapshot": _("standings could not be frozen"),
        "export-all": _("everything exported"),
        "retry-job": _("a failed job tried again"),
        "cancel-job": _("a job cancelled"),
        "better-seating": _("a better seating asked for"),
        "publish": _("published"),
        "close": _("standings made final"),
        "reopen": _("tournament reopened"),
        "record": _("recorded"),
        "void": _("taken back"),
        "correct": str(REPAIRS.get(_mapping(entry.new).get("repair", ""), _("corrected"))),
        "confirm": _("confirmed"),
        "failed-confirm-table": _("could not confirm itself"),
        "failed-remind": _("reminders could not be sent"),
        "call-off": _("called off"),
        "hold-after-all": _("takes place after all"),
        "want-reminders": _("%(name)s wants reminders again") % {"name": _name(entry.new)},
        "want-no-reminders": _("%(name)s wants no reminders") % {"name": _name(entry.new)},
        "dispute": _("disputed"),
        "withdraw-dispute": _("dispute withdrawn"),
        "rules": _("rules changed"),
        "bind-log": _("the log tied to this tournament by an upgrade"),
        "rematch": _("the same people play again"),
        "close-lobby": _("closed, since nobody played"),
        "settings": _("settings changed"),
        "sign-up-page": _("places and times of sign-up set"),
        "close-sign-up": _("sign-up closed"),
        "open-sign-up": _("sign-up opened"),
        "shuffle": _("order shuffled"),
        "stop-clock": _("clock taken away"),
        "end-screen": _("address of the hall screen ended"),
        "end-calendar": _("address of their own calendar ended"),
        "order-by-hand": _("order set by hand"),
        "order-by-rating": _("order by rating"),
    }.get(entry.action)
    if words:
        return words
    new, old = _mapping(entry.new), _mapping(entry.old)
    if entry.action in DAY:
        return _of_the_day(entry, old, new)
    if entry.action == "close-round":
        return _closed(new)
    if entry.action == "remind":
        number = new.get("letters", 0)
        return ngettext("reminder to %(count)d player", "reminders to %(count)d players", number) % {"count": number}
    if entry.action == "set-reminder":
        return labelled(_("reminder by mail"), str(REMINDERS.get(new.get("reminder", ""), _("none"))))
    if entry.action == "last-two" and isinstance(entry.new, list):
        message = ngettext(
            "two are left, so table %(numbers)s is over", "two are left, so tables %(numbers)s are over", len(entry.new)
        )
        return message % {"numbers": ", ".join(map(str, entry.new))}
    if entry.action == "reinstate" and "total" in new:
        return _("%(name)s reinstated with %(total)s") % {"name": _name(new), "total": new.get("total", "")}
    if entry.action == "confirm-by-itself":
        return _("confirmed by itself after %(minutes)s") % {"minutes": _minutes(new.get("minutes", 0))}
    if entry.action == "bye-points" and isinstance(entry.new, list):
        worth = ", ".join(f"{_name(one)} {one['points']}" for one in entry.new)
        return _("points for byes: %(worth)s") % {"worth": worth or _("none")}
    if entry.action == "keep-hand":
        return _("disputed by %(name)s; it stands") % {"name": _name(new)}
    if entry.action == "add-players" and isinstance(entry.new, list):
        names = ", ".join(_name(one) for one in entry.new[:8])
        return _("added %(names)s") % {"names": names + (" …" if len(entry.new) > 8 else "")}
    if entry.action == "team-members":
        people = ", ".join(_name(one) for one in new.get("members", ()))
        return _("%(team)s has these players now: %(names)s") % {"team": _name(new), "names": people}
    if entry.action == "remove-player":
        return _("removed %(name)s") % {"name": _name(entry.old)}
    if entry.action == ERASE and "user" in new:
        return _("an account closed, now %(name)s") % {"name": new["user"]}
    if entry.action == "hand-over":
        return _("passed from %(old)s to %(new)s") % {"old": old.get("user", ""), "new": new.get("user", "")}
    if entry.action == ERASE:
        return _("a person erased, now %(name)s") % {"name": _name(entry.new)}
    if entry.action in TODAY:
        return _today(entry.action, new or old)
    if entry.action == "undo-moves" and not new.get("move"):
        return _("taken back to its beginning")
    if entry.action in DIRECTED:
        those = [_name(one) for one in entry.new] if isinstance(entry.new, list) else [_name(new)]
        return str(DIRECTED[entry.action]) % {"name": ", ".join(those), "move": new.get("move", "")}
    if entry.action in PAIRS and isinstance(entry.new, list):
        return str(PAIRS[entry.action]) % {"names": ", ".join(_name(one) for one in entry.new)}
    if entry.action == "undo-event" and old.get("kind") in EntryEvent.Kind.values:
        what = EntryEvent.Kind(old["kind"]).label
        return _("undone for %(name)s: %(what)s") % {"name": _name(old), "what": what}
    if entry.action in PEOPLE:
        about = new or old
        who = about.get("user") or about.get("email")
        sentence = PEOPLE[entry.action] if who else LINKS.get(entry.action, entry.action)
        return str(sentence) % {"role": _role(about), "who": who}
    if entry.action in SIGN_UPS:
        return str(SIGN_UPS[entry.action]) % {"name": _name(old or new), "new": _name(new)}
    if entry.action in CASUAL:
        return str(CASUAL[entry.action]) % {"name": _name(new or old)}
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
        those = [_name(one) for one in entry.new] if isinstance(entry.new, list) else [_name(new or old)]
        return str(OWN_LINKS[entry.action]) % {"name": ", ".join(those)}
    if entry.action in OF_CLUB:
        return str(OF_CLUB[entry.action]) % {"club": (new or old).get("of_club", "")}
    if entry.action in OF_SEASON:
        return str(OF_SEASON[entry.action]) % {"season": (new or old).get("season", "")}
    if entry.action in ONE_PERSON:
        return str(ONE_PERSON[entry.action]) % {"old": old.get("name", ""), "new": new.get("name", "")}
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


def _today(action: str, about: dict[str, Any]) -> str:
    words = {key: about.get(key, "") for key in ("substitute", "at", "points")}
    what = str(TODAY[action]) % {"name": _name(about), **words}
    if "stand_in" not in about:
        return what
    sentence = LEFT_TO if action in ("drop-out", "no-show") else TAKEN_FROM
    return str(sentence) % {"what": what, "stand_in": _name(about["stand_in"])}


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
