"""The log of a tournament in words: one sentence for each kind of row."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.lib.translate import label_text
from league.log.chain import ERASE
from league.log.words import Row, Words, about, capital, invitation_words, name_of, names, new_of, old_of, say
from league.models import CallTap, EntryEvent, LeaveRequest, LogEntry, Role, ScorerLink


def in_words(entry: LogEntry) -> str:
    """Return for example “Round 6, table 2, hand 4: recorded”; an action without words shows its code."""
    where = []
    if entry.round is not None:
        where.append(_("Round %(number)d") % {"number": entry.round})
    if entry.table is not None:
        where.append(_("table %(number)d") % {"number": entry.table})
    if entry.hand is not None:
        where.append(_("hand %(number)d") % {"number": entry.hand})
    sentence = say(entry, WORDS, _places)
    if entry.action in WITH_STAND_IN and "stand_in" in about(entry):
        words = {"what": sentence, "stand_in": name_of(about(entry)["stand_in"])}
        sentence = str(WITH_STAND_IN[entry.action]) % words
    if entry.action in LEAVES and (filled := about(entry).get("filled")):
        people = names([{"player": name} for name in dict.fromkeys(map(name_of, filled))])
        sentence = _("%(what)s; seats to %(people)s") % {"what": sentence, "people": people}
    return label_text(", ".join(where), sentence) if where else capital(sentence)


# Repairs of the open round's seating after a correction (games.hands.repairs).
REPAIRS = {
    "keep": _l("corrected, seats unchanged"),
    "reseat": _l("corrected, tables not started drawn again"),
    "undo": _l("corrected, open round undone"),
}
# Time of a reminder before a tournament starts (league/entries/reminders.py).
REMINDERS = {
    "3-hours": _l("3 hours before"),
    "1-day": _l("a day before"),
    "2-days": _l("2 days before"),
    "7-days": _l("a week before"),
}

# Additions if a stand-in replaces a player who left, or makes room for one who came.
LEFT_TO = _l("%(what)s; %(stand_in)s stands in")
TAKEN_FROM = _l("%(what)s, in the place of %(stand_in)s")
LEAVES = ("drop-out", "no-show")
WITH_STAND_IN = {
    **dict.fromkeys(LEAVES, LEFT_TO),
    **dict.fromkeys(("late-entry", "come-back", "reinstate"), TAKEN_FROM),
}


def _correction(row: Row) -> str:
    return str(REPAIRS.get(new_of(row).get("repair", ""), _("corrected")))


def _set_reminder(row: Row) -> str:
    return label_text(_("reminder by e-mail"), str(REMINDERS.get(new_of(row).get("reminder", ""), _("none"))))


def _sent_reminders(row: Row) -> str:
    number = new_of(row).get("letters", 0)
    return ngettext("reminder to %(count)d player", "reminders to %(count)d players", number) % {"count": number}


def _closed_round(row: Row) -> str:
    new = new_of(row)
    without, disputed = (", ".join(map(str, new.get(key, ()))) for key in ("without", "disputed"))
    if without and disputed:
        sentence = _("closed without all hands of table %(numbers)s, with a dispute at table %(disputed)s")
    elif disputed:
        sentence = _("closed with a dispute at table %(disputed)s")
    else:
        sentence = _("closed without all hands of table %(numbers)s") if without else _("closed")
    return sentence % {"numbers": without, "disputed": disputed}


def _undone_round(row: Row) -> str:
    hands = old_of(row).get("hands")
    if not hands:
        return _("undone")
    return ngettext("undone, with %(count)d hand", "undone, with %(count)d hands", hands) % {"count": hands}


def _closed_table(row: Row) -> str:
    hands = new_of(row).get("hands", "")
    return _("closed after 1 hand") if hands == 1 else _("closed after %(new)s hands") % {"new": hands}


def _put_online(row: Row) -> str:
    if not new_of(row).get("tables"):
        return _("online tables: none")
    return _("online tables: %(tables)s") % _places(row)


def _last_two(row: Row) -> str:
    if not isinstance(row.new, list):
        return row.action
    message = ngettext(
        "two are left, so table %(numbers)s is over", "two are left, so tables %(numbers)s are over", len(row.new)
    )
    return message % {"numbers": ", ".join(map(str, row.new))}


def _bye_worth(row: Row) -> str:
    points = new_of(row).get("bye_points", 0)
    words = ngettext("a bye is worth %(points)s point", "a bye is worth %(points)s points", points)
    return words % {"points": points}


def _bye_points(row: Row) -> str:
    if not isinstance(row.new, list):
        return row.action
    worth = ", ".join(f"{name_of(bye)} {bye['points']}" for bye in row.new)
    return _("points for byes: %(worth)s") % {"worth": worth or _("none")}


def _added_players(row: Row) -> str:
    return _("added %(names)s") % {"names": names(row.new, 8)} if isinstance(row.new, list) else row.action


def _import_undone(row: Row) -> str:
    if not isinstance(row.old, list):
        return row.action
    return _("undid a list: %(names)s removed") % {"names": names(row.old, 8)}


def _team_members(row: Row) -> str:
    new = new_of(row)
    return _("%(team)s has these players now: %(names)s") % {
        "team": name_of(new),
        "names": names(new.get("members", ())),
    }


def _erasure(row: Row) -> str:
    if "user" in new_of(row):
        return _("an account closed, now %(name)s") % {"name": new_of(row)["user"]}
    return _("a person erased, now %(name)s") % {"name": name_of(row.new)}


def _reinstatement(row: Row) -> str:
    in_again = _("%(name)s reinstated with %(total)s") if "total" in new_of(row) else _("%(name)s reinstated")
    return in_again % (_places(row) | {"total": new_of(row).get("total", "")})


def _request_to_leave(row: Row) -> str:
    is_now = new_of(row).get("when") == LeaveRequest.Kind.NOW
    sentence = _("%(name)s asks to leave now") if is_now else _("%(name)s asks to leave after the round")
    return sentence % _places(row)


def _accepted_leave(row: Row) -> str:
    is_now = new_of(row).get("when") == LeaveRequest.Kind.NOW
    sentence = _("accepted that %(name)s leaves now") if is_now else _("accepted that %(name)s leaves after the round")
    return sentence % _places(row)


def _moves_undone(row: Row) -> str:
    move = new_of(row).get("move")
    return _("undone to move %(move)s") % {"move": move} if move else _("undone to its start")


def _event_undone(row: Row) -> str:
    old = old_of(row)
    if old.get("kind") not in EntryEvent.Kind.values:
        return row.action
    event = EntryEvent.Kind(old["kind"]).label
    return _("undone for %(name)s: %(what)s") % {"name": name_of(old), "what": event}


def _places(row: Row) -> dict[str, Any]:
    """Return the values of a row that sentences may use."""
    old, new, of = old_of(row), new_of(row), about(row)
    people = row.new if isinstance(row.new, list) else [row.new or row.old]
    return {
        "name": names(people),
        "one": name_of(people[0]) if people else "",
        "other": name_of(people[-1]) if people else "",
        "old": old.get("name", old.get("user", old.get("number", ""))),
        "new": new.get("name", new.get("user", "")),
        "names": names(people),
        "club": of.get("of_club", ""),
        "time": row.new or row.old,
        "tables": ", ".join(map(str, new.get("tables", ()))),
        "minutes": _minutes(new.get("minutes", 0)),
        **{key: of.get(key, "") for key in ("at", "left", "points", "season", "substitute", "text")},
    }


def _minutes(number: int) -> str:
    return ngettext("%(count)d minute", "%(count)d minutes", number) % {"count": number}


def _replacement(row: Row) -> str:
    if row.action == "put-back":
        sentence = _("%(new)s came and has the place of %(name)s")
    else:
        sentence = _("%(name)s did not come, %(new)s plays")
    return sentence % {"name": name_of(row.old), "new": name_of(row.new)}


def _adjustment(row: Row) -> str:
    words = {"points": f"{about(row).get('points', 0):+d}", "name": about(row).get("player", "")}
    if row.action == "adjust":
        return _("%(points)s points for %(name)s") % words
    return _("%(points)s points for %(name)s undone") % words


def _scorer_link(row: Row) -> str:
    number, label = about(row).get("scorer_table"), about(row).get("label")
    which = _("table %(number)d") % {"number": number} if number else _("all tables")
    is_new = row.action == "make-scorer-link"
    sentence = _("scorer link created: %(which)s") if is_new else _("scorer link ended: %(which)s")
    return sentence % {"which": f"{which} ({label})" if label else which}


def _called(row: Row) -> str:
    """Return for example “director called: Rules question, sent 12 minutes late”."""
    new = new_of(row)
    sentence = _("director called") if row.action == "call-director" else _("joined the call of the table")
    if (reason := new.get("about")) in CallTap.Reason.values:
        sentence = label_text(sentence, str(CallTap.Reason(reason).label))
    if (late := new.get("minutes_late")) is not None:
        message = ngettext("%(what)s, sent %(count)d minute late", "%(what)s, sent %(count)d minutes late", late)
        sentence = message % {"what": sentence, "count": late}
    return sentence


def _caller(row: Row) -> str:
    of = about(row)
    who = name_of(of) or of.get("user") or ScorerLink(table=of.get("scorer_table"), label=of.get("label", ""))
    sentence = _("calls of %(who)s muted") if row.action == "mute-caller" else _("calls of %(who)s no longer muted")
    return sentence % {"who": who}


def _role(record: dict[str, Any]) -> str:
    """Return for example “Scorer” or “Player (Farah)”."""
    kind = record.get("role", "")
    word = str(Role.Kind(kind).label) if kind in Role.Kind.values else kind
    return f"{word} ({record['player']})" if record.get("player") else word


WORDS: Words = {
    "create": _l("tournament created"),
    "hand-over": _l("passed from %(old)s to %(new)s"),
    "clone": _l("copied from an earlier tournament"),
    "draw": _l("seating drawn"),
    "undo-draw": _l("draft deleted"),
    "draw-more": _l("more rounds drawn"),
    "redraw": _l("drawn again with the current players"),
    "snapshot": _l("standings saved"),
    "failed-snapshot": _l("standings could not be saved"),
    "export-all": _l("everything exported"),
    "retry-job": _l("a failed job tried again"),
    "cancel-job": _l("a job cancelled"),
    "better-seating": _l("better seating requested"),
    "publish": _l("published"),
    "series": _l("repeats every week until %(last_day)s"),
    "end-series": _l("no longer repeats"),
    "skip-day": _l("%(day)s skipped"),
    "take-day": _l("%(day)s no longer skipped"),
    "set-time": _l("publishes automatically at %(time)s"),
    "cancel-time": _l("publishing time %(time)s removed"),
    "failed-publish-round": _l("automatic publishing failed"),
    "close-round": _closed_round,
    "close": _l("standings made final"),
    "reopen": _l("tournament reopened"),
    "record": _l("recorded"),
    "void": _l("taken back"),
    "correct": _correction,
    "confirm": _l("confirmed"),
    "confirm-by-itself": _l("confirmed automatically after %(minutes)s"),
    "failed-confirm-table": _l("automatic confirmation failed"),
    "call-off": _l("cancelled"),
    "hold-after-all": _l("reinstated"),
    "dispute": _l("disputed"),
    "withdraw-dispute": _l("dispute withdrawn"),
    "refuse-hand": _l("a phone’s hand was rejected"),
    "drop-hand": _l("a phone’s rejected hand was dropped"),
    "keep-hand": _l("dispute by %(name)s rejected"),
    "rules": _l("rules changed"),
    "add-stage": _l("stage added"),
    "set-stages": _l("stages changed"),
    "cut": _l("cut confirmed"),
    "carry-points": _l("points carried over from the stage before"),
    "undo-cut": _l("cut undone"),
    "bind-log": _l("log linked to this tournament by an upgrade"),
    "rematch": _l("same players play again"),
    "close-lobby": _l("closed: no one played"),
    "settings": _l("settings changed"),
    "sign-up-page": _l("places and times of sign-up set"),
    "close-sign-up": _l("sign-up closed"),
    "open-sign-up": _l("sign-up opened"),
    "shuffle": _l("order shuffled"),
    "announce": _l("announced: “%(text)s”"),
    "remove-announcement": _l("announcement removed: “%(text)s”"),
    "end-announcement": _l("announcement over: “%(text)s”"),
    "failed-announcement": _l("ending an announcement failed"),
    "screen-draw": _l("the hall screen shows the draw"),
    "screen-podium": _l("the hall screen shows the podium"),
    "screen-back": _l("the hall screen shows its pages again"),
    "end-screen": _l("address of the hall screen ended"),
    "end-calendar": _l("address of their own calendar ended"),
    "order-by-hand": _l("order set by hand"),
    "order-by-rating": _l("order by rating"),
    "last-two": _last_two,
    "bye-points": _bye_points,
    "bye-worth": _bye_worth,
    "add-players": _added_players,
    "undo-import": _import_undone,
    "remove-player": _l("removed %(name)s"),
    "team-members": _team_members,
    ERASE: _erasure,
    "undo-event": _event_undone,
    "late-entry": _l("late entry: %(name)s"),
    "drop-out": _l("%(name)s dropped out"),
    "no-show": _l("%(name)s did not come"),
    "come-back": _l("%(name)s plays again"),
    "reinstate": _reinstatement,
    # A player's requests (league/leaving/).
    "ask-to-leave": _request_to_leave,
    "withdraw-leave": _l("%(name)s no longer wants to leave"),
    "accept-leave": _accepted_leave,
    "refuse-leave": _l("refused to let %(name)s leave"),
    "undo-leave-answer": _l("answer to %(name)s undone"),
    "failed-leave": _l("%(name)s could not leave automatically"),
    "say-late": _l("%(name)s comes late"),
    "know-late": _l("noted that %(name)s comes late"),
    "come-in-time": _l("%(name)s is no longer late"),
    "substitute": _l("%(substitute)s plays for %(name)s"),
    "end-substitute": _l("%(substitute)s no longer plays for %(name)s"),
    "fix-table": _l("%(name)s sits at table %(at)s"),
    "unfix-table": _l("%(name)s no longer has a fixed table"),
    "value-bye": _l("the bye of %(name)s is worth %(points)s"),
    "keep-apart": _l("%(names)s must not meet"),
    "let-meet": _l("%(names)s may meet again"),
    **invitation_words(_role),
    # Reminders.
    "remind": _sent_reminders,
    "set-reminder": _set_reminder,
    "failed-remind": _l("reminders could not be sent"),
    "want-reminders": _l("%(name)s wants reminders again"),
    "want-no-reminders": _l("%(name)s wants no reminders"),
    "warn": _l("warning to %(name)s"),
    "withdraw-warning": _l("warning to %(name)s withdrawn"),
    "write-notes": _l("notes on %(name)s changed"),
    "adjust": _adjustment,
    "void-adjustment": _adjustment,
    "end-player-link": _l("personal link of %(name)s ended"),
    "mail-player-link": _l("personal link sent to %(name)s by e-mail"),
    "show-player-link": _l("viewed the personal link of %(name)s"),
    "list-player-links": _l("viewed the personal links of %(name)s"),
    "make-scorer-link": _scorer_link,
    "revoke-scorer-link": _scorer_link,
    "paid": _l("%(name)s has paid"),
    "undo-paid": _l("%(name)s has not paid"),
    "sign-up": _l("%(name)s signed up"),
    "join-list": _l("%(name)s joined the waiting list"),
    "move-up": _l("%(name)s moved up from the waiting list"),
    "hold-sign-up": _l("%(name)s signed up, not accepted yet"),
    "confirm-sign-up": _l("%(name)s confirmed their address"),
    "accept-sign-up": _l("accepted the sign-up of %(name)s"),
    "remove-sign-up": _l("removed the sign-up of %(name)s"),
    "lapse": _l("%(name)s did not confirm in time"),
    "failed-free-places": _l("freeing unconfirmed places failed"),
    "withdraw": _l("%(name)s withdrew"),
    "leave-list": _l("%(name)s left the waiting list"),
    "check-in": _l("%(name)s is here"),
    "undo-check-in": _l("%(name)s isn’t here"),
    "waits-here": _l("%(name)s waits in the hall"),
    "waits-elsewhere": _l("%(name)s waits, but not in the hall"),
    "replace": _replacement,
    "put-back": _replacement,
    # At a casual table (games/online/casual/tables.py).
    "sit-down": _l("%(name)s sat down"),
    "add-bot": _l("bot added: %(name)s"),
    "stand-up": _l("%(name)s left the table"),
    "take-over": _l("%(name)s took the seat of a bot"),
    # The round's clock: rows with `minutes`, or with the time `left`.
    "stop-clock": _l("clock removed"),
    "pause-clock": _l("clock paused with %(left)s left"),
    "resume-clock": _l("clock resumed with %(left)s left"),
    "start-clock": _l("clock started: %(minutes)s"),
    "add-minutes": _l("more time for all: %(minutes)s"),
    "extra-time": _l("extra time: %(minutes)s"),
    # A director's actions on a hand in play (games.online.director.services), and its abandonment
    # (finish).
    "undo-moves": _moves_undone,
    "pause-hand": _l("paused"),
    "why-paused": _l("pause reason"),
    "resume-hand": _l("goes on"),
    "seat-bot": _l("a bot plays for %(name)s"),
    "bring-back": _l("%(name)s is back"),
    "penalise-suggestion": _l("two cards for %(name)s, for suggesting a play"),
    "void-deal": _l("voided before its end"),
    "to-paper": _l("moved to real cards, all cards printed"),
    "deal-anew": _l("dealt again online"),
    "not-opened": _l("not dealt: %(name)s didn’t reveal their share of the shuffle"),
    "give-up-hand": _l("stopped: it could no longer count"),
    # Actions on tables and rounds on the day (league/rounds).
    "close-table": _closed_table,
    "open-table": _l("reopened"),
    "undo-round": _undone_round,
    "pause": _l("play paused"),
    "resume": _l("play resumed"),
    "amend": _l("rules changed after the start"),
    "online-settings": _l("settings of online tables changed"),
    "put-online": _put_online,
    "end-early": _l("ended early, standings final"),
    "swap-seats": _l("%(one)s and %(other)s changed places"),
    "correct-seats": _l("corrected: seats of %(one)s and %(other)s swapped"),
    "first-dealer": _l("%(name)s deals first"),
    "move-table": _l("was table %(old)s"),
    "redraw-tables": _l("tables %(tables)s drawn again"),
    "take-seating": _l("tables %(tables)s seated by a search"),
    # Calls of the director from a table (league/calls).
    "call-director": _called,
    "join-call": _called,
    "leave-call": _l("left the call of the table"),
    "cancel-call": _l("call cancelled"),
    "come-to-call": _l("on the way to the table"),
    "not-coming": _l("no longer on the way to the table"),
    "finish-call": _l("call done"),
    "reopen-call": _l("call open again"),
    "mute-caller": _caller,
    "unmute-caller": _caller,
    # Club and season of a tournament, and merged players.
    "put-in-season": _l("added to the season “%(season)s”"),
    "leave-season": _l("removed from the season “%(season)s”"),
    "put-in-club": _l("added to the club %(club)s"),
    "leave-club": _l("removed from the club %(club)s"),
    "merge-player": _l("%(old)s is the same person as %(new)s"),
    "part-player": _l("%(new)s and %(old)s are two people again"),
    "split-player": _l("%(new)s is a new person"),
    "rename-player": _l("%(old)s is now %(new)s"),
    "shown-as": _l("%(old)s is shown as %(new)s"),
}
