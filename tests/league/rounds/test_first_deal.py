"""First dealer where no schedule says it: drawn card by card, by birthday, or as the table says (DEAL-1, DEAL-2)."""

import hashlib
import re

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from engine.rules import EDITIONS
from games.hands.correct import void_hand
from games.hands.locks import lock_table
from games.models import Deal
from games.online.play.deals import abandon, get_ready, next_deal
from league.access.viewer import Attribution
from league.entries.roster.rows import RosterRow
from league.ledger.dealer import first_dealer, first_seats_in, next_dealer
from league.lib.errors import Conflict, Refused
from league.models import Entry, LogEntry, Table
from league.rounds.first_deal import decide_first_dealer
from league.rounds.steps import start
from league.rounds.tables import swap_seats
from tests import cast, pdf_text
from tests.api import Program
from tests.games.online_table import everybody_ready, play_out, put_online, standing

pytestmark = pytest.mark.django_db
DECK = EDITIONS["classic"].deck


def begun(players=4, **settings):
    made = cast.tournament(players, **({"format": "points", "name": "Club evening"} | settings))
    start(tournament=made, by=made.owner)
    return made


def cards(*rounds):
    """A chooser with which the seats draw these cards, round by round: "R3 GS B9 Y7"."""
    left = [card for drawn in rounds for card in drawn.split()]
    deck = []

    def below(count):
        if count == len(DECK):
            deck[:] = DECK
        at = deck.index(left.pop(0))
        deck.pop(at)
        return at

    return below


def fresh(table):
    return Table.objects.select_related("round__stage", "round__tournament").get(pk=table.pk)


def test_everybody_draws_and_the_highest_number_deals():
    made = begun()
    table = cast.table(made, 1, 1)
    assert next_dealer(table, 1) is None, "nobody knows yet"
    first = decide_first_dealer(table=table, seat=None, by=Attribution(made.owner), below=cards("R3 GS B9 Y7"))
    assert (first.seat, first.by) == (2, "cards")
    assert first.draws == (((0, "R3"), (1, "GS"), (2, "B9"), (3, "Y7")),)
    assert [next_dealer(fresh(table), hand) for hand in (1, 2)] == [2, 2], "hand 1 is not in yet"
    row = LogEntry.objects.get(tournament=made, action="first-dealer")
    assert (row.new["seat"], row.new["by"]) == (2, "cards")
    page = Client()
    page.force_login(made.owner)
    assert f"{row.new['player']} deals first" in page.get(reverse("log", args=[made.slug])).content.decode()


def test_those_who_tie_draw_once_more_among_themselves():
    table = cast.table(begun(), 1, 1)
    first = decide_first_dealer(table=table, seat=None, by=Attribution(), below=cards("R9 W G9 YD", "Y4 B5"))
    assert [[seat for seat, _card in drawn] for drawn in first.draws] == [[0, 1, 2, 3], [0, 2]]
    assert first.seat == 2


def test_what_was_drawn_stays_and_only_the_word_of_the_table_takes_its_place():
    table = cast.table(begun(), 1, 1)
    drawn = decide_first_dealer(table=table, seat=None, by=Attribution(), below=cards("R3 GS B9 Y7"))
    assert decide_first_dealer(table=table, seat=None, by=Attribution(), below=cards("R9 R0 B0 Y0")) == drawn
    said = decide_first_dealer(table=table, seat=1, by=Attribution())
    assert (said.seat, said.by, said.draws) == (1, "word", ())
    assert LogEntry.objects.filter(action="first-dealer").count() == 2
    with pytest.raises(Refused, match="No one sits at seat 7"):
        decide_first_dealer(table=table, seat=7, by=Attribution())


def test_once_a_hand_is_in_nobody_draws_any_more_and_the_deal_passes_left():
    made = begun()
    table = cast.table(made, 1, 1)
    decide_first_dealer(table=table, seat=2, by=Attribution())
    recorded = cast.record(fresh(table), 1)
    with pytest.raises(Conflict, match="already has a hand"):
        decide_first_dealer(table=table, seat=1, by=Attribution())
    assert [next_dealer(fresh(table), hand) for hand in (2, 3)] == [3, 3]
    void_hand(hand_id=recorded.hand.pk, version=None, reason="misread", by=Attribution(made.owner))
    assert next_dealer(fresh(table), 1) == 2, "an undo keeps who deals"


def test_a_table_that_never_said_names_no_dealer():
    made = begun()
    table = cast.table(made, 1, 1)
    cast.record(table, 1)
    assert next_dealer(fresh(table), 2) is None
    assert first_seats_in(table.round) == {}


def test_whoever_sits_there_after_a_swap_draws_anew():
    made = begun(8, table_size=4)
    table = cast.table(made, 1, 1)
    decide_first_dealer(table=table, seat=2, by=Attribution())
    here, there = (cast.table(made, 1, number).seats.first().entry for number in (1, 2))
    swap_seats(tournament=made, round_number=1, one=here, other=there, reason="tired", by=made.owner)
    assert first_dealer(fresh(table), begun=False) is None


