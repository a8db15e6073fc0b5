"""Commands to an online table that come again, late, wrong or for somebody else: each has one effect or none.

`WILD_COMMANDS=2000` and `WILD_FUZZ=100000` make it more, `WILD_SEED` other ones.
"""

import json
import os
import random
from collections import Counter
from types import SimpleNamespace
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from engine.shuffle import promise
from engine.state import COLOR
from games.models import Deal, Hand, Move
from games.online.play.bots import least_action
from games.online.play.deals import open_deal, unopened_places
from games.online.play.moves import play
from games.online.play.sweep import Sweeper
from league.access.signed_links import player_token
from league.by_link.player_links import end_player_link
from league.day.entrants import come_back, drop_out
from league.day.substitutes import substitute
from league.lib.errors import Conflict, Refused
from league.models import Entry, HandScore, Role, Table, Tournament
from league.rounds.steps import start
from league.rounds.tables import close_table, swap_seats
from tests import cast
from tests.games.online_table import everybody_ready, next_move, play_out, play_out_one_by_one, put_online, standing
from tests.online_seats import choice

COMMANDS = int(os.environ.get("WILD_COMMANDS") or 30)
FUZZ = int(os.environ.get("WILD_FUZZ") or 150)
SEED = int(os.environ.get("WILD_SEED") or 7)
JSON = {"Accept": "application/json"}
FORM = "application/x-www-form-urlencoded"

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal():
    tournament = cast.tournament(hands_per_round=20)
    start(tournament=tournament, by=tournament.owner)
    return put_online(cast.table(tournament, 1, 1))


def entry_of(deal, seat):
    return Entry.objects.get(pk=deal.places[seat]["entry"])


def first_move(deal):
    """What whoever begins a hand may send, whatever card was turned up."""
    first = {"kind": "color", "color": "R"} if standing(deal).hand.public.step == COLOR else {"kind": "draw"}
    return first | {"deal": deal.pk, "answers": 0}


def browser(*entries):
    """One that used these players' own links."""
    made = Client()
    for entry in entries:
        assert made.post(f"/me/{player_token(entry)}/").status_code == 303
    return made


def browser_of(user):
    made = Client()
    made.force_login(user)
    return made


ADDED = "ab" * 8  # by every player


def send(client, table_id, fields, what="act"):
    return client.post(f"/tables/{table_id}/play/{what}/", fields, headers=JSON)


def stored(table_id):
    """All that a command may change: the last two hands, how many moves there are and the last of them, the table."""
    deals = list(Deal.objects.filter(table=table_id).order_by("-pk").values()[:2])
    moves = Move.objects.filter(deal__table=table_id)
    last = moves.order_by("-pk").values().first()
    table = Table.objects.filter(pk=table_id).values().get()
    return moves.count(), last, deals, Hand.objects.filter(table=table_id).count(), table


