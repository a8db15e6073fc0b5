"""Who gets in where: every address × method × role, and every page in every language. An address without a row fails.

A row is one line: for each method that the address answers, who gets in and what they then get:

    "adjustments": {"GET": (OPEN, 301)},

    OPEN        whoever may look at the tournament; without a tournament in the address, everybody
    SIGNED_IN   whoever is signed in; others are sent to sign in (302), programs get 401
    SIGNED_OUT  whoever is not signed in; others are sent on (302)
    Can.…       whoever has this right by league/access/rights.py; others get 404, programs that write without a token
    401 EVERYBODY   everybody, whatever the tournament
    PLAYERS     whoever is a player of the tournament, by their own link or their role; others get 404
    AT_THE_DOOR those players, and whoever may check them in; others get 404
    OPEN_TO_SCORERS whoever may look at the tournament, or may enter hands without that
    AT_THE_TABLE whoever may enter hands, and Farah, who sits at the table
    InClub.…    whoever has this right in the club by league/access/rights.py; others get 404
    THE_MEMBER  whose account is the member; THE_MEMBER_OR_ORGANISER: who manages members too; others get 404

Who has a scorer's link, or a player's own, is a viewer too: a right that the link gives holds in a private tournament
as well, and none of them holds for programs.

The status is what an empty body gets (422 where something must be typed, 302 where it was done). A method that is left
out is answered with 405. Pages are asked with GET and POST, addresses under /api/ with all of METHODS and a token in
the place of a sign-in. What an address needs in its path is in `World.values`; every request is undone, so no row
depends on another. Of the other languages each is asked for by one viewer: French by the owner, Spanish by a stranger,
or by the owner where a stranger is turned away.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from django.utils.translation import get_language

from games.models import Deal, Dispute, Hand
from games.online.casual.tables import join
from league.access.rights import CLUB_RIGHTS, MEMBER, OWNER, PLAYER_LINK, RIGHTS, SCORER_LINK, STRANGER, Can, InClub
from league.access.signed_links import (
    card_token,
    entry_calendar_token,
    player_token,
    reminders_token,
    screen_token,
    sign_up_token,
)
from league.access.viewer import Attribution
from league.accounts.tokens import make_token
from league.background import deadlines, jobs
from league.calls.call import Tap, call_director
from league.calls.mute import mute_caller
from league.clubs.clubs import found_club
from league.clubs.members import add_members
from league.clubs.merge import merge
from league.clubs.teams import put_together
from league.day.entrants import drop_out
from league.day.substitutes import substitute
from league.entries.roster.rows import RosterRow
from league.ledger.same_names import tell_apart
from league.member_cards.cards import PRINT, print_cards
from league.models import (
    Adjustment,
    Call,
    CallTap,
    Club,
    ClubRole,
    Deadline,
    Entry,
    EntryEvent,
    LeaveRequest,
    ListImport,
    Merge,
    Player,
    Role,
    SignUp,
    SignUpPage,
    Tournament,
    User,
)
from league.prints.pdf import document
from league.prints.pdf.sheet import Head, Paper
from league.remarks.warn import warn
from league.roles.claims import claim
from league.roles.roles import invite
from league.roles.scorer_links import make_scorer_links
from league.rounds.adjustments import adjust
from league.seasons.seasons import create_season
from tests import cast
from tests.games.casual_table import open_table
from tests.games.pages import said

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

OPEN, SIGNED_IN, SIGNED_OUT, EVERYBODY, PLAYERS = "open", "signed in", "signed out", "everybody", "players"
AT_THE_DOOR, AT_THE_TABLE, OPEN_TO_SCORERS = "at the door", "at the table", "open, to scorers too"
THE_MEMBER, THE_MEMBER_OR_ORGANISER = "the member", "the member or who manages members"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NOBODY = "nobody"  # signed in, without a role here; owner of another tournament
VIEWERS = (OWNER, *Role.Kind.values, NOBODY, SCORER_LINK, PLAYER_LINK, STRANGER)
WITH_A_LINK = (SCORER_LINK, PLAYER_LINK)
SIGNED_OUT_VIEWERS = (*WITH_A_LINK, STRANGER)

SECRETS = frozenset(
    {
        "secret",
        "token",
        "own",
        "reminders_token",
        "player_token",
        "card_token",
        "screen_token",
        "calendar_token",
        "key",
    }
)  # in an address, they open something to whoever has it
PRIVATE = "private, no-store"

Row = dict[str, tuple[str, int]]

PAGE: Row = {"GET": (OPEN, 200)}
PAGE_WITH_FORM: Row = {"GET": (SIGNED_IN, 200), "POST": (SIGNED_IN, 200)}

ROWS: dict[str, Row] = {
    "healthz": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 200)},
    "readyz": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 200)},
    "set_language": {"GET": (EVERYBODY, 302), "POST": (EVERYBODY, 302)},
    "metrics": {"GET": (EVERYBODY, 200)},  # from this machine; tests/config/test_metrics.py has the others
    # Accounts. Where a second step, a passkey or the password typed once more is missing, one is sent for it (302).
    "account": {"GET": (SIGNED_IN, 200), "POST": (SIGNED_IN, 422)},
    "close_account": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "account_login": {"GET": (SIGNED_OUT, 200), "POST": (SIGNED_OUT, 200)},
    "account_logout": {"GET": (SIGNED_IN, 200), "POST": (EVERYBODY, 302)},
    "account_signup": {"GET": (SIGNED_OUT, 200), "POST": (SIGNED_OUT, 200)},
    "account_inactive": {"GET": (EVERYBODY, 200)},
    "account_reauthenticate": PAGE_WITH_FORM,
    "account_email": {"GET": (SIGNED_IN, 200), "POST": (SIGNED_IN, 302)},
    "account_email_verification_sent": {"GET": (EVERYBODY, 200)},
    "account_confirm_email": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 404)},
    "account_change_password": PAGE_WITH_FORM,
    "account_set_password": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "account_reset_password": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 200)},
    "account_reset_password_done": {"GET": (EVERYBODY, 200)},
    "account_reset_password_from_key": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 200)},
    "account_reset_password_from_key_done": {"GET": (EVERYBODY, 200)},
    "mfa_index": {"GET": (SIGNED_IN, 200)},
    "mfa_authenticate": {"GET": (EVERYBODY, 302), "POST": (EVERYBODY, 302)},
    "mfa_reauthenticate": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "mfa_activate_totp": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "mfa_deactivate_totp": {"GET": (SIGNED_IN, 404), "POST": (SIGNED_IN, 404)},
    "mfa_view_recovery_codes": {"GET": (SIGNED_IN, 404)},
    "mfa_generate_recovery_codes": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "mfa_download_recovery_codes": {"GET": (SIGNED_IN, 404), "POST": (SIGNED_IN, 404)},
    "mfa_list_webauthn": {"GET": (SIGNED_IN, 200)},
    "mfa_add_webauthn": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "mfa_login_webauthn": {"GET": (EVERYBODY, 302), "POST": (EVERYBODY, 302)},
    "mfa_reauthenticate_webauthn": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "mfa_edit_webauthn": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "mfa_remove_webauthn": {"GET": (SIGNED_IN, 302), "POST": (SIGNED_IN, 302)},
    "home": PAGE,
    "credits": PAGE,
    "design": {"GET": (EVERYBODY, 404)},  # tests/league/test_design.py has the server's owner
    "rules": PAGE,
    "rules_of": PAGE,
    "service_worker": {"GET": (EVERYBODY, 200)},
    "practice": {"POST": (SIGNED_IN, 302)},
    "practice_fill": {"POST": (SIGNED_IN, 404)},  # tests/games/service/test_practice.py has it with one
    "practice_end": {"POST": (SIGNED_IN, 302)},
    # The owner of the server has them: tests/games/server/.
    **{name: {"GET": (EVERYBODY, 404)} for name in ("server", "server_settings", "server_account", "server_backup")},
    **{name: {"POST": (EVERYBODY, 404)} for name in ("server_sign_up", "server_unblock", "server_back_up")},
    # The link is used up by the owner of a server; tests/games/server/test_first_start.py has those that work.
    "first_start": {"GET": (EVERYBODY, 409), "POST": (EVERYBODY, 409)},
    "first_start_restore": {"GET": (EVERYBODY, 409), "POST": (EVERYBODY, 409)},
    "server_resume": {"POST": (EVERYBODY, 404)},
    "server_block": {"GET": (EVERYBODY, 404), "POST": (EVERYBODY, 404)},
    "server_delete_backup": {"GET": (EVERYBODY, 404), "POST": (EVERYBODY, 404)},
    "remove_demo": {"GET": (SIGNED_IN, 404), "POST": (SIGNED_IN, 404)},
    "new": {"GET": (SIGNED_IN, 200), "POST": (SIGNED_IN, 422)},
    "new_evening": {"POST": (SIGNED_IN, 200)},
    "new_members": {"GET": (SIGNED_IN, 404)},  # of a club whose events the account may hold
    # What anybody may look at.
    "tournament": PAGE,
    "seating": PAGE,
    "standings": PAGE,
    "odds": PAGE,
    "odds_csv": PAGE,
    "bracket": PAGE,
    "bracket_svg": PAGE,
    "race": {"GET": (OPEN, 404)},  # pairs have none: tests/league/public/test_race_page.py
    "hands": PAGE,
    "more": PAGE,
    "fairness": PAGE,
    "live": {"GET": (OPEN, 204)},  # tests ask without uvicorn, which alone streams: tests/league/live/test_live.py
    "scorecard": PAGE,
    "scorecard_csv": PAGE,
    "adjustments": {"GET": (OPEN, 301)},
    "players": {"GET": (OPEN, 200), "POST": (Can.RUN, 422)},
    "standings_csv": PAGE,
    "published_csv": PAGE,
    "seating_csv": PAGE,
    "rounds_csv": PAGE,
    "hands_csv": PAGE,
    "adjustments_csv": PAGE,
    "events_csv": PAGE,
    "race_csv": PAGE,
    "members_csv": PAGE,
    "players_csv": PAGE,
    "fairness_csv": PAGE,
    "join": {"GET": (EVERYBODY, 200), "POST": (SIGNED_IN, 302)},
    "sign_up": {"GET": (OPEN, 200), "POST": (OPEN, 422)},
    "own_sign_up": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 422)},
    "reminders": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 302)},
    "tournament_calendar": PAGE,
    "own_calendar": {
        "GET": (EVERYBODY, 200)
    },  # a player's; tests/league/calendar/test_calendar.py has those of accounts
    "end_calendar": {"POST": (SIGNED_IN, 302)},  # one's own
    "here": {"POST": (AT_THE_DOOR, 302)},
    "new_table": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 422)},
    "in_play": {"GET": (Can.RUN, 200)},
    "lobby": {
        "GET": (EVERYBODY, 404),
        "POST": (EVERYBODY, 404),
    },  # of casual tables: tests/games/online/casual/test_casual.py
    "rematch": {"POST": (EVERYBODY, 404)},  # as "lobby"
    "play": PAGE,
    "play_strip": PAGE,
    "play_rules": PAGE,
    "play_hand": PAGE,
    "play_ready": {"POST": (OPEN, 422)},
    "play_open": {"POST": (OPEN, 422)},
    "play_act": {"POST": (OPEN, 422)},
    "online_settings": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "online_tables": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 422)},
    # Of a hand that was broken off, which stays sealed; tests/games/online/proof/test_proof.py has one that is over.
    "deal": PAGE,
    "deal_log": {"GET": (OPEN, 404)},
    "deal_replay": {"GET": (OPEN, 302)},
    "played_hand": {"GET": (OPEN, 404)},
    # No hand is played there: tests/games/online/director/test_director.py has those that are, and who sees a position.
    "direct": {"GET": (Can.CORRECT, 200)},
    "direct_pause": {"POST": (Can.CORRECT, 409)},
    "direct_go_on": {"POST": (Can.CORRECT, 409)},
    **{
        f"direct_{deed}": {"GET": (Can.CORRECT, 409), "POST": (Can.CORRECT, 409)}
        for deed in ("away", "substitute", "penalty", "undo", "void", "paper", "anew")
    },
    "position": {"GET": (OPEN, 404)},
    "position_pdf": {"GET": (OPEN, 404)},
    "my_tables": PAGE,
    "member_card": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 302)},
    "me": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 303)},
    "my_table": {"GET": (PLAYERS, 200)},
    "leave": {"GET": (PLAYERS, 200), "POST": (PLAYERS, 422)},
    "answer_leave": {"POST": (Can.CORRECT, 302)},
    "undo_leave_answer": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 302)},
    "print_by_name": PAGE,
    "print_by_table": PAGE,
    "print_standings": PAGE,
    "print_crosstable": PAGE,
    "print_bracket": PAGE,
    "print_race": {"GET": (OPEN, 404)},  # as "race"
    # Clubs.
    "clubs": PAGE,
    "new_club": {"GET": (SIGNED_IN, 200), "POST": (SIGNED_IN, 422)},
    "club": PAGE,
    "club_about": PAGE,
    "club_settings": {"GET": (InClub.SETTINGS, 200), "POST": (InClub.SETTINGS, 422)},
    "hand_over_club": {"POST": (InClub.HAND_OVER, 422)},
    "club_log": {"GET": (InClub.SEE_LOG, 200)},
    "current_season": {"GET": (OPEN, 302)},
    "seasons": PAGE,
    "new_season": {"GET": (InClub.SEASONS, 200), "POST": (InClub.SEASONS, 422)},
    "season": PAGE,
    "season_csv": PAGE,
    "season_pdf": PAGE,
    "season_evenings_csv": PAGE,
    "season_settings": {"GET": (InClub.SEASONS, 200), "POST": (InClub.SEASONS, 422)},
    "season_evenings": {"GET": (InClub.SEASONS, 200)},
    "season_evenings_ticked": {"POST": (InClub.SEASONS, 422)},
    "season_players": {"GET": (InClub.SEASONS, 200)},
    "season_players_ticked": {"POST": (InClub.SEASONS, 422)},
    "divisions_csv": {"GET": (InClub.SEASONS, 200)},
    "divisions_from_list": {"POST": (InClub.SEASONS, 422)},
    "split_by_rating": {"POST": (InClub.SEASONS, 422)},
    "undo_placing": {"POST": (InClub.SEASONS, 302)},
    "close_season": {"GET": (InClub.SEASONS, 200), "POST": (InClub.SEASONS, 409)},
    "delete_season": {"GET": (InClub.DELETE, 200), "POST": (InClub.DELETE, 302)},
    "reopen_season": {"POST": (InClub.SEASONS, 302)},
    "next_season": {"GET": (InClub.SEASONS, 200), "POST": (InClub.SEASONS, 409)},
    "club_people": {"GET": (InClub.INVITE, 200), "POST": (InClub.INVITE, 422)},
    "take_back_club_role": {"POST": (InClub.INVITE, 302)},
    "revoke_club_invitation": {"POST": (InClub.INVITE, 302)},
    "members": {"GET": (OPEN, 200), "POST": (InClub.MEMBERS, 422)},
    "club_members_csv": {"GET": (InClub.MEMBERS, 200)},
    "attendance": {"GET": (InClub.MEMBERS, 200)},
    "attendance_csv": {"GET": (InClub.MEMBERS, 200)},
    "club_teams": {"GET": (OPEN, 200), "POST": (InClub.TEAMS, 422)},
    "edit_team": {"GET": (InClub.TEAMS, 200), "POST": (InClub.TEAMS, 422)},
    "take_apart": {"POST": (InClub.TEAMS, 302)},
    "members_ticked": {"POST": (InClub.MEMBERS, 422)},
    "member_cards": {"GET": (InClub.MEMBERS, 200), "POST": (InClub.MEMBERS, 302)},
    "member_cards_pdf": {"GET": (InClub.HAND_OVER, 200)},  # the account that printed them: here the owner
    "renew_card": {"GET": (InClub.MEMBERS, 200), "POST": (InClub.MEMBERS, 302)},
    "take_in": {"POST": (InClub.MEMBERS, 302)},
    "undo_club_import": {"POST": (InClub.MEMBERS, 302)},
    "profile": {
        "GET": (InClub.LOOK, 200)
    },  # one that is not public; tests/league/seasons/test_profiles.py has the others
    "club_calendar": PAGE,
    "end_club_calendar": {"POST": (InClub.LOOK, 302)},
    "profile_calendar": {"GET": (InClub.LOOK, 200)},  # as "profile"
    "ratings": PAGE,
    "ratings_csv": PAGE,
    "rating": {"GET": (InClub.LOOK, 200)},  # as "profile": tests/league/ratings/test_rating_pages.py has the others
    "rating_csv": {"GET": (InClub.LOOK, 200)},
    "privacy": {"GET": (THE_MEMBER, 200), "POST": (THE_MEMBER, 302)},
    "claim": {"POST": (SIGNED_IN, 404)},  # for who holds the player's own link: tests/league/seasons/test_profiles.py
    "let_go": {"POST": (THE_MEMBER_OR_ORGANISER, 302)},
    "edit_member": {"GET": (InClub.MEMBERS, 200), "POST": (InClub.MEMBERS, 422)},
    "invite_member": {"POST": (InClub.MEMBERS, 422)},
    "remove_member": {"GET": (InClub.MEMBERS, 200), "POST": (InClub.MEMBERS, 302)},
    "erase_member": {"GET": (InClub.MEMBERS, 200), "POST": (InClub.MEMBERS, 422)},
    "merge_members": {"GET": (InClub.MEMBERS, 302), "POST": (InClub.MEMBERS, 302)},
    "undo_merge": {"POST": (InClub.MEMBERS, 302)},
    "same_people": {"GET": (InClub.MEMBERS, 200), "POST": (InClub.MEMBERS, 422)},
    "undo_same_people": {"POST": (InClub.MEMBERS, 302)},
    # What organisers do.
    "set_club": {"POST": (Can.RUN, 302)},
    "prints": {"GET": (Can.PRINT, 200)},
    "player_links_csv": {"GET": (Can.RUN, 200)},
    "codes": {"GET": (Can.PRINT, 200), "POST": (Can.DELETE, 302)},  # Can.INVITE and Can.RUN by its buttons
    "slips_to_print": {"POST": (Can.INVITE, 302)},
    "choose_paper": {"POST": (Can.PRINT, 302)},
    "print_slips": {"GET": (Can.PRINT, 200)},
    "print_empty_slips": {"GET": (Can.PRINT, 200)},
    "print_place_cards": {"GET": (Can.PRINT, 200)},
    "print_pack": {"GET": (Can.PRINT, 200)},
    "people": {"GET": (Can.INVITE, 200), "POST": (Can.INVITE, 422)},
    "take_back_role": {"POST": (Can.INVITE, 302)},
    "scorers": {"GET": (Can.INVITE, 200), "POST": (Can.INVITE, 422)},
    "revoke_scorer_link": {"POST": (Can.INVITE, 302)},
    "revoke_invitation": {"POST": (Can.INVITE, 302)},
    "log": {"GET": (Can.SEE_LOG, 200)},
    "log_csv": {"GET": (Can.SEE_LOG, 200)},
    "rounds": {"GET": (Can.SEE_DRAFTS, 200)},
    "settings": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 404)},
    "series": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "skip_day": {"POST": (Can.RUN, 302)},
    "end_series": {"POST": (Can.RUN, 302)},
    "stages": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 302)},
    "add_stage": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "edit_stage": {"GET": (Can.RUN, 404), "POST": (Can.RUN, 404)},  # tests/league/setup/stages has one
    "undo_cut": {"POST": (Can.RUN, 302)},
    "advance": {"POST": (Can.RUN, 302)},
    "clock": {"POST": (Can.CORRECT, 302)},
    "manage": {"GET": (Can.CORRECT, 200)},
    "day": {"GET": (Can.CORRECT, 301)},
    "day_player": {"GET": (Can.CORRECT, 301)},
    "day_late": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 422)},
    "person": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 422)},
    "swap_back": {"POST": (Can.CORRECT, 302)},
    "table_sheet": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 422)},
    "move_table_back": {"POST": (Can.CORRECT, 302)},
    "undo_event": {"POST": (Can.CORRECT, 302)},
    "undo_stop": {"POST": (Can.CORRECT, 302)},
    "calls": {"GET": (Can.CORRECT, 200)},
    "answer_call": {"POST": (Can.CORRECT, 302)},
    "undo_call_answer": {"POST": (Can.CORRECT, 302)},
    "mute_caller": {"POST": (Can.CORRECT, 404)},  # without a caller
    "unmute_caller": {"POST": (Can.CORRECT, 302)},
    "erase_substitute": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "open_table": {"POST": (Can.CORRECT, 302)},
    "redraw_tables": {"POST": (Can.CORRECT, 422)},
    "pause": {"POST": (Can.CORRECT, 422)},
    "end_early": {"POST": (Can.RUN, 200)},
    "better_seating": {"POST": (Can.RUN, 422)},
    "take_seating": {"POST": (Can.RUN, 302)},
    "cancel_job": {"POST": (Can.RUN, 302)},
    "undo_round": {"POST": (Can.CORRECT, 422)},
    "seats_as_played": {"POST": (Can.CORRECT, 422)},
    "undo_publish": {"POST": (Can.CORRECT, 302)},
    "screen": {"GET": (EVERYBODY, 200)},  # who has a screen link: its token is in the address
    "announce": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 422)},
    "remove_announcement": {"POST": (Can.CORRECT, 302)},
    "restore_announcement": {"POST": (Can.CORRECT, 302)},
    "hall_screen": {"GET": (Can.SHOW, 200)},
    "screen_show": {"POST": (Can.CORRECT, 302)},
    "end_screen": {"POST": (Can.RUN, 302)},
    "set_time": {"POST": (Can.RUN, 422)},
    "cancel_time": {"POST": (Can.RUN, 302)},
    "jobs": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 302)},
    "retry_job": {"POST": (Can.RUN, 302)},
    "job_file": {"GET": (Can.RUN, 200)},
    "extra_hand": {"POST": (Can.CORRECT, 422)},
    "undo_draw": {"POST": (Can.RUN, 409)},
    "reopen": {"POST": (Can.RUN, 302)},
    "bye_worth": {"POST": (Can.RUN, 422)},
    "again": {"POST": (Can.RUN, 302)},
    "call_off": {"POST": (Can.RUN, 422)},
    "set_counts": {"POST": (Can.DELETE, 302)},
    "delete_tournament": {"GET": (Can.DELETE, 200), "POST": (Can.DELETE, 422)},
    "undo_import": {"POST": (Can.RUN, 302)},
    "order": {"POST": (Can.RUN, 302)},
    "sign_up_settings": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "remove_sign_up": {"POST": (Can.RUN, 302)},
    "check_in": {"GET": (Can.CHECK_IN, 200)},
    "close_check_in": {"POST": (Can.RUN, 409)},
    "check_in_ticked": {"POST": (Can.CHECK_IN, 422)},
    "undo_check_ins": {"POST": (Can.CHECK_IN, 302)},
    "set_paid": {"POST": (Can.CHECK_IN, 409)},  # of a tournament without a fee: tests/league/entries/test_paid.py
    "undo_payments": {"POST": (Can.CHECK_IN, 302)},
    "replace": {"GET": (Can.CHECK_IN, 200), "POST": (Can.CHECK_IN, 409)},
    "waits_here": {"POST": (Can.CHECK_IN, 409)},
    "put_back": {"POST": (Can.CHECK_IN, 409)},
    "player_link": {"GET": (Can.RUN, 200)},
    "mail_player_link": {"POST": (Can.RUN, 302)},
    "end_player_link": {"POST": (Can.RUN, 302)},
    "edit_player": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "entry_person": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "erase_player": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 422)},
    "players_ticked": {"POST": (Can.RUN, 422)},
    "remove_player": {"POST": (Can.RUN, 302)},
    "move_player": {"POST": (Can.RUN, 302)},
    "void_adjustment": {"POST": (Can.CORRECT, 302)},
    "withdraw_warning": {"POST": (Can.CORRECT, 302)},
    # Tables and hands.
    "scorer": {"GET": (EVERYBODY, 200), "POST": (EVERYBODY, 303)},
    "scoring": {"GET": (Can.RECORD, 200)},
    "table": {"GET": (OPEN_TO_SCORERS, 200), "POST": (AT_THE_TABLE, 422)},
    "table_preview": {"POST": (AT_THE_TABLE, 200)},
    "first_dealer": {"POST": (AT_THE_TABLE, 422)},
    "call": {"GET": (AT_THE_TABLE, 200), "POST": (AT_THE_TABLE, 302)},
    "end_call": {"POST": (EVERYBODY, 404)},  # without a call
    "confirm_table": {"POST": (Can.CORRECT, 409)},
    "agree": {"POST": (PLAYERS, 409)},
    "disputed": {"GET": (Can.CORRECT, 200)},
    "drop_on_phone": {"POST": (AT_THE_TABLE, 303)},
    "decide_phone_hands": {"POST": (Can.CORRECT, 422)},
    "dispute_hand": {"GET": (PLAYERS, 200), "POST": (PLAYERS, 422)},
    "withdraw_dispute": {"POST": (PLAYERS, 303)},
    "decide_dispute": {"POST": (Can.CORRECT, 422)},
    "correct_hand": {"GET": (Can.CORRECT, 200), "POST": (Can.CORRECT, 422)},
    "void_hand": {"POST": (AT_THE_TABLE, 409)},
    # The API.
    "tokens": {"GET": (SIGNED_IN, 200), "POST": (SIGNED_IN, 422)},
    "revoke_token": {"POST": (SIGNED_IN, 404)},
    "api_schema": PAGE,
    "api_docs": PAGE,
    "api_unknown": dict.fromkeys(METHODS, (EVERYBODY, 404)),
    "api_tournaments": {"GET": (OPEN, 200), "POST": (SIGNED_IN, 400)},
    "api_tournament": {"GET": (OPEN, 200), "DELETE": (Can.DELETE, 409)},
    "api_rounds": PAGE,
    "api_standings": PAGE,
    "api_seating": PAGE,
    "api_hands": PAGE,
    "api_adjustments": PAGE,
    "api_events": PAGE,
    "api_race": PAGE,
    "api_odds": PAGE,
    "api_announcement": {"POST": (Can.CORRECT, 400), "DELETE": (Can.CORRECT, 204)},
    "api_check_in": {"GET": (Can.CHECK_IN, 200), "POST": (Can.CHECK_IN, 400)},
    "api_reminder": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 400)},
    "api_members": PAGE,
    "api_clubs": {"GET": (OPEN, 200), "POST": (SIGNED_IN, 400)},
    "api_club": PAGE,
    "api_club_members": {"GET": (OPEN, 200), "POST": (InClub.MEMBERS, 400)},
    "api_club_teams": {"GET": (OPEN, 200), "POST": (InClub.TEAMS, 400)},
    "api_club_team": {"DELETE": (InClub.TEAMS, 204)},
    "api_club_member": {"GET": (InClub.LOOK, 200)},
    "api_start": {"POST": (Can.RUN, 200)},
    "api_advance": {"POST": (Can.RUN, 409)},
    "api_close": {"POST": (Can.RUN, 409)},
    "api_reopen": {"POST": (Can.RUN, 200)},
    "api_call_off": {"POST": (Can.RUN, 409)},
    "api_hold_after_all": {"POST": (Can.RUN, 200)},
    "api_end_early": {"POST": (Can.RUN, 200)},
    "api_counts": {"POST": (Can.DELETE, 400)},
    "api_stages": {"POST": (Can.RUN, 400)},
    "api_undo_cut": {"POST": (Can.RUN, 200)},
    "api_table": PAGE,
    "api_ratings": PAGE,
    "api_rating_history": {"GET": (InClub.LOOK, 200)},
    "api_seasons": {"GET": (OPEN, 200), "POST": (InClub.SEASONS, 400)},
    "api_season": {"GET": (OPEN, 200), "DELETE": (InClub.DELETE, 204)},
    "api_season_standings": PAGE,
    "api_season_evenings": {"GET": (OPEN, 200), "POST": (InClub.SEASONS, 400)},
    "api_season_players": {"POST": (InClub.SEASONS, 400)},
    "api_season_close": {"POST": (InClub.SEASONS, 409)},
    "api_season_reopen": {"POST": (InClub.SEASONS, 200)},
    "api_season_roll_over": {"POST": (InClub.SEASONS, 409)},
    "api_calls": {"GET": (Can.CORRECT, 200)},
    "api_answer_call": {"POST": (Can.CORRECT, 400)},
    "api_online": {"GET": (Can.RUN, 200), "POST": (Can.RUN, 200)},
    "api_online_tables": {"POST": (Can.CORRECT, 400)},
    "api_first_dealer": {"POST": (Can.RECORD, 422)},
    "api_record_hand": {"POST": (Can.RECORD, 400)},
    "api_correct_hand": {"POST": (Can.CORRECT, 400)},
    "api_void_hand": {"POST": (Can.RECORD, 409)},
}


def addresses() -> dict[str, frozenset[str]]:
    """{name: what its path needs} of the whole URLconf."""
    found: dict[str, frozenset[str]] = {}

    def walk(patterns: list[URLPattern | URLResolver], space: str, needs: frozenset[str]) -> None:
        for one in patterns:
            here = needs | set(one.pattern.regex.groupindex)
            if isinstance(one, URLResolver):
                walk(one.url_patterns, f"{space}{one.namespace}:" if one.namespace else space, here)
            else:
                assert one.name, f"{one.pattern} has no name"
                name = space + one.name
                assert name not in found, f"{name} names two addresses"
                found[name] = here

    walk(get_resolver().url_patterns, "", frozenset())
    return found


ADDRESSES = addresses()
OF_A_TOURNAMENT = frozenset(
    {
        "slug",
        "public_id",
        "other",
        "sign_up_id",
        "table_id",
        "hand_id",
        "deal_id",
        "dispute_id",
        "call_id",
        "muted_id",
        "adjustment_id",
        "warning_id",
        "player_id",
        "event_id",
        "role_id",
        "invitation_id",
        "link_id",
        "deadline_id",
        "job_id",
        "request_id",
    }
)
OF_ALL = ("round_number", "table_number", "to")  # each tournament has a table 1 in its round 1
OF_A_CLUB = frozenset(
    {"club_slug", "member_id", "merge_id", "form_key", "club_role_id", "club_invitation_id", "season_slug"}
)


@dataclass
class World:
    """A public, an unlisted and a private tournament in their second round, and everybody signed in who can be."""

    tournaments: dict[str, Tournament] = field(default_factory=dict)
    foreign: Tournament | None = None  # somebody else's
    client: Client = field(default_factory=Client)  # one for everybody: making one takes longer than most requests
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)  # of the invitation to each tournament, by its slug
    scorer_secrets: dict[str, str] = field(default_factory=dict)  # of its link for scorers
    clubs: dict[str, Club] = field(default_factory=dict)  # one beside each tournament, by its slug
    in_paths: dict[str, dict[str, str]] = field(default_factory=dict)  # what was found for each tournament, by its slug

    def values(self, tournament: Tournament) -> dict[str, str]:
        """What may stand in a path: the same for every row, since what requests change is undone."""
        if tournament.slug not in self.in_paths:
            self.in_paths[tournament.slug] = self._values(tournament)
        return self.in_paths[tournament.slug]

    def _values(self, tournament: Tournament) -> dict[str, str]:
        hand = Hand.objects.filter(table__round__tournament=tournament).earliest("pk")
        return {
            "slug": tournament.slug,
            "public_id": cast.entry(tournament, "Farah").public_id,
            "other": cast.entry(tournament, "Zoë").public_id,
            "table_id": str(cast.table(tournament, 2, 1).pk),
            "hand_id": str(hand.pk),
            "hand": "1",
            "deal_id": str(Deal.objects.get(table__round__tournament=tournament).pk),
            "dispute_id": str(Dispute.objects.get(hand=hand).pk),
            "call_id": str(Call.objects.get(table__round__tournament=tournament).pk),
            "muted_id": str(tournament.muted_callers.get().pk),
            "event_id": str(EntryEvent.objects.get(entry__tournament=tournament).pk),
            "player_id": str(Player.objects.get(name=f"Gül of {tournament.slug}").pk),
            "import_id": str(tournament.list_imports.get().pk),
            "adjustment_id": str(Adjustment.objects.get(entry__tournament=tournament).pk),
            "warning_id": str(tournament.warnings.get().pk),
            "role_id": str(tournament.roles.get(kind=Role.Kind.SPECTATOR).pk),
            "invitation_id": str(tournament.invitations.get().pk),
            "deadline_id": str(tournament.deadlines.get(kind=Deadline.Kind.PUBLISH).pk),
            "job_id": str(tournament.jobs.get().pk),
            "request_id": str(LeaveRequest.objects.get(entry__tournament=tournament).pk),
            "link_id": str(tournament.scorer_links.get().pk),
            "secret": self.scorer_secrets[tournament.slug],
            "token": self.secrets[tournament.slug],
            "sign_up_id": tournament.sign_ups.get().public_id,
            "own": sign_up_token(tournament.sign_ups.get()),
            "reminders_token": reminders_token(tournament.sign_ups.get()),
            "player_token": player_token(cast.entry(tournament, "Zoë")),
            "calendar_token": entry_calendar_token(cast.entry(tournament, "Zoë")),
            "screen_token": screen_token(tournament),
            "token_id": "0",
            "account_id": str(tournament.owner_id),
            "name": "wild-2026-11-24.zip",
            "rest": "v1/nothing-here/",
            "uidb36": "1",
            "key": "no-such-key",
            "format": "heats",
            "table_number": "1",
            "to": "9",
            "number": "2",  # of a stage that there is not
            "round_number": "1",
            "pk": "0",  # of a passkey
            "edition": "minecraft-2017",
        } | self._in_club(self.clubs[tournament.slug])

    def _in_club(self, club: Club) -> dict[str, str]:
        return {
            "club_slug": club.slug,
            "card_token": card_token(Player.objects.get(club=club, name="Farah")),
            "print_id": str(club.log.get(action=PRINT).pk),
            "member_id": Player.objects.get(club=club, name="Farah").public_id,
            "club_import_id": str(club.list_imports.get().pk),
            "merge_id": str(Merge.objects.get(kept__club=club).pk),
            "form_key": Merge.objects.get(kept__club=club).form_key,
            "club_role_id": str(club.roles.get(kind=ClubRole.Kind.SCORER).pk),
            "club_invitation_id": str(club.invitations.get().pk),
            "team_id": club.teams.get().player.public_id,
            "season_slug": club.seasons.get().slug,
        }

    def url(self, name: str, tournament: Tournament) -> str:
        values = self.values(tournament)
        assert ADDRESSES[name] <= set(values), f"give {name} its values in World.values"
        return reverse(name, kwargs={need: values[need] for need in ADDRESSES[name]})

    def ask(self, viewer: str, method: str, url: str, language: str = "en") -> HttpResponse:
        """One request by one viewer; whatever it changes is undone."""
        headers = {"Accept-Language": language}
        self.client.cookies.clear()
        if not url.startswith("/api/"):
            self.client.cookies.load(self.cookies.get(viewer, {}))
        elif viewer in WITH_A_LINK:
            self.client.cookies.load(self.cookies[viewer])  # which no program's address takes
        elif viewer != STRANGER:
            headers["Authorization"] = f"Token {self.tokens[viewer]}"
        cache.clear()
        with transaction.atomic():
            form = "application/x-www-form-urlencoded"
            answer = self.client.generic(method, url, content_type=form, headers=headers)
            transaction.set_rollback(True)
        return answer


@pytest.fixture(scope="module")
def world(module_world: None) -> World:
    """Made once for all rows."""
    return built()


@pytest.fixture(scope="module", autouse=True)
def _each_print_drawn_once() -> Iterator[None]:
    """Who may print the same rows gets the same file: to draw it takes longer than all else that a request does."""
    drawn: dict[str, bytes] = {}
    draw = document.pdf

    def once(head: Head, prints: Sequence[document.Print], paper: Paper) -> bytes:
        rows = repr((get_language(), head, prints, paper))
        assert "object at" not in rows, "it must tell one print from another"
        return drawn.get(rows) or drawn.setdefault(rows, draw(head, prints, paper))

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(document, "pdf", once)
        yield


def built() -> World:
    made = World()
    for visibility in Tournament.Visibility.values:
        made.tournaments[visibility] = _played(visibility=visibility)
    made.foreign = _played(owner=cast.someone_else(), name="Other Pairs")
    for one in (*made.tournaments.values(), made.foreign):
        _invitation, made.secrets[one.slug] = invite(to=one, kind=Role.Kind.SCREEN, by=one.owner)
        [(_link, made.scorer_secrets[one.slug])] = make_scorer_links(tournament=one, tables=[None], by=one.owner)
    for viewer in VIEWERS:
        if viewer in SIGNED_OUT_VIEWERS:
            continue
        client, user = Client(), _account(viewer, list(made.tournaments.values()))
        client.force_login(user)
        made.cookies[viewer] = {name: morsel.value for name, morsel in client.cookies.items()}
        _token, made.tokens[viewer] = make_token(user=user)
    for visibility, one in made.tournaments.items():
        made.clubs[one.slug] = one.club = _club(one.owner, visibility)
        one.save()
    made.clubs[made.foreign.slug] = _club(cast.someone_else(), "public")
    mine = made.tournaments.values()
    made.cookies[SCORER_LINK] = _exchanged(f"/s/{made.scorer_secrets[one.slug]}/" for one in mine)
    own = (player_token(cast.entry(one, "Farah")) for one in mine)
    made.cookies[PLAYER_LINK] = _exchanged(f"/me/{token}/" for token in own)
    guest = cast.organiser("spectator@example.org")
    Role.objects.create(tournament=made.foreign, user=guest, kind=Role.Kind.SPECTATOR)
    return made


def _club(owner: User, visibility: str) -> Club:
    """A club in which accounts have the roles that they have in the tournaments. The player's is the member Farah."""
    club = found_club(owner=owner, name=f"{owner} {visibility}", visibility=visibility)
    ours = owner == cast.organiser()
    for kind in ClubRole.Kind.values:
        email = f"{kind}@example.org" if ours else "spectator@example.org"
        ClubRole.objects.create(club=club, user=cast.organiser(email), kind=kind)
    farah, twin = add_members(club=club, players=[RosterRow(1, "Farah"), RosterRow(2, "Farrah")], by=owner)
    if ours:
        claim(player=farah, user=cast.organiser(f"{Role.Kind.PLAYER}@example.org"))
    merge(target=farah, source=twin, by=owner, form_key=f"{club.pk:016x}")
    invite(to=club, kind=ClubRole.Kind.SCORER, by=owner)
    create_season(club=club, name=f"Season of {club.name}", by=owner)
    put_together(club=club, rows=cast.team_rows(1), by=owner)
    ListImport.objects.create(club=club, by=owner)
    print_cards(club=club, by=owner)
    return club


