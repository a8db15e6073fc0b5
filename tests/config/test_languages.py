"""Which language a page is in: the browser's, or the one that was chosen, which is remembered."""

from datetime import date, time
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from league.access.viewer import Attribution
from league.lib import csv
from league.lib.wall_time import when
from league.log.write import note
from league.models import Tournament
from league.public.tables import EXPORTS, Wanted
from league.roles.scorer_links import make_scorer_links
from league.rounds.adjustments import adjust
from tests import cast

pytestmark = pytest.mark.django_db


def in_language(client: Client, url: str, accept: str = "") -> str:
    return client.get(url, headers={"Accept-Language": accept} if accept else {}).headers["Content-Language"]


def switch(client: Client, language: str, **more: str) -> object:
    form = urlencode({"language": language} | more)
    return client.post("/i18n/setlang/", form, content_type="application/x-www-form-urlencoded")


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9", "fr"),
        ("es-MX", "es"),
        ("de, es;q=0.5", "es"),
        ("de", "en"),
        ("", "en"),
        ("*", "en"),
    ],
)
def test_a_page_is_in_the_language_that_the_browser_asks_for(accept: str, language: str) -> None:
    client = Client()
    answer = client.get("/", headers={"Accept-Language": accept})
    assert answer.headers["Content-Language"] == language
    assert f'<html lang="{language}">' in answer.content.decode()


def test_a_language_that_was_chosen_is_remembered_for_a_year_whatever_the_browser_asks_for() -> None:
    client = Client()
    answer = switch(client, "es", next="/rules/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/")
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie["max-age"], cookie["samesite"], cookie["httponly"]) == (31_536_000, "Lax", True)
    assert in_language(client, "/", "fr") == "es"
    switch(client, "en")
    assert in_language(client, "/", "fr") == "en"


def test_a_language_that_there_is_not_changes_nothing() -> None:
    client = Client()
    switch(client, "tlh")
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies
    assert in_language(client, "/", "fr") == "fr"


def test_a_link_to_the_switch_changes_nothing() -> None:
    client = Client()
    assert client.get("/i18n/setlang/?language=fr").status_code == 302
    assert in_language(client, "/") == "en"


ODD = (
    "https:elsewhere.example",
    "///elsewhere.example",
    "/\\elsewhere.example",
    "\\\\elsewhere.example",
    "/\t/elsewhere.example",
    "\x01//elsewhere.example",
    " //elsewhere.example",
    "https:///elsewhere.example",
    "http://testserver@elsewhere.example/",
    "http://testserver:80@elsewhere.example/",
)


@pytest.mark.parametrize("foreign", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", *ODD])
def test_the_switch_leads_nowhere_else(foreign: str) -> None:
    assert switch(Client(), "fr", next=foreign).headers["Location"] == "/"


def test_the_switch_comes_back_to_the_page_with_its_query() -> None:
    played = cast.play(cast.tournament(), rounds=2)
    page = Client().get(f"/t/{played.slug}/standings/?as_of_round=1").content.decode()
    assert f'name="next" value="/t/{played.slug}/standings/?as_of_round=1"' in page


def test_a_kept_page_does_not_tell_others_how_somebody_asked_for_it() -> None:
    played = cast.play(cast.tournament(), rounds=1)
    address = f"/t/{played.slug}/standings/"
    for query in (
        "from=a-mail-to-zoe",
        "as_of_round=a-mail-to-zoe&as_of_round=",
        "as_of_round=a-mail-to-zoe&as_of_round=1",
    ):
        Client().get(f"{address}?{query}")
        for plain in (address, address + "?as_of_round=1"):
            assert "a-mail-to-zoe" not in Client().get(plain).content.decode()


def test_the_switch_on_the_answer_to_a_form_comes_back_to_the_page_with_the_form() -> None:
    made = cast.tournament()
    client = Client()
    client.force_login(made.owner)
    settings_page = f"http://testserver/t/{made.slug}/rounds/"
    answer = client.post(f"/t/{made.slug}/set-time/", {}, headers={"Referer": settings_page})
    assert answer.status_code == 422
    assert f'name="next" value="{settings_page}"' in answer.content.decode()


def test_a_kept_page_is_kept_in_each_language_by_itself() -> None:
    played = cast.play(cast.tournament(), rounds=1)
    address = f"/t/{played.slug}/standings/"
    for language in ("fr", "es", "en", "fr"):
        answer = Client().get(address, headers={"Accept-Language": language})
        assert f'<html lang="{language}">' in answer.content.decode()


def test_caches_are_told_of_both_that_choose_the_language() -> None:
    played = cast.play(cast.tournament(), rounds=1)
    for address in ("/", f"/t/{played.slug}/standings/", "/rules/"):
        varies = {name.strip() for name in Client().get(address).headers["Vary"].split(",")}
        assert {"Accept-Language", "Cookie"} <= varies, address


STARTS = date(2026, 11, 21)  # a Saturday


@pytest.mark.parametrize("language", ["fr", "es"])
def test_every_csv_is_the_same_in_every_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while a catalogue is empty: every message is put between marks, and no cell has one."""
    played = cast.play(cast.tournament(), rounds=2, close=False)
    adjust(
        tournament=played, entry=cast.entry(played, "Zoë"), points=-20, reason="A tip", round_number=1, by=played.owner
    )
    [(link, _secret)] = make_scorer_links(tournament=played, tables=[1], by=played.owner)
    note(tournament=played, by=Attribution(link=link), action="record")
    note(tournament=played, by=Attribution(player=cast.entry(played, "Farah")), action="record")
    real = trans_real.gettext
    marked = lambda text: f"⟦{text}⟧" if translation.get_language() == language else real(text)  # noqa: E731
    monkeypatch.setattr(translation._trans, "gettext", marked)
    with translation.override(language):
        assert translation.gettext("Standings") == "⟦Standings⟧"
        wanted = Wanted(everything=True)
        files = {name: csv.text(one.columns(wanted), one.rows(played, wanted)) for name, one in EXPORTS.items()}
    assert not [name for name, text in files.items() if "⟦" in text]
    assert "Scorer link, table 1" in files["log"] and "Farah, by their own link" in files["log"]


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("en", "Saturday 21 November 2026, 19:30"),
        ("fr", "samedi 21 novembre 2026, 19:30"),
        ("es", "sábado 21 de noviembre de 2026, 19:30"),
    ],
)
def test_days_are_written_as_the_language_does(language: str, day: str) -> None:
    with translation.override(language):
        assert when(Tournament(starts_on=STARTS, starts_at=time(19, 30))) == day