class Storm:
    """Sends every command one to five times, copies late and in any order, over two browsers of each player, and holds
    the database against what was answered."""

    def __init__(self, deal, rng):
        self.table, self.rng = deal.table_id, rng
        self.browsers = {entry.pk: (browser(entry), browser(entry)) for entry in map(self._entry, deal.places)}
        self.done: set[str] = set()  # keys of commands that had their effect
        self.late: list[tuple[int, str, dict]] = []
        self.answers: Counter[int] = Counter()

    def _entry(self, place):
        return Entry.objects.get(pk=place["entry"])

    def send(self, who, what, fields):
        before = stored(self.table)
        answer = send(self.rng.choice(self.browsers[who]), self.table, fields, what)
        self.answers[answer.status_code] += 1
        assert answer.status_code in (200, 409, 422), (fields, answer.content[:500])
        after, key = stored(self.table), fields.get("key", "")
        if answer.status_code != 200 or (what == "act" and key in self.done):
            assert after == before, fields
        elif what == "act":
            assert after[0] == before[0] + 1, fields
            self.done.add(key)
        assert what == "act" or after[0] == before[0]
        told = answer.json()
        assert answer.status_code == 200 or (told["code"] and told["message"])
        if self.rng.random() < 0.3:
            seen = json.loads(send_get(self.browsers[who][0], self.table))
            assert without_now(told["play"]) == without_now(seen["play"])
        return answer

    def again(self, who, what, fields):
        copies = self.rng.randint(0, 4)
        self.late += [(who, what, fields)] * copies
        self.rng.shuffle(self.late)
        while self.late and self.rng.random() < 0.7:
            self.send(*self.late.pop())

    def step(self):
        """One new command: a legal one, or one that is wrong in some way."""
        deal = Deal.objects.open().get(table=self.table)
        if deal.state == Deal.State.WAITING:
            if deal.opening:
                who, what = unopened_places(deal)[0]["entry"], "open"
                fields = {"deal": deal.pk, "entropy": ADDED}
            else:
                who, what = next(place["entry"] for place in deal.places if not place["ready"]), "ready"
                fields = {"deal": deal.pk, "promised": promise(bytes.fromhex(ADDED))}
            assert self.send(who, what, fields).status_code == 200
            self.again(who, what, fields)
            return
        who = deal.places[deal.turn]["entry"]
        seen = json.loads(send_get(self.browsers[who][0], self.table))["play"]
        fields = choice(seen, self.rng) | {"key": str(uuid4())}
        if self.rng.random() < 0.3:
            fields = self._wrong(fields, seen)
            who = self.rng.choice(list(self.browsers))
        answer = self.send(who, "act", fields)
        if answer.status_code == 200:
            other = fields | {"answers": int(fields["answers"]) + 1}
            assert self.send(who, "act", other).status_code == 422
            assert self.send(who, "act", fields | {"key": ""}).status_code in (200, 409, 422)
        self.again(who, "act", fields)

    def _wrong(self, fields, seen):
        rng = self.rng
        return fields | rng.choice(
            [
                {"answers": max(0, seen["decision"] - rng.randint(1, 5))},
                {"kind": "play", "card": rng.choice(("R5", "WD", "W", "XX")), "color": rng.choice(("", "R"))},
                {"kind": rng.choice(("accept", "challenge", "pass", "uno", "color")), "color": "G"},
                {"kind": "catch", "target": rng.randint(0, 4)},
                {"deal": seen["deal"] + rng.randint(1, 3)},
            ]
        )


def send_get(client, table_id):
    return client.get(f"/tables/{table_id}/play/", headers=JSON).content


def without_now(play):
    """The answer, but for the moment at which it was given."""
    clock = {name: one for name, one in (play.get("clock") or {}).items() if name != "now"}
    return play | {"clock": clock}


@pytest.mark.slow
def test_commands_sent_up_to_five_times_late_and_over_two_browsers_have_one_effect_each(deal):
    storm = Storm(deal, random.Random(SEED))
    for _command in range(COMMANDS):
        storm.step()
    for late in storm.late:
        storm.send(*late)
    moves = Move.objects.filter(deal__table=deal.table_id)
    assert moves.exclude(key="").count() == len(storm.done - {""})
    assert set(moves.exclude(key="").values_list("key", flat=True)) == storm.done - {""}
    for one in Deal.objects.filter(table=deal.table_id):
        assert list(one.moves.values_list("number", flat=True)) == list(range(1, one.moves_made + 1))
        if one.state != Deal.State.WAITING:
            assert standing(one).moves == one.moves_made
    assert min(storm.answers[status] for status in (200, 409, 422)) > COMMANDS / 20, storm.answers


ODD = (
    "", " ", "0", "-1", "9" * 400, "9" * 5000, "1e3", "0x1", "١", "½", "NaN", "true", "\x00", "\ud800", "🃏" * 50,
    "R5\n", "ß", "İ", "../..", "' OR 1=1 --", "<b>", "{}", "[]", "W", "WD", "play", "catch", "draw", "color", "R", "on",
)  # fmt: skip


FIELDS = ("deal", "answers", "kind", "card", "color", "target", "uno", "key", "as", "entropy", "promised")


def oddly(fields, rng):
    """A command that went wrong on its way, or was never right."""
    made = dict(fields)
    for _change in range(rng.randint(1, 3)):
        name = rng.choice(
            (*made, "deal", "answers", "kind", "card", "color", "target", "uno", "key", "as", "entropy", "promised")
        )
        if rng.random() < 0.2:
            made.pop(name, None)
        elif rng.random() < 0.1:
            made[name] = [rng.choice(ODD), rng.choice(ODD)]
        else:
            made[name] = rng.choice(ODD)
    return made


