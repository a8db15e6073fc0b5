"""Nobody is told what is not theirs: two worlds that differ only in what a viewer may not know give the same bytes.

For each pair of them every answer is compared whole: status, headers, body, the first event of a stream. 16 pairs, and
every address of tests/test_access.py in one; `WILD_TWINS=5000` tries more pairs, `WILD_SEED` others.
"""

import os
import random
from datetime import timedelta
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from engine import COMPILED, view
from engine.rules import EDITIONS, OPTIONS, SCORINGS
from games.models import Deal, OnlineSettings
from games.online import views
from games.online.page import picture as show
from games.online.play import replay
from league.access.rights import OWNER, PLAYER_LINK
from league.access.signed_links import player_token
from league.rounds.steps import start
from tests import cast, test_access
from tests.games.online_table import everybody_ready, play_out, put_online
from tests.games.twins import (
    NOW,
    Question,
    asked,
    commands,
    decks,
    differences,
    known,
    other_moves,
    paired,
    standing_still,
)

PAIRS = int(os.environ.get("WILD_TWINS") or 16)
SEED = int(os.environ.get("WILD_SEED") or 7)
JSON, LIVE = {"Accept": "application/json"}, {"Wild-Live": "1"}

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.timeout(300 + 3 * max(PAIRS - 100, 0)),
    pytest.mark.slow,
    pytest.mark.skipif(COMPILED, reason="Another shuffler is put into the sources: WILD_ENGINE=pure runs them."),
]


@pytest.fixture
def made():
    with decks() as found:
        yield found


@pytest.fixture(scope="module", autouse=True)
def deal_once(module_world):
    """The second hand of an online table; the first was played to its end."""
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    first = everybody_ready(put_online(cast.table(tournament, 1, 1)))
    return play_out(first).table.deals.open().get()


@pytest.fixture
def deal(deal_once):
    return cast.again(deal_once)


def cookies(client):
    return {name: morsel.value for name, morsel in client.cookies.items()}


def by_link(*entries):
    """The cookies of a browser in which these players' own links were used."""
    client = Client()
    for entry in entries:
        assert client.post(f"/me/{player_token(entry)}/").status_code == 303
    return cookies(client)


def by_account(user):
    client = Client()
    client.force_login(user)
    return cookies(client)


def owner_who_is(user, entry):
    """The cookies of a browser in which an account is signed in and a player's own link was used."""
    client = Client()
    client.force_login(user)
    assert client.post(f"/me/{player_token(entry)}/").status_code == 303
    return cookies(client)


def entries_of(deal):
    found = deal.table.round.tournament.entries.in_bulk([place["entry"] for place in deal.places])
    return [found[place["entry"]] for place in deal.places]


def a_pair(deal, made, rng, seat, moves=None):
    """A hand of any edition, scoring and options, some moves in."""
    teams = rng.random() < 0.5
    options = sorted(option for option in OPTIONS if rng.random() < 0.3)
    rules = {"edition": rng.choice(sorted(EDITIONS)), "scoring": rng.choice(sorted(SCORINGS)), "teams": teams}
    return paired(deal, made, seat, moves or rng.randint(0, 60), rng, options=options, **rules)


def at_the_table(pair, players, rng):
    """What the player of a pair and a stranger ask about the table, and what they try to do there."""
    url, mine = f"/tables/{pair.deal.table_id}/play/", players[pair.seat]
    yield from (Question("player", url, mine, headers) for headers in (JSON, {}, LIVE))
    yield from (Question("stranger", url, {}, headers) for headers in (JSON, {}))
    for stream in (stream_of(pair.deal, table=pair.deal.table_id, show=what) for what in ("json", "page")):
        yield from (Question("player", stream, mine), Question("stranger", stream))
    yield from (Question("player", f"{url}act/", mine, JSON, sent) for sent in commands(pair, rng))
    yield Question("stranger", f"{url}act/", {}, JSON, {"deal": pair.deal.pk, "kind": "draw", "answers": 0})
    yield Question("player", f"{url}ready/", mine, JSON, {"deal": pair.deal.pk, "promised": "ab" * 32})
    yield Question("player", f"{url}open/", mine, JSON, {"deal": pair.deal.pk, "entropy": "00"})
    yield Question("player", f"{url}act/", mine, {}, {"deal": pair.deal.pk, "kind": "draw", "answers": 99})
    yield Question("player", f"{url}act/", mine, LIVE, {"deal": pair.deal.pk, "kind": "pass", "answers": 99})
    yield Question("player", f"{url}?card=WD", mine)


