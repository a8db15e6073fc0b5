"""The answer to a form that htmx sent: back to its page it is followed, elsewhere htmx is told."""

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


def sent(client: Client, address: str, stood_on: str, data: dict[str, str], **more: str) -> HttpResponse:
    """The answer to a form that htmx sent from the page at `stood_on`."""
    headers = {"HX-Request": "true", "HX-Boosted": "true", "HX-Current-URL": f"http://testserver{stood_on}"}
    return client.post(address, data, headers=headers, **more)


def test_a_redirect_back_to_the_page_of_the_form_is_followed(made: Tournament, olga: Client) -> None:
    page = f"/t/{made.slug}/"
    answer = sent(olga, f"{page}advance/", f"{page}#next-step", {"step": "draw"})
    assert (answer.status_code, answer["Location"]) == (302, page)
    shown = olga.get(page, headers={"HX-Request": "true", "HX-Boosted": "true"}).content.decode()
    assert 'id="page"' in shown and "The seating is drawn." in shown


def test_of_a_redirect_elsewhere_htmx_is_told(made: Tournament, olga: Client) -> None:
    page = f"/t/{made.slug}/"
    answer = sent(olga, f"{page}again/", page, {})
    copy = Tournament.objects.latest("pk")
    assert (answer.status_code, answer["HX-Redirect"]) == (204, f"/t/{copy.slug}/settings/")
    assert not answer.has_header("Location")
    # The same page with another query is another page.
    assert sent(olga, f"{page}advance/", f"{page}?stage=1", {"step": "draw"})["HX-Redirect"] == page


def test_whoever_is_signed_out_is_led_to_the_whole_page_that_lets_in(made: Tournament) -> None:
    answer = sent(Client(), "/new/", "/new/", {})
    assert answer["HX-Redirect"].startswith(reverse("account_login"))


def test_a_plain_form_gets_the_redirect_as_it_is(made: Tournament, olga: Client) -> None:
    answer = olga.post(f"/t/{made.slug}/again/")
    assert answer.status_code == 302 and not answer.has_header("HX-Redirect")


def test_pages_that_give_parts_to_scripts_answer_a_form_as_a_whole(made: Tournament, olga: Client) -> None:
    for name in ("check_in", "jobs"):
        at = reverse(name, args=[made.slug])
        asks = {"HX-Request": "true", "HX-Target": "check-in-lists"}
        part = olga.get(at, headers=asks).content
        whole = olga.get(
            at, headers={"HX-Request": "true", "HX-Target": "check-in-lists", "HX-Boosted": "true"}
        ).content
        assert b"<main" in whole and b"<main" not in part


def test_what_was_done_is_said_with_its_undo(made: Tournament, olga: Client) -> None:
    page = f"/t/{made.slug}/"
    shown = olga.post(f"{page}advance/", {"step": "draw"}, follow=True).content.decode()
    undo = reverse("undo_draw", args=[made.slug])
    assert f'action="{undo}"' in shown.partition('id="messages"')[2].partition('id="page"')[0]
    assert olga.post(undo).status_code == 302
    assert not made.rounds.exists()


def test_a_closed_round_says_what_it_published_and_leads_to_its_undo(made: Tournament, olga: Client) -> None:
    start(tournament=made, by=made.owner)
    cast.play_round(made.rounds.get(number=1))
    shown = olga.post(f"/t/{made.slug}/advance/", {"step": "close-1"}, follow=True).content.decode()
    assert "Round 1 is closed, round 2 is published." in shown
    assert f'href="/t/{made.slug}/day/#undo-round"' in shown.partition('id="messages"')[2].partition('id="page"')[0]
    assert 'id="undo-round"' in olga.get(f"/t/{made.slug}/day/").content.decode()