def _played(**settings: object) -> Tournament:
    made = cast.play(cast.tournament(**settings), rounds=1)
    zoe = cast.entry(made, "Zoë")
    SignUpPage.objects.create(tournament=made, capacity=8)
    SignUp.objects.create(tournament=made, name="Zoë", entry=zoe, state=SignUp.State.PLACED)
    hand = Hand.objects.filter(table__round__tournament=made).earliest("pk")
    Dispute.objects.create(hand=hand, player=cast.entry(made, "Farah"), state=Dispute.State.WITHDRAWN)
    Deal.objects.create(table=hand.table, number=1, state=Deal.State.ABANDONED, rules={}, dealer=0, seed=b"", places=[])
    adjust(tournament=made, entry=zoe, points=-20, reason="A tip", round_number=1, by=made.owner)
    warn(entry=zoe, person=zoe.player, reason="Told a card", by=made.owner)
    drop_out(tournament=made, entry=cast.entry(made, "Chidi"), by=made.owner)
    substitute(tournament=made, entry=zoe, name=f"Gül of {made.slug}", by=made.owner)
    LeaveRequest.objects.create(entry=zoe, kind=LeaveRequest.Kind.NOW, round_number=2)
    seat = cast.table(made, 2, 1).seats.exclude(entry__player__name="Farah").earliest("number")
    call_director(table=seat.table, tap=Tap("one", "rules"), by=Attribution(player=seat.entry))
    mute_caller(tap=CallTap.objects.get(entry=seat.entry), by=made.owner)
    deadlines.sweep(timezone.now())  # freezes the standings of round 1
    in_an_hour, third = timezone.now() + timedelta(hours=1), made.rounds.get(number=3)
    Deadline.objects.create(kind=Deadline.Kind.PUBLISH, tournament=made, round=third, due_at=in_an_hour)
    jobs.request(tournament=made, kind=jobs.EXPORT_ALL, by=made.owner)
    jobs.work(timezone.now())
    ListImport.objects.create(tournament=made, by=made.owner)
    return made


