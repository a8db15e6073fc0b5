"""Writes that touch several rows: verbs, keyword-only, one transaction each, each with its row in the audit log.

`setup` makes tournaments and rosters, `rounds` takes them from the draw to final standings, `ledger` posts scores.
They raise `league.errors.Refused` or `Conflict`; then nothing has changed.
"""

from league.services.closing import close_account, heir_of
from league.services.erasure import erase_player
from league.services.ledger import adjust, confirm_table, post_score, void_adjustment, void_score
from league.services.people import accept, invite, revoke_invitation, take_back_role
from league.services.rounds import (
    NextStep,
    advance,
    close_tournament,
    draw,
    is_taken,
    next_step,
    reopen_tournament,
    start,
    undo_draw,
)
from league.services.scorers import make_scorer_links, revoke_scorer_link
from league.services.setup import (
    add_entries,
    change_details,
    change_rules,
    clone_tournament,
    create_tournament,
    move_entry,
    remove_entry,
    rename_entry,
    shuffle_order,
)

__all__ = [
    "NextStep",
    "accept",
    "add_entries",
    "adjust",
    "advance",
    "change_details",
    "change_rules",
    "clone_tournament",
    "close_account",
    "close_tournament",
    "confirm_table",
    "create_tournament",
    "draw",
    "erase_player",
    "heir_of",
    "invite",
    "is_taken",
    "make_scorer_links",
    "move_entry",
    "next_step",
    "post_score",
    "remove_entry",
    "rename_entry",
    "reopen_tournament",
    "revoke_invitation",
    "revoke_scorer_link",
    "shuffle_order",
    "start",
    "take_back_role",
    "undo_draw",
    "void_adjustment",
    "void_score",
]