def test_at_the_table_both_worlds_answer_alike(deal, made, client):
    rng = random.Random(SEED)
    players = [by_link(entry) for entry in entries_of(deal)]
    asked = 0
    for number in range(PAIRS):
        pair = a_pair(deal, made, rng, number % len(players))
        OnlineSettings.objects.update_or_create(
            tournament=deal.table.round.tournament, defaults={"spectator_delay": rng.choice((0, 0, 3, 100))}
        )
        views, *tries = at_the_table(pair, players, rng)
        questions = [views, *(tries if number % 20 == 0 else rng.sample(tries, 4))]
        asked += len(questions)
        assert differences(pair, client, questions) == [], (SEED, number)
    assert asked >= 5 * PAIRS


def test_after_every_move_of_a_hand_both_worlds_look_alike(deal, made, client):
    rng = random.Random(SEED)
    players = [by_link(entry) for entry in entries_of(deal)]
    for seat, edition in ((0, "harry-potter-fr"), (3, "classic")):
        pair = paired(deal, made, seat, 20, rng, edition=edition)
        url = f"/tables/{deal.table_id}/play/"
        seen_by = [Question("player", url, players[seat], JSON), Question("stranger", url, {}, JSON)]
        page = [Question("player", url, players[seat])]
        for count in range(len(pair.actions) + 1):
            pair.lay(count)
            assert differences(pair, client, [*seen_by, *(page if count % 4 == seat else [])]) == [], (seat, count)


def test_a_hand_that_is_kept_in_memory_shows_nobody_more_than_one_that_was_replayed(deal, made):
    rng = random.Random(SEED)
    for delay in (0, 4):
        pair = paired(deal, made, 0, 30, rng)
        settings = OnlineSettings(tournament=deal.table.round.tournament, spectator_delay=delay)
        viewers = [*entries_of(deal), None]
        pair.enter(0)
        before = [show.picture(deal, viewer, settings) for viewer in viewers]
        replay.cache(deal, pair.played(0))
        for _turn in range(2):
            with patch("games.online.play.replay.connection.in_atomic_block", False):
                kept = [show.picture(deal, viewer, settings) for viewer in reversed(viewers)]
            for one, other in zip(before, reversed(kept), strict=True):
                assert one["hand"] == other["hand"] and one["version"] == other["version"]


def test_nobody_learns_what_the_others_add_to_the_shuffle_before_the_deal(deal, client):
    players = [by_link(entry) for entry in entries_of(deal)]
    answers = []
    for entropy in ("11" * 16, "22" * 16):
        for at, place in enumerate(deal.places):
            place.update(ready=at in (1, 2), entropy=entropy if at in (1, 2) else None, promised="ab" * 32)
        deal.save()
        with standing_still() as begin:
            answers.append([])
            for held in (players[0], players[3], {}):
                client.cookies.clear()
                client.cookies.load(held)
                begin()
                answers[-1].append(client.get(f"/tables/{deal.table_id}/play/", headers=JSON).content)
    assert deal.state == Deal.State.WAITING
    assert answers[0] == answers[1]


def test_spectators_are_told_nothing_of_the_moves_that_they_do_not_see_yet(deal, made, client):
    """Two hands that are the same up to some moves ago: everything that a stranger may ask for is the same."""
    rng = random.Random(SEED)
    tournament = deal.table.round.tournament
    OnlineSettings.objects.create(tournament=tournament, spectator_delay=3)
    ids = {"slug": tournament.slug, "table_id": deal.table_id, "deal_id": deal.pk}
    urls = [
        reverse(name, kwargs={need: ids[need] for need in needs})
        for name, needs in sorted(test_access.ADDRESSES.items())
        if needs and needs <= ids.keys() and "GET" in test_access.ROWS[name]
    ]
    questions = [Question("stranger", url) for url in urls if not url.endswith(".pdf")]  # with a date
    questions += [Question("stranger", f"/tables/{deal.table_id}/play/", headers=JSON)]
    questions += [Question("stranger", f"/tables/{deal.table_id}/play/act/", {}, JSON, {"kind": "draw"})]
    looks = 0
    for _pair in range(3):
        pair = paired(deal, made, 0, 30, rng)
        before = pair.actions[:-3]
        answers = []
        for world in (0, 1):
            pair.actions = [*before, *other_moves(pair, before, 3, rng)]
            pair.lay()
            for place in deal.places:
                place["bank"] = 1000 * (world + 1)
            deal.due_at = NOW + timedelta(seconds=10 * world)
            deal.save()
            with standing_still() as begin:
                answers.append([asked(client, question, begin) for question in questions])
        assert [str(one) for one, a, b in zip(questions, *answers, strict=True) if a != b] == []
        looks += len(questions)
    assert looks > 60


