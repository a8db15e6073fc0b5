from django.urls import include, path

from league.entries.arrivals import views

of_tournament = [
    path("sign-up/<str:sign_up_id>/waits-here/", views.waits_here, name="waits_here"),
    path("sign-up/<str:sign_up_id>/put-back/", views.put_back, name="put_back"),
    path("check-in/", views.check_in, name="check_in"),
    path("check-in/ticked/", views.ticked, name="check_in_ticked"),
    path("check-in/ticked/undo/", views.undo_ticked, name="undo_check_ins"),
    path("check-in/paid/undo/", views.undo_paid, name="undo_payments"),
    path("check-in/close/", views.close_and_draw, name="close_check_in"),
    path("players/<str:public_id>/here/", views.here, name="here"),
    path("players/<str:public_id>/paid/", views.paid, name="set_paid"),
    path("players/<str:public_id>/replace/", views.replace, name="replace"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
