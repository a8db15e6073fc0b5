from django.urls import include, path

from games.entry import dispute_views, phone_queue, seat_views, views
from games.entry.repair_views import UNDO_ROUND, undo_publish
from games.online import overview_views, settings_views, sheet_views
from games.online import views as online
from games.online.casual import views as casual_views
from games.online.director import views as director_views
from games.online.director.actions import ACTIONS
from games.online.proof import views as proof_views
from games.service import demo_views, practice_views
from league.day.views import run_action

urlpatterns = [
    # first, because players load them many times a second
    path("tables/<int:table_id>/play/", online.play, name="play"),
    path("tables/<int:table_id>/play/ready/", online.ready, name="play_ready"),
    path("tables/<int:table_id>/play/open/", online.open_promise, name="play_open"),
    path("tables/<int:table_id>/play/strip/", online.strip, name="play_strip"),
    path("tables/<int:table_id>/play/act/", online.act, name="play_act"),
    path("tables/<int:table_id>/play/hand/", sheet_views.hand, name="play_hand"),
    path("tables/<int:table_id>/play/rules/", sheet_views.rules, name="play_rules"),
    path("sw.js", phone_queue.service_worker, name="service_worker"),
    path("", include("games.server.urls")),
    path("demo/remove/", demo_views.remove, name="remove_demo"),
    path("practice/", practice_views.begin, name="practice"),
    path("practice/fill/", practice_views.fill, name="practice_fill"),
    path("practice/end/", practice_views.take_away, name="practice_end"),
    path("tables/<int:table_id>/", views.table, name="table"),
    path("tables/<int:table_id>/preview/", views.preview, name="table_preview"),
    path("tables/<int:table_id>/first-dealer/", views.first_dealer, name="first_dealer"),
    path("tables/<int:table_id>/confirm/", views.confirm, name="confirm_table"),
    path("play/", casual_views.new_table, name="new_table"),
    path("play/<slug:slug>/", casual_views.lobby, name="lobby"),
    path("play/<slug:slug>/rematch/", casual_views.rematch, name="rematch"),
    path("tables/<int:table_id>/direct/", director_views.direct, name="direct"),
    path("tables/<int:table_id>/direct/pause/", director_views.pause, name="direct_pause"),
    path("tables/<int:table_id>/direct/go-on/", director_views.go_on, name="direct_go_on"),
    path("tables/<int:table_id>/direct/undo/", director_views.undo, name="direct_undo"),
    *(
        path(f"tables/<int:table_id>/direct/{key}/", director_views.action, {"key": key}, name=f"direct_{key}")
        for key in ACTIONS
    ),
    path("tables/<int:table_id>/position/<int:deal_id>/", director_views.position, name="position"),
    path("tables/<int:table_id>/position/<int:deal_id>.pdf", director_views.position_pdf, name="position_pdf"),
    path("tables/<int:table_id>/hands/<int:hand>/", proof_views.played_hand, name="played_hand"),
    path("deals/<int:deal_id>/", proof_views.deal, name="deal"),
    path("deals/<int:deal_id>/log.jsonl", proof_views.deal_log, name="deal_log"),
    path("deals/<int:deal_id>/replay/", proof_views.deal_replay, name="deal_replay"),
    path("tables/<int:table_id>/agree/", dispute_views.agree, name="agree"),
    path("tables/<int:table_id>/disputes/", dispute_views.show_disputes, name="disputed"),
    path("tables/<int:table_id>/phone/", dispute_views.drop_on_phone, name="drop_on_phone"),
    path("tables/<int:table_id>/phone/decide/", dispute_views.decide_on_phone, name="decide_phone_hands"),
    path("disputes/<int:dispute_id>/withdraw/", dispute_views.withdraw, name="withdraw_dispute"),
    path("disputes/<int:dispute_id>/decide/", dispute_views.decide, name="decide_dispute"),
    path("hands/<int:hand_id>/dispute/", dispute_views.dispute, name="dispute_hand"),
    path("hands/<int:hand_id>/correct/", views.correct, name="correct_hand"),
    path("hands/<int:hand_id>/void/", views.void, name="void_hand"),
    path("t/<slug:slug>/in-play/", overview_views.tables, name="in_play"),
    path("t/<slug:slug>/settings/online/", settings_views.settings, name="online_settings"),
    path("t/<slug:slug>/day/online/", settings_views.tables, name="online_tables"),
    path("t/<slug:slug>/day/undo-round/", run_action, {"action": UNDO_ROUND}, name="undo_round"),
    path("t/<slug:slug>/day/seats-as-played/", seat_views.seats_as_played, name="seats_as_played"),
    path("t/<slug:slug>/rounds/<int:round_number>/undo/", undo_publish, name="undo_publish"),
]