def sent_as(fields, rng):
    """(body, content type): mostly as browsers send it."""
    kind = rng.random()
    if kind < 0.02:
        return json.dumps({name: str(one) for name, one in fields.items()}), "application/json"
    if kind < 0.04:
        return b"--x\r\nContent-Disposition: form-data; name=deal", "multipart/form-data; boundary=x"
    if kind < 0.06:
        return rng.randbytes(60), FORM
    return urlencode(fields, doseq=True, errors="surrogatepass"), FORM


@pytest.mark.slow
def test_commands_that_make_no_sense_are_refused_and_change_nothing(deal):
    rng = random.Random(SEED)
    everybody_ready(deal)
    deal.refresh_from_db()
    phones = [browser(entry_of(deal, seat)) for seat in range(4)]
    phones.append(Client())
    answers: Counter[int] = Counter()
    before, now, seen = None, deal, {}
    for number in range(FUZZ):
        if stored(deal.table_id) != before:
            now = Deal.objects.open().get(table=deal.table_id)
            if now.state == Deal.State.WAITING:
                now = everybody_ready(now)
            seen = json.loads(send_get(phones[now.turn], deal.table_id))["play"]
            before = stored(deal.table_id)
        fields = oddly(choice(seen, rng) if rng.random() < 0.7 else {"deal": now.pk, "entropy": "ff"}, rng)
        what, phone = rng.choice(("act", "act", "act", "ready", "open")), rng.choice((phones[now.turn], *phones))
        url = f"/tables/{deal.table_id}/play/{what}/"
        body, kind = sent_as(fields, rng)
        answer = phone.generic("POST", url, body, content_type=kind, headers=JSON if rng.random() < 0.9 else {})
        answers[answer.status_code] += 1
        assert answer.status_code in (200, 303, 400, 409, 422), (number, fields, answer.content[:300])
        if answer.status_code >= 400:
            assert stored(deal.table_id) == before, (number, fields)
    assert answers[422] > FUZZ / 4, answers


# Whose move it is


def test_a_key_that_somebody_else_used_does_not_stand_for_my_own_move(deal):
    everybody_ready(deal)
    moved = next_move(deal, key="1")
    mine = standing(deal)
    me = mine.hand.public.turn
    made = Move.objects.get(deal=deal)
    assert made.action[1] != me or made.action[0] in ("draw", "color")
    somebody = next(seat for seat in range(4) if seat != made.action[1])
    with pytest.raises(Refused, match="another move"):
        play(
            table_id=deal.table_id,
            deal_id=deal.pk,
            entry=entry_of(deal, somebody),
            action=(made.action[0], *made.action[2:]),
            answers=0,
            key="1",
        )
    assert moved.deal.moves_made == Deal.objects.get(pk=deal.pk).moves_made == 1


def test_what_is_sent_for_a_player_whose_link_was_ended_is_not_done_for_another_in_the_same_browser(deal):
    everybody_ready(deal)
    played = standing(deal)
    turn = played.hand.public.turn
    asked, other = entry_of(deal, turn), entry_of(deal, (turn + 1) % 4)
    shared = browser(other, asked)
    end_player_link(entry=other, by=deal.table.round.tournament.owner)
    before = stored(deal.table_id)
    fields = first_move(deal) | {"as": other.public_id}
    answer = send(shared, deal.table_id, fields)
    assert (answer.status_code, answer.json()["code"]) == (422, "not-seated")
    assert stored(deal.table_id) == before
    assert send(shared, deal.table_id, fields | {"as": asked.public_id}).status_code == 200


def test_an_ended_link_plays_no_more(deal):
    everybody_ready(deal)
    turn = standing(deal).hand.public.turn
    asked = entry_of(deal, turn)
    phone = browser(asked)
    assert json.loads(send_get(phone, deal.table_id))["play"]["you"] == turn
    end_player_link(entry=asked, by=deal.table.round.tournament.owner)
    seen = json.loads(send_get(phone, deal.table_id))["play"]
    assert seen["you"] is None
    assert "cards" not in seen["hand"]
    answer = send(phone, deal.table_id, {"deal": deal.pk, "kind": "draw", "answers": 0})
    assert (answer.status_code, answer.json()["code"]) == (422, "not-seated")
    assert not Move.objects.exists()


