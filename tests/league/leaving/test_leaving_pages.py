"""The pages of leaving: what the player and the director read, and the stories through HTTP."""

import re

import pytest
from django.test import Client

from league.access.signed_links import player_token
from league.access.viewer import Attribution, Visitor
from league.by_link.my_table import page_of as my_table
from league.by_link.player_links import end_player_link
from league.entries.sign_up import set_sign_up, sign_up
from league.leaving.answers import accept, refuse
from league.leaving.page import page_of, strip_of
from league.leaving.requests import Kind, ask
from league.models import Entry, LeaveRequest, Seat, Tournament
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said
from tests.league.the_day import seats_of

pytestmark = pytest.mark.django_db

POINTS = {"format": "points", "name": "Points", "table_size": 4, "rounds": 3, "hands_per_round": 2}


@pytest.fixture(scope="module", autouse=True)
def made_once(module_world):
    made = cast.tournament(**POINTS)
    start(tournament=made, by=made.owner)
    return made


@pytest.fixture
def made(made_once):
    return cast.again(made_once)


@pytest.fixture
def olga():
    browser = Client()
    browser.force_login(cast.organiser())
    return browser


def phone_of(made: Tournament, name: str) -> Client:
    phone = Client()
    phone.post(f"/me/{player_token(cast.entry(made, name))}/")
    return phone


def farah_asks(made: Tournament, kind: str = Kind.NOW, text: str = "") -> LeaveRequest:
    farah = cast.entry(made, "Farah")
    return ask(entry=farah, kind=kind, round_number=1, text=text, by=Attribution(player=farah))


def strip(made: Tournament) -> tuple[str, str, str]:
    shown = strip_of(cast.again(made), cast.entry(made, "Farah"), has_more=True)
    assert shown is not None
    return shown.title, shown.text, shown.button.label if shown.button else ""


# --- what is said


def test_the_page_says_what_leaving_now_and_after_the_round_mean(made):
    page = page_of(cast.entry(made, "Farah"), Visitor(made.owner))
    [leave, late] = page.sections
    assert [(option.label, option.hint) for option in leave.question.options] == [
        ("Leave after round 1", "You play the rest of round 1 and get no seat in round 2."),
        ("Leave now", "Table 2 continues with 3 players in round 1."),
    ]
    assert leave.button == "Ask to leave" and leave.text[0] == "The organiser accepts or refuses."
    assert (late.title, late.button) == ("You’re late", "Tell the organiser")
    Tournament.objects.filter(pk=made.pk).update(players_leave=True)
    leave = page_of(cast.entry(cast.again(made), "Farah"), Visitor(made.owner)).sections[0]
    assert leave.button == "Leave the tournament" and leave.text[0] == "This counts at once."


def test_in_the_last_round_one_can_only_leave_now_and_after_it_not_at_all(made):
    for number in (1, 2):
        cast.play(made, rounds=number)
    leave = page_of(cast.entry(made, "Farah"), Visitor(made.owner)).sections[0]
    assert leave.question is None and ("when", "now") in leave.hidden
    cast.play_round(made.rounds.get(number=3))
    page = page_of(cast.entry(made, "Farah"), Visitor(made.owner))
    assert page.sections == () and page.empty == "You play no more rounds, so there is nothing to leave."
    assert my_table(made, cast.entry(made, "Farah")).leaving is None


def test_my_table_says_how_the_request_stands(made):
    request = farah_asks(made, Kind.AFTER)
    assert strip(made) == ("You want to leave after round 1", "Waiting for the organiser", "Withdraw")
    refuse(request=request, by=made.owner)
    assert strip(made) == ("Olga refused", "You play on. Ask the organiser.", "")
    late = farah_asks(made, Kind.LATE, "20 minutes")
    assert strip(made) == ("You’re late", "20 minutes", "I’m here")
    accept(request=late, by=made.owner)
    assert strip(made)[0] == "Olga knows that you’re late"
    accept(request=farah_asks(made, Kind.AFTER), by=made.owner)
    assert strip(made) == ("Olga accepted", "You leave after round 1. Until then you play on.", "")
    cast.play(made, rounds=1)
    banner = my_table(made, cast.entry(made, "Farah")).banner
    assert banner is not None and banner.title == "Olga accepted. You have left"
    assert banner.text == "Recorded hands still count. To return, ask the organiser."


# --- stories


def test_a_player_asks_the_director_accepts_and_undoes_it(made, olga):
    phone, here = phone_of(made, "Farah"), f"/t/{made.slug}/me/"
    assert "I’m leaving or late" in said(phone.get(here))
    key = re.findall(r'name="form_key" value="([\w-]+)"', phone.get(f"{here}leave/").content.decode())[0]
    form = {"do": "leave", "when": "now", "round": "1", "form_key": key}
    assert phone.post(f"{here}leave/", form).status_code == 302
    phone.post(f"{here}leave/", {"withdraw": LeaveRequest.objects.get().pk})
    assert phone.post(f"{here}leave/", form).status_code == 302  # sent again by the browser
    assert "You want to leave" not in said(phone.get(here))
    phone.post(f"{here}leave/", form | {"form_key": ""})
    assert "You want to leave now Waiting for the organiser Withdraw" in said(phone.get(here))
    now = said(olga.get(f"/t/{made.slug}/"))
    assert "Farah asks to leave" in now and "Now. Table 2 continues with 3 players in round 1." in now
    request = LeaveRequest.objects.latest("id")
    accept_at = f"/t/{made.slug}/leaving/{request.pk}/answer/"
    told = olga.post(accept_at, {"do": "accept"}, follow=True)
    assert "Farah has dropped out." in said(told) and f'action="/t/{made.slug}/leaving/{request.pk}/undo/"' in (
        told.content.decode()
    )
    assert "Olga accepted. You have left" in said(phone.get(here))
    late = phone.post(f"{here}leave/", {"withdraw": request.pk})
    assert late.status_code == 409 and "You have left already. To return, ask the organiser." in said(late)
    assert "Undo the answer to Farah?" in said(olga.get(f"/t/{made.slug}/leaving/{request.pk}/undo/"))
    olga.post(f"/t/{made.slug}/leaving/{request.pk}/undo/")
    assert cast.entry(made, "Farah").status == Entry.Status.ACTIVE
    phone.post(f"{here}leave/", {"withdraw": request.pk})
    told = olga.post(accept_at, {"do": "accept"}, follow=True)
    assert "Farah has withdrawn the request. Nothing was changed." in said(told)


