"""Who may do what: one table. Pages, API and the table in docs/roles.md come from it."""

from enum import StrEnum

from league.models import Role, Tournament


class Can(StrEnum):
    """A right in a tournament. What everybody may see of a public or unlisted tournament needs none."""

    LOOK = "look"
    RECORD = "record"
    CORRECT = "correct"
    SEE_DRAFTS = "see-drafts"
    SEE_LOG = "see-log"
    RUN = "run"
    INVITE = "invite"


OWNER = "owner"
STRANGER = "stranger"

MEANINGS: dict[Can, str] = {
    Can.LOOK: "See a private tournament",
    Can.RECORD: "Enter hands; undo them until the table is confirmed",
    Can.CORRECT: "Confirm tables, correct hands, penalise",
    Can.SEE_DRAFTS: "See seating that is not published",
    Can.SEE_LOG: "See the log",
    Can.RUN: "Players, settings, draw, publish, close, reopen",
    Can.INVITE: "Invite people and take roles back",
}

RIGHTS: dict[str, frozenset[Can]] = {
    OWNER: frozenset(Can),
    Role.Kind.ORGANISER: frozenset(Can),
    Role.Kind.DIRECTOR: frozenset({Can.LOOK, Can.RECORD, Can.CORRECT, Can.SEE_DRAFTS, Can.SEE_LOG}),
    Role.Kind.SCORER: frozenset({Can.LOOK, Can.RECORD}),
    Role.Kind.CHECK_IN: frozenset({Can.LOOK}),
    Role.Kind.SCREEN: frozenset({Can.LOOK}),
    Role.Kind.PLAYER: frozenset({Can.LOOK}),
    Role.Kind.SPECTATOR: frozenset({Can.LOOK}),
    STRANGER: frozenset(),
}


def open_to_all(tournament: Tournament) -> bool:
    """Whether a stranger who has the address may look."""
    return tournament.visibility != Tournament.Visibility.PRIVATE