def _exchanged(addresses: Iterable[str]) -> dict[str, str]:
    """The cookies of a browser that used each of these links."""
    client = Client()
    for address in addresses:
        assert client.post(address).status_code == 303
    return {name: morsel.value for name, morsel in client.cookies.items()}


def _account(viewer: str, tournaments: list[Tournament]) -> User:
    if viewer == OWNER:
        return cast.organiser()
    if viewer == NOBODY:
        return cast.someone_else()
    user = cast.organiser(f"{viewer}@example.org", viewer.capitalize())
    for one in tournaments:
        farah: Entry | None = cast.entry(one, "Farah") if viewer == Role.Kind.PLAYER else None
        Role.objects.create(tournament=one, user=user, kind=viewer, entry=farah)
    return user


def expected(name: str, viewer: str, method: str, url: str, visibility: str) -> set[int]:
    """The statuses that the table allows."""
    signed_in, program = viewer not in SIGNED_OUT_VIEWERS, url.startswith("/api/")
    turned_away = 401 if program and not signed_in and method != "GET" else 404
    if method not in ROWS[name]:
        # Who would not get in by any method may be turned away before the method is looked at.
        inside = signed_in and all(gate in (SIGNED_IN, EVERYBODY) for gate, _status in ROWS[name].values())
        return {405} if inside else {405, turned_away, *({302} if not signed_in else ())}
    gate, status = ROWS[name][method]
    rights = RIGHTS.get(viewer, frozenset()) if signed_in or not program else frozenset()
    if gate == AT_THE_TABLE:
        gate = Can.RECORD
        rights |= {Can.RECORD} if viewer in (Role.Kind.PLAYER, PLAYER_LINK) and rights else set()
    if gate == OPEN_TO_SCORERS:
        gate = Can.RECORD if viewer == SCORER_LINK else OPEN
    if ADDRESSES[name] & OF_A_CLUB:
        return {_in_club(name, viewer, method, visibility, turned_away)}
    private = visibility == Tournament.Visibility.PRIVATE and ADDRESSES[name] & OF_A_TOURNAMENT
    if gate == EVERYBODY:
        return {status}
    if (name, method, viewer) == ("sign_up", "POST", Role.Kind.PLAYER):
        return {409}  # the account is of a member of the club, who plays already
    if gate == PLAYERS:
        return {status if viewer in (Role.Kind.PLAYER, PLAYER_LINK) else 404}
    if gate == AT_THE_DOOR:
        return {status if viewer in (Role.Kind.PLAYER, PLAYER_LINK) or Can.CHECK_IN in rights else 404}
    if gate == SIGNED_OUT:
        return {302 if signed_in else status}
    if gate == SIGNED_IN and not signed_in:
        return {401 if program else 302}
    if viewer == SCORER_LINK and name == "live":
        return {status}  # that something changed, and not what: their own pages change by themselves too
    if viewer in WITH_A_LINK and gate in rights:
        return {status}
    if (private and Can.LOOK not in rights) or (isinstance(gate, Can) and gate not in rights):
        return {turned_away}
    return {status}


