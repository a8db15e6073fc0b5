"""Casual tables, for tests: somebody makes one, people and bots sit down, hands are played to the end."""

import html
import re

from django.test import Client

from engine.shuffle import promise
from games.models import Deal
from games.online.casual import end as casual_end
from league.models import Tournament
from tests.games.online_table import everybody_ready, play_out
from tests.games.pages import said

ADDED = "ab" * 16  # to the shuffle
GAME = {"edition": "classic", "preset": "challenge", "bot": "careful"}


def ask_for_cards(browser: Client, **typed: str):
    return browser.post("/play/", {"what": "now", "name": "Nora", **GAME, **typed})


def arrive(browser: Client, answer):
    """What the browser does at the table to which an answer leads: it says that its player is there (play.js)."""
    page, _question, fragment = answer["Location"].partition("#")
    assert fragment in ("deal", "start")
    waiting = re.search(
        r'<form id="ready" method="post" action="([^"]+)".*?name="deal" value="(\d+)"', markup(browser.get(page))
    )
    if waiting:
        promised = promise(bytes.fromhex(ADDED))
        assert browser.post(waiting[1], {"deal": waiting[2], "promised": promised}).status_code == 303
    by_itself(browser, answer)
    return answer


def by_itself(browser: Client, answer) -> None:
    """What the browser does when everybody has promised: it opens what it promised (play.js)."""
    page = answer["Location"].partition("#")[0]
    if opens := re.search(
        r'<form id="open" method="post" action="([^"]+)".*?name="deal" value="(\d+)"', markup(browser.get(page))
    ):
        assert browser.post(opens[1], {"deal": opens[2], "entropy": ADDED}).status_code == 303


def deal_me_in(browser: Client, **typed: str) -> str:
    """The address of the table, where the cards are dealt."""
    return arrive(browser, ask_for_cards(browser, **typed))["Location"].partition("#")[0]


def open_table(browser: Client, name: str = "Nora", **typed: str) -> Tournament:
    answer = browser.post("/play/", {"what": "friends", "name": name, **GAME, **typed})
    assert answer.status_code == 303, said(answer)
    return Tournament.objects.latest("pk")


def do(browser: Client, table: Tournament, what: str, **typed: str):
    return browser.post(f"/play/{table.slug}/", {"what": what, **typed})


def shown(browser: Client, answer) -> dict:
    """What this viewer sees of the table to which an answer leads."""
    page = answer if isinstance(answer, str) else answer["Location"].partition("#")[0]
    return browser.get(page, headers={"Accept": "application/json"}).json()["play"]


def markup(answer) -> str:
    return html.unescape(answer.content.decode())


def names(table: Tournament) -> list[str]:
    return list(table.entries.order_by("number").values_list("player__name", flat=True))


def play_to_the_end(table: Tournament, capture=None) -> Tournament:
    """Whoever it is plays like a bot, hand after hand, until the game is over."""
    for _hand in range(30):
        deal = Deal.objects.open().filter(table__round__tournament=table).first()
        if deal is None:
            break
        if deal.state == Deal.State.WAITING:
            everybody_ready(deal)
        if capture is None:
            play_out(deal)
            casual_end.go_on(tournament_id=table.pk)
        else:
            with capture(execute=True):
                play_out(deal)
    table.refresh_from_db()
    assert table.is_final
    return table


def quick(table: Tournament, target: int = 5) -> None:
    """A game that is over after a hand or some."""
    stage = table.stages.get()
    stage.settings["target"] = target
    stage.save(update_fields=["settings"])
