from django.urls import include, path

from league.member_cards import views

of_club = [
    path("players/cards/", views.member_cards, name="member_cards"),
    path("players/cards/<int:print_id>/cards.pdf", views.member_cards_pdf, name="member_cards_pdf"),
    path("players/<str:member_id>/card/renew/", views.renew_card, name="renew_card"),
]

urlpatterns = [
    path("member/<str:card_token>/", views.member_card, name="member_card"),
    path("clubs/<slug:club_slug>/", include(of_club)),
]