def _in_club(name: str, viewer: str, method: str, visibility: str, turned_away: int) -> int:
    """The status of an address of a club. Roles there are those of tournaments, and the player is a member."""
    gate, status = ROWS[name][method]
    role = MEMBER if viewer == Role.Kind.PLAYER else viewer
    rights = CLUB_RIGHTS.get(role, frozenset())
    if gate == SIGNED_IN:
        return status if viewer not in SIGNED_OUT_VIEWERS else 302
    if visibility == Tournament.Visibility.PRIVATE and InClub.LOOK not in rights:
        return turned_away
    if gate == OPEN or gate in rights:
        return status
    let_in = {THE_MEMBER: role == MEMBER, THE_MEMBER_OR_ORGANISER: role == MEMBER or InClub.MEMBERS in rights}
    return status if let_in.get(gate) else turned_away


def methods(url: str) -> tuple[str, ...]:
    return METHODS if url.startswith("/api/") else METHODS[:2]


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert set(ROWS) == set(ADDRESSES)


def visibilities(name: str) -> Sequence[str]:
    """Those of the tournaments at which an address is asked for: where none is in its path, they are all the same."""
    of_one = ADDRESSES.get(name, frozenset()) & (OF_A_TOURNAMENT | OF_A_CLUB)
    return Tournament.Visibility.values if of_one else (Tournament.Visibility.PUBLIC,)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_method_answers_each_role_as_the_table_says(name: str, world: World) -> None:
    for visibility in visibilities(name):
        tournament = world.tournaments[visibility]
        url = world.url(name, tournament)
        # What a role or a link may do in a private tournament it may do in every other; there these stand for all.
        viewers = {"public": (OWNER, NOBODY, STRANGER), "unlisted": (STRANGER,)}.get(visibility, VIEWERS)
        public = visibility == Tournament.Visibility.PUBLIC
        for method in methods(url) if public else ROWS[name]:  # a method that is not there is nowhere there
            answers = {viewer: world.ask(viewer, method, url) for viewer in viewers}
            for viewer, answer in answers.items():
                wanted = expected(name, viewer, method, url, visibility)
                assert answer.status_code in wanted, (method, url, viewer, answer.status_code, wanted)
                policy = answer.headers.get("Content-Security-Policy", "")
                assert "default-src 'self'" in policy and "unsafe" not in policy, (method, url, viewer, policy)
                kept = answer.headers.get("Cache-Control")
                secret = viewer != STRANGER or ADDRESSES[name] & SECRETS or "sessionid" in answer.cookies
                assert (kept == PRIVATE) == bool(secret), (method, url, viewer, kept)
            if visibility == Tournament.Visibility.PRIVATE:
                assert_kept_by_no_cache_if_told(answers[STRANGER], tournament, url)
            if public and method == "GET":
                for language, viewer in (("fr", OWNER), ("es", STRANGER if is_shown(answers[STRANGER]) else OWNER)):
                    assert_same_in(language, answers[viewer], world.ask(viewer, method, url, language))


