from django.urls import path

from league.live import stream

urlpatterns = [
    path("t/<slug:slug>/live/", stream.live, name="live"),
]
