from django.urls import path

from games.entry import api as views
from games.online import api as online

urlpatterns = [
    path("v1/tournaments/<slug:slug>/rounds/", views.Rounds.as_view(), name="api_rounds"),
    path("v1/tournaments/<slug:slug>/online/", online.Settings.as_view(), name="api_online"),
    path("v1/tournaments/<slug:slug>/online/tables/", online.Tables.as_view(), name="api_online_tables"),
    path("v1/tables/<int:table_id>/", views.TableView.as_view(), name="api_table"),
    path("v1/tables/<int:table_id>/first-dealer/", views.FirstDealer.as_view(), name="api_first_dealer"),
    path("v1/tables/<int:table_id>/hands/", views.TableHands.as_view(), name="api_record_hand"),
    path("v1/hands/<int:hand_id>/correct/", views.Correct.as_view(), name="api_correct_hand"),
    path("v1/hands/<int:hand_id>/void/", views.Void.as_view(), name="api_void_hand"),
]
