"""Two people at an online table at the very same moment, on PostgreSQL, where both really run at once: one result."""

import os
from functools import partial

import psycopg
import pytest

from engine.shuffle import promise
from tests.online_seats import Phone
from tests.served import Served, together

TABLES = int(os.environ.get("WILD_MEETINGS") or 3)  # each meeting happens at so many tables, one after the other
PREPARE = """
from games.online.play.bots import answer
from games.online.play.places import ABSENT, places_of
from league.access.signed_links import player_token
from tests.games import online_table

def evening(name, wanted, hands):
    made = cast.tournament(4 * {tables}, hands_per_round=hands, name=name)
    start(tournament=made, by=made.owner)
    tables = made.rounds.get(number=1).tables.order_by("number")
    return {{"slug": made.slug, "tables": [at_table(table, wanted) for table in tables]}}

def at_table(table, wanted):
    deal = online_table.put_online(table)
    if wanted:
        deal = online_table.put_into(deal, getattr(online_table, wanted), seed=table.pk)
    played = online_table.standing(deal)
    public = played.hand.public
    tokens = [player_token(place.entry) for place in places_of(deal)]
    return dict(table=table.pk, deal=deal.pk, turn=public.turn, decision=played.decision, windows=played.windows,
                least=answer(played.hand, ABSENT), card=played.hand.cards[public.turn][0], counts=list(public.counts),
                moves=played.moves, tokens=tokens)

print(json.dumps([evening(*one) for one in {evenings!r}]))
"""
EVENINGS = {
    "catches": ("somebody_can_be_caught", 2),
    "calls": ("somebody_can_be_caught", 2),
    "devices": ("somebody_can_be_caught", 2),
    "ready": ("", 2),
    "paper": ("last_card_fits", 2),
    "closed": ("last_card_fits", 1),
}


@pytest.fixture(scope="module")
def postgres(postgres_server, postgres_migrated):
    return postgres_server.new_database(like=postgres_migrated)


@pytest.fixture(scope="module")
def served(postgres, tmp_path_factory):
    """One server for all of these evenings: (server, {name: what is known of it})."""
    served = Served(tmp_path_factory.mktemp("at-once"), postgres)
    evenings = [(name, *how) for name, how in EVENINGS.items()]
    made = served.prepare([PREPARE.format(tables=TABLES, evenings=evenings)])
    yield served.start(), dict(zip(EVENINGS, made, strict=True))
    served.stop()


@pytest.fixture
def ask(postgres):
    """One row of the database."""

    def ask(query, *values):
        with psycopg.connect(postgres) as connection:
            return connection.execute(query, values).fetchone()

    return ask


def tables(served, name):
    """Each table of an evening: what is known of it, and somebody's phone for each seat."""
    server, evenings = served
    for at in evenings[name]["tables"]:
        yield at, [Phone(server.port, token) for token in at["tokens"]]


def statuses(answers):
    assert all(isinstance(one, tuple) for one in answers), answers
    return [status for status, _body in answers]


def sends(phone, at, what="act", **fields):
    fields = {"deal": at["deal"], "answers": at["decision"]} | fields
    return lambda: phone.send(at["table"], what, fields)


def does_least(phone, at, **fields):
    """Whoever is asked makes a move that is legal: draws, keeps, accepts, chooses a colour."""
    kind, _seat, *more = at["least"]
    return sends(phone, at, kind=kind, color=more[0] if kind == "color" else "", **fields)


def can_be_caught(at):
    """(seat, the move by which it left one card), of somebody who is not asked."""
    return next((int(seat), move) for seat, move in at["windows"].items() if int(seat) != at["turn"])


MADE = "SELECT moves_made, (SELECT count(*) FROM games_move m WHERE m.deal_id = d.id) FROM games_deal d WHERE id = %s"


def test_of_two_who_catch_the_same_player_one_does_and_the_other_is_told(served, ask):
    for at, here in tables(served, "catches"):
        caught, window = can_be_caught(at)
        catchers = [phone for seat, phone in enumerate(here) if seat != caught][:2]
        answers = together(*(sends(one, at, kind="catch", target=caught, answers=window) for one in catchers))
        assert sorted(statuses(answers)) == [200, 409], answers
        [lost] = [body for status, body in answers if status == 409]
        assert lost["code"] == "decided" and lost["message"] and lost["play"]["version"] == at["moves"] + 1
        assert ask(MADE, at["deal"]) == (at["moves"] + 1,) * 2
        _status, body = here[0].look(at["table"])
        assert body["play"]["hand"]["counts"][caught] >= at["counts"][caught] + 2


def test_a_call_of_uno_a_catch_and_an_answer_meet_and_each_is_done_or_told_why_not(served, ask):
    for at, here in tables(served, "calls"):
        caught, window = can_be_caught(at)
        catcher = next(seat for seat in range(4) if seat not in (caught, at["turn"]))
        uno, catch, turn = together(
            sends(here[caught], at, kind="uno", answers=window),
            sends(here[catcher], at, kind="catch", target=caught, answers=window),
            does_least(here[at["turn"]], at),
        )
        assert sorted(statuses([uno, catch])) in ([200, 409], [409, 409]), (uno, catch)
        assert turn[0] == 200, turn
        done = statuses([uno, catch, turn]).count(200)
        assert ask(MADE, at["deal"]) == (at["moves"] + done,) * 2


