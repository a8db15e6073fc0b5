"""A hand that was played online, checked by whoever wants to: sealed until its end, and then open to all."""

import random
import re
from itertools import groupby

import pytest
from django.test import Client
from django.urls import reverse

from engine.__main__ import main as engine
from engine.log import read
from engine.replay import verify
from engine.simulation.bots import RandomBot
from games.hands.correct import void_hand
from games.models import Deal
from games.online.director.services import go_on, moves_that_stand, to_paper, undo_to
from games.online.play.deals import abandon
from games.online.play.places import names_of, places_of
from games.online.play.replay import deal_out
from league.access.viewer import Attribution
from league.erasure.erase import erase_player
from league.models import Entry, Table
from league.rounds.steps import start
from tests import cast
from tests.games.online_table import everybody_ready, next_move, play_out, put_online, standing
from tests.games.pages import said
from tests.games.screen import Screen

pytestmark = pytest.mark.django_db


def started():
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    return tournament


def begun(tournament):
    deal = everybody_ready(put_online(cast.table(tournament, 1, 1)))
    for _move in range(6):
        next_move(deal)
    deal.refresh_from_db()
    return deal


@pytest.fixture
def made():
    return started()


@pytest.fixture
def playing(made):
    return begun(made)


@pytest.fixture(scope="module")
def once_over(module_world):
    return play_out(begun(started()), RandomBot(random.Random(3)))


@pytest.fixture
def over(once_over):
    return cast.again(once_over)


def page(name, deal, query="", client=None):
    return (client or Client()).get(reverse(name, args=[deal.pk]) + query)


def log_of(deal):
    answer = page("deal_log", deal)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_log_of_a_finished_hand_is_a_file_that_the_engine_verifies(over, tmp_path, capsys):
    answer = page("deal_log", over)
    assert answer["Content-Type"] == "application/jsonl"
    assert answer["Content-Disposition"] == 'attachment; filename="autumn-pairs_r1_table1_hand1.jsonl"'
    file = tmp_path / "hand.jsonl"
    file.write_bytes(answer.content)
    assert engine(["verify", str(file)]) == 0
    assert capsys.readouterr().out == "OK 1 hand: 1\n"


def test_the_log_is_the_hand_as_it_was_played_under_the_number_of_the_table(over):
    [logged] = read(log_of(over).splitlines(keepends=True))
    assert logged.number == over.number
    assert verify(logged).log == standing(over).hand.log
    following = play_out(everybody_ready(over.table.deals.open().get()), RandomBot(random.Random(4)))
    assert [one.number for one in read(log_of(following).splitlines(keepends=True))] == [2]


def sealed_pages(deal):
    owner, stranger = Client(), Client()
    owner.force_login(deal.table.round.tournament.owner)
    return [page("deal", deal, client=one).content.decode() for one in (owner, stranger)]


def nothing_is_told(deal):
    """Only the seal: no seed, no entropy, no card and no name; and the log is refused in the same words to all."""
    owner = Client()
    owner.force_login(deal.table.round.tournament.owner)
    answers = [page("deal_log", deal, client=one) for one in (owner, Client())]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert page("deal_replay", deal).headers["Location"] == reverse("deal", args=[deal.pk])
    for text in sealed_pages(deal):
        assert deal.commitment in text
        assert bytes(deal.seed).hex() not in text
        assert "card-s" not in text and "card-xs" not in text
        for place in deal.places:
            assert place["entropy"] is None or place["entropy"] not in text
            assert Entry.objects.get(pk=place["entry"]).player.name not in text


def test_a_deck_that_waits_shows_its_seal_alone(made):
    nothing_is_told(put_online(cast.table(made, 1, 1)))


def test_a_hand_that_is_played_shows_its_seal_alone(playing):
    nothing_is_told(playing)


def test_a_hand_that_was_broken_off_stays_sealed(playing):
    abandon(playing, "The lights went out")
    nothing_is_told(playing)
    assert "The lights went out" in said(page("deal", playing))


