"""Member cards: what a card opens, what ends it, and its print."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.access.session_links import CARDS
from league.access.signed_links import card_token, member_with_card, player_token
from league.clubs.members import add_members, remove_member, take_in
from league.clubs.merge import merge, undo_merge
from league.erasure.erase import erase_player
from league.lib.errors import Conflict, Refused
from league.member_cards.cards import PRINT, entry_of_card, print_cards, renew_card
from league.models import ClubLogEntry, Player, Tournament
from tests import cast, pdf_text
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def club_once(module_world):
    club = cast.club(members=8)
    cast.play(cast.tournament(club=club, visibility="private", players_report=True), rounds=1)
    return club


@pytest.fixture
def club(club_once):
    return cast.again(club_once)


@pytest.fixture
def evening(club):
    return club.tournaments.get()


@pytest.fixture
def farah(club):
    print_cards(club=club, by=club.owner)
    return cast.member(club, "Farah")


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def address(member):
    return f"/member/{card_token(member)}/"


def open_by_card(member):
    """Return a browser that pressed the button of a card, and the answer."""
    phone = Client()
    phone.get(address(member))
    return phone, phone.post(address(member), {"entry": entry_of_card(member).public_id})


def my_table(phone, evening):
    return phone.get(f"/t/{evening.slug}/me/").status_code


def works(member):
    return Client().get(address(member)).status_code


def test_a_card_opens_my_table_of_a_private_event_without_an_account(evening, farah):
    page = Client().get(address(farah))
    assert page.status_code == 200 and page.headers["Referrer-Policy"] == "strict-origin"
    assert page.headers["Cache-Control"] == "private, no-store" and page.headers["X-Robots-Tag"] == "noindex"
    words = said(page)
    assert "Farah" in words and farah.club.name in words and evening.name in words
    card = page.context["card"]
    assert card.event.now.seat.table and card.event.now.seat.number is not None
    assert player_token(cast.entry(evening, "Farah")) not in page.content.decode()
    phone, answer = open_by_card(farah)
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{evening.slug}/me/")
    assert my_table(phone, evening) == 200


def test_looking_at_a_card_gives_no_right(evening, farah):
    phone = Client()
    phone.get(address(farah))
    phone.post(address(farah))
    assert my_table(phone, evening) == 404


def test_a_card_shows_the_event_of_today_then_a_running_one_then_the_next(club, evening, farah):
    today = timezone.now().date()
    later = cast.tournament(club=club, name="In a week", starts_on=today + timedelta(days=7))
    sooner = cast.tournament(club=club, name="Tomorrow", starts_on=today + timedelta(days=1))
    Tournament.objects.filter(pk=evening.pk).update(starts_on=today - timedelta(days=1))
    assert entry_of_card(farah).tournament == evening
    Tournament.objects.filter(pk=evening.pk).update(state=Tournament.State.CLOSED)
    assert entry_of_card(farah).tournament == sooner
    Tournament.objects.filter(pk=sooner.pk).update(is_called_off=True)
    assert entry_of_card(farah).tournament == later
    Tournament.objects.filter(pk=later.pk).update(starts_on=today)
    Tournament.objects.filter(pk=evening.pk).update(state=Tournament.State.RUNNING)
    assert entry_of_card(farah).tournament == later
    Tournament.objects.filter(club=club).update(state=Tournament.State.CLOSED)
    assert entry_of_card(farah) is None
    assert "No tournament yet" in said(Client().get(address(farah)))


def test_a_card_shows_no_event_of_another_club(farah):
    other = cast.club(name="Other club", owner=cast.someone_else(), members=8)
    cast.tournament(club=other, owner=other.owner)
    Tournament.objects.filter(club=farah.club).update(state=Tournament.State.CLOSED)
    assert entry_of_card(farah) is None


def test_renewing_ends_the_card_and_the_phones_that_used_it(evening, farah):
    own, (phone, _answer) = Client(), open_by_card(farah)
    own.post(f"/me/{player_token(cast.entry(evening, 'Farah'))}/")
    renew_card(player=farah, by=farah.club.owner)
    page = Client().get(address(farah))
    assert page.status_code == 410 and "This card no longer works" in said(page)
    assert my_table(phone, evening) == 404
    assert my_table(own, evening) == 200, "the player's own link is another one"
    again = cast.again(farah)
    assert works(again) == 200
    assert phone.post(address(again), {"entry": cast.entry(evening, "Farah").public_id}).status_code == 303
    assert my_table(phone, evening) == 200


def test_an_opened_player_link_stays_when_the_card_is_renewed(evening, farah):
    phone, _answer = open_by_card(farah)
    phone.post(f"/me/{player_token(cast.entry(evening, 'Farah'))}/")
    assert not phone.session[CARDS]
    renew_card(player=farah, by=farah.club.owner)
    assert my_table(phone, evening) == 200


def test_a_card_claims_no_member(evening, farah):
    phone, _answer = open_by_card(farah)
    assert phone.get(f"/t/{evening.slug}/me/").context["claims"] is False
    phone.force_login(cast.someone_else())
    assert phone.post(f"/clubs/{farah.club.slug}/players/{farah.public_id}/claim/").status_code == 404
    assert cast.again(farah).user is None


def test_no_card_works_before_it_is_printed(club):
    chidi = cast.member(club, "Chidi")
    assert works(chidi) == 404
    with pytest.raises(Conflict):
        renew_card(player=chidi, by=club.owner)


def test_cards_of_members_who_left_or_were_merged_or_erased_are_dead(club, evening, farah):
    phone, _answer = open_by_card(farah)
    card = address(farah)
    remove_member(player=farah, by=club.owner)
    assert Client().get(card).status_code == 404 and my_table(phone, evening) == 404
    take_in(club=club, players=[cast.again(farah)], by=club.owner)
    assert Client().get(card).status_code == 410, "they returned"
    zoe, twin = cast.member(club, "Zoë"), add_members(club=club, players=[cast.people(9)[8]], by=club.owner)[0]
    print_cards(club=club, by=club.owner, ids=[twin.public_id])
    twin = cast.again(twin)
    joined = merge(target=zoe, source=twin, by=club.owner)
    assert works(twin) == 404 and works(zoe) == 200
    undo_merge(merge=joined, by=club.owner)
    assert works(twin) == 200
    erase_player(player=zoe, by=club.owner)
    assert works(zoe) == 404


def test_a_card_works_in_its_club_only(farah):
    token = card_token(farah)
    other = cast.club(name="Other club", owner=cast.someone_else())
    Player.objects.filter(pk=farah.pk).update(club=other)
    assert member_with_card(token) is None


def test_too_many_forged_cards_are_refused(farah):
    phone = Client()
    forged = f"/member/{farah.public_id}-{'x' * 22}/"
    assert {phone.get(forged).status_code for _try in range(10)} == {404}
    assert phone.get(forged).status_code == 429


def test_players_read_on_their_page_who_printed_their_card(evening, farah):
    phone, _answer = open_by_card(farah)
    at = f"/t/{evening.slug}/me/"
    assert "Olga printed your member card on" in said(phone.get(at))
    phone.post(f"/me/{player_token(cast.entry(evening, 'Farah'))}/")
    renew_card(player=farah, by=farah.club.owner)
    assert "printed your member card" not in said(phone.get(at)), "nobody has seen the new card"


def test_the_log_names_printed_and_renewed_cards(olga, club, farah):
    renew_card(player=farah, by=club.owner)
    row = ClubLogEntry.objects.get(club=club, action=PRINT)
    assert row.new[0] == {"player": "Ana Lucía", "player_id": row.new[0]["player_id"], "card": 1} and len(row.new) == 8
    words = said(olga.get(f"/clubs/{club.slug}/log/"))
    assert "Member card of Farah renewed" in words and "Member cards printed: Ana Lucía" in words


def test_an_organiser_prints_all_cards_or_the_ticked_ones(olga, club):
    at = f"/clubs/{club.slug}/players/"
    assert "Print 8 member cards?" in said(olga.get(f"{at}cards/"))
    assert "Phones can’t open" not in said(olga.get(f"{at}cards/"))
    assert "Phones can’t open localhost:8000" in said(olga.get(f"{at}cards/", headers={"host": "localhost:8000"}))
    answer = olga.post(f"{at}cards/", follow=True)
    assert answer["Content-Type"] == "application/pdf" and answer["Cache-Control"] == "private, no-store"
    [page] = pdf_text.pages(answer.content)
    farah = cast.member(club, "Farah")
    assert "Farah" in page.text and club.name in page.text
    assert f"testserver/member/{card_token(farah)}" in page.text.replace("\n", "")
    ids = [farah.public_id, cast.member(club, "Chidi").public_id]
    asked = olga.post(f"{at}ticked/", {"do": "cards", "who": ids}, follow=True)
    assert "Print 2 member cards?" in said(asked)
    answer = olga.post(f"{at}cards/", {"who": ids})
    text = pdf_text.text(olga.get(f"{answer['Location']}?paper=letter").content)
    assert "Farah" in text and "Chidi" in text and "Benoît" not in text
    renew_card(player=farah, by=club.owner)
    assert "Farah" not in pdf_text.text(olga.get(answer["Location"]).content), "this print has the old card"
    assert cast.again(farah).card_generation == 2


def test_only_the_account_that_printed_cards_opens_their_file(club, farah):
    row = ClubLogEntry.objects.get(club=club, action=PRINT)
    other = Client()
    other.force_login(cast.organiser("root@example.org"))
    type(club.owner).objects.filter(email="root@example.org").update(is_superuser=True)
    assert other.get(f"/clubs/{club.slug}/players/cards/").status_code == 200
    assert other.get(f"/clubs/{club.slug}/players/cards/{row.pk}/cards.pdf").status_code == 404


def test_a_member_of_another_club_gets_no_card_here(olga, club):
    other = cast.club(name="Other club", owner=cast.someone_else(), members=1)
    stranger = other.members.get()
    with pytest.raises(Refused):
        print_cards(club=club, by=club.owner, ids=[stranger.public_id])
    assert olga.get(f"/clubs/{club.slug}/players/{stranger.public_id}/card/renew/").status_code == 404


def test_an_organiser_renews_a_card_on_the_members_page(olga, club, farah):
    at = f"/clubs/{club.slug}/players/{farah.public_id}/"
    assert "Renew card" in said(olga.get(f"{at}edit/"))
    assert "stops working at once" in said(olga.get(f"{at}card/renew/"))
    answer = olga.post(f"{at}card/renew/", follow=True)
    assert "Card renewed. The old one no longer works" in said(answer)
    assert works(farah) == 410