def test_two_devices_of_one_player_make_one_move(served, ask):
    for number, (at, here) in enumerate(tables(served, "devices")):
        others = [Phone(served[0].port, at["tokens"][at["turn"]]) for _device in range(2)]
        keys = ["same"] * 3 if number % 2 else ["a", "b", ""]
        devices = zip((here[at["turn"]], *others), keys, strict=True)
        answers = together(*(does_least(one, at, key=key) for one, key in devices))
        assert sorted(statuses(answers)) == ([200, 200, 200] if number % 2 else [200, 409, 409]), answers
        assert ask(MADE, at["deal"]) == (at["moves"] + 1,) * 2


def test_when_everybody_is_ready_at_once_one_hand_begins_with_what_all_added(served, ask):
    for at, here in tables(served, "ready"):
        entropies = [f"{seat + 1:02x}" * 16 for seat in range(4)]
        promised = [promise(bytes.fromhex(one)) for one in entropies]
        for what, sent in (("ready", {"promised": promised}), ("open", {"entropy": entropies})):
            ((name, values),) = sent.items()
            each = [sends(phone, at, what, **{name: one}) for phone, one in zip(here, values, strict=True)]
            answers = together(*each, *each)
            assert statuses(answers) == [200] * 8, answers
        state, places = ask("SELECT state, places FROM games_deal WHERE id = %s", at["deal"])
        assert state == "playing"
        assert [place["promised"] for place in places] == promised
        assert [place["entropy"] for place in places] == entropies
        assert ask("SELECT count(*) FROM games_deal WHERE table_id = %s", at["table"]) == (1,)
        _status, body = here[2].look(at["table"])
        assert body["play"]["hand"]["events"][0]["entropy"] == entropies


def test_the_last_card_and_a_hand_from_paper_meet_and_one_result_is_in(served, ask):
    olga = served[0].visitor()
    typed = {"went_out": "0", "points_1": "10", "points_2": "20", "points_3": "30", "hand": "1", "seating_version": "1"}
    for at, here in tables(served, "paper"):
        last_card = sends(here[at["turn"]], at, kind="play", card=at["card"], key="last")
        on_paper = partial(olga.post, f"/tables/{at['table']}/", typed | {"key": "paper"})
        (card, _body), (paper, _text) = together(last_card, on_paper)
        assert (card, paper) == (200, 409)
        rows = "SELECT count(*), min(source) FROM games_hand WHERE table_id = %s AND voided_at IS NULL"
        assert ask(rows, at["table"]) == (1, "engine")
        score = "SELECT count(*) FROM league_handscore WHERE table_id = %s AND voided_at IS NULL"
        assert ask(score, at["table"]) == (4,)
        assert ask("SELECT count(*) FROM games_deal WHERE table_id = %s AND state = 'waiting'", at["table"]) == (1,)
        assert last_card()[0] == 200, "sent again"


def test_a_round_that_is_closed_and_a_last_card_meet_and_the_hand_is_in_or_is_not(served, ask):
    server, evenings = served
    olga, slug = server.visitor(), evenings["closed"]["slug"]
    *early, (at, here) = tables(served, "closed")
    for other, theirs in early:
        assert sends(theirs[other["turn"]], other, kind="play", card=other["card"])()[0] == 200
    without = {"step": "close-1", "without": str(at["table"]), "reason": "The hall closes"}
    close = partial(olga.post, f"/t/{slug}/advance/", without)
    (card, body), (closed, _text), (again, _same) = together(
        sends(here[at["turn"]], at, kind="play", card=at["card"], key="last"), close, close
    )
    assert {card, closed, again} <= {200, 302, 409}, (card, closed, again, body)
    of_round = "SELECT r.state FROM league_round r JOIN league_table t ON t.round_id = r.id WHERE t.id = %s"
    [hands] = ask("SELECT count(*) FROM games_hand WHERE table_id = %s AND voided_at IS NULL", at["table"])
    assert hands == (card == 200)
    assert ask(of_round, at["table"]) == ("closed",)
    told = "SELECT count(*) FROM league_logentry l JOIN league_tournament t ON t.id = l.tournament_id"
    assert ask(f"{told} WHERE t.slug = %s AND action = 'close-round'", slug) == (1,)


def test_of_two_who_ask_for_the_seat_of_one_bot_one_has_it_and_the_other_watches(served, ask):
    port = served[0].port
    nora, emile, *late = (Phone(port) for _person in range(4))
    assert nora.post("/play/", {"what": "friends", "name": "Nora", "edition": "classic"})[0] == 303
    slug, key = ask("SELECT slug, id FROM league_tournament ORDER BY id DESC LIMIT 1")
    lobby = f"/play/{slug}/"
    for browser, fields in ((emile, {"what": "join", "name": "Émile"}), (nora, {"what": "add-bot"})):
        assert browser.post(lobby, fields)[0] == 303
    assert nora.post(lobby, {"what": "begin"})[0] == 303
    [table] = ask(
        "SELECT t.id FROM league_table t JOIN league_round r ON r.id = round_id WHERE tournament_id = %s", key
    )
    asking = (
        partial(one.post, lobby, {"what": "take-over", "name": name}) for one, name in zip(late, "XY", strict=True)
    )
    assert [status for status, _text in together(*asking)] == [303, 303]
    seats = [one.look(table)[1]["play"]["you"] for one in late]
    assert sorted(seat is None for seat in seats) == [False, True]
    assert ask("SELECT count(*), count(DISTINCT player_id) FROM league_entry WHERE tournament_id = %s", key) == (3, 3)
    [winner] = [name for name, seat in zip("XY", seats, strict=True) if seat is not None]
    names = "SELECT array_agg(name ORDER BY e.number) FROM league_entry e JOIN league_player p ON p.id = player_id"
    assert ask(f"{names} WHERE tournament_id = %s AND bot = ''", key) == (["Nora", "Émile", winner],)