# Every address, for everybody


FIRST = (OWNER, PLAYER_LINK)  # who is asked everywhere
COUNTS_REQUESTS = "metrics"  # so no answer is ever the same; of hands it tells how many there are


def everywhere(world, values, deal):
    """{viewer: every address with GET}; those of a deal for the one that is in play too."""
    questions = {viewer: [] for viewer in test_access.VIEWERS}
    for name, row in sorted(test_access.ROWS.items()):
        needs = test_access.ADDRESSES[name]
        if "GET" not in row or name == COUNTS_REQUESTS:
            continue
        for one in (values, values | {"deal_id": deal.pk}) if "deal_id" in needs else (values,):
            url = reverse(name, kwargs={need: one[need] for need in needs})
            for viewer, asked_by in questions.items():
                held, headers = world.cookies.get(viewer, {}), {}
                if url.startswith("/api/") and viewer in world.tokens:
                    held, headers = {}, {"Authorization": f"Token {world.tokens[viewer]}"}
                asked_by.append(Question(f"{viewer} ({name})", url, held, headers))
    return questions


def and_more(world, table, deal, farah):
    """What no row says: a director who looks at moves, also one who plays; a replay in mid-hand; hands entered."""
    owner = world.cookies[OWNER]
    plays_too = owner_who_is(table.round.tournament.owner, farah)
    for line in (5, 6, 9, 12, 20):
        yield Question("owner", f"{reverse('direct_undo', args=[table.pk])}?to={line}", owner)
        yield Question("owner who plays", f"{reverse('direct_undo', args=[table.pk])}?to={line}", plays_too)
    for name in ("direct", "direct_away", "direct_penalty", "direct_paper", "play"):
        yield Question("owner who plays", reverse(name, args=[table.pk]), plays_too)
    taken = {"deal": deal.pk, "reason": "No network"}
    yield Question("owner who plays", reverse("direct_paper", args=[table.pk]), plays_too, {}, taken)
    yield Question("stranger", f"{reverse('deal_replay', args=[deal.pk])}?move=7")
    fields = {"hand": deal.number, "went_out": 0, "points_1": 10, "points_2": 20, "points_3": 30, "seating_version": 1}
    yield Question("owner", f"/tables/{table.pk}/", owner, {}, fields)
    yield Question("owner", f"/tables/{table.pk}/preview/", owner, {}, fields)
    program = {"Authorization": f"Token {world.tokens[OWNER]}", "Idempotency-Key": "twin"}
    yield Question("program", f"/api/v1/tables/{table.pk}/hands/", {}, program, fields)


@pytest.mark.parametrize("visibility", ["public", "private"] if PAIRS > 100 else ["public"])
def test_every_address_answers_everybody_alike_in_both_worlds(visibility, made, client):
    """For Farah, whose cards are the same in both, and for all who see no cards.

    Two are asked everywhere, and all others where an answer to these had to do with hands; by `WILD_TWINS` all.
    """
    world = test_access.built()
    tournament = world.tournaments[visibility]
    table = cast.table(tournament, 2, 1)
    values = world.values(tournament)
    deal = table.deals.open().first() or put_online(table)
    farah = cast.entry(tournament, "Farah")
    seat = next(at for at, place in enumerate(deal.places) if place["entry"] == farah.pk)
    pair = paired(deal, made, seat, 40, random.Random(SEED))
    questions = everywhere(world, values, deal)
    first = [one for viewer in FIRST for one in questions.pop(viewer)]
    looked_at: set[str] = set()
    assert differences(pair, client, [*first, *and_more(world, table, deal, farah)], looked_at) == []
    others = [one for asked_by in questions.values() for one in asked_by if PAIRS > 100 or one.url in looked_at]
    assert len(others) > len(questions) * 5
    assert differences(pair, client, others) == []


def stream_of(deal, **query):
    return f"/t/{deal.table.round.tournament.slug}/live/?{urlencode(query | {'since': 0})}"


