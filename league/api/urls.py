from django.urls import path

from league.api import clubs, docs, ratings, tables, views

urlpatterns = [
    path("schema/", docs.schema, name="api_schema"),
    path("docs/", docs.explorer, name="api_docs"),
    path("v1/tournaments/", views.Tournaments.as_view(), name="api_tournaments"),
    path("v1/tournaments/<slug:slug>/", views.TournamentView.as_view(), name="api_tournament"),
    path("v1/tournaments/<slug:slug>/start/", views.Start.as_view(), name="api_start"),
    path("v1/tournaments/<slug:slug>/advance/", views.Advance.as_view(), name="api_advance"),
    path("v1/tournaments/<slug:slug>/close/", views.Close.as_view(), name="api_close"),
    path("v1/tournaments/<slug:slug>/reopen/", views.Reopen.as_view(), name="api_reopen"),
    *(
        path(f"v1/tournaments/<slug:slug>/{table}/", tables.rows_view(table).as_view(), name=f"api_{table}")
        for table in tables.TABLES
    ),
    path("v1/clubs/", clubs.Clubs.as_view(), name="api_clubs"),
    path("v1/clubs/<slug:club_slug>/", clubs.ClubView.as_view(), name="api_club"),
    path("v1/clubs/<slug:club_slug>/players/", clubs.Members.as_view(), name="api_club_members"),
    path("v1/clubs/<slug:club_slug>/players/<str:member_id>/", clubs.Profile.as_view(), name="api_club_member"),
    path("v1/clubs/<slug:club_slug>/ratings/", ratings.Ratings.as_view(), name="api_ratings"),
    path(
        "v1/clubs/<slug:club_slug>/ratings/<str:member_id>/",
        ratings.RatingHistory.as_view(),
        name="api_rating_history",
    ),
    # Whatever else is asked for: a problem, not a page, and no redirect that would lose a body.
    path("<path:rest>", docs.unknown, name="api_unknown"),
]
