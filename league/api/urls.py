from django.urls import path

from league.api import docs, tables, views

urlpatterns = [
    path("schema/", docs.schema, name="api_schema"),
    path("docs/", docs.explorer, name="api_docs"),
    path("v1/tournaments/", views.Tournaments.as_view(), name="api_tournaments"),
    path("v1/tournaments/<slug:slug>/", views.TournamentView.as_view(), name="api_tournament"),
    path("v1/tournaments/<slug:slug>/start/", views.Start.as_view(), name="api_start"),
    path("v1/tournaments/<slug:slug>/advance/", views.Advance.as_view(), name="api_advance"),
    path("v1/tournaments/<slug:slug>/close/", views.Close.as_view(), name="api_close"),
    path("v1/tournaments/<slug:slug>/reopen/", views.Reopen.as_view(), name="api_reopen"),
    *(
        path(f"v1/tournaments/<slug:slug>/{table}/", tables.rows_view(table).as_view(), name=f"api_{table}")
        for table in tables.TABLES
    ),
    # Whatever else is asked for: a problem, not a page, and no redirect that would lose a body.
    path("<path:rest>", docs.unknown, name="api_unknown"),
]
