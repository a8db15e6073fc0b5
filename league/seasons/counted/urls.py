from django.urls import include, path

from league.seasons.counted import views

of_season = [
    path("", views.season_evenings, name="season_evenings"),
    path("ticked/", views.evenings_ticked, name="season_evenings_ticked"),
]

urlpatterns = [
    path("clubs/<slug:club_slug>/seasons/<slug:season_slug>/evenings/", include(of_season)),
]
