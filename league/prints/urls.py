from django.urls import include, path

from league.prints import codes_views, views
from league.prints.documents import KINDS

of_tournament = [
    *(path(f"prints/{key.replace('_', '-')}.pdf", views.print_pdf, {"key": key}, name=f"print_{key}") for key in KINDS),
    path("prints/", views.prints, name="prints"),
    path("codes/", codes_views.codes, name="codes"),
    path("codes/links.csv", codes_views.player_links_csv, name="player_links_csv"),
    path("prints/slips/", views.slips_to_print, name="slips_to_print"),
    path("prints/paper/", views.choose_paper, name="choose_paper"),
]

urlpatterns = [
    path("t/<slug:slug>/", include(of_tournament)),
]
