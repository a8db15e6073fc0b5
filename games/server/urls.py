"""Addresses of the owner's page, below /server/."""

from django.urls import path

from games.server import views

urlpatterns = [
    path("", views.server, name="server"),
    path("sign-up/", views.sign_up, name="server_sign_up"),
    path("accounts/<int:account_id>/", views.account, name="server_account"),
    path("accounts/<int:account_id>/block/", views.block, name="server_block"),
    path("accounts/<int:account_id>/unblock/", views.unblock, name="server_unblock"),
    path("backups/", views.back_up, name="server_back_up"),
    path("backups/<str:name>", views.download, name="server_backup"),
]
