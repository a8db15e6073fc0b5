from django.urls import include, path

from league.background import views

of_tournament = [
    path("jobs/", views.jobs, name="jobs"),
    path("jobs/<int:job_id>/cancel/", views.cancel, name="cancel_job"),
    path("jobs/<int:job_id>/retry/", views.retry, name="retry_job"),
    path("jobs/<int:job_id>/file/", views.download, name="job_file"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