def test_an_accepted_departure_is_on_the_sheet_until_the_round_closes(made, olga):
    request = farah_asks(made, Kind.AFTER)
    told = olga.post(f"/t/{made.slug}/leaving/{request.pk}/answer/", {"do": "accept"}, follow=True)
    assert "Farah leaves when round 1 closes." in said(told)
    sheet = f"/t/{made.slug}/people/{request.entry.public_id}/"
    assert "Leaves after round 1" in said(olga.get(sheet))
    cast.play(made, rounds=1)
    assert "Leaves after round 1" not in said(olga.get(sheet)) and list(seats_of(made, "Farah")) == [1]


def test_before_the_start_a_place_goes_to_the_waiting_list_and_a_late_player_is_in_the_list(olga):
    made = cast.tournament(4)
    set_sign_up(tournament=made, capacity=4, by=made.owner)
    sign_up(tournament=made, name="Nora", email="", site="")
    phone, here = phone_of(made, "Chidi"), f"/t/{made.slug}/me/leave/"
    assert "You can’t come Your place goes to the waiting list at once." in said(phone.get(here))
    phone.post(here, {"do": "late", "text": "20 minutes"})
    assert "comes late: 20 minutes" in said(olga.get(f"/t/{made.slug}/check-in/"))
    now = said(olga.get(f"/t/{made.slug}/"))
    assert "Chidi comes late" in now and "20 minutes" in now
    gone = phone.post(here, {"do": "cannot-come"}, follow=True)
    assert "You are no longer on the list" in said(gone)
    names = set(made.entries.values_list("player__name", flat=True))
    assert names == {"Ana Lucía", "Benoît", "Đorđe", "Nora"}


def test_a_captain_names_a_substitute_with_the_link_of_the_team():
    made = cast.teams()
    start(tournament=made, by=made.owner)
    phone, here = phone_of(made, "Blue Foxes"), f"/t/{made.slug}/me/leave/"
    page = phone.get(here)
    assert "Ingrid for Ana Lucía" in said(page)
    [swap] = re.findall(r'name="swap"\s+value="(0-\d+)"', page.content.decode())
    nothing = phone.post(here, {"do": "substitute"})
    assert nothing.status_code == 422 and "Choose who plays." in said(nothing)
    told = phone.post(here, {"do": "substitute", "swap": swap}, follow=True)
    assert "From the next hand: Ingrid for Ana Lucía." in said(told)
    seats = Seat.objects.filter(entry__player__name="Blue Foxes", round__number=1, member=0)
    assert [seat.substitute.name for seat in seats] == ["Ingrid"]


def test_a_browser_acts_only_for_the_players_whose_links_it_holds(made):
    other = cast.tournament(name="Elsewhere")
    phone, here = phone_of(made, "Farah"), f"/t/{made.slug}/me/leave/"
    asks = {"do": "leave", "when": "now", "round": "1"}
    for address in (
        f"{here}?player={cast.entry(made, 'Chidi').public_id}",
        f"{here}?player={cast.entry(other, 'Farah').public_id}",
        f"/t/{other.slug}/me/leave/",
    ):
        answer = phone.post(address, asks)
        assert answer.status_code == 404 and "This works only for yourself." in said(answer)
    end_player_link(entry=cast.entry(made, "Farah"), by=made.owner)
    answer = phone.post(here, asks)
    assert answer.status_code == 410 and "The organiser replaced it." in said(answer)
    assert not LeaveRequest.objects.exists()


def test_a_refused_message_keeps_what_was_typed(made):
    answer = phone_of(made, "Farah").post(f"/t/{made.slug}/me/leave/", {"do": "late", "text": "x" * 101})
    assert answer.status_code == 422 and "Use at most 100 characters." in said(answer)
    assert "x" * 101 in answer.content.decode()


def test_a_message_of_a_late_player_is_one_plain_line(made):
    phone, address = phone_of(made, "Farah"), f"/t/{made.slug}/me/leave/"
    answer = phone.post(address, {"do": "late", "text": "20\x07 minutes"})
    assert answer.status_code == 422 and "characters that can’t be shown" in said(answer)
    phone.post(address, {"do": "late", "text": "20\r\nmin\u202eutes"})
    assert LeaveRequest.objects.get().text == "20 minutes"
    assert phone.post(address, {"withdraw": "9" * 5000}).status_code == 302


def test_the_organiser_lets_players_leave_without_asking_in_the_settings(made, olga):
    olga.post(f"/t/{made.slug}/settings/", {"form": "leaving", "players_leave": "on"})
    phone = phone_of(made, "Farah")
    phone.post(f"/t/{made.slug}/me/leave/", {"do": "leave", "when": "now", "round": "1"})
    assert cast.entry(made, "Farah").status == Entry.Status.DROPPED
    assert "You have left the tournament" in said(phone.get(f"/t/{made.slug}/me/"))
