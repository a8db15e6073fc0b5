from django.urls import include, path

from league.day.sheet import undo_views, views

of_tournament = [
    path("people/<str:public_id>/", views.person, name="person"),
    path("people/<str:public_id>/swap-back/<int:round_number>/<str:other>/", undo_views.swap_back, name="swap_back"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