def test_a_hand_that_is_finished_with_real_cards_stays_sealed(made, playing):
    to_paper(table_id=playing.table_id, deal_id=playing.pk, reason="No network", by=made.owner)
    playing.refresh_from_db()
    nothing_is_told(playing)
    assert "finished with real cards" in said(page("deal", playing))


def test_the_page_of_a_finished_hand_opens_the_seal(over):
    text = said(page("deal", over))
    hand = standing(over).hand
    winner, points = hand.log[-1][1:3]
    assert f"{hand.public.names[winner]} went out" in text
    for one in (over.commitment, hand.seed.hex(), *(extra.hex() for extra in hand.entropy)):
        assert one in text
    for at, name in enumerate(hand.public.names):
        assert at == winner or re.search(rf"{name}[^0-9]* {points[at]} ", text), name


def test_the_seed_on_the_page_gives_the_seal_that_was_shown_before(made):
    deal = put_online(cast.table(made, 1, 1))
    before = re.search(r"<code>([0-9a-f]{64})</code>", page("deal", deal).content.decode())
    over = play_out(everybody_ready(deal), RandomBot(random.Random(5)))
    assert before is not None
    assert f'"commitment":"{before[1]}"' in log_of(over)


def test_somebody_who_was_erased_is_not_named_in_the_log_and_it_still_verifies(over):
    gone = Entry.objects.get(pk=over.places[0]["entry"]).player
    name = gone.name
    erase_player(player=gone, by=None)
    text = log_of(over)
    assert name not in text and name not in said(page("deal", over))
    [logged] = read(text.splitlines(keepends=True))
    assert verify(logged).public.names[0].startswith("Player ")


def cards_open(deal, query):
    """How many cards each player holds on the page of a move."""
    text = page("deal_replay", deal, query).content.decode()
    return [
        section.count('<svg class="card-s"') for section in re.findall(r'<section class="oh.*?</section>', text, re.S)
    ]


def test_a_replay_shows_all_cards_open_after_each_move(over):
    last = int(re.search(r'max="(\d+)"', page("deal_replay", over).content.decode())[1])
    shown = [cards_open(over, f"?move={move}") for move in range(last + 1)]
    played = deal_out(over, names_of(places_of(over)))
    stood = [list(played.hand.public.counts)]
    for move in over.moves.order_by("number"):
        played.follow(tuple(move.action))
        stood.append(list(played.hand.public.counts))
    assert (shown[0], shown[-1]) == (stood[0], stood[-1])
    after = iter(one for one, _same in groupby(stood))
    # In this order; a draw and what comes of it are one move here.
    assert all(counts in after for counts, _same in groupby(shown))


def test_each_move_of_a_replay_is_a_link_in_words(over):
    text = page("deal_replay", over, "?move=2").content.decode()
    last = int(re.search(r'max="(\d+)"', text)[1])
    assert set(re.findall(r'href="\?move=(\d+)"', text)) == {str(move) for move in range(last + 1)}
    assert 'aria-current="step"><a href="?move=2">' in text
    assert said(page("deal_replay", over, f"?move={last}")).count("goes out") >= 1


@pytest.mark.parametrize(
    "query", ["?move=99999", "?move=-1", "?move=x", "?move=", "?move=1e3", "?move=٣", "?move=" + "9" * 5000]
)
def test_a_move_that_there_is_not_shows_one_that_there_is(over, query):
    assert page("deal_replay", over, query).status_code == 200


def test_moves_that_a_director_took_back_stay_in_the_replay_and_in_the_log(made, playing):
    to = moves_that_stand(playing)[-1].line  # the deal
    before = len(standing(playing).hand.log)
    undo_to(table_id=playing.table_id, deal_id=playing.pk, to=to, moves_made=6, reason="Misdealt", by=made.owner)
    go_on(table_id=playing.table_id, deal_id=playing.pk, by=made.owner)
    playing.refresh_from_db()
    over = play_out(playing, RandomBot(random.Random(6)))
    text = log_of(over)
    assert '"type":"undo"' in text
    [logged] = read(text.splitlines(keepends=True))
    verify(logged)
    assert len(logged.objects) > before
    replay = page("deal_replay", over).content.decode()
    assert replay.count("<del>") >= 3  # a draw and its play are one
    assert "Misdealt" in replay


