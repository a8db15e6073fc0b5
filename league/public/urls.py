from django.urls import include, path

from league.public import csv_views, seating_views, standings_views, views

TABLES = (
    "standings", "members", "seating", "rounds", "hands", "adjustments", "events", "race", "players", "fairness", "log",
)  # fmt: skip

of_tournament = [
    path("seating/", seating_views.seating, name="seating"),
    path("standings/", standings_views.standings, name="standings"),
    path("standings_as_published.csv", csv_views.published_csv, name="published_csv"),
    path("bracket/", views.bracket, name="bracket"),
    path("bracket.svg", views.bracket_svg_file, name="bracket_svg"),
    path("hands/", standings_views.hands, name="hands"),
    path("more/", csv_views.more, name="more"),
    path("fairness/", views.fairness, name="fairness"),
    path("players/<str:public_id>/", standings_views.scorecard, name="scorecard"),
    path("players/<str:public_id>.csv", csv_views.scorecard_csv, name="scorecard_csv"),
    *(path(f"{table}.csv", csv_views.table_csv, {"table": table}, name=f"{table}_csv") for table in TABLES),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