def test_whoever_does_not_play_at_the_table_moves_nothing_there(deal):
    everybody_ready(deal)
    tournament = deal.table.round.tournament
    sits = {place["entry"] for place in deal.places}
    elsewhere = next(one for one in tournament.entries.all() if one.pk not in sits)
    owner, spectator, stranger = Client(), Client(), Client()
    owner.force_login(tournament.owner)
    guest = cast.organiser("guest@example.org")
    Role.objects.create(tournament=tournament, user=guest, kind=Role.Kind.SPECTATOR)
    spectator.force_login(guest)
    before = stored(deal.table_id)
    for client in (owner, spectator, stranger, browser(elsewhere)):
        for what, fields in (("act", {"kind": "draw", "answers": 0}), ("ready", {}), ("open", {"entropy": "ff"})):
            answer = send(client, deal.table_id, fields | {"deal": deal.pk}, what)
            assert (answer.status_code, answer.json()["code"]) == (422, "not-seated")
            named = send(client, deal.table_id, fields | {"deal": deal.pk, "as": entry_of(deal, 0).public_id}, what)
            assert named.status_code == 422
    assert stored(deal.table_id) == before


def test_who_says_again_that_they_are_ready_wakes_nobody(deal):
    phone, fields = browser(entry_of(deal, 0)), {"deal": deal.pk, "promised": "ab" * 32}
    send(phone, deal.table_id, fields, "ready")
    before = stored(deal.table_id)
    assert send(phone, deal.table_id, fields | {"promised": "cd" * 32}, "ready").status_code == 200
    assert stored(deal.table_id) == before


def test_who_does_not_play_waits_by_session_and_by_address_after_ten_times_as_much(deal, settings, monkeypatch):
    monkeypatch.setattr("league.lib.rate_limits.time", SimpleNamespace(time=lambda: 1_000_003))
    caches["moves"].clear()
    settings.PLAY_RATE = 2

    def sent(by):
        return send(by, deal.table_id, {"deal": deal.pk, "as": "nobody"}, "ready").status_code

    watches = Client()
    watches.force_login(cast.someone_else())
    assert [sent(watches) for _time in range(3)] == [422, 422, 429]
    assert [sent(Client()) for _time in range(20 - 2 + 1)] == [422] * 18 + [429]
    player = browser(entry_of(deal, 0))
    assert send(player, deal.table_id, {"deal": deal.pk}, "ready").status_code == 200, "counted by who they are"


def test_who_sends_faster_than_anybody_plays_is_told_to_wait_and_nobody_else_is(deal, settings, monkeypatch):
    monkeypatch.setattr("league.lib.rate_limits.time", SimpleNamespace(time=lambda: 1_000_003))
    caches["moves"].clear()
    settings.PLAY_RATE = 3
    one, other = browser(entry_of(deal, 0)), browser(entry_of(deal, 1))
    fields = {"deal": deal.pk}
    assert [send(one, deal.table_id, fields, "ready").status_code for _time in range(3)] == [200] * 3
    before = stored(deal.table_id)
    for what in ("ready", "act"):
        answer = send(one, deal.table_id, fields, what)
        assert (answer.status_code, answer["Retry-After"]) == (429, "7")
        assert answer.json()["message"] == "Too many moves at once. Wait 7 seconds."
    page = one.post(f"/tables/{deal.table_id}/play/act/", fields)
    assert (page.status_code, page["Retry-After"]) == (429, "7") and "Too many tries" in page.content.decode()
    assert stored(deal.table_id) == before
    assert send(other, deal.table_id, fields, "ready").status_code == 200
    monkeypatch.setattr("league.lib.rate_limits.time", SimpleNamespace(time=lambda: 1_000_010))
    assert send(one, deal.table_id, fields, "ready").status_code == 200


@pytest.mark.parametrize("path", ["play/", "hands/1/", "direct/", "play/act/"])
def test_a_number_that_no_table_can_have_is_not_found(client, path):
    answer = client.post if "act" in path else client.get
    assert answer(f"/tables/{10**30}/{path}").status_code == 404


