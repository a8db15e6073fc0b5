"""Addresses of the owner's page and of the first start."""

from django.urls import path

from games.server import first_start_views, views

urlpatterns = [
    path("server/", views.server, name="server"),
    path("server/resume/", views.resume, name="server_resume"),
    path("server/sign-up/", views.sign_up, name="server_sign_up"),
    path("server/settings/", views.settings_checked, name="server_settings"),
    path("server/accounts/<int:account_id>/", views.account, name="server_account"),
    path("server/accounts/<int:account_id>/block/", views.block, name="server_block"),
    path("server/accounts/<int:account_id>/unblock/", views.unblock, name="server_unblock"),
    path("server/backups/", views.back_up, name="server_back_up"),
    path("server/backups/<str:name>", views.download, name="server_backup"),
    path("server/backups/<str:name>/delete/", views.delete_backup, name="server_delete_backup"),
    path("setup/<str:secret>/", first_start_views.first_start, name="first_start"),
    path("setup/<str:secret>/restore/", first_start_views.restore, name="first_start_restore"),
]