@pytest.mark.parametrize(
    ("settings", "drawn"),
    [
        ({"format": "points"}, True),
        ({"format": "challenge", "target": 300, "table_size": 10}, True),
        ({"format": "challenge", "target": 300, "table_size": 4}, False),
        ({"format": "pairs"}, False),
    ],
    ids=("points", "challenge at one table", "challenge at two", "pairs"),
)
def test_where_a_schedule_spreads_the_deals_nobody_draws(settings, drawn):
    made = begun(8, **settings)
    table = cast.table(made, 1, 1)
    if drawn:
        assert decide_first_dealer(table=table, seat=None, by=Attribution()).by == "cards"
        return
    assert next_dealer(table, 1) == 0
    with pytest.raises(Refused, match="schedule"):
        decide_first_dealer(table=table, seat=None, by=Attribution())


def born(*days):
    return [RosterRow(line, cast.CAST[line - 1], birthday=day) for line, day in enumerate(days, 1)]


@pytest.mark.parametrize(
    ("days", "edition", "by", "deals"),
    [
        (((7, 20), (1, 1), (8, 5), (12, 24)), "harry-potter-fr", "birthday", ["Chidi"]),
        (((7, 29), (1, 1), (8, 2), (12, 24)), "harry-potter-fr", "cards", ["Ana Lucía", "Chidi"]),
        (((7, 20), None, (8, 5), (12, 24)), "harry-potter-fr", "cards", list(cast.CAST[:4])),
        (((7, 20), (1, 1), (8, 5), (12, 24)), "classic", "cards", list(cast.CAST[:4])),
    ],
    ids=("the nearest", "two equally near", "one unknown", "another edition"),
)
def test_the_french_edition_goes_by_birthdays_where_all_are_known(days, edition, by, deals):
    made = begun(born(*days), edition=edition)
    table = cast.table(made, 1, 1)
    names = {seat.number: seat.entry.player.name for seat in table.seats.select_related("entry__player")}
    first = decide_first_dealer(table=table, seat=None, by=Attribution())
    assert first.by == by
    drew = {names[seat] for seat, _card in first.draws[0]} if first.draws else {names[first.seat]}
    assert drew == set(deals)
    assert names[first.seat] in deals


# ---------- at an online table


def drawn_by_hand(seed: bytes, seats: list[int]) -> tuple[list, int]:
    """The draw word by word, as the rule book has it."""

    def numbers():
        for counter in range(1000):
            block = hashlib.sha256(seed + b"dealer" + counter.to_bytes(4, "big")).digest()
            yield from (int.from_bytes(block[at : at + 2], "big") for at in range(0, 32, 2))

    stream, rounds = numbers(), []
    while len(seats) > 1:
        deck, drawn = list(DECK), []
        for seat in seats:
            x = next(stream)
            while x >= 65536 - 65536 % len(deck):
                x = next(stream)
            drawn.append([seat, deck.pop(x % len(deck))])
        rounds.append(drawn)
        worth = {seat: int(card[1]) if card[0] != "W" and card[1].isdigit() else 0 for seat, card in drawn}
        seats = [seat for seat in seats if worth[seat] == max(worth.values())]
    return rounds, seats[0]


def test_the_first_dealer_of_an_online_table_is_drawn_from_the_seed_of_its_first_hand():
    for players in (4, 7):
        deal = put_online(cast.table(begun(players, name=f"{players} play", table_size=players), 1, 1))
        rounds, dealer = drawn_by_hand(bytes(deal.seed), list(range(players)))
        kept = fresh(deal.table).first_deal
        assert (kept["draws"], kept["dealer"], kept["deal"]) == (rounds, dealer, deal.pk)
        assert deal.dealer == dealer
        assert standing(everybody_ready(deal)).hand.public.dealer == dealer


def test_everybody_is_shown_the_cards_of_the_draw_and_the_next_hand_is_dealt_by_the_next():
    deal = put_online(cast.table(begun(), 1, 1))
    address = reverse("play", args=[deal.table_id])
    told = Client().get(address, HTTP_ACCEPT="application/json").json()["play"]
    assert told["first_deal"] == {"by": "cards", "draws": fresh(deal.table).first_deal["draws"]}
    page = Client().get(address).content.decode()
    assert page.count('class="card-xs"') >= 4 and "Cards drawn for the deal" in page
    over = play_out(everybody_ready(deal))
    following = next_deal_of(over)
    assert following.dealer == (deal.dealer + 1) % 4
    assert "first_deal" not in Client().get(address, HTTP_ACCEPT="application/json").json()["play"]
    assert "data-drawn" in Client().get(reverse("deal", args=[over.pk])).content.decode()


def next_deal_of(deal):
    return Deal.objects.open().get(table=deal.table_id)


def test_a_draw_for_a_deal_that_was_never_dealt_is_made_anew_from_the_next_seed():
    deal = put_online(cast.table(begun(), 1, 1))
    with transaction.atomic():
        table = lock_table(deal.table_id)
        abandon(deal, "a test")
        again = next_deal(table)
    rounds, dealer = drawn_by_hand(bytes(again.seed), [0, 1, 2, 3])
    assert (fresh(deal.table).first_deal["draws"], again.dealer) == (rounds, dealer)


