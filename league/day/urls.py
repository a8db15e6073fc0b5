from django.urls import include, path

from league.day import better_seating_views, people_views, table_deeds, table_views, views

of_tournament = [
    path("day/", views.day, name="day"),
    path("day/late/", people_views.late, name="day_late"),
    path("day/player/", people_views.choose, name="day_choose"),
    path("day/players/<str:public_id>/", people_views.player, name="day_player"),
    path("day/substitutes/<int:player_id>/erase/", people_views.erase_substitute, name="erase_substitute"),
    path("day/events/<int:event_id>/undo/", people_views.undo, name="undo_event"),
    path("day/swap/", table_views.do_deed, {"deed": table_deeds.SWAP}, name="swap_seats"),
    path("day/move-table/", table_views.do_deed, {"deed": table_deeds.MOVE}, name="move_table"),
    path("day/close-table/", table_views.do_deed, {"deed": table_deeds.CLOSE}, name="close_table"),
    path("day/open-table/", table_views.do_deed, {"deed": table_deeds.OPEN_AGAIN}, name="open_table"),
    path("day/redraw/", table_views.do_deed, {"deed": table_deeds.REDRAW}, name="redraw_tables"),
    path("day/pause/", table_views.pause, name="pause"),
    path("day/end/", table_views.do_deed, {"deed": table_deeds.END}, name="end_early"),
    path("jobs/better-seating/", better_seating_views.search, name="better_seating"),
    path("jobs/<int:job_id>/take/", better_seating_views.take, name="take_seating"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