def is_shown(answer: HttpResponse) -> bool:
    return answer.status_code == 200


def assert_same_in(language: str, english: HttpResponse, answer: HttpResponse) -> None:
    """It has the same status as in English, and is in the language that was asked for; a CSV is the same in all."""
    assert answer.status_code == english.status_code
    if answer.content.startswith(b"<!doctype html>"):
        assert f'<html lang="{language}"'.encode() in answer.content
    if answer.headers["Content-Type"].startswith("text/csv"):
        assert answer.content == english.content


def assert_kept_by_no_cache_if_told(answer: HttpResponse, private: Tournament, url: str) -> bool:
    """Whether a stranger is told of a private tournament there."""
    told = is_shown(answer) and private.slug in answer.content.decode()
    assert not told or answer["Cache-Control"] == PRIVATE, url
    return told


def test_whatever_a_stranger_is_told_of_a_private_tournament_is_kept_by_no_cache(world: World) -> None:
    """At the addresses that name none; those that do are asked above."""
    private = world.tournaments["private"]
    told = 0
    for name in ROWS:
        if Tournament.Visibility.PRIVATE not in visibilities(name):
            for method in methods(url := world.url(name, private)):
                told += assert_kept_by_no_cache_if_told(world.ask(STRANGER, method, url), private, url)
    assert told, "by an address that opens it to whoever has it"
    stream = world.ask(STRANGER, "GET", f"/t/{private.slug}/live/?screen={screen_token(private)}")
    assert (stream.status_code, stream["Cache-Control"]) == (204, PRIVATE)


