from django.urls import include, path

from league.seasons import manage_views, member_views, views

of_club = [
    path("season/", views.current_season, name="current_season"),
    path("seasons/", views.seasons, name="seasons"),
    path("seasons/new/", views.new_season, name="new_season"),
    path("seasons/<slug:season_slug>/", views.season, name="season"),
    path("seasons/<slug:season_slug>/standings.csv", views.season_csv, name="season_csv"),
    path("seasons/<slug:season_slug>/season.pdf", views.season_pdf, name="season_pdf"),
    path("seasons/<slug:season_slug>/evenings.csv", views.season_evenings_csv, name="season_evenings_csv"),
    path("seasons/<slug:season_slug>/settings/", views.season_settings, name="season_settings"),
    path("seasons/<slug:season_slug>/close/", manage_views.close_season, name="close_season"),
    path("seasons/<slug:season_slug>/delete/", manage_views.delete_season, name="delete_season"),
    path("seasons/<slug:season_slug>/reopen/", manage_views.reopen_season, name="reopen_season"),
    path("seasons/<slug:season_slug>/next/", manage_views.next_season, name="next_season"),
    path("players/<str:member_id>/", member_views.profile, name="profile"),
    path("players/<str:member_id>/privacy/", member_views.privacy, name="privacy"),
    path("players/<str:member_id>/claim/", member_views.claim, name="claim"),
    path("players/<str:member_id>/let-go/", member_views.let_go, name="let_go"),
]

urlpatterns = [
    path("clubs/<slug:club_slug>/", include(of_club)),
]
