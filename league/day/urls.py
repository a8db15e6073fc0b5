from django.urls import include, path

from league.day import better_seating_views, form_actions, late_views, views

of_tournament = [
    path("manage/", views.manage, name="manage"),
    path("day/late/", late_views.late, name="day_late"),
    path("day/substitutes/<int:player_id>/erase/", late_views.erase_substitute, name="erase_substitute"),
    path("day/redraw/", views.run_action, {"action": form_actions.REDRAW}, name="redraw_tables"),
    path("day/pause/", views.pause, name="pause"),
    path("day/end/", views.run_action, {"action": form_actions.END}, name="end_early"),
    path("jobs/better-seating/", better_seating_views.search, name="better_seating"),
    path("jobs/<int:job_id>/take/", better_seating_views.take, name="take_seating"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