def test_who_has_no_role_is_told_the_same_as_who_asks_for_nothing_that_exists(world: World) -> None:
    url = world.url("settings", world.tournaments["private"])
    there, nowhere = world.ask(NOBODY, "GET", url), world.ask(NOBODY, "GET", "/t/nothing-here/settings/")
    assert there.status_code == nowhere.status_code == 404
    assert said(there) == said(nowhere)


@pytest.mark.parametrize(
    "name",
    sorted(
        name for name, needs in ADDRESSES.items() if needs - {"format", *OF_ALL} > {"slug"} or needs > {"club_slug"}
    ),
)
def test_ids_of_one_tournament_or_club_do_not_open_another(name: str, world: World) -> None:
    assert world.foreign is not None
    mine, theirs = world.values(world.tournaments["public"]), world.values(world.foreign)
    of = "slug" if "slug" in ADDRESSES[name] else "club_slug"
    for kwargs in (theirs | {of: mine[of]}, mine | {of: theirs[of]}):
        url = reverse(name, kwargs={need: kwargs[need] for need in ADDRESSES[name]})
        for method in methods(url):
            assert world.ask(OWNER, method, url).status_code in (404, 405), (method, url)


def test_the_host_of_a_casual_table_sees_no_link_of_a_friend_and_opens_none() -> None:
    """The host has an account, and would open a friend's link in a private window."""
    host, olga = Client(), cast.organiser()
    host.force_login(olga)
    table = open_table(host, "Olga")
    assert table.owner == olga
    entry = join(tournament=table, name="Friend", by=None)
    [(link, secret)] = make_scorer_links(tournament=table, tables=[None], by=olga)
    _invitation, token = invite(to=table, kind=Role.Kind.PLAYER, by=olga, entry=entry)
    Role.objects.create(tournament=table, user=cast.someone_else(), kind=Role.Kind.PLAYER, entry=entry)
    values = {"slug": table.slug, "public_id": entry.public_id, "link_id": link.pk, "format": "heats"}
    for name, row in ROWS.items():
        if ADDRESSES[name] <= set(values) and any(isinstance(gate, Can) for gate, _status in row.values()):
            url = reverse(name, kwargs={need: values[need] for need in ADDRESSES[name]})
            for method, (gate, _status) in row.items():
                if isinstance(gate, Can) and not url.startswith("/api/"):
                    assert host.generic(method, url).status_code == 404, (method, url)
    window, card = Client(), player_token(entry)
    assert window.post(f"/me/{card}/").status_code == 404
    assert window.get(f"/calendar/{entry_calendar_token(entry)}.ics").status_code == 404
    assert window.post(f"/s/{secret}/").status_code == 404
    assert window.get(f"/screen/{screen_token(table)}/").status_code == 404
    assert host.get(f"/join/{token}/").status_code == 404
    for browser in (window, host):
        page = browser.get(f"/play/{table.slug}/").content.decode() + browser.get(f"/t/{table.slug}/").content.decode()
        assert card not in page and "/players/" + entry.public_id + "/link/" not in page
    friend = Client()
    friend.force_login(cast.someone_else())
    assert friend.get(f"/t/{table.slug}/me/").status_code == 404


