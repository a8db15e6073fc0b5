from django.urls import path

from league import design, home
from league.background import views as jobs
from league.by_link import my_table_views, player_link_views, scorer_views, sign_up_views
from league.calendar import views as calendar
from league.clubs import member_views, team_views
from league.clubs import views as clubs
from league.day import people_views, table_deeds, table_views
from league.day import views as day
from league.entries import check_in_views
from league.format_pages import race
from league.live import stream as live
from league.odds import views as odds
from league.pages import downloads
from league.prints import codes_views
from league.prints import views as prints
from league.prints.documents import KINDS
from league.public import (
    bracket_views,
    csv_views,
    fairness_views,
    more_views,
    scorecard_views,
    seating_views,
    standings_views,
)
from league.ratings import views as ratings
from league.roles import club_views, join_views, tournament_views
from league.rounds import views as clock
from league.rulebook import views as rules
from league.screen import views as screen
from league.seasons import manage_views
from league.seasons import member_views as profile
from league.seasons import views as seasons
from league.setup import adjustment_views, end_views, overview_views, players_views
from league.setup import club_views as evening_of
from league.setup import views as setup
from league.setup.new import views as new_tournament
from league.setup.stages import views as stage_pages

TABLES = (
    "standings", "members", "seating", "rounds", "hands", "adjustments", "events", "race", "players", "fairness", "log",
)  # fmt: skip

