from django.urls import include, path

from league.leaving import views

of_tournament = [
    path("me/leave/", views.leave, name="leave"),
    path("leaving/<int:request_id>/answer/", views.answer, name="answer_leave"),
    path("leaving/<int:request_id>/undo/", views.undo, name="undo_leave_answer"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
