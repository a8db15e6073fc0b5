"""Rights by role, in one table, used by pages, API and docs/roles.md."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Club, ClubRole, Role, Tournament


class Can(StrEnum):
    """A right in a tournament. Seeing a public or unlisted one needs none."""

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
    """A right in a club. Seeing a public or unlisted one needs none."""

    LOOK = "look"
    SEE_LOG = "see-log"
    WARNINGS = "warnings"
    HOLD = "hold"
    MEMBERS = "members"
    TEAMS = "teams"
    SEASONS = "seasons"
    INVITE = "invite"
    SETTINGS = "settings"
    DELETE = "delete"
    HAND_OVER = "hand-over"


OWNER = "owner"
MEMBER = "member"  # of a club: an account connected with one of its members
STRANGER = "stranger"
SCORER_LINK = "scorer link"  # its holder: at its tables and on no other page
PLAYER_LINK = "player link"  # its holder
SCREEN_LINK = "screen link"  # its holder: the hall screen and its stream

MEANINGS: dict[Can, str | Promise] = {
    Can.LOOK: _("See the tournament if it is private"),
    Can.RECORD: _("Enter hands; undo them until the table is confirmed"),
    Can.REPORT: _("Report, confirm and dispute hands of the own table, if players may report"),
    Can.CHECK_IN: _("Check players in, note who has paid, and replace absent ones"),
    Can.PRINT: _("Print score slips, name cards and the emergency pack"),
    Can.SHOW: _("Open the hall screen"),
    Can.CORRECT: _("Confirm tables, correct hands, penalise, answer calls, run clock and day, direct online tables"),
    Can.SEE_DRAFTS: _("See unpublished seating"),
    Can.SEE_LOG: _("See the log"),
    Can.RUN: _("Players, settings, draw, publish, close, reopen"),
    Can.INVITE: _("Invite helpers and remove roles"),
    Can.DELETE: _("Delete the tournament before round 1 is published; exclude it from ratings and its season"),
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
    InClub.LOOK: _("See a private club, full names and private profiles"),
    InClub.SEE_LOG: _("See the club’s log"),
    InClub.WARNINGS: _("See the warnings to members"),
    InClub.HOLD: _("Run tournaments of the club, and add tournaments to it"),
    InClub.MEMBERS: _("Add, correct, merge and remove members"),
    InClub.TEAMS: _("Add teams"),
    InClub.SEASONS: _("Manage seasons and divisions"),
    InClub.INVITE: _("Invite helpers of the club and remove roles"),
    InClub.SETTINGS: _("Change name, place and visibility"),
    InClub.DELETE: _("Delete a season"),
    InClub.HAND_OVER: _("Hand over the club"),
}

CLUB_RIGHTS: dict[str, frozenset[InClub]] = {
    OWNER: frozenset(InClub),
    ClubRole.Kind.ORGANISER: frozenset(InClub) - {InClub.DELETE, InClub.HAND_OVER},
    ClubRole.Kind.DIRECTOR: frozenset({InClub.LOOK, InClub.SEE_LOG, InClub.WARNINGS}),
    ClubRole.Kind.SCORER: frozenset({InClub.LOOK}),
    MEMBER: frozenset({InClub.LOOK}),
    STRANGER: frozenset(),
}


# Roles with more rights than a player: their browsers act for only one seat (league/access/session_links.py).
BEYOND_A_PLAYER = frozenset(role for role, rights in RIGHTS.items() if rights - RIGHTS[PLAYER_LINK])


def open_to_all(subject: Tournament | Club) -> bool:
    """Return whether strangers with the address may look."""
    return subject.visibility != Tournament.Visibility.PRIVATE


def meanings_of(role: str) -> list[str | Promise]:
    """Return the rights of a role, a sentence each."""
    return [meaning for right, meaning in MEANINGS.items() if right in RIGHTS[role]]


def club_meanings_of(role: str) -> list[str | Promise]:
    """Return the rights of a club role in the club, a sentence each. It also counts in the club's tournaments."""
    return [meaning for right, meaning in IN_CLUB.items() if right in CLUB_RIGHTS[role]]


def table() -> str:
    """Return the rights as a Markdown table with a row each."""
    return _table(RIGHTS, MEANINGS)


def club_table() -> str:
    """Return the same for clubs."""
    return _table(CLUB_RIGHTS, IN_CLUB)


def _table(rights_of: Mapping[str, Collection[str]], meanings: Mapping[Any, str | Promise]) -> str:
    lines = [["", *rights_of], ["---", *(":-:" for _role in rights_of)]]
    lines += [
        [str(meaning), *("yes" if right in rights else "" for rights in rights_of.values())]
        for right, meaning in meanings.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
