"""Somebody who may do more than a player tries to see the cards of two seats of an online table, by every address."""

import http.client
import json
import re
from collections import defaultdict

import pytest

from tests import cast
from tests.online_seats import Phone
from tests.served import Served, Stream

PREPARE = """
from league.access.signed_links import player_token
from league.models import Role
from league.roles.scorer_links import make_scorer_links
from tests.games.online_table import everybody_ready, put_online
made = cast.tournament()
farah = cast.entry(made, "Farah")
for kind, entry in (("check-in", None), ("organiser", farah), ("player", farah)):
    name = "Helga" if kind == "check-in" else "Orla"
    user = cast.organiser(f"{name}@example.org".lower(), name)
    Role.objects.create(tournament=made, user=user, kind=kind, entry=entry if kind == "player" else None)
start(tournament=made, by=made.owner)
tables = [everybody_ready(put_online(cast.table(made, 1, number))).table for number in (1, 2)]
people = {
    str(entry): [entry.public_id, player_token(entry), table.pk]
    for table in tables for entry in [seat.entry for seat in table.seats.order_by("number")]
}
[(_link, scorer)] = make_scorer_links(tournament=made, tables=[None], by=made.owner)
print(json.dumps([made.slug, people, scorer]))
"""
SHOWINGS = """
from league.log.in_words import in_words
from league.models import LogEntry
from league.by_link.player_links import LIST, MAIL, SHOW
rows = LogEntry.objects.filter(action__in=(SHOW, MAIL, LIST)).order_by("number")
print(json.dumps([[str(row.by), in_words(row)] for row in rows]))
"""
SECOND = "is used by"  # in what is said to who opens the link of a second player


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """The service, its tournament, and by name (public id, token, table) of all who play; a scorer's token."""
    served = Served(tmp_path_factory.mktemp("peeking"))
    slug, people, scorer = served.prepare(PREPARE.splitlines())
    yield served.start(), slug, people, scorer
    served.stop()


def phone(hall, email=""):
    """A browser, in which this account is signed in."""
    made = Phone(hall[0].port)
    if email:
        assert made.post("/accounts/login/", {"login": email, "password": cast.PASSWORD})[0] == 302
    return made


def others(hall, *but):
    """The names of two who sit at different tables, and of one beside the first."""
    tables = {}
    for name, (_public_id, _token, table) in hall[2].items():
        if name not in but:
            tables.setdefault(table, []).append(name)
    (first, beside, *_), (second, *_) = tables.values()
    return first, second, beside


def door(hall, browser, name):
    return browser.post(f"/me/{hall[2][name][1]}/", {})


def peek(hall, browser, *names):
    """The public ids of those whose cards any address shows."""
    return set().union(*by_address(hall, browser, *names).values())


def by_address(hall, browser, *names):
    """{what is asked: public ids of those whose cards it shows}, asked at each table, by each name and by none."""
    served, slug, people, _scorer = hall
    seen = defaultdict(set)
    asked = [("", ""), *((people[name][0], f"?as={people[name][0]}") for name in names)]
    for table in {place for _public_id, _token, place in people.values()}:
        for who, query in asked:
            for show in ("json", "page"):  # before any page: a stream is no way round it
                stream = Stream(served.port, slug, browser, f"?table={table}&show={show}&since=0&as={who}")
                event = stream.event()
                stream.close()
                if event["event"] == "shown":
                    shows = in_json(json.loads(event["data"])) if show == "json" else on_page(event["data"])
                    seen[f"stream of {show}"] |= shows
            for what in ("ready", "open", "act"):
                fields = {"deal": 0, "kind": "draw", "answers": 0} | ({"as": who} if who else {})
                seen[what] |= in_json(browser.send(table, what, fields)[1])
            seen["json"] |= in_json(browser.look(table, query)[1])
            seen["page"] |= on_page(browser.get(f"/tables/{table}/play/{query}")[1])
            seen["part"] |= on_page(browser._ask("GET", f"/tables/{table}/play/{query}", None, {"Wild-Live": "1"})[1])
            seen["strip"] |= on_page(browser.get(f"/tables/{table}/play/strip/{query}")[1])
    return seen


def in_json(answer):
    play = answer.get("play") or {}
    if play.get("you") is None:
        return set()
    assert play["hand"]["cards"]
    return {play["places"][play["you"]]["player_id"]}


def on_page(text):
    """Whose page it is, where it is somebody's."""
    assert 'class="fan ' not in text or "?as=" in text
    return set(re.findall(r'data-here="[^"]*\?as=(\w+)', text))


