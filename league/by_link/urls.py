from django.urls import include, path

from league.by_link import my_table_views, player_link_views, scorer_views, sign_up_settings_views, sign_up_views

of_tournament = [
    path("me/", my_table_views.my_table, name="my_table"),
    path("sign-up/", sign_up_views.sign_up, name="sign_up"),
    path("sign-up/settings/", sign_up_settings_views.sign_up_settings, name="sign_up_settings"),
    path("sign-up/<str:sign_up_id>/remove/", sign_up_settings_views.remove_sign_up, name="remove_sign_up"),
    path("scoring/", scorer_views.scoring, name="scoring"),
    path("scorers/", scorer_views.scorers, name="scorers"),
    path("scorers/<int:link_id>/revoke/", scorer_views.revoke_scorer_link, name="revoke_scorer_link"),
    path("players/<str:public_id>/link/", player_link_views.player_link, name="player_link"),
    path("players/<str:public_id>/link/mail/", player_link_views.mail_player_link, name="mail_player_link"),
    path("players/<str:public_id>/link/end/", player_link_views.end_player_link, name="end_player_link"),
]

urlpatterns = [
    path("s/<str:secret>/", scorer_views.scorer, name="scorer"),
    path("sign-up/<str:own>/", sign_up_views.own_sign_up, name="own_sign_up"),
    path("reminders/<str:reminders_token>/", sign_up_views.reminders_page, name="reminders"),
    path("me/", my_table_views.my_tables, name="my_tables"),
    path("me/<str:player_token>/", my_table_views.door, name="me"),
    path("t/<slug:slug>/", include(of_tournament)),
]
