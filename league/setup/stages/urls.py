from django.urls import include, path

from league.setup.stages import views

of_tournament = [
    path("stages/", views.stages, name="stages"),
    path("stages/add/<slug:format>/", views.add_stage, name="add_stage"),
    path("stages/<int:number>/", views.edit_stage, name="edit_stage"),
    path("stages/take-back-the-cut/", views.take_back_cut, name="undo_cut"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