def test_a_private_table_is_played_by_own_links_and_seen_by_nobody_else(deal):
    tournament = deal.table.round.tournament
    Tournament.objects.filter(pk=tournament.pk).update(visibility=Tournament.Visibility.PRIVATE)
    phone = browser(entry_of(deal, 0))
    assert send(phone, deal.table_id, {"deal": deal.pk}, "ready").status_code == 200
    before = stored(deal.table_id)
    for client in (Client(), browser()):
        assert client.get(f"/tables/{deal.table_id}/play/").status_code == 404
        for what in ("act", "ready", "open"):
            assert send(client, deal.table_id, {"deal": deal.pk}, what).status_code == 404
    assert stored(deal.table_id) == before


def test_who_dropped_out_hands_the_next_deck_to_their_stand_in(deal):
    """A stand-in takes the seat: the deck that waited for the one who left is not dealt."""
    tournament = deal.table.round.tournament
    left = entry_of(deal, 1)
    phone = browser(left)
    drop_out(tournament=tournament, entry=left, by=tournament.owner)
    assert send(phone, deal.table_id, {"deal": deal.pk}, "ready").status_code in (409, 422)
    taker = deal.table.seats.get(number=1).entry
    assert taker != left
    assert send(phone, deal.table_id, {"deal": deal.pk, "kind": "draw", "answers": 0}).json()["code"] == "not-seated"


def test_a_substitute_plays_by_the_link_of_who_they_stand_in_for(deal):
    tournament = deal.table.round.tournament
    away = entry_of(deal, 2)
    substitute(tournament=tournament, entry=away, name="Gül", by=tournament.owner)
    put_online(deal.table)
    sealed = open_deal(deal.table)
    assert sealed.places[2]["played_by"] is not None
    answer = send(browser(away), deal.table_id, {"deal": sealed.pk}, "ready")
    assert answer.status_code == 200
    assert answer.json()["play"]["places"][2]["name"] == "Gül"


# What ends a hand from outside


def test_the_last_card_at_a_table_that_was_closed_gives_the_hand_up_instead_of_being_refused_for_ever(deal):
    everybody_ready(deal)
    tournament = deal.table.round.tournament
    close_table(tournament=tournament, round_number=1, number=1, reason="The hall closes", by=tournament.owner)
    over = play_out(deal)
    assert (over.state, over.hand) == (Deal.State.ABANDONED, None)
    assert "closed" in over.reason
    assert not Hand.objects.exists()


@pytest.mark.parametrize("hand", [1, 7])
def test_a_player_types_in_no_hand_of_an_online_table(deal, hand):
    """Its page is not given to them; nor is what they would send taken, for the hand that waits or a later one."""
    typed = {"hand": hand, "went_out": 0, "cards_1": "R7 GD B6", "cards_3": "W", "key": "k"}
    typed["seating_version"] = Table.objects.get(pk=deal.table_id).seating_version
    assert browser(entry_of(deal, 0)).post(f"/tables/{deal.table_id}/", typed).status_code == 409
    assert not Hand.objects.exists()
    assert browser_of(deal.table.round.tournament.owner).post(f"/tables/{deal.table_id}/", typed).status_code == 303


def test_a_hand_in_which_everybody_draws_and_keeps_ends_blocked_and_the_next_one_is_dealt(deal):
    over = play_out(everybody_ready(deal), Keeps())
    assert (over.state, over.hand.went_out) == (Deal.State.OVER, None)
    assert open_deal(deal.table).number == 2
    for page in (f"/tables/{deal.table_id}/play/", f"/deals/{deal.pk}/", f"/deals/{deal.pk}/replay/?move=9"):
        assert Client().get(page).status_code == 200


class Keeps:
    """A bot that does the least that the rules allow."""

    def choose(self, public, seat, cards, drawn):
        return least_action(public, seat, cards, drawn)


# Whoever is arranged anew meanwhile