def test_the_lists_of_hands_lead_to_a_hand_that_was_played_online(over):
    made = over.table.round.tournament
    link = reverse("played_hand", args=[over.table_id, 1])
    entry = Entry.objects.get(pk=over.places[0]["entry"])
    owner = Client()
    owner.force_login(made.owner)
    pages = [f"/t/{made.slug}/hands/", f"/t/{made.slug}/players/{entry.public_id}/", f"/tables/{over.table_id}/"]
    for address in pages:
        assert link in owner.get(address).content.decode(), address
    assert Client().get(link).headers["Location"] == reverse("deal", args=[over.pk])


def test_a_hand_from_paper_has_nothing_to_verify(made):
    table = cast.table(made, 1, 2)
    cast.record(table, 1)
    assert Client().get(reverse("played_hand", args=[table.pk, 1])).status_code == 404
    assert "Verified by engine" not in said(Client().get(f"/t/{made.slug}/hands/"))


def test_a_hand_that_was_taken_back_says_so_and_is_not_linked_any_more(over):
    made = over.table.round.tournament
    Table.objects.filter(pk=over.table_id).update(mode=Table.Mode.OFFLINE)
    version = Table.objects.get(pk=over.table_id).version
    void_hand(hand_id=over.hand_id, version=version, by=Attribution(made.owner), reason="The wrong players")
    assert "doesn’t count" in said(page("deal", over))
    assert Client().get(reverse("played_hand", args=[over.table_id, 1])).status_code == 404
    assert log_of(over)


def test_a_hand_that_there_is_not_is_not_found(over):
    for name in ("deal", "deal_log", "deal_replay"):
        assert Client().get(reverse(name, args=[Deal.objects.latest("pk").pk + 1])).status_code == 404


# What goes on at one's own table meanwhile


def test_who_sits_at_the_table_is_told_of_its_next_hand_and_nobody_else_is(over):
    one, other = (Screen(over.table_id, Entry.objects.get(pk=over.places[seat]["entry"])) for seat in (0, 1))
    following = next_hand(over)
    for name in ("deal", "deal_replay"):
        shown = said(page(name, over, client=one.client))
        assert "Hand 2 waits for you." in shown and "Go to the table" in shown
        assert 'id="strip"' not in page(name, over).content.decode()
    one.press(one.look().button("Ready"))
    assert "Hand 2 waits for you." not in strip(one)
    assert f"Hand 2 waits for {named(over, 1)}," in strip(one)
    everybody_ready(following)
    turn = standing(following).hand.public.turn
    for seat, screen in ((0, one), (1, other)):
        words = "your turn" if turn == seat else f"{named(over, turn)}’s turn"
        assert words in strip(screen)
    assert not Client().get(f"/tables/{over.table_id}/play/strip/").content.strip()


def test_where_no_hand_waits_nothing_is_told(over):
    screen = Screen(over.table_id, Entry.objects.get(pk=over.places[0]["entry"]))
    Deal.objects.exclude(pk=over.pk).delete()
    assert 'id="strip"' in page("deal", over, client=screen.client).content.decode()
    assert re.search(
        r'<aside id="strip"[^>]* hidden', screen.client.get(f"/tables/{over.table_id}/play/strip/").content.decode()
    )


def next_hand(deal):
    return Deal.objects.get(table=deal.table_id, number=deal.number + 1)


def named(deal, seat):
    return Entry.objects.get(pk=deal.places[seat]["entry"]).player.name


def strip(screen):
    return said(screen.client.get(f"{screen.home}strip/"))
