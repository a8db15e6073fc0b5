from django.urls import path

from league.rulebook import views

urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:edition>/", views.rules_of, name="rules_of"),
]
