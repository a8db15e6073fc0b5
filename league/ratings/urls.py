from django.urls import include, path

from league.ratings import views

of_club = [
    path("ratings/", views.ratings, name="ratings"),
    path("ratings.csv", views.ratings_csv, name="ratings_csv"),
    path("ratings/<str:member_id>/", views.rating, name="rating"),
    path("ratings/<str:member_id>/history.csv", views.rating_csv, name="rating_csv"),
]

urlpatterns = [
    path("clubs/<slug:club_slug>/", include(of_club)),
]