urlpatterns = [
    # first, since each page that is open asks for it
    path("t/<slug:slug>/live/", live.live, name="live"),
    path("", home.home, name="home"),
    path("join/<str:token>/", join_views.join, name="join"),
    path("s/<str:secret>/", scorer_views.scorer, name="scorer"),
    path("sign-up/<str:own>/", sign_up_views.own_sign_up, name="own_sign_up"),
    path("reminders/<str:reminders_token>/", sign_up_views.reminders_page, name="reminders"),
    path("me/", my_table_views.my_tables, name="my_tables"),
    path("me/<str:player_token>/", my_table_views.door, name="me"),
    path("screen/<str:screen_token>/", screen.screen, name="screen"),
    path("calendar/<str:calendar_token>.ics", calendar.own_calendar, name="own_calendar"),
    path("credits/", home.credits_page, name="credits"),
    path("design/", design.design, name="design"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:edition>/", rules.rules_of, name="rules_of"),
    path("new/", new_tournament.new, name="new"),
    path("new/evening/", new_tournament.evening, name="new_evening"),
    # Clubs.
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.new_club, name="new_club"),
    path("clubs/<slug:club_slug>/", clubs.club, name="club"),
    path("clubs/<slug:club_slug>/about/", clubs.about, name="club_about"),
    path("clubs/<slug:club_slug>/settings/", clubs.settings, name="club_settings"),
    path("clubs/<slug:club_slug>/hand-over/", clubs.hand_over, name="hand_over_club"),
    path("clubs/<slug:club_slug>/log/", clubs.log, name="club_log"),
    path("clubs/<slug:club_slug>/calendar.ics", calendar.club_calendar, name="club_calendar"),
    path("clubs/<slug:club_slug>/calendar/end/", calendar.end_club_calendar, name="end_club_calendar"),
    path("clubs/<slug:club_slug>/people/", club_views.people, name="club_people"),
    path(
        "clubs/<slug:club_slug>/people/<int:club_role_id>/take-back/",
        club_views.take_back,
        name="take_back_club_role",
    ),
    path(
        "clubs/<slug:club_slug>/invitations/<int:club_invitation_id>/revoke/",
        club_views.revoke,
        name="revoke_club_invitation",
    ),
    path("clubs/<slug:club_slug>/ratings/", ratings.ratings, name="ratings"),
    path("clubs/<slug:club_slug>/ratings.csv", ratings.ratings_csv, name="ratings_csv"),
    path("clubs/<slug:club_slug>/ratings/<str:member_id>/", ratings.rating, name="rating"),
    path("clubs/<slug:club_slug>/ratings/<str:member_id>/history.csv", ratings.rating_csv, name="rating_csv"),
    path("clubs/<slug:club_slug>/season/", seasons.current_season, name="current_season"),
    path("clubs/<slug:club_slug>/seasons/", seasons.seasons, name="seasons"),
    path("clubs/<slug:club_slug>/seasons/new/", seasons.new_season, name="new_season"),
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/", seasons.season, name="season"),
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/standings.csv", seasons.season_csv, name="season_csv"),
    path(
        "clubs/<slug:club_slug>/seasons/<slug:season_slug>/evenings.csv",
        seasons.season_evenings_csv,
        name="season_evenings_csv",
    ),
    path(
        "clubs/<slug:club_slug>/seasons/<slug:season_slug>/settings/", seasons.season_settings, name="season_settings"
    ),
    path(
        "clubs/<slug:club_slug>/seasons/<slug:season_slug>/evenings/",
        manage_views.season_evenings,
        name="season_evenings",
    ),
    path(
        "clubs/<slug:club_slug>/seasons/<slug:season_slug>/players/", manage_views.season_players, name="season_players"
    ),
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/close/", manage_views.close_season, name="close_season"),
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/delete/", manage_views.delete_season, name="delete_season"),
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/reopen/", manage_views.reopen_season, name="reopen_season"),
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/next/", manage_views.next_season, name="next_season"),
    path("clubs/<slug:club_slug>/players/", member_views.members, name="members"),
    path("clubs/<slug:club_slug>/teams/", team_views.club_teams, name="club_teams"),
    path("clubs/<slug:club_slug>/teams/<str:team_id>/", team_views.edit_team, name="edit_team"),
    path("clubs/<slug:club_slug>/teams/<str:team_id>/take-apart/", team_views.take_apart, name="take_apart"),
    path("clubs/<slug:club_slug>/players.csv", member_views.club_members_csv, name="club_members_csv"),
    path("clubs/<slug:club_slug>/players/take-in/", member_views.take_in, name="take_in"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/", profile.profile, name="profile"),
    path(
        "clubs/<slug:club_slug>/players/<str:member_id>/calendar.ics",
        calendar.profile_calendar,
        name="profile_calendar",
    ),
    path("clubs/<slug:club_slug>/players/<str:member_id>/privacy/", profile.privacy, name="privacy"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/claim/", profile.claim, name="claim"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/let-go/", profile.let_go, name="let_go"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/edit/", member_views.edit, name="edit_member"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/invite/", member_views.invite, name="invite_member"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/remove/", member_views.remove, name="remove_member"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/erase/", member_views.erase, name="erase_member"),
    path("clubs/<slug:club_slug>/players/<str:member_id>/merge/", member_views.merge, name="merge_members"),
    path("clubs/<slug:club_slug>/merges/<int:merge_id>/undo/", member_views.undo_merge, name="undo_merge"),
    # What anybody may look at.
    path("t/<slug:slug>/", overview_views.overview, name="tournament"),
    path("t/<slug:slug>/seating/", seating_views.seating, name="seating"),
    path("t/<slug:slug>/standings/", standings_views.standings, name="standings"),
    path("t/<slug:slug>/standings_as_published.csv", csv_views.published_csv, name="published_csv"),
    path("t/<slug:slug>/odds/", odds.odds, name="odds"),
    path("t/<slug:slug>/odds.csv", odds.odds_csv, name="odds_csv"),
    path("t/<slug:slug>/bracket/", bracket_views.bracket, name="bracket"),
    path("t/<slug:slug>/bracket.svg", bracket_views.bracket_svg_file, name="bracket_svg"),
    path("t/<slug:slug>/race/", race.race, name="race"),
    path("t/<slug:slug>/hands/", standings_views.hands, name="hands"),
    path("t/<slug:slug>/more/", more_views.more, name="more"),
    path("csv/mark/", downloads.choose_mark, name="csv_mark"),
    path("t/<slug:slug>/fairness/", fairness_views.fairness, name="fairness"),
    path("t/<slug:slug>/me/", my_table_views.my_table, name="my_table"),
    path("t/<slug:slug>/sign-up/", sign_up_views.sign_up, name="sign_up"),
    path("t/<slug:slug>/calendar.ics", calendar.tournament_calendar, name="tournament_calendar"),
    path("t/<slug:slug>/calendar/end/", calendar.end_calendar, name="end_calendar"),
    path("t/<slug:slug>/adjustments/", adjustment_views.adjustments, name="adjustments"),
    path("t/<slug:slug>/players/", players_views.players, name="players"),
    path("t/<slug:slug>/players/<str:public_id>/", scorecard_views.scorecard, name="scorecard"),
    path("t/<slug:slug>/players/<str:public_id>.csv", csv_views.scorecard_csv, name="scorecard_csv"),
    *(
        path(f"t/<slug:slug>/{table}.csv", csv_views.table_csv, {"table": table}, name=f"{table}_csv")
        for table in TABLES
    ),
    *(
        path(f"t/<slug:slug>/prints/{key.replace('_', '-')}.pdf", prints.print_pdf, {"key": key}, name=f"print_{key}")
        for key in KINDS
    ),
    # What organisers do.
    path("t/<slug:slug>/prints/", prints.prints, name="prints"),
    path("t/<slug:slug>/codes/", codes_views.codes, name="codes"),
    path("t/<slug:slug>/prints/slips/", prints.slips_to_print, name="slips_to_print"),
    path("t/<slug:slug>/rounds/", overview_views.rounds, name="rounds"),
    path("t/<slug:slug>/advance/", overview_views.advance, name="advance"),
    path("t/<slug:slug>/day/", day.day, name="day"),
    path("t/<slug:slug>/day/late/", people_views.late, name="day_late"),
    path("t/<slug:slug>/day/player/", people_views.choose, name="day_choose"),
    path("t/<slug:slug>/day/players/<str:public_id>/", people_views.player, name="day_player"),
    path(
        "t/<slug:slug>/day/substitutes/<int:player_id>/erase/", people_views.erase_substitute, name="erase_substitute"
    ),
    path("t/<slug:slug>/day/events/<int:event_id>/undo/", people_views.undo, name="undo_event"),
    path("t/<slug:slug>/day/swap/", table_views.do_deed, {"deed": table_deeds.SWAP}, name="swap_seats"),
    path("t/<slug:slug>/day/move-table/", table_views.do_deed, {"deed": table_deeds.MOVE}, name="move_table"),
    path("t/<slug:slug>/day/close-table/", table_views.do_deed, {"deed": table_deeds.CLOSE}, name="close_table"),
    path("t/<slug:slug>/day/open-table/", table_views.do_deed, {"deed": table_deeds.OPEN_AGAIN}, name="open_table"),
    path("t/<slug:slug>/day/redraw/", table_views.do_deed, {"deed": table_deeds.REDRAW}, name="redraw_tables"),
    path("t/<slug:slug>/day/pause/", table_views.pause, name="pause"),
    path("t/<slug:slug>/day/end/", table_views.do_deed, {"deed": table_deeds.END}, name="end_early"),
    path("t/<slug:slug>/clock/", clock.clock, name="clock"),
    path("t/<slug:slug>/screen/", screen.hall_screen, name="hall_screen"),
    path("t/<slug:slug>/screen/end/", screen.end, name="end_screen"),
    path("t/<slug:slug>/set-time/", overview_views.set_time, name="set_time"),
    path("t/<slug:slug>/set-time/<int:deadline_id>/cancel/", overview_views.cancel_time, name="cancel_time"),
    path("t/<slug:slug>/jobs/", jobs.jobs, name="jobs"),
    path("t/<slug:slug>/jobs/better-seating/", jobs.better_seating, name="better_seating"),
    path("t/<slug:slug>/jobs/<int:job_id>/take/", jobs.take, name="take_seating"),
    path("t/<slug:slug>/jobs/<int:job_id>/cancel/", jobs.cancel, name="cancel_job"),
    path("t/<slug:slug>/jobs/<int:job_id>/retry/", jobs.retry, name="retry_job"),
    path("t/<slug:slug>/jobs/<int:job_id>/file/", jobs.download, name="job_file"),
    path("t/<slug:slug>/extra-hand/", adjustment_views.extra_hand, name="extra_hand"),
    path("t/<slug:slug>/undo-draw/", overview_views.undo_draw, name="undo_draw"),
    path("t/<slug:slug>/reopen/", overview_views.reopen, name="reopen"),
    path("t/<slug:slug>/again/", overview_views.again, name="again"),
    path("t/<slug:slug>/call-off/", end_views.call_off, name="call_off"),
    path("t/<slug:slug>/counts/", end_views.set_counts, name="set_counts"),
    path("t/<slug:slug>/delete/", end_views.delete, name="delete_tournament"),
    path("t/<slug:slug>/log/", overview_views.log, name="log"),
    path("t/<slug:slug>/settings/", setup.settings, name="settings"),
    path("t/<slug:slug>/stages/", stage_pages.stages, name="stages"),
    path("t/<slug:slug>/stages/add/<slug:format>/", stage_pages.add_stage, name="add_stage"),
    path("t/<slug:slug>/stages/<int:number>/", stage_pages.edit_stage, name="edit_stage"),
    path("t/<slug:slug>/stages/take-back-the-cut/", stage_pages.take_back_cut, name="undo_cut"),
    path("t/<slug:slug>/club/", evening_of.set_club, name="set_club"),
    path("t/<slug:slug>/sign-up/settings/", sign_up_views.sign_up_settings, name="sign_up_settings"),
    path("t/<slug:slug>/sign-up/<str:sign_up_id>/remove/", sign_up_views.remove_sign_up, name="remove_sign_up"),
    path("t/<slug:slug>/sign-up/<str:sign_up_id>/waits-here/", check_in_views.waits_here, name="waits_here"),
    path("t/<slug:slug>/sign-up/<str:sign_up_id>/put-back/", check_in_views.put_back, name="put_back"),
    path("t/<slug:slug>/check-in/", check_in_views.check_in, name="check_in"),
    path("t/<slug:slug>/check-in/close/", check_in_views.close_and_draw, name="close_check_in"),
    path("t/<slug:slug>/players/<str:public_id>/here/", check_in_views.here, name="here"),
    path("t/<slug:slug>/players/<str:public_id>/replace/", check_in_views.replace, name="replace"),
    path("t/<slug:slug>/people/", tournament_views.people, name="people"),
    path("t/<slug:slug>/people/<int:role_id>/take-back/", tournament_views.take_back_role, name="take_back_role"),
    path(
        "t/<slug:slug>/invitations/<int:invitation_id>/revoke/",
        tournament_views.revoke_invitation,
        name="revoke_invitation",
    ),
    path("t/<slug:slug>/scoring/", scorer_views.scoring, name="scoring"),
    path("t/<slug:slug>/scorers/", scorer_views.scorers, name="scorers"),
    path("t/<slug:slug>/scorers/<int:link_id>/revoke/", scorer_views.revoke_scorer_link, name="revoke_scorer_link"),
    path("t/<slug:slug>/order/", players_views.order, name="order"),
    path("t/<slug:slug>/players/<str:public_id>/link/", player_link_views.player_link, name="player_link"),
    path(
        "t/<slug:slug>/players/<str:public_id>/link/mail/", player_link_views.mail_player_link, name="mail_player_link"
    ),
    path("t/<slug:slug>/players/<str:public_id>/link/end/", player_link_views.end_player_link, name="end_player_link"),
    path("t/<slug:slug>/players/<str:public_id>/edit/", players_views.edit_player, name="edit_player"),
    path("t/<slug:slug>/players/<str:public_id>/erase/", players_views.erase_player, name="erase_player"),
    path("t/<slug:slug>/players/<str:public_id>/remove/", players_views.remove_player, name="remove_player"),
    path("t/<slug:slug>/players/<str:public_id>/move/", players_views.move_player, name="move_player"),
    path(
        "t/<slug:slug>/adjustments/<int:adjustment_id>/void/", adjustment_views.void_adjustment, name="void_adjustment"
    ),
]