def prints(hall, browser):
    """Whether the place cards come."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    connection = http.client.HTTPConnection("127.0.0.1", hall[0].port, timeout=60)
    connection.request("GET", f"/t/{hall[1]}/prints/place-cards.pdf", headers={"Cookie": cookies})
    came = connection.getresponse().read().startswith(b"%PDF")
    connection.close()
    return came


def ids(hall, *names):
    return {hall[2][name][0] for name in names}


def showings(hall, who):
    return [words for by, words in hall[0].prepare(SHOWINGS.splitlines()) if by == who]


def link_page(hall, name, what=""):
    return f"/t/{hall[1]}/players/{hall[2][name][0]}/link/{what}"


def test_a_phone_that_players_pass_round_has_every_seat_that_it_opened(hall):
    first, second, beside = others(hall)
    browser = phone(hall)
    for name in (first, second, beside):
        assert door(hall, browser, name)[0] == 303
    browser.get(f"/tables/{hall[2][first][2]}/play/")  # for the cookie of its forms, without which no stream shows them
    seen = by_address(hall, browser, first, second, beside)
    everywhere = {"stream of json", "stream of page", "ready", "open", "act", "json", "page", "part", "strip"}
    assert seen == dict.fromkeys(everywhere, ids(hall, first, second, beside))


def test_who_checks_players_in_is_shown_no_link_and_has_one_seat(hall):
    first, second, beside = others(hall)
    helga = phone(hall, "helga@example.org")
    assert helga.get(link_page(hall, first))[0] == 404
    for what in ("mail/", "end/"):
        assert helga.post(link_page(hall, first, what), {})[0] == 404
    assert "/link/" not in helga.get(f"/t/{hall[1]}/players/")[1] + helga.get(f"/t/{hall[1]}/check-in/")[1]
    assert not prints(hall, helga)
    assert peek(hall, helga, first, second) == set()
    # With what stood on cards that lay about.
    assert door(hall, helga, first)[0] == 303
    for name in (second, beside):
        status, said = door(hall, helga, name)
        assert status == 403 and SECOND in said and first in said
    assert peek(hall, helga, first, second, beside) == ids(hall, first)
    assert showings(hall, "Helga") == []


def test_an_organiser_who_does_not_play_has_one_seat_and_each_showing_is_told(hall):
    first, second, beside = others(hall)
    olga = phone(hall, "olga@example.org")
    for name in (first, second, first, first):
        assert hall[2][name][1] in olga.get(link_page(hall, name))[1]
    assert [door(hall, olga, name)[0] for name in (first, second, beside)] == [303, 403, 403]
    assert peek(hall, olga, first, second, beside) == ids(hall, first)
    for _time in range(2):
        assert prints(hall, olga)
    everybody = sorted(hall[2])
    *shown, listed = showings(hall, "Olga")
    assert shown == [f"Viewed the personal link of {name}" for name in (first, second)]
    assert sorted(re.sub("^.*links of ", "", listed).split(", ")) == everybody
    # The players read it, and nobody else does.
    own = phone(hall)
    assert door(hall, own, first)[0] == 303
    assert own.get(f"/t/{hall[1]}/me/")[1].count("Olga saw your link on") == 2
    assert "saw your link" not in own.get(f"/t/{hall[1]}/players/{hall[2][first][0]}/")[1]
    # Signing out makes nobody of her who was not shown them.
    assert olga.post("/accounts/logout/", {})[0] == 302
    assert [door(hall, olga, name)[0] for name in (second, first)] == [303, 403]
    assert peek(hall, olga, first, second) == ids(hall, second)


def test_an_organiser_who_also_plays_has_their_own_seat(hall):
    first, second, _beside = others(hall, "Farah")
    orla = phone(hall, "orla@example.org")
    assert orla.get(link_page(hall, first))[0] == orla.get(link_page(hall, second))[0] == 200
    assert [door(hall, orla, name)[0] for name in (first, second)] == [403, 403]
    assert peek(hall, orla, first, second, "Farah") == ids(hall, "Farah")
    assert showings(hall, "Orla") == [f"Viewed the personal link of {name}" for name in (first, second)]


def test_who_scores_by_a_link_has_one_seat_of_those_that_their_phone_opened(hall):
    first, second, beside = others(hall)
    scorer = phone(hall)
    assert scorer.post(f"/s/{hall[3]}/", {})[0] == 303
    assert scorer.get(link_page(hall, first))[0] == 404
    assert peek(hall, scorer, first, second) == set()
    assert [door(hall, scorer, name)[0] for name in (first, second, beside)] == [303] * 3
    assert peek(hall, scorer, first, second, beside) == ids(hall, first)


def test_a_phone_with_several_seats_keeps_the_first_when_somebody_with_a_role_signs_in(hall):
    first, second, beside = others(hall)
    browser = phone(hall)
    for name in (first, second, beside):
        assert door(hall, browser, name)[0] == 303
    assert browser.post("/accounts/login/", {"login": "helga@example.org", "password": cast.PASSWORD})[0] == 302
    status, text = browser.get(f"/tables/{hall[2][beside][2]}/play/?as={hall[2][beside][0]}")
    assert status == 403 and SECOND in text
    assert door(hall, browser, beside)[0] == browser.get(f"/me/{hall[2][beside][1]}/")[0] == 403
    assert peek(hall, browser, first, second, beside) == ids(hall, first)
    assert door(hall, browser, first)[0] == 303  # which does not make room for the others
    assert peek(hall, browser, first, second, beside) == ids(hall, first)
