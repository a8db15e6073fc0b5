from django.urls import path

from league.format_pages import race

urlpatterns = [
    path("t/<slug:slug>/race/", race.race, name="race"),
]