def test_drafts_are_for_the_organiser_alone() -> None:
    drawn = cast.tournament()
    owner, stranger = Client(), Client()
    owner.force_login(drawn.owner)
    owner.post(f"/t/{drawn.slug}/advance/", {"step": "draw"})
    assert drawn.rounds.count() == 7
    for page in ("seating/", "bracket/", "fairness/", "seating.csv", "rounds.csv", ""):
        seen = stranger.get(f"/t/{drawn.slug}/{page}").content.decode()
        assert "Round 1</" not in seen and ",Farah" not in seen, page
    table = cast.table(drawn, 1, 1)
    assert owner.get(f"/tables/{table.pk}/").status_code == 404


def test_the_csv_of_players_gives_addresses_and_birthdays_to_the_organiser_alone(world: World) -> None:
    url = world.url("players_csv", world.tournaments["public"])
    for viewer in VIEWERS:
        text = world.ask(viewer, "GET", url).content.decode()
        assert "Ana Lucía" in text
        shown = Can.RUN in RIGHTS.get(viewer, frozenset())
        assert ("ana@example.org" in text, "05-17" in text) == (shown, shown), viewer


# Where names are typed, or are for typing them again; the API has what is shown in a field of its own.
WITHOUT_LABELS = frozenset({"edit_player", "erase_player", "players_csv", "api_tournament"})
BARE = re.compile(  # a narrow picture may cut the club
    r"Jan Dvo[řr][áa]k(?! \((?:SV|TSV) \w+[)…])|\b[Aa]nn\b(?! [12]\b)"
)


