from django.urls import path

from league.rounds import views

urlpatterns = [
    path("t/<slug:slug>/clock/", views.clock, name="clock"),
]
