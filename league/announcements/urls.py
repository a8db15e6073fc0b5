from django.urls import include, path

from league.announcements import views

of_tournament = [
    path("announce/", views.announce_line, name="announce"),
    path("announce/remove/", views.remove, name="remove_announcement"),
    path("announce/restore/", views.restore, name="restore_announcement"),
]

urlpatterns = [path("t/<slug:slug>/", include(of_tournament))]
