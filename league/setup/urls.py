from django.urls import include, path

from league.setup import end_views, extra_hand_views, overview_views, players_views, views

of_tournament = [
    path("", overview_views.overview, name="tournament"),
    path("players/", players_views.players, name="players"),
    path("rounds/", overview_views.rounds, name="rounds"),
    path("advance/", overview_views.advance, name="advance"),
    path("set-time/", overview_views.set_time, name="set_time"),
    path("set-time/<int:deadline_id>/cancel/", overview_views.cancel_time, name="cancel_time"),
    path("extra-hand/", extra_hand_views.extra_hand, name="extra_hand"),
    path("undo-draw/", overview_views.undo_draw, name="undo_draw"),
    path("reopen/", overview_views.reopen, name="reopen"),
    path("bye-worth/", overview_views.bye_worth, name="bye_worth"),
    path("again/", overview_views.again, name="again"),
    path("call-off/", end_views.call_off, name="call_off"),
    path("counts/", end_views.set_counts, name="set_counts"),
    path("delete/", end_views.delete, name="delete_tournament"),
    path("log/", overview_views.log, name="log"),
    path("settings/", views.settings, name="settings"),
    path("club/", views.set_club, name="set_club"),
    path("players/ticked/", players_views.players_ticked, name="players_ticked"),
    path("lists/<int:import_id>/undo/", players_views.undo_list, name="undo_import"),
    path("order/", players_views.order, name="order"),
    path("players/<str:public_id>/edit/", players_views.edit_player, name="edit_player"),
    path("players/<str:public_id>/erase/", players_views.erase_player, name="erase_player"),
    path("players/<str:public_id>/remove/", players_views.remove_player, name="remove_player"),
    path("players/<str:public_id>/move/", players_views.move_player, name="move_player"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
