from django.urls import include, path

from league.setup.series import views

of_tournament = [
    path("series/", views.series, name="series"),
    path("series/skip/", views.skip_day, name="skip_day"),
    path("series/end/", views.end_series, name="end_series"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
