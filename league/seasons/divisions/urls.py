from django.urls import include, path

from league.seasons.divisions import views

of_season = [
    path("", views.season_players, name="season_players"),
    path("ticked/", views.ticked, name="season_players_ticked"),
    path("split/", views.split, name="split_by_rating"),
    path("divisions.csv", views.divisions_csv, name="divisions_csv"),
    path("list/", views.from_list, name="divisions_from_list"),
    path("undo/", views.undo, name="undo_placing"),
]

urlpatterns = [
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/players/", include(of_season)),
]
