from django.urls import include, path

from league.clubs import list_views, member_views, merge_views, same_people_views, team_views, views
from league.clubs.attendance import views as attendance_views

of_club = [
    path("", views.club, name="club"),
    path("about/", views.about, name="club_about"),
    path("settings/", views.settings, name="club_settings"),
    path("hand-over/", views.hand_over, name="hand_over_club"),
    path("log/", views.log, name="club_log"),
    path("players/", member_views.members, name="members"),
    path("teams/", team_views.club_teams, name="club_teams"),
    path("teams/<str:team_id>/", team_views.edit_team, name="edit_team"),
    path("teams/<str:team_id>/take-apart/", team_views.take_apart, name="take_apart"),
    path("players.csv", member_views.club_members_csv, name="club_members_csv"),
    path("lists/<int:club_import_id>/undo/", list_views.undo_list, name="undo_club_import"),
    path("attendance/", attendance_views.attendance_of_club, name="attendance"),
    path("attendance.csv", attendance_views.attendance_csv, name="attendance_csv"),
    path("players/ticked/", member_views.members_ticked, name="members_ticked"),
    path("players/take-in/", member_views.take_in, name="take_in"),
    path("players/<str:member_id>/edit/", member_views.edit, name="edit_member"),
    path("players/<str:member_id>/invite/", member_views.invite, name="invite_member"),
    path("players/<str:member_id>/remove/", member_views.remove, name="remove_member"),
    path("players/<str:member_id>/erase/", member_views.erase, name="erase_member"),
    path("players/<str:member_id>/merge/", merge_views.merge, name="merge_members"),
    path("merges/<int:merge_id>/undo/", merge_views.undo_merge, name="undo_merge"),
    path("same-people/", same_people_views.same_people, name="same_people"),
    path("same-people/<str:form_key>/undo/", same_people_views.undo_same_people, name="undo_same_people"),
]

urlpatterns = [
    path("clubs/", views.clubs, name="clubs"),
    path("clubs/new/", views.new_club, name="new_club"),
    path("clubs/<slug:club_slug>/", include(of_club)),
    path("t/<slug:slug>/players/<str:public_id>/person/", same_people_views.entry_person, name="entry_person"),
]
