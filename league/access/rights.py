"""Who may do what, in one table. Pages, API and the table in docs/roles.md are made from it."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Club, ClubRole, Role, Tournament


class Can(StrEnum):
    """A right in a tournament. What everybody may see of a public or unlisted tournament needs none."""

    LOOK = "look"
    RECORD = "record"
    REPORT = "report"
    CHECK_IN = "check-in"
    PRINT = "print"
    SHOW = "show"
    CORRECT = "correct"
    SEE_DRAFTS = "see-drafts"
    SEE_LOG = "see-log"
    RUN = "run"
    INVITE = "invite"
    DELETE = "delete"


class InClub(StrEnum):
    """A right in a club. What everybody may see of a public or unlisted club needs none."""

    LOOK = "look"
    SEE_LOG = "see-log"
    HOLD = "hold"
    MEMBERS = "members"
    TEAMS = "teams"
    SEASONS = "seasons"
    INVITE = "invite"
    SETTINGS = "settings"
    DELETE = "delete"
    HAND_OVER = "hand-over"


OWNER = "owner"
MEMBER = "member"  # of a club: whoever claimed the record of one of its members
STRANGER = "stranger"
SCORER_LINK = "scorer link"  # whoever has one: at its tables and on no other page
PLAYER_LINK = "player link"  # whoever has a player's own link
SCREEN_LINK = "screen link"  # whoever has the address of the hall screen: that page, and its stream

MEANINGS: dict[Can, str | Promise] = {
    Can.LOOK: _("See the tournament when it is private"),
    Can.RECORD: _("Enter hands; undo them until the table is confirmed"),
    Can.REPORT: _("Report, confirm and dispute hands of their own table, where the organiser lets players"),
    Can.CHECK_IN: _("Check players in, and replace who did not come"),
    Can.PRINT: _("Print score slips, place cards and the emergency pack"),
    Can.SHOW: _("Open the hall screen"),
    Can.CORRECT: _("Confirm tables, correct hands, penalise, run the round’s clock and the day, direct online tables"),
    Can.SEE_DRAFTS: _("See seating that is not published"),
    Can.SEE_LOG: _("See the log"),
    Can.RUN: _("Players, settings, draw, publish, close, reopen"),
    Can.INVITE: _("Invite people and take roles back"),
    Can.DELETE: _("Delete the tournament before a round is published; take it out of ratings and its season"),
}

RIGHTS: dict[str, frozenset[Can]] = {
    OWNER: frozenset(Can),
    Role.Kind.ORGANISER: frozenset(Can) - {Can.DELETE},
    Role.Kind.DIRECTOR: frozenset(
        {Can.LOOK, Can.RECORD, Can.CHECK_IN, Can.PRINT, Can.SHOW, Can.CORRECT, Can.SEE_DRAFTS, Can.SEE_LOG}
    ),
    Role.Kind.SCORER: frozenset({Can.LOOK, Can.RECORD, Can.PRINT}),
    SCORER_LINK: frozenset({Can.RECORD}),
    Role.Kind.CHECK_IN: frozenset({Can.LOOK, Can.CHECK_IN}),
    Role.Kind.SCREEN: frozenset({Can.LOOK, Can.SHOW}),
    SCREEN_LINK: frozenset({Can.LOOK}),
    Role.Kind.PLAYER: frozenset({Can.LOOK, Can.REPORT}),
    PLAYER_LINK: frozenset({Can.LOOK, Can.REPORT}),
    Role.Kind.SPECTATOR: frozenset({Can.LOOK}),
    STRANGER: frozenset(),
}


IN_CLUB: dict[InClub, str | Promise] = {
    InClub.LOOK: _("See the club when it is private, members by their full names, and profiles that are not public"),
    InClub.SEE_LOG: _("See the log of the club"),
    InClub.HOLD: _("Hold evenings of the club, and let tournaments count as one"),
    InClub.MEMBERS: _("Add, correct, merge and remove members"),
    InClub.TEAMS: _("Add teams"),
    InClub.SEASONS: _("Make seasons, divisions and their promotions"),
    InClub.INVITE: _("Invite people to roles in the club and take them back"),
    InClub.SETTINGS: _("Name, place, and who sees the club"),
    InClub.DELETE: _("Delete a season that was made by mistake"),
    InClub.HAND_OVER: _("Pass the club on to somebody else"),
}

CLUB_RIGHTS: dict[str, frozenset[InClub]] = {
    OWNER: frozenset(InClub),
    ClubRole.Kind.ORGANISER: frozenset(InClub) - {InClub.DELETE, InClub.HAND_OVER},
    ClubRole.Kind.DIRECTOR: frozenset({InClub.LOOK, InClub.SEE_LOG}),
    ClubRole.Kind.SCORER: frozenset({InClub.LOOK}),
    MEMBER: frozenset({InClub.LOOK}),
    STRANGER: frozenset(),
}


# These roles may do more than a player, so their browsers act for one seat alone (league/access/session_links.py).
BEYOND_A_PLAYER = frozenset(role for role, rights in RIGHTS.items() if rights - RIGHTS[PLAYER_LINK])


def open_to_all(subject: Tournament | Club) -> bool:
    """Whether a stranger who has the address may look."""
    return subject.visibility != Tournament.Visibility.PRIVATE


def meanings_of(role: str) -> list[str | Promise]:
    """What a role allows, a sentence for each right."""
    return [meaning for right, meaning in MEANINGS.items() if right in RIGHTS[role]]


def club_meanings_of(role: str) -> list[str | Promise]:
    """What a role in a club allows there, a sentence for each right; it is also a role in the club's tournaments."""
    return [meaning for right, meaning in IN_CLUB.items() if right in CLUB_RIGHTS[role]]


def table() -> str:
    """Who may do what, as a table in Markdown with a row for each right. What everybody may do is no right."""
    return _table(RIGHTS, MEANINGS)


def club_table() -> str:
    """The same for clubs."""
    return _table(CLUB_RIGHTS, IN_CLUB)


def _table(rights_of: Mapping[str, Collection[str]], meanings: Mapping[Any, str | Promise]) -> str:
    lines = [["", *rights_of], ["---", *(":-:" for _role in rights_of)]]
    lines += [
        [str(meaning), *("yes" if right in rights else "" for rights in rights_of.values())]
        for right, meaning in meanings.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
