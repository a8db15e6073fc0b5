from django.urls import include, path

from league.entries import check_in_views

of_tournament = [
    path("sign-up/<str:sign_up_id>/waits-here/", check_in_views.waits_here, name="waits_here"),
    path("sign-up/<str:sign_up_id>/put-back/", check_in_views.put_back, name="put_back"),
    path("check-in/", check_in_views.check_in, name="check_in"),
    path("check-in/close/", check_in_views.close_and_draw, name="close_check_in"),
    path("players/<str:public_id>/here/", check_in_views.here, name="here"),
    path("players/<str:public_id>/replace/", check_in_views.replace, name="replace"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
