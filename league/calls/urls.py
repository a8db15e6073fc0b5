from django.urls import include, path

from league.calls import director_views, views

of_tournament = [
    path("calls/", director_views.calls, name="calls"),
    path("calls/<int:call_id>/", director_views.answer, name="answer_call"),
    path("calls/<int:call_id>/undo/", director_views.undo, name="undo_call_answer"),
    path("calls/<int:call_id>/mute/", director_views.mute, name="mute_caller"),
    path("calls/muted/<int:muted_id>/end/", director_views.unmute, name="unmute_caller"),
]

urlpatterns = [
    path("tables/<int:table_id>/call/", views.call, name="call"),
    path("tables/<int:table_id>/call/end/", views.end, name="end_call"),
    path("t/<slug:slug>/", include(of_tournament)),
]
