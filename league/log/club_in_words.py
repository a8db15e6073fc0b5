"""The log of a club in words: one sentence for each kind of row."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.log.chain import ERASE
from league.log.changes import FIELDS, Change, shown
from league.models import ClubLogEntry, ClubRole

Words = Mapping[str, Any]

# What a sentence may take: of `old` and `new` the names in them, see `_words`.
SENTENCES: dict[str, Any] = {
    "found": gettext_lazy("club founded"),
    "club-settings": gettext_lazy("settings changed"),
    "end-calendar": gettext_lazy("address of their own calendar ended"),
    "hand-over": gettext_lazy("passed from %(old_user)s to %(new_user)s"),
    "put-in-club": gettext_lazy("“%(tournament)s” is an evening of the club"),
    "leave-club": gettext_lazy("“%(tournament)s” is no evening of the club any more"),
    "delete-tournament": gettext_lazy("“%(tournament)s” deleted"),
    "remove-member": gettext_lazy("%(name)s is no member any more"),
    "rename-member": gettext_lazy("%(old_name)s is now %(new_name)s"),
    "change-member": gettext_lazy("details of %(name)s changed"),
    "privacy": gettext_lazy("what strangers see of %(name)s changed"),
    "claim": gettext_lazy("%(user)s is the member %(name)s"),
    "let-go": gettext_lazy("%(user)s is not the member %(name)s any more"),
    "merge": gettext_lazy("%(old_name)s and %(new_name)s are one person"),
    "undo-merge": gettext_lazy("%(old_name)s and %(new_name)s are two people after all"),
    ERASE: gettext_lazy("a person erased, now %(name)s"),
    "take-apart": gettext_lazy("the team “%(name)s” taken apart"),
    "create-season": gettext_lazy("season “%(season)s” made"),
    "change-season": gettext_lazy("rules of the season “%(season)s” changed"),
    "put-in-season": gettext_lazy("“%(tournament)s” counts in the season “%(season)s”"),
    "leave-season": gettext_lazy("“%(tournament)s” does not count in the season “%(season)s” any more"),
    "divisions": gettext_lazy("divisions of the season “%(season)s” changed"),
    "place-players": gettext_lazy("who is in which division of the season “%(season)s” changed"),
    "close-season": gettext_lazy("season “%(season)s” ended"),
    "reopen-season": gettext_lazy("season “%(season)s” reopened"),
    "delete-season": gettext_lazy("season “%(season)s” deleted"),
    "roll-over": gettext_lazy("season “%(season)s” follows “%(old_season)s”"),
}
# Of a role, or for a member.
INVITED: dict[str, Any] = {
    "invite": gettext_lazy("invited %(who)s: %(role)s"),
    "accept": gettext_lazy("invitation accepted by %(who)s: %(role)s"),
    "revoke-invitation": gettext_lazy("invitation of %(who)s revoked: %(role)s"),
    "take-back-role": gettext_lazy("role taken back from %(who)s: %(role)s"),
}
LINKS: dict[str, Any] = {
    "invite": gettext_lazy("made a link for the role: %(role)s"),
    "revoke-invitation": gettext_lazy("revoked a link for the role: %(role)s"),
}
FOR_A_MEMBER: dict[str, Any] = {
    "invite": gettext_lazy("invited whoever is %(name)s"),
    "revoke-invitation": gettext_lazy("invitation of whoever is %(name)s revoked"),
}
CHANGED = FIELDS | {
    "about": gettext_lazy("about"),
    "profile_is_public": gettext_lazy("profile is public"),
    "short_name": gettext_lazy("first name and initial only"),
    "is_rated": gettext_lazy("rating is shown"),
    "counts": gettext_lazy("what counts"),
    "place_points": gettext_lazy("points for places"),
    "best_of": gettext_lazy("best evenings that count"),
    "min_evenings": gettext_lazy("evenings needed for a place"),
}
WITH_CHANGES = ("club-settings", "privacy", "change-season")


def in_words(row: ClubLogEntry) -> str:
    """“Ana Lucía is no member any more”; an action without words of its own shows its name."""
    what = _what(row)
    return what[:1].upper() + what[1:]


def changes(row: ClubLogEntry) -> list[Change]:
    """Field by field, from what to what."""
    old, new = row.old, row.new
    if row.action in ("place-players", "roll-over"):
        moved = new if isinstance(new, list) else _mapping(new).get("moved", [])
        return [Change(one.get("player", ""), shown(one.get("was")), shown(one.get("division"))) for one in moved]
    if row.action == "divisions":
        return [Change(_("divisions"), *(_divisions(_mapping(one)) for one in (old, new)))]
    if row.action not in WITH_CHANGES or not isinstance(old, dict) or not isinstance(new, dict):
        return []
    return [
        Change(str(label), shown(old.get(field)), shown(new.get(field)))
        for field, label in CHANGED.items()
        if old.get(field) != new.get(field)
    ]


def _divisions(about: Words) -> str:
    """“1 Gold, down 2; 2 Silver, up 2”."""
    ways = {"up": _("up %(count)d"), "down": _("down %(count)d")}
    lines = []
    for one in about.get("divisions", []):
        moves = [words % {"count": one[way]} for way, words in ways.items() if one.get(way)]
        lines.append(", ".join([f"{one.get('number')} {one.get('division')}", *moves]))
    return "; ".join(lines) or _("none")


def _what(row: ClubLogEntry) -> str:
    old, new = _mapping(row.old), _mapping(row.new)
    if row.action == "place-players" and isinstance(row.new, list):
        new = row.new[0]
    about = new or old
    if row.action in ("add-members", "take-in") and isinstance(row.new, list):
        return _joined([str(one.get("player", "")) for one in row.new])
    if row.action == ERASE and "user" in new:
        return _("an account closed, now %(name)s") % {"name": new["user"]}
    if row.action in FOR_A_MEMBER and "player" in about:
        return str(FOR_A_MEMBER[row.action]) % {"name": about["player"]}
    if row.action in INVITED:
        who = about.get("user") or about.get("email")
        sentence = INVITED[row.action] if who else LINKS.get(row.action, row.action)
        return str(sentence) % {"who": who, "role": _role(about.get("role", ""))}
    if row.action == "put-together":
        people = ", ".join(str(one.get("player", "")) for one in new.get("members", ()))
        return _("the team “%(name)s” is %(members)s") % {"name": new.get("player", ""), "members": people}
    if row.action in SENTENCES:
        return str(SENTENCES[row.action]) % _words(old, new)
    return row.action


def _words(old: Words, new: Words) -> dict[str, Any]:
    about = new or old
    return {
        "name": about.get("player", about.get("name", "")),
        "old_name": old.get("player", old.get("name", "")),
        "new_name": new.get("player", new.get("name", "")),
        "user": about.get("user", ""),
        "old_user": old.get("user", ""),
        "new_user": new.get("user", ""),
        "tournament": about.get("tournament", ""),
        "season": about.get("season", ""),
        "old_season": old.get("season", ""),
    }


def _joined(names: list[str]) -> str:
    sentence = ngettext("%(names)s is a member now", "%(names)s are members now", len(names))
    return sentence % {"names": ", ".join(names[:8]) + (" …" if len(names) > 8 else "")}


def _role(kind: str) -> str:
    return str(ClubRole.Kind(kind).label) if kind in ClubRole.Kind.values else kind


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