def test_a_first_hand_that_was_dealt_and_taken_off_the_table_keeps_its_dealer():
    deal = everybody_ready(put_online(cast.table(begun(), 1, 1)))
    assert deal.state == Deal.State.PLAYING
    kept = fresh(deal.table).first_deal
    with transaction.atomic():
        table = lock_table(deal.table_id)
        abandon(deal, "a test")
        again = next_deal(table)
    assert (fresh(deal.table).first_deal, again.dealer) == (kept, deal.dealer)


def test_a_deck_that_is_sealed_for_a_table_with_hands_and_no_dealer_finds_one():
    made = begun()
    cast.record(cast.table(made, 1, 1), 1)
    deal = put_online(cast.table(made, 1, 1))
    assert deal.number == 2 and fresh(deal.table).first_deal["by"] == "cards"
    get_ready(table_id=deal.table_id, deal_id=deal.pk, entry=Entry.objects.get(pk=deal.places[0]["entry"]))


# ---------- on pages, phones, paper and by programs


@pytest.fixture
def olga(client):
    client.force_login(cast.organiser())
    return client


def test_the_page_draws_shows_the_cards_and_takes_the_word_of_the_table(olga):
    table = cast.table(begun(), 1, 1)
    address = reverse("first_dealer", args=[table.pk])
    page = olga.get(table.get_absolute_url()).content.decode()
    assert "Who deals first?" in page and "Draw the cards" in page
    page = olga.post(address, follow=True).content.decode()
    dealer = cast.table(table.round.tournament, 1, 1).seats.get(number=fresh(table).first_deal["dealer"]).entry
    assert f"{dealer} deals first" in page
    assert len(re.findall(r'class="drawn"', page)) == len(fresh(table).first_deal["draws"])
    page = olga.post(address, {"seat": "3"}, follow=True).content.decode()
    assert "Chosen by the players." in page
    assert fresh(table).first_deal["dealer"] == 3
    pairs = cast.table(begun(name="Pairs", format="pairs"), 1, 1)
    assert "deals first" not in olga.get(pairs.get_absolute_url()).content.decode()


def test_a_refused_draw_says_why_and_changes_nothing(olga):
    table = cast.table(begun(), 1, 1)
    cast.record(table, 1)
    answer = olga.post(reverse("first_dealer", args=[table.pk]))
    assert answer.status_code == 409 and "already has a hand" in answer.content.decode()
    assert fresh(table).first_deal is None


def test_a_program_draws_and_reads_who_deals():
    made = begun()
    table, program = cast.table(made, 1, 1), Program(made.owner)
    address = reverse("api_table", args=[table.pk])
    assert program.get(address)["first_dealer"] is None
    first = program.post(f"{address}first-dealer/", {})
    assert first["by"] == "cards" and len(first["draws"][0]) == 4
    told = program.get(address)
    assert told["first_dealer"] == first and told["dealer"] == first["seat"]
    assert program.post(f"{address}first-dealer/", {"seat": 1}) == {"seat": 1, "by": "word", "draws": []}
    program.post(f"{address}first-dealer/", {"seat": 9}, status=422)
    pairs = cast.table(begun(name="Pairs", format="pairs"), 1, 1)
    told = program.get(reverse("api_table", args=[pairs.pk]))
    assert (told["first_dealer"], told["dealer"]) == ({"seat": 0, "by": "schedule", "draws": []}, 0)


def plan_of(made):
    """The names at the printed table of round 1, from the top of the page to its bottom; without the line below it."""
    client = Client()
    client.force_login(made.owner)
    (page,) = pdf_text.pages(client.get(reverse("print_by_table", args=[made.slug])).content)
    words = [one for one in page.words if any(name in one.text for name in cast.CAST) and " + " not in one.text]
    return [one.text for one in sorted(words, key=lambda one: -one.y)]


@pytest.mark.parametrize(("format", "players", "seat"), [("points", 4, 2), ("points", 5, 2), ("pairs", 4, 0)])
def test_a_printed_table_has_its_first_dealer_at_the_bottom(format, players, seat):
    made = begun(players, format=format, table_size=players) if format == "points" else begun(players, format=format)
    table = cast.table(made, 1, 1)
    if format == "points":
        assert not any("deals" in name for name in plan_of(made))
        decide_first_dealer(table=table, seat=seat, by=Attribution())
    dealer = table.seats.get(number=seat).entry.player.name
    assert plan_of(made)[-1] == f"{dealer}, deals"


def test_a_slip_asks_the_table_to_draw_as_long_as_nobody_knows_who_deals():
    made = begun()
    client = Client()
    client.force_login(made.owner)

    def slip():
        return pdf_text.pages(client.get(reverse("print_slips", args=[made.slug])).content)[0].text

    assert "The highest number deals" in slip()
    table = cast.table(made, 1, 1)
    decide_first_dealer(table=table, seat=1, by=Attribution())
    assert f"{table.seats.get(number=1).entry.player.name} deals hand 1" in slip().replace("\n", " ")
