from django.urls import path

from games import day_views, demo_page, queue, two_sides, views
from games.online import views as online

urlpatterns = [
    path("sw.js", queue.service_worker, name="service_worker"),
    path("demo/remove/", demo_page.remove, name="remove_demo"),
    path("tables/<int:table_id>/", views.table, name="table"),
    path("tables/<int:table_id>/preview/", views.preview, name="table_preview"),
    path("tables/<int:table_id>/confirm/", views.confirm, name="confirm_table"),
    path("tables/<int:table_id>/play/", online.play, name="play"),
    path("tables/<int:table_id>/play/ready/", online.ready, name="play_ready"),
    path("tables/<int:table_id>/play/act/", online.act, name="play_act"),
    path("tables/<int:table_id>/agree/", two_sides.agree, name="agree"),
    path("tables/<int:table_id>/disputes/", two_sides.disputed, name="disputed"),
    path("disputes/<int:dispute_id>/withdraw/", two_sides.withdraw, name="withdraw_dispute"),
    path("disputes/<int:dispute_id>/decide/", two_sides.decide, name="decide_dispute"),
    path("hands/<int:hand_id>/dispute/", two_sides.dispute, name="dispute_hand"),
    path("hands/<int:hand_id>/correct/", views.correct, name="correct_hand"),
    path("hands/<int:hand_id>/void/", views.void, name="void_hand"),
    path("t/<slug:slug>/day/undo-round/", day_views.undo_round, name="undo_round"),
]