def test_a_stream_begins_alike_in_both_worlds(deal, made, client):
    rng = random.Random(SEED)
    players = [by_link(entry) for entry in entries_of(deal)]
    begun = Question("player", stream_of(deal), players[0])
    assert asked(client, begun, lambda: None)[2].startswith(b"id: ")
    for seat in range(4):
        pair = a_pair(deal, made, rng, seat)
        addresses = [stream_of(deal, table=deal.table_id, show=what) for what in ("page", "json", "")]
        told = [Question("player", url, players[seat]) for url in addresses]
        assert differences(pair, client, [*told, *(Question("stranger", url) for url in addresses)]) == []


# What is to be found


def a_card(monkeypatch):
    """The card that comes next, in every view."""
    rightly = show.view_for
    monkeypatch.setattr(show, "view_for", lambda hand, seat: rightly(hand, seat) | {"next": hand.pile[-1:]})


def a_colour(monkeypatch):
    """How many red cards each player holds."""
    rightly = show.view_for

    def view_for(hand, seat):
        reds = [sum(card[0] == "R" for card in cards) for cards in hand.cards]
        return rightly(hand, seat) | {"reds": reds}

    monkeypatch.setattr(show, "view_for", view_for)


def a_number(monkeypatch):
    """One card more in the draw pile when the next one is red: pages show how many there are."""
    rightly = show.view_for

    def view_for(hand, seat):
        red = bool(hand.pile) and hand.pile[-1][0] == "R"
        return rightly(hand, seat) | {"pile": len(hand.pile) + red}

    monkeypatch.setattr(show, "view_for", view_for)


def a_drawn_card(monkeypatch):
    """What others draw, in the log that goes with a view."""
    rightly = view.event_for
    monkeypatch.setattr(view, "event_for", lambda event, seat: rightly(event, event[1] if event[0] == "draw" else seat))


def a_moment(monkeypatch):
    """Some microseconds more on the clock for who holds a wild card."""
    rightly = show._clock

    def clock(deal, settings):
        hand = show.replay(deal, [""] * len(deal.places)).hand
        wilds = sum(card[0] == "W" for card in hand.cards[(hand.public.turn + 1) % 4])
        return rightly(deal, settings) | {"slack": wilds}

    monkeypatch.setattr(show, "_clock", clock)


def a_header(monkeypatch):
    """The length of something that nobody should know, in the place of a header."""
    rightly = views.show

    def answer(request, access, table, me, **more):
        made = rightly(request, access, table, me, **more)
        deal = Deal.objects.get(table=table, state=Deal.State.PLAYING)
        made["ETag"] = f'"{sum(map(ord, show.replay(deal, [""] * 4).hand.pile[-1]))}"'
        return made

    monkeypatch.setattr(views, "show", answer)


def a_seed(monkeypatch):
    """One byte of the seed."""
    rightly = show.picture
    monkeypatch.setattr(views, "picture", lambda deal, *rest: rightly(deal, *rest) | {"salt": bytes(deal.seed)[0]})


LEAKS = [(leak, JSON) for leak in (a_card, a_colour, a_drawn_card, a_moment, a_header, a_seed)]


@pytest.mark.parametrize(("leak", "headers"), [*LEAKS, (a_number, {}), (a_header, {})])
def test_a_leak_is_found(leak, headers, deal, made, client, monkeypatch):
    leak(monkeypatch)
    finds(leak, f"/tables/{deal.table_id}/play/", headers, deal, made, client)


@pytest.mark.parametrize(("leak", "what"), [(a_card, "json"), (a_number, "page")])
def test_a_leak_in_a_stream_is_found(leak, what, deal, made, client, monkeypatch):
    leak(monkeypatch)
    finds(leak, stream_of(deal, table=deal.table_id, show=what), {}, deal, made, client)


def finds(leak, url, headers, deal, made, client):
    rng = random.Random(SEED)
    players = [by_link(entry) for entry in entries_of(deal)]
    for seat in (0, 1, 2, 3, 0, 1, 2, 3):
        pair = paired(deal, made, seat, 25, rng)
        if found := differences(pair, client, [Question("player", url, players[seat], headers)]):
            assert found[0].startswith(f"player: {url}")
            return
    raise AssertionError(f"{leak.__name__} was not found")


def test_the_worlds_differ_in_cards_and_not_in_what_the_player_knows(deal, made):
    rng = random.Random(SEED)
    for seat in range(4):
        pair = a_pair(deal, made, rng, seat)
        one, other = pair.played(0), pair.played(1)
        assert known(one, seat) == known(other, seat)
        assert any(one.hand.cards[at] != other.hand.cards[at] for at in range(4) if at != seat)
        assert one.hand.cards[seat] == other.hand.cards[seat]
        assert one.hand.pile != other.hand.pile
        assert one.hand.seed != other.hand.seed