def test_two_players_with_one_name_are_told_apart_wherever_they_are_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = world.tournaments["public"]
    world.values(tournament)  # found before there is more than one of each
    alike = {"Benoît": ("Jan Dvořák", "SV Lokstedt"), "Émilie": ("Jan Dvorak", "TSV Eppendorf")}
    alike |= {"Chidi": ("Ann", ""), "Đorđe": ("ann", "")}
    for old, (name, club) in alike.items():
        person = cast.entry(tournament, old).player
        person.name, person.club_name = name, club
        person.save()
    tell_apart(tournament)
    for name in alike.values():
        entry = tournament.entries.get(player__name=name[0])
        adjust(tournament=tournament, entry=entry, points=5, reason="Found a card", round_number=1, by=tournament.owner)
    printed: list[str] = []
    draw = document.pdf

    def recorded(head: Head, prints: Sequence[document.Print], paper: Paper) -> bytes:
        printed.append(repr(prints))
        return draw(head, prints, paper)

    monkeypatch.setattr(document, "pdf", recorded)
    bare, labelled = {}, set()
    for name, needs in ADDRESSES.items():
        is_page = needs and not needs & OF_A_CLUB and ROWS[name].get("GET", (OPEN, 0))[1] == 200
        if not is_page or name in WITHOUT_LABELS:
            continue
        printed.clear()
        answer = world.ask(OWNER, "GET", world.url(name, tournament))
        is_text = answer["Content-Type"].startswith(("text/", "application/json", "application/x-ndjson"))
        text = unescape("".join(part.decode() for part in answer)) if is_text else "".join(printed)
        if found := BARE.search(text):
            bare[name] = text[max(found.start() - 60, 0) : found.end() + 40]
        if "SV Lokstedt)" in text:
            labelled.add(name)
    assert not bare
    assert labelled >= {"seating", "seating_csv", "standings", "standings_csv", "scorecard", "table", "screen", "log"}
    assert labelled >= {
        "print_place_cards",
        "print_slips",
        "print_by_name",
        "players",
        "api_seating",
        "bracket",
    }
