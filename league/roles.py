"""Who may do what: one table. Pages, API and the table in docs/roles.md come from it."""

from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Role, Tournament


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


OWNER = "owner"
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
}

RIGHTS: dict[str, frozenset[Can]] = {
    OWNER: frozenset(Can),
    Role.Kind.ORGANISER: frozenset(Can),
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


def open_to_all(tournament: Tournament) -> bool:
    """Whether a stranger who has the address may look."""
    return tournament.visibility != Tournament.Visibility.PRIVATE


def meanings_of(role: str) -> list[str | Promise]:
    """What a role allows, a sentence for each right."""
    return [meaning for right, meaning in MEANINGS.items() if right in RIGHTS[role]]


def table() -> str:
    """Who may do what, as a table in Markdown, a row for each right. Rights that everybody has are none."""
    lines = [["", *RIGHTS], ["---", *(":-:" for _role in RIGHTS)]]
    lines += [
        [str(meaning), *("yes" if right in rights else "" for rights in RIGHTS.values())]
        for right, meaning in MEANINGS.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
