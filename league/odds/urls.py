from django.urls import include, path

from league.odds import views

of_tournament = [
    path("odds/", views.odds, name="odds"),
    path("odds.csv", views.odds_csv, name="odds_csv"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
