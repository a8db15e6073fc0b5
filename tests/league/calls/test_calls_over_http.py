"""Calls of the director through HTTP: players, scorers and directors with their own browsers."""

import json
import re
from types import SimpleNamespace

import pytest
from django.core.cache import caches
from django.test import Client

from league.access.signed_links import player_token
from league.calls.page import PUBLIC
from league.models import Call, CallTap, Entry, LogEntry, MutedCaller
from league.roles.scorer_links import make_scorer_links, revoke_scorer_link
from league.rounds.steps import start
from tests import cast
from tests.games.pages import said

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world_once(module_world):
    made, other = cast.tournament(), cast.tournament(name="Other Pairs")
    for one in (made, other):
        start(tournament=one, by=one.owner)
    return SimpleNamespace(
        table=cast.table(made, 1, 1), elsewhere=cast.table(made, 1, 2), other=cast.table(other, 1, 1)
    )


@pytest.fixture
def world(world_once):
    caches["limits"].clear()
    return SimpleNamespace(**{key: cast.again(row) for key, row in vars(world_once).items()})


@pytest.fixture
def olga():
    client = Client()
    client.force_login(cast.organiser())
    return client


def entry(table, seat=0):
    return table.seats.get(number=seat).entry


def phone(table, seat=0):
    """The browser of a player of the table."""
    client = Client()
    assert client.post(f"/me/{player_token(entry(table, seat))}/").status_code == 303
    return client


def call(client, table, **fields):
    return client.post(f"/tables/{table.pk}/call/", fields, headers={"Accept": "application/json"})


def my_table(client, table):
    """The state of the call on My table; None while no one calls."""
    return client.get(f"/t/{table.round.tournament.slug}/me/").context["call"].strip


def buttons(response):
    """{label: (address, what the button sends)} of the forms with one button on a page."""
    forms = re.findall(
        r'<form[^>]*action="([^"]+)"(?:(?!</form>).)*?<button([^>]*)>(.*?)</button>',
        response.content.decode(),
        re.DOTALL,
    )
    sends = re.compile(r'name="(\w+)" value="(\w+)"')
    return {re.sub("<[^>]+>", "", label).strip(): (url, dict(sends.findall(tag))) for url, tag, label in forms}


def press(client, label, on):
    url, sent = buttons(client.get(on))[label]
    answer = client.post(url, sent)
    assert answer.status_code == 302
    return said(client.get(answer["Location"]))


def test_a_table_calls_and_a_director_comes_and_the_whole_table_sees_it(world, olga):
    table, now = world.table, f"/t/{world.table.round.tournament.slug}/"
    first, second = phone(table), phone(table, 1)
    page = first.get(f"/tables/{table.pk}/call/?from=my&as={entry(table).public_id}")
    key = re.search(r'name="form_key" value="([^"]+)"', page.content.decode())[1]
    for _twice in range(2):
        sent = {"form_key": key, "reason": "rules", "text": "Is it\u202e the last card?", "from": "my"}
        answer = first.post(f"/tables/{table.pk}/call/", sent)
        assert (answer.status_code, answer["Location"]) == (302, f"{now}me/?player={entry(table).public_id}")
    assert CallTap.objects.get().text == "Is it the last card?"
    for one, button in ((first, "Cancel"), (second, "")):
        strip = my_table(one, table)
        assert (strip.title, strip.text, strip.button) == ("Director called", "Rules question", button)
    assert f"Table 1: Rules question 0 min {entry(table)}: Is it the last card?" in said(olga.get(now))
    assert "Table 1 sees that you’re coming." in press(olga, "I’m coming", now)
    for one, button in ((first, "Done"), (second, "")):
        assert (my_table(one, table).title, my_table(one, table).button) == ("Olga is coming", button)
    assert "The call of table 1 is done." in press(olga, "Done", now)
    assert my_table(second, table) is None
    assert "Table 1: Rules question" not in said(olga.get(now))
    log = said(olga.get(f"{now}log/"))
    for sentence in ("director called: Rules question", "on the way to the table", "call done"):
        assert f"Round 1, table 1: {sentence}" in log


def test_a_second_caller_joins_and_each_withdraws_their_own(world):
    first, second = phone(world.table), phone(world.table, 1)
    assert call(first, world.table, key="a").status_code == 201
    joined = call(second, world.table, key="b", reason="slow").json()
    assert (joined["code"], "Cancel" in joined["box"]) == ("joined", True)
    end = {"call": Call.objects.get().pk, "do": "withdraw"}
    first.post(f"/tables/{world.table.pk}/call/end/", end)
    assert my_table(first, world.table).button == ""
    answer = second.post(f"/tables/{world.table.pk}/call/end/", end, headers={"Accept": "application/json"})
    assert answer.status_code == 200 and "status-strip" not in answer.json()["box"]
    assert Call.objects.get().state == Call.State.CANCELLED


@pytest.mark.parametrize(
    ("fields", "status", "code", "sentence"),
    [
        ({"text": "a\x07b"}, 422, "form", "This has characters that can’t be shown. Type it again."),
        ({"text": "x" * 141}, 422, "form", "Ensure this value has at most 140 characters (it has 141)."),
        ({"reason": "tea"}, 422, "form", "Choose one of the reasons, or none."),
        ({"who": "player nobody"}, 403, "other-caller", "Someone else called from this phone."),
    ],
)
def test_bad_input_is_refused_with_a_sentence_and_changes_nothing(world, fields, status, code, sentence):
    answer = call(phone(world.table), world.table, key="a", **fields)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["sentence"].startswith(sentence)
    page = phone(world.table).post(f"/tables/{world.table.pk}/call/", fields)
    assert page.status_code == status and sentence in said(page)
    assert not Call.objects.exists() and not LogEntry.objects.filter(action="call-director").exists()


