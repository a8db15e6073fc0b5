"""The log of a club in words: one sentence for each kind of row."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.log.chain import ERASE
from league.log.changes import FIELDS, Change, shown
from league.log.words import Row, Words, about, capital, invited, mapping, names, new_of, old_of, say
from league.models import ClubLogEntry, ClubRole

CHANGED = FIELDS | {
    "about": _l("about"),
    "profile_is_public": _l("profile is public"),
    "short_name": _l("first name and initial only"),
    "is_rated": _l("rating is shown"),
    "counts": _l("what counts"),
    "place_points": _l("points for places"),
    "best_of": _l("best evenings that count"),
    "min_evenings": _l("evenings needed for a place"),
}
WITH_CHANGES = ("club-settings", "privacy", "change-season")


def in_words(row: ClubLogEntry) -> str:
    """“Ana Lucía is no member any more”; an action without words of its own shows its name."""
    return capital(say(row, WORDS, _places))


def changes(row: ClubLogEntry) -> list[Change]:
    """Field by field, from what to what."""
    old, new = row.old, row.new
    if row.action in ("place-players", "roll-over"):
        moved = new if isinstance(new, list) else mapping(new).get("moved", [])
        return [Change(one.get("player", ""), shown(one.get("was")), shown(one.get("division"))) for one in moved]
    if row.action == "divisions":
        return [Change(_("divisions"), *(_divisions(mapping(one)) for one in (old, new)))]
    if row.action not in WITH_CHANGES or not isinstance(old, dict) or not isinstance(new, dict):
        return []
    return [
        Change(str(label), shown(old.get(field)), shown(new.get(field)))
        for field, label in CHANGED.items()
        if old.get(field) != new.get(field)
    ]


def _divisions(of: Mapping[str, Any]) -> str:
    """“1 Gold, down 2; 2 Silver, up 2”."""
    ways = {"up": _("up %(count)d"), "down": _("down %(count)d")}
    lines = []
    for one in of.get("divisions", []):
        moves = [words % {"count": one[way]} for way, words in ways.items() if one.get(way)]
        lines.append(", ".join([f"{one.get('number')} {one.get('division')}", *moves]))
    return "; ".join(lines) or _("none")


def _joined(row: Row) -> str:
    if not isinstance(row.new, list):
        return row.action
    sentence = ngettext("%(names)s is a member now", "%(names)s are members now", len(row.new))
    return sentence % {"names": names(row.new, 8)}


def _erased(row: Row) -> str:
    if "user" in new_of(row):
        return _("an account closed, now %(name)s") % {"name": new_of(row)["user"]}
    return _("a person erased, now %(name)s") % _places(row)


def _put_together(row: Row) -> str:
    new = new_of(row)
    words = {"name": new.get("player", ""), "members": names(new.get("members", ()))}
    return _("the team “%(name)s” is %(members)s") % words


def _role(of: dict[str, Any]) -> str:
    kind = of.get("role", "")
    return str(ClubRole.Kind(kind).label) if kind in ClubRole.Kind.values else kind


INVITED = invited(_role)
FOR_A_MEMBER = {
    "invite": _l("invited whoever is %(name)s"),
    "revoke-invitation": _l("invitation of whoever is %(name)s revoked"),
}


def _invited(row: Row) -> str:
    """For a role, or as a member whose record it is."""
    if "player" in about(row):
        return str(FOR_A_MEMBER[row.action]) % {"name": about(row)["player"]}
    return INVITED[row.action](row)


def _places(row: Row) -> dict[str, Any]:
    """What a sentence may take: of `old` and `new` the names in them."""
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
    **dict.fromkeys(FOR_A_MEMBER, _invited),
    "add-members": _joined,
    "take-in": _joined,
    "put-together": _put_together,
    "place-players": _l("who is in which division of the season “%(season)s” changed"),
    ERASE: _erased,
    "found": _l("club founded"),
    "club-settings": _l("settings changed"),
    "end-calendar": _l("address of their own calendar ended"),
    "hand-over": _l("passed from %(old_user)s to %(new_user)s"),
    "put-in-club": _l("“%(tournament)s” is an evening of the club"),
    "leave-club": _l("“%(tournament)s” is no evening of the club any more"),
    "delete-tournament": _l("“%(tournament)s” deleted"),
    "remove-member": _l("%(name)s is no member any more"),
    "rename-member": _l("%(old_name)s is now %(new_name)s"),
    "change-member": _l("details of %(name)s changed"),
    "privacy": _l("what strangers see of %(name)s changed"),
    "claim": _l("%(user)s is the member %(name)s"),
    "let-go": _l("%(user)s is not the member %(name)s any more"),
    "merge": _l("%(old_name)s and %(new_name)s are one person"),
    "undo-merge": _l("%(old_name)s and %(new_name)s are two people after all"),
    "take-apart": _l("the team “%(name)s” taken apart"),
    "create-season": _l("season “%(season)s” made"),
    "change-season": _l("rules of the season “%(season)s” changed"),
    "put-in-season": _l("“%(tournament)s” counts in the season “%(season)s”"),
    "leave-season": _l("“%(tournament)s” does not count in the season “%(season)s” any more"),
    "divisions": _l("divisions of the season “%(season)s” changed"),
    "close-season": _l("season “%(season)s” ended"),
    "reopen-season": _l("season “%(season)s” reopened"),
    "delete-season": _l("season “%(season)s” deleted"),
    "roll-over": _l("season “%(season)s” follows “%(old_season)s”"),
}
