from django.urls import include, path

from league.calendar import views

of_club = [
    path("calendar.ics", views.club_calendar, name="club_calendar"),
    path("calendar/end/", views.end_club_calendar, name="end_club_calendar"),
    path("players/<str:member_id>/calendar.ics", views.profile_calendar, name="profile_calendar"),
]

of_tournament = [
    path("calendar.ics", views.tournament_calendar, name="tournament_calendar"),
    path("calendar/end/", views.end_calendar, name="end_calendar"),
]

urlpatterns = [
    path("calendar/<str:calendar_token>.ics", views.own_calendar, name="own_calendar"),
    path("clubs/<slug:club_slug>/", include(of_club)),
    path("t/<slug:slug>/", include(of_tournament)),
]