@pytest.mark.parametrize("dealt", [False, True], ids=["a deck waits", "in play"])
def test_a_place_that_is_given_to_somebody_else_breaks_no_page(deal, dealt):
    """A no-show who never came is replaced while their table plays online, where a bot may sit in for them."""
    tournament = deal.table.round.tournament
    if dealt:
        everybody_ready(deal)
    gone = entry_of(deal, 1)
    replaced = f"/t/{tournament.slug}/players/{gone.public_id}/replace/"
    assert browser_of(tournament.owner).post(replaced, {"name": "Gül"}).status_code == (409 if dealt else 302)
    assert Entry.objects.filter(pk=gone.pk).exists() == dealt
    for client in (Client(), browser(entry_of(deal, 0))):
        for headers in (JSON, {}):
            assert client.get(f"/tables/{deal.table_id}/play/", headers=headers).status_code == 200
    Sweeper().sweep(timezone.now())
    assert open_deal(deal.table).places[1]["entry"] == deal.table.seats.get(number=1).entry_id


@pytest.mark.parametrize("entropy", [True, False], ids=["with entropy", "without"])
def test_no_deck_is_dealt_to_somebody_who_does_not_sit_there_any_more(deal, entropy):
    """Before the sweeper has sealed another one, the last who is ready is told that this one is gone."""
    tournament = deal.table.round.tournament
    other = cast.table(tournament, 1, 2).seats.get(number=0).entry
    asked = entry_of(deal, 1)
    swap_seats(tournament=tournament, round_number=1, one=asked, other=other, reason="A mix-up", by=tournament.owner)
    with pytest.raises(Conflict, match="no longer open"):
        everybody_ready(deal, entropy=entropy)
    deal.refresh_from_db()
    assert (deal.state, deal.opening, deal.dealt_at) == (Deal.State.WAITING, False, None)
    Sweeper().sweep(timezone.now())
    assert everybody_ready(open_deal(deal.table)).places[1]["entry"] == other.pk


def test_the_overview_stands_while_a_deck_waits_for_somebody_whose_place_was_given_away(deal):
    tournament = deal.table.round.tournament
    olga, gone = browser_of(tournament.owner), entry_of(deal, 1)
    olga.post(f"/t/{tournament.slug}/players/{gone.public_id}/replace/", {"name": "Gül"})
    answer = olga.get(f"/t/{tournament.slug}/in-play/")
    assert answer.status_code == 200
    assert "waiting for" in answer.content.decode()


def test_who_comes_back_in_mid_hand_takes_the_next_one_and_their_stand_in_plays_this_one_to_its_end(deal):
    tournament = deal.table.round.tournament
    left = entry_of(deal, 1)
    drop_out(tournament=tournament, entry=left, by=tournament.owner)
    Sweeper().sweep(timezone.now())
    playing = everybody_ready(open_deal(deal.table))
    stand_in = playing.places[1]["entry"]
    come_back(tournament=tournament, entry=left, by=tournament.owner)
    over = play_out_one_by_one(playing)
    assert over.state == Deal.State.OVER
    assert HandScore.objects.get(table=deal.table, hand=1, seat=1).entry_id == stand_in
    assert open_deal(deal.table).places[1]["entry"] == left.pk


def test_who_was_dealt_in_plays_the_hand_to_its_end_though_seats_were_swapped(deal):
    everybody_ready(deal)
    tournament = deal.table.round.tournament
    other = cast.table(tournament, 1, 2).seats.get(number=0).entry
    turn = standing(deal).hand.public.turn
    asked = entry_of(deal, turn)
    swap_seats(tournament=tournament, round_number=1, one=asked, other=other, reason="A mix-up", by=tournament.owner)
    phone, taker = browser(asked), browser(other)
    assert json.loads(send_get(phone, deal.table_id))["play"]["you"] == turn
    fields = first_move(deal)
    assert send(taker, deal.table_id, fields).status_code in (409, 422)
    answer = send(phone, deal.table_id, fields)
    assert answer.status_code == 200, answer.json()["message"]
    over = play_out_one_by_one(deal)
    assert over.state == Deal.State.OVER
    following = open_deal(deal.table)
    assert following.places[turn]["entry"] == other.pk
    assert json.loads(send_get(phone, deal.table_id))["play"]["you"] is None
    assert json.loads(send_get(taker, deal.table_id))["play"]["you"] == turn
