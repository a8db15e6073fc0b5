from django.urls import include, path

from league.screen import views

of_tournament = [
    path("screen/", views.hall_screen, name="hall_screen"),
    path("screen/show/", views.show, name="screen_show"),
    path("screen/end/", views.end, name="end_screen"),
]

urlpatterns = [
    path("screen/<str:screen_token>/", views.screen, name="screen"),
    path("t/<slug:slug>/", include(of_tournament)),
]
