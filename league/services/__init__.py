"""Writes that touch several rows: verbs, keyword-only, one transaction each, each with its row in the audit log.

`setup` makes tournaments and rosters, `rounds` takes them from the draw to final standings, `ledger` posts scores.
They raise `league.errors.Refused` or `Conflict`; then nothing has changed.
"""

from league.rounds.adjustments import adjust, void_adjustment
from league.services.arrivals import check_in, put_back, replace_no_show, wait_here
from league.services.byes import value_bye
from league.services.calendars import end_calendar, end_club_calendar
from league.services.calling_off import call_off, hold_after_all
from league.services.closing import close_account, heir_of
from league.services.club_people import (
    accept_in_club,
    claim,
    invite_member,
    invite_to_club,
    let_go,
    revoke_club_invitation,
    take_back_club_role,
)
from league.services.club_teams import change_club_team, put_together, take_apart
from league.services.clubs import change_club, found_club, hand_over_club, put_in_club
from league.services.counting import set_counts
from league.services.delete_tournament import delete_tournament
from league.services.drawing import draw, undo_draw
from league.services.entrants import come_back, drop_out, enter_late, reinstate
from league.services.entrants_undo import undo_event
from league.services.erasure import erase_player, erase_sign_up
from league.services.ledger import confirm_table, post_score, void_score
from league.services.listing import (
    add_entries,
    move_entry,
    order_by_rating,
    remove_entry,
    rename_entry,
    shuffle_order,
)
from league.services.members import add_members, change_member, remove_member, set_privacy, take_in
from league.services.merging import merge, undo_merge
from league.services.people import accept, invite, revoke_invitation, take_back_role
from league.services.player_links import end_player_link, list_player_links, mail_player_link, show_player_link
from league.services.rolling_over import preview_roll_over, roll_over
from league.services.rounds import NextStep, advance, close_tournament, is_taken, next_step, reopen_tournament, start
from league.services.scorers import make_scorer_links, revoke_scorer_link, slip_links
from league.services.seasons import (
    change_season,
    close_season,
    create_season,
    delete_season,
    place_players,
    put_in_season,
    reopen_season,
    set_divisions,
    set_evenings,
)
from league.services.setup import change_details, change_rules, clone_tournament, create_tournament, free_name
from league.services.sign_ups import close_sign_up, rename_sign_up, set_sign_up, sign_up, withdraw
from league.services.substitutes import end_substitute, substitute
from league.services.wishes import keep_apart, set_fixed_table

__all__ = [
    "NextStep",
    "accept",
    "accept_in_club",
    "add_entries",
    "add_members",
    "adjust",
    "advance",
    "call_off",
    "change_club",
    "change_club_team",
    "change_details",
    "change_member",
    "change_rules",
    "change_season",
    "check_in",
    "claim",
    "clone_tournament",
    "close_account",
    "close_season",
    "close_sign_up",
    "close_tournament",
    "come_back",
    "confirm_table",
    "create_season",
    "create_tournament",
    "delete_season",
    "delete_tournament",
    "draw",
    "drop_out",
    "end_calendar",
    "end_club_calendar",
    "end_player_link",
    "end_substitute",
    "enter_late",
    "erase_player",
    "erase_sign_up",
    "found_club",
    "free_name",
    "hand_over_club",
    "heir_of",
    "hold_after_all",
    "invite",
    "invite_member",
    "invite_to_club",
    "is_taken",
    "keep_apart",
    "let_go",
    "list_player_links",
    "mail_player_link",
    "make_scorer_links",
    "merge",
    "move_entry",
    "next_step",
    "order_by_rating",
    "place_players",
    "post_score",
    "preview_roll_over",
    "put_back",
    "put_in_club",
    "put_in_season",
    "put_together",
    "reinstate",
    "remove_entry",
    "remove_member",
    "rename_entry",
    "rename_sign_up",
    "reopen_season",
    "reopen_tournament",
    "replace_no_show",
    "revoke_club_invitation",
    "revoke_invitation",
    "revoke_scorer_link",
    "roll_over",
    "set_counts",
    "set_divisions",
    "set_evenings",
    "set_fixed_table",
    "set_privacy",
    "set_sign_up",
    "show_player_link",
    "shuffle_order",
    "sign_up",
    "slip_links",
    "start",
    "substitute",
    "take_apart",
    "take_back_club_role",
    "take_back_role",
    "take_in",
    "undo_draw",
    "undo_event",
    "undo_merge",
    "value_bye",
    "void_adjustment",
    "void_score",
    "wait_here",
    "withdraw",
]
