from django.urls import path

from games import demo_page, views

urlpatterns = [
    path("demo/remove/", demo_page.remove, name="remove_demo"),
    path("tables/<int:table_id>/", views.table, name="table"),
    path("tables/<int:table_id>/preview/", views.preview, name="table_preview"),
    path("tables/<int:table_id>/confirm/", views.confirm, name="confirm_table"),
    path("hands/<int:hand_id>/correct/", views.correct, name="correct_hand"),
    path("hands/<int:hand_id>/void/", views.void, name="void_hand"),
]
