from django.urls import path

from league.setup.new import views

urlpatterns = [
    path("new/", views.new, name="new"),
    path("new/members/", views.members, name="new_members"),
    path("new/evening/", views.evening, name="new_evening"),
]
