from django.urls import include, path

from league.day.sheet import moved_views, undo_views, views

of_tournament = [
    path("people/<str:public_id>/", views.person, name="person"),
    path("people/<str:public_id>/swap-back/<int:round_number>/<str:other>/", undo_views.swap, name="swap_back"),
    path("r/<int:round_number>/tables/<int:table_number>/sheet/", views.table, name="table_sheet"),
    path("r/<int:round_number>/tables/<int:table_number>/open/", undo_views.close, name="open_table"),
    path("r/<int:round_number>/tables/<int:table_number>/number/<int:to>/", undo_views.move, name="move_table_back"),
    path("adjustments/<int:adjustment_id>/void/", undo_views.adjustment, name="void_adjustment"),
    path("warnings/<int:warning_id>/withdraw/", undo_views.warning, name="withdraw_warning"),
    path("day/events/<int:event_id>/undo/", undo_views.event, name="undo_event"),
    path("day/events/<int:event_id>/undo/<int:round_number>/<int:table_number>/", undo_views.stop, name="undo_stop"),
    # addresses of earlier releases
    path("day/", moved_views.day, name="day"),
    path("day/players/<str:public_id>/", moved_views.player, name="day_player"),
    path("adjustments/", moved_views.adjustments, name="adjustments"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