def test_a_refused_form_keeps_what_was_typed(world):
    page = phone(world.table).post(f"/tables/{world.table.pk}/call/", {"reason": "slow", "text": "Too\x07 slow"})
    text = page.content.decode()
    assert 'value="slow" checked' in text and 'value="Too\x07 slow"' in text


def test_only_the_players_and_scorers_of_a_table_call_from_it(world, olga):
    table = world.table
    [(link, secret)] = make_scorer_links(tournament=table.round.tournament, tables=[1], by=cast.organiser())
    scorer, stranger, replaced = Client(), Client(), phone(table, 2)
    scorer.post(f"/s/{secret}/")
    Entry.objects.filter(pk=entry(table, 2).pk).update(link_generation=2)
    elsewhere = entry(world.elsewhere)
    refused = [
        (phone(world.elsewhere), table, 403, f"{elsewhere} sits at table 2 in this round."),
        (scorer, world.elsewhere, 403, "This phone is for table 1 now."),
        (phone(world.other), table, 404, "Open your table with your link"),
        (stranger, table, 404, "Open your table with your link"),
        (replaced, table, 410, "Ask the organiser for your new link."),
    ]
    for client, at, status, sentence in refused:
        answer = call(client, at, key="a")
        assert answer.status_code == status and answer.json()["sentence"].startswith(sentence)
        assert sentence in said(client.get(f"/tables/{at.pk}/call/"))
    assert not Call.objects.exists()
    assert call(scorer, table, key="a").status_code == 201
    assert CallTap.objects.get().scorer_link == link
    revoke_scorer_link(link=link, by=cast.organiser())
    assert call(scorer, table, key="b").json()["code"] == "link-ended"


def test_a_call_after_the_round_is_refused_with_the_way_out(world):
    client, table = phone(world.table), world.table
    for one in (world.table, world.elsewhere):
        for hand in range(1, 5):
            cast.play_hand(one, hand)
    cast.go_on(table.round.tournament)
    answer = call(client, table, key="a", ago="900000")
    assert answer.status_code == 409
    assert answer.json()["sentence"] == "Round 1 is closed. Call from your table in the next round."
    assert not Call.objects.exists()


def test_of_200_calls_in_a_minute_those_beyond_ten_are_refused(world):
    client = phone(world.table)
    answers = [call(client, world.table, key=str(number)) for number in range(200)]
    assert [answer.status_code for answer in answers[:12]] == [201, *[200] * 9, 429, 429]
    assert answers[-1].json()["sentence"] == "Too many calls in a minute. Please go to the director."
    assert call(phone(world.table, 1), world.table, key="a").status_code == 201, "another link"
    assert Call.objects.count() == 1


def test_a_director_mutes_a_link_and_undoes_it(world, olga):
    client, table, name = phone(world.table), world.table, str(entry(world.table))
    calls = f"/t/{table.round.tournament.slug}/calls/"
    call(client, table, key="a")
    assert f"Calls of {name} are muted." in press(olga, "Mute", calls)
    client.post(f"/tables/{table.pk}/call/end/", {"call": Call.objects.get().pk})
    refused = call(client, table, key="b")
    assert (refused.status_code, refused.json()["code"]) == (422, "muted")
    assert "A director has muted calls from here." in refused.json()["sentence"]
    assert f"Calls of {name} are accepted again." in press(olga, "Unmute", calls)
    assert call(client, table, key="b").status_code == 201 and not MutedCaller.objects.exists()


def test_where_players_report_nothing_they_call_from_the_tables_public_page(world):
    world.table.round.tournament.players_report = False
    world.table.round.tournament.save()
    client = phone(world.table)
    page = client.get(f"/tables/{world.table.pk}/")
    assert "Call the director" in said(page)
    answer = client.post(f"/tables/{world.table.pk}/call/", {"from": PUBLIC})
    assert answer["Location"] == f"/tables/{world.table.pk}/"
    assert "Director called" in said(client.get(answer["Location"]))


def test_programs_of_a_director_list_and_answer_calls(world, olga):
    call(phone(world.table), world.table, key="a", reason="slow", text="Table 1 waits")
    address = f"/api/v1/tournaments/{world.table.round.tournament.slug}/calls/"
    [listed] = olga.get(address).json()
    assert (listed["table"], listed["coming"]) == (1, None)
    assert listed["callers"][0] | {"tapped_at": ""} == {
        "name": str(entry(world.table)),
        "player_id": entry(world.table).public_id,
        "reason": "slow",
        "text": "Table 1 waits",
        "tapped_at": "",
        "sent_late": False,
    }

    def answer(word):
        return olga.post(f"{address}{listed['id']}/", json.dumps({"answer": word}), content_type="application/json")

    assert answer("coming").json()[0]["coming"] == "Olga"
    assert answer("done").json() == []
    assert answer("coming").status_code == 409
    assert answer("tea").status_code == 400


def test_a_player_of_an_online_table_calls_from_its_menu(olga):
    made = cast.tournament(online="all", name="Online Pairs")
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    client, player = phone(table), entry(table)
    page = f"/tables/{table.pk}/play/?as={player.public_id}"
    assert client.get(page).context["top"].call.strip is None
    answer = client.post(f"/tables/{table.pk}/call/", {"from": "play", "as": player.public_id})
    assert answer["Location"] == page
    assert said(client.get(page)).count("Director called") == 2, "in the menu, and in the line on top"
    press(olga, "I’m coming", f"/t/{made.slug}/")
    assert "Olga is coming" in said(client.get(page))
    for watcher in (olga, Client()):
        assert watcher.get(f"/tables/{table.pk}/play/").context["top"].call is None
