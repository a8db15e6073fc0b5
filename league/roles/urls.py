from django.urls import include, path

from league.roles import views

of_club = [
    path("people/", views.club_people, name="club_people"),
    path("people/<int:club_role_id>/take-back/", views.take_back_club_role, name="take_back_club_role"),
    path("invitations/<int:club_invitation_id>/revoke/", views.revoke_club_invitation, name="revoke_club_invitation"),
]

of_tournament = [
    path("people/", views.people, name="people"),
    path("people/<int:role_id>/take-back/", views.take_back_role, name="take_back_role"),
    path("invitations/<int:invitation_id>/revoke/", views.revoke_invitation, name="revoke_invitation"),
]

urlpatterns = [
    path("join/<str:token>/", views.join, name="join"),
    path("clubs/<slug:club_slug>/", include(of_club)),
    path("t/<slug:slug>/", include(of_tournament)),
]
