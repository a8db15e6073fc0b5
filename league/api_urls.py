from django.urls import path

from league.announcements import api as announcements
from league.api import docs
from league.calls import api as calls
from league.clubs import api as clubs
from league.entries import api as reminders
from league.entries.arrivals import api as check_in
from league.odds import api as odds
from league.public import api as tables
from league.ratings import api as ratings
from league.seasons import api as seasons
from league.seasons import member_api
from league.setup import api as views

urlpatterns = [
    path("schema/", docs.schema, name="api_schema"),
    path("docs/", docs.explorer, name="api_docs"),
    path("v1/tournaments/", views.Tournaments.as_view(), name="api_tournaments"),
    path("v1/tournaments/<slug:slug>/", views.TournamentView.as_view(), name="api_tournament"),
    path("v1/tournaments/<slug:slug>/start/", views.Start.as_view(), name="api_start"),
    path("v1/tournaments/<slug:slug>/advance/", views.Advance.as_view(), name="api_advance"),
    path("v1/tournaments/<slug:slug>/close/", views.Close.as_view(), name="api_close"),
    path("v1/tournaments/<slug:slug>/reopen/", views.Reopen.as_view(), name="api_reopen"),
    path("v1/tournaments/<slug:slug>/call-off/", views.CallOff.as_view(), name="api_call_off"),
    path("v1/tournaments/<slug:slug>/hold-after-all/", views.HoldAfterAll.as_view(), name="api_hold_after_all"),
    path("v1/tournaments/<slug:slug>/end-early/", views.EndEarly.as_view(), name="api_end_early"),
    path("v1/tournaments/<slug:slug>/counts/", views.Counts.as_view(), name="api_counts"),
    path("v1/tournaments/<slug:slug>/stages/", views.SetStages.as_view(), name="api_stages"),
    path("v1/tournaments/<slug:slug>/undo-cut/", views.UndoCut.as_view(), name="api_undo_cut"),
    *(
        path(f"v1/tournaments/<slug:slug>/{table}/", tables.rows_view(table).as_view(), name=f"api_{table}")
        for table in tables.TABLES
    ),
    path("v1/tournaments/<slug:slug>/announcement/", announcements.Announce.as_view(), name="api_announcement"),
    path("v1/tournaments/<slug:slug>/odds/", odds.Odds.as_view(), name="api_odds"),
    path("v1/tournaments/<slug:slug>/check-in/", check_in.CheckIn.as_view(), name="api_check_in"),
    path("v1/tournaments/<slug:slug>/reminder/", reminders.Reminder.as_view(), name="api_reminder"),
    path("v1/tournaments/<slug:slug>/calls/", calls.Calls.as_view(), name="api_calls"),
    path("v1/tournaments/<slug:slug>/calls/<int:call_id>/", calls.AnswerCall.as_view(), name="api_answer_call"),
    path("v1/clubs/", clubs.Clubs.as_view(), name="api_clubs"),
    path("v1/clubs/<slug:club_slug>/", clubs.ClubView.as_view(), name="api_club"),
    path("v1/clubs/<slug:club_slug>/teams/", clubs.Teams.as_view(), name="api_club_teams"),
    path("v1/clubs/<slug:club_slug>/teams/<str:team_id>/", clubs.TeamView.as_view(), name="api_club_team"),
    path("v1/clubs/<slug:club_slug>/players/", clubs.Members.as_view(), name="api_club_members"),
    path("v1/clubs/<slug:club_slug>/players/<str:member_id>/", member_api.Profile.as_view(), name="api_club_member"),
    path("v1/clubs/<slug:club_slug>/ratings/", ratings.Ratings.as_view(), name="api_ratings"),
    path(
        "v1/clubs/<slug:club_slug>/ratings/<str:member_id>/",
        ratings.RatingHistory.as_view(),
        name="api_rating_history",
    ),
    path("v1/clubs/<slug:club_slug>/seasons/", seasons.Seasons.as_view(), name="api_seasons"),
    *(
        path(f"v1/clubs/<slug:club_slug>/seasons/<slug:season_slug>/{rest}", view.as_view(), name=f"api_season{name}")
        for rest, view, name in (
            ("", seasons.SeasonView, ""),
            ("standings/", seasons.Standings, "_standings"),
            ("evenings/", seasons.Evenings, "_evenings"),
            ("players/", seasons.Players, "_players"),
            ("close/", seasons.CloseSeason, "_close"),
            ("reopen/", seasons.ReopenSeason, "_reopen"),
            ("roll-over/", seasons.RollOver, "_roll_over"),
        )
    ),
    # Answer any other address with a problem in JSON: no page, and no redirect that would lose a body.
    path("<path:rest>", docs.unknown_address, name="api_unknown"),
]
