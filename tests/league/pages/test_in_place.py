"""What a visit is answered: an address to go to, or a whole page. Parts are for scripts that ask for one."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from league.models import Tournament
from league.rounds.steps import start
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Tournament:
    return cast.tournament()


@pytest.fixture
def olga(made: Tournament) -> Client:
    client = Client()
    client.force_login(made.owner)
    return client


def sent(client: Client, address: str, data: dict[str, str]) -> HttpResponse:
    """The answer to a form that a visit sent."""
    return client.post(address, data, headers={"Wild-Visit": "1"})


def test_a_visit_is_told_where_its_form_leads_and_goes_there_itself(made: Tournament, olga: Client) -> None:
    page = f"/t/{made.slug}/"
    answer = sent(olga, f"{page}advance/", {"step": "draw"})
    assert (answer.status_code, answer["Wild-Go"], answer.has_header("Location")) == (204, page, False)
    shown = olga.get(page, headers={"Wild-Visit": "1"}).content.decode()
    assert 'id="page"' in shown and "The seating is drawn." in shown
    assert sent(olga, f"{page}again/", {})["Wild-Go"] == f"/t/{Tournament.objects.latest('pk').slug}/settings/"


def test_whoever_is_signed_out_is_led_to_the_whole_page_that_lets_in(made: Tournament) -> None:
    assert sent(Client(), "/new/", {})["Wild-Go"].startswith(reverse("account_login"))


def test_a_plain_form_gets_the_redirect_as_it_is(made: Tournament, olga: Client) -> None:
    answer = olga.post(f"/t/{made.slug}/again/")
    assert answer.status_code == 302 and not answer.has_header("Wild-Go")


def test_pages_that_give_parts_to_scripts_answer_a_visit_as_a_whole(made: Tournament, olga: Client) -> None:
    for name in ("check_in", "jobs"):
        at = reverse(name, args=[made.slug])
        part = olga.get(at, headers={"HX-Request": "true", "HX-Target": "check-in-lists"}).content
        whole = olga.get(at, headers={"Wild-Visit": "1"}).content
        assert b"<main" in whole and b"<main" not in part


def test_what_was_done_is_said_with_its_undo(made: Tournament, olga: Client) -> None:
    page = f"/t/{made.slug}/"
    shown = olga.post(f"{page}advance/", {"step": "draw"}, follow=True).content.decode()
    undo = reverse("undo_draw", args=[made.slug])
    assert f'action="{undo}"' in shown.partition('id="messages"')[2].partition('id="page"')[0]
    assert olga.post(undo).status_code == 302
    assert not made.rounds.exists()


def test_a_closed_round_says_what_it_published_and_undoes_that_with_one_tap(made: Tournament, olga: Client) -> None:
    start(tournament=made, by=made.owner)
    cast.play_round(made.rounds.get(number=1))
    shown = olga.post(f"/t/{made.slug}/advance/", {"step": "close-1"}, follow=True).content.decode()
    assert "Round 1 is closed, round 2 is published." in shown
    undo = f"/t/{made.slug}/rounds/2/undo/"
    assert f'action="{undo}"' in shown.partition('id="messages"')[2].partition('id="page"')[0]
    assert "Round 2 is a draft again." in olga.post(undo, follow=True).content.decode()
    assert made.rounds.living().get(number=2).state == "draft"


def test_publishing_a_round_is_undone_with_one_tap_until_a_hand_is_recorded(made: Tournament, olga: Client) -> None:
    page = f"/t/{made.slug}/"
    olga.post(f"{page}advance/", {"step": "draw"})
    shown = olga.post(f"{page}advance/", {"step": "publish-1"}, follow=True).content.decode()
    assert f'action="{page}rounds/1/undo/"' in shown.partition('id="messages"')[2].partition('id="page"')[0]
    assert f'action="{page}rounds/1/undo/"' in olga.get(page).content.decode().partition('id="page"')[2]
    cast.record(cast.table(made, 1, 1), 1)
    late = olga.post(f"{page}rounds/1/undo/")
    assert late.headers["Location"] == f"{page}manage/#undo-round"
    assert (
        "Round 1 has recorded hands. Undoing the round undoes them too." in olga.get(f"{page}manage/").content.decode()
    )
    assert made.rounds.living().get(number=1).state == "running"


def test_the_last_step_is_undone_with_one_tap_and_without_a_reason(made: Tournament, olga: Client) -> None:
    start(tournament=made, by=made.owner)
    cast.play(made)
    shown = olga.post(f"/t/{made.slug}/advance/", {"step": "finish"}, follow=True).content.decode()
    undo = f"/t/{made.slug}/reopen/"
    assert f'action="{undo}"' in shown.partition('id="messages"')[2].partition('id="page"')[0]
    assert "The standings are provisional again." in olga.post(undo, follow=True).content.decode()
    made.refresh_from_db()
    assert not made.is_final


@pytest.mark.parametrize("page", ["", "manage/", "standings/", "players/"])
def test_every_part_that_an_answer_may_bring_has_its_place_on_the_page(
    made: Tournament, olga: Client, page: str
) -> None:
    """The organiser's Now has no links inside its place, and htmx found no place for those of the answer."""
    html = olga.get(f"/t/{made.slug}/{page}").content.decode()
    assert all(html.count(f'id="{part}"') == 1 for part in ("messages", "heading", "where", "five", "sub"))


def test_a_part_of_a_page_never_becomes_the_sign_in_page() -> None:
    answer = Client().post("/new/evening/", {"expected": "8"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (401, b"")


def test_a_form_that_is_too_old_leads_back_to_its_own_page(made: Tournament) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(made.owner)
    for referrer, leads_back in (
        ("http://testserver/new/?club=ludo", True),
        ("http://testserver/", False),
        ("http://elsewhere.example/new/", False),
        ("javascript:alert(1)", False),
        ("", False),
    ):
        shown = browser.post("/new/", headers={"Referer": referrer}).content.decode()
        assert "This form is too old" in shown
        assert ("Back to the form" in shown) is leads_back, referrer
