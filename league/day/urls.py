from django.urls import include, path
from django.views.generic import RedirectView

from league.day import better_seating_views, late_views, table_deeds, views

of_tournament = [
    path("manage/", views.manage, name="manage"),
    path("day/late/", late_views.late, name="day_late"),
    path("day/substitutes/<int:player_id>/erase/", late_views.erase_substitute, name="erase_substitute"),
    path("day/redraw/", views.do_deed, {"deed": table_deeds.REDRAW}, name="redraw_tables"),
    path("day/pause/", views.pause, name="pause"),
    path("day/end/", views.do_deed, {"deed": table_deeds.END}, name="end_early"),
    path("jobs/better-seating/", better_seating_views.search, name="better_seating"),
    path("jobs/<int:job_id>/take/", better_seating_views.take, name="take_seating"),
    # addresses of earlier releases
    path("day/", RedirectView.as_view(pattern_name="manage", permanent=True), name="day"),
    path(
        "day/players/<str:public_id>/", RedirectView.as_view(pattern_name="person", permanent=True), name="day_player"
    ),
    path("adjustments/", RedirectView.as_view(pattern_name="standings", permanent=True), name="adjustments"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
