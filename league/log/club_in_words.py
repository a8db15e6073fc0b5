"""The log of a club in words: one sentence for each kind of row."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.log.chain import ERASE
from league.log.changes import FIELDS, Change, value_in_words
from league.log.words import Row, Words, about, capital, invitation_words, mapping, names, new_of, old_of, say
from league.models import ClubLogEntry, ClubRole

CHANGED = FIELDS | {
    "about": _l("about"),
    "profile_is_public": _l("profile is public"),
    "short_name": _l("first name and initial only"),
    "is_rated": _l("rating is shown"),
    "counts": _l("what counts"),
    "place_points": _l("points for places"),
    "best_of": _l("best tournaments that count"),
    "min_evenings": _l("tournaments needed for a rank"),
}
WITH_CHANGES = ("club-settings", "privacy", "change-season")


def in_words(row: ClubLogEntry) -> str:
    """Return for example “Ana Lucía is no longer a member”; an action without words shows its code."""
    return capital(say(row, WORDS, _places))


def changes(row: ClubLogEntry) -> list[Change]:
    """The changed fields, each with old and new value."""
    old, new = row.old, row.new
    if row.action in ("place-players", "roll-over"):
        moved = new if isinstance(new, list) else mapping(new).get("moved", [])
        return [
            Change(move.get("player", ""), value_in_words(move.get("was")), value_in_words(move.get("division")))
            for move in moved
        ]
    if row.action == "divisions":
        return [Change(_("divisions"), *(_divisions(mapping(divisions)) for divisions in (old, new)))]
    if row.action not in WITH_CHANGES or not isinstance(old, dict) or not isinstance(new, dict):
        return []
    return [
        Change(str(label), value_in_words(old.get(field)), value_in_words(new.get(field)))
        for field, label in CHANGED.items()
        if old.get(field) != new.get(field)
    ]


def _divisions(record: Mapping[str, Any]) -> str:
    """Return for example “1 Gold, down 2; 2 Silver, up 2”."""
    ways = {"up": _("up %(count)d"), "down": _("down %(count)d")}
    lines = []
    for division in record.get("divisions", []):
        moves = [words % {"count": division[way]} for way, words in ways.items() if division.get(way)]
        lines.append(", ".join([f"{division.get('number')} {division.get('division')}", *moves]))
    return "; ".join(lines) or _("none")


def _new_members(row: Row) -> str:
    if not isinstance(row.new, list):
        return row.action
    sentence = ngettext("new member: %(names)s", "new members: %(names)s", len(row.new))
    return sentence % {"names": names(row.new, 8)}


def _cards_printed(row: Row) -> str:
    if not isinstance(row.new, list):
        return row.action
    return _("member cards printed: %(names)s") % {"names": names(row.new, 8)}


def _import_undone(row: Row) -> str:
    if not isinstance(row.old, list):
        return row.action
    return _("undid a list: %(names)s removed") % {"names": names(row.old, 8)}


def _erasure(row: Row) -> str:
    if "user" in new_of(row):
        return _("an account closed, now %(name)s") % {"name": new_of(row)["user"]}
    return _("a person erased, now %(name)s") % _places(row)


def _new_team(row: Row) -> str:
    new = new_of(row)
    words = {"name": new.get("player", ""), "members": names(new.get("members", ()))}
    return _("the team “%(name)s” is %(members)s") % words


def _role(record: dict[str, Any]) -> str:
    kind = record.get("role", "")
    return str(ClubRole.Kind(kind).label) if kind in ClubRole.Kind.values else kind


INVITED = invitation_words(_role)
FOR_A_MEMBER = {
    "invite": _l("invited %(name)s to claim the profile"),
    "revoke-invitation": _l("invitation of %(name)s revoked"),
}


def _invitation(row: Row) -> str:
    """Describe an invitation to a role, or to claim a member's profile."""
    if "player" in about(row):
        return str(FOR_A_MEMBER[row.action]) % {"name": about(row)["player"]}
    return INVITED[row.action](row)


def _places(row: Row) -> dict[str, Any]:
    """Return the values of a row that sentences may use: names in `old` and `new`."""
    old, new = old_of(row), new_of(row)
    if row.action == "place-players" and isinstance(row.new, list):
        new = row.new[0]
    of = new or old
    return {
        "name": of.get("player", of.get("name", "")),
        "old_name": old.get("player", old.get("name", "")),
        "new_name": new.get("player", new.get("name", "")),
        "user": of.get("user", ""),
        "old_user": old.get("user", ""),
        "new_user": new.get("user", ""),
        "tournament": of.get("tournament", ""),
        "season": of.get("season", ""),
        "old_season": old.get("season", ""),
    }


WORDS: Words = {
    **INVITED,
    **dict.fromkeys(FOR_A_MEMBER, _invitation),
    "add-members": _new_members,
    "take-in": _new_members,
    "undo-import": _import_undone,
    "print-cards": _cards_printed,
    "renew-card": _l("member card of %(name)s renewed"),
    "put-together": _new_team,
    "place-players": _l("players of the divisions of season “%(season)s” changed"),
    ERASE: _erasure,
    "found": _l("club founded"),
    "club-settings": _l("settings changed"),
    "end-calendar": _l("address of their own calendar ended"),
    "hand-over": _l("passed from %(old_user)s to %(new_user)s"),
    "put-in-club": _l("“%(tournament)s” added to the club"),
    "leave-club": _l("“%(tournament)s” removed from the club"),
    "delete-tournament": _l("“%(tournament)s” deleted"),
    "remove-member": _l("%(name)s is no longer a member"),
    "rename-member": _l("%(old_name)s is now %(new_name)s"),
    "change-member": _l("details of %(name)s changed"),
    "privacy": _l("public profile of %(name)s changed"),
    "claim": _l("%(user)s is the member %(name)s"),
    "let-go": _l("%(user)s is no longer the member %(name)s"),
    "merge": _l("%(old_name)s and %(new_name)s are one person"),
    "undo-merge": _l("%(old_name)s and %(new_name)s are two people again"),
    "split": _l("%(new_name)s in “%(tournament)s” is a new person"),
    "take-apart": _l("team “%(name)s” dissolved"),
    "create-season": _l("season “%(season)s” created"),
    "change-season": _l("rules of the season “%(season)s” changed"),
    "put-in-season": _l("“%(tournament)s” added to the season “%(season)s”"),
    "leave-season": _l("“%(tournament)s” removed from the season “%(season)s”"),
    "divisions": _l("divisions of the season “%(season)s” changed"),
    "close-season": _l("season “%(season)s” ended"),
    "reopen-season": _l("season “%(season)s” reopened"),
    "delete-season": _l("season “%(season)s” deleted"),
    "roll-over": _l("season “%(season)s” follows “%(old_season)s”"),
}
