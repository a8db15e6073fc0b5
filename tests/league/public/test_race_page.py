"""The race of a Challenge UNO: the drawing as arithmetic, its page for few and for many, its CSV and its print."""

import csv
import io
import re
from itertools import pairwise

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from league.access.signed_links import player_token
from league.format_pages.lanes import GAP, HIGH, TALL, blocks_of, field, lanes
from league.formats import race
from league.formats.race import Hand
from league.ledger.scores import ScoredHand, SeatScore, post_score
from league.models import EntryEvent
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust
from league.rounds.steps import start
from league.standings import read as ledger
from tests import cast, pdf_text


def state(*hands, players="abcd", target=100, **more):
    """Of hands at table 1, each as (round, number, {player: caught})."""
    made = [Hand(number, 1, hand, 100 * number + hand, points) for number, hand, points in hands]
    return race.state_of(target=target, entrants=list(players), hands=made, **more)


def rects(path):
    """[(x, y, width, height)] of a path."""
    return [tuple(map(int, one)) for one in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", path)]


# --- the drawing -----------------------------------------------------------------------------------------------------

PLAYED = (
    (1, 1, {"a": 0, "b": 10, "c": 40, "d": 5}),
    (1, 2, {"a": 7, "b": 0, "c": 30, "d": 5}),
    (2, 1, {"a": 3, "b": 20, "c": 45, "d": 0}),
)


def test_the_blocks_of_a_lane_are_the_hands_and_add_up_to_the_total():
    now = state(*PLAYED)
    for entry, lane in lanes(now, 100).items():
        assert sum(block.points for block in lane.blocks) == now.lines[entry].total
        assert [(block.round, block.hand) for block in lane.blocks] == [(1, 1), (1, 2), (2, 1)]
        assert all(before.end == after.start for before, after in pairwise(lane.blocks))


def test_lanes_come_in_the_order_of_the_race():
    assert list(lanes(state(*PLAYED), 100)) == ["a", "d", "b", "c"]


def test_a_shade_is_a_round_and_no_block_goes_beyond_the_target():
    lane = lanes(state(*PLAYED), 100)["c"]  # 40, 30, then 45 of which 30 are left to the target
    assert rects(lane.plain) == [(0, 0, 400 - GAP, HIGH), (400, 0, 300 - GAP, HIGH)]
    assert rects(lane.alt) == [(700, 0, 300 - GAP, HIGH)]


def test_points_beside_the_hands_have_blocks_of_their_own():
    late = race.Adjustment("a", None, 0, 30)
    penalty = race.Adjustment("a", 1, 150, 25)  # after the first round's hands
    now = state(*PLAYED, adjustments=[late, penalty])
    lane = lanes(now, 100)["a"]
    assert [(block.points, block.hand) for block in lane.blocks] == [(30, 0), (0, 1), (7, 2), (25, 0), (3, 1)]
    assert rects(lane.adjustment) == [(0, 0, 300 - GAP, HIGH), (370, 0, 250 - GAP, HIGH)]
    assert sum(block.points for block in lane.blocks) == now.lines["a"].total == 65


def test_points_given_back_shorten_what_was_drawn():
    back = race.Adjustment("c", 1, 150, -50)
    now = state(*PLAYED, adjustments=[back])
    lane = lanes(now, 100)["c"]
    assert rects(lane.plain) == [(0, 0, 200 - GAP, HIGH)] and rects(lane.alt) == [(200, 0, 450 - GAP, HIGH)]
    assert sum(block.points for block in lane.blocks) == now.lines["c"].total == 65


def test_a_total_below_nothing_draws_nothing():
    assert blocks_of([], -20)[0].points == -20
    lane = lanes(state(adjustments=[race.Adjustment("a", None, 0, -20)]), 100)["a"]
    assert (lane.plain, lane.alt, lane.adjustment) == ("", "", "")


def test_the_smallest_hand_can_be_seen():
    lane = lanes(state((1, 1, {"a": 1, "b": 2}), target=10_000), 10_000)["b"]
    assert rects(lanes(state((1, 1, {"a": 20, "b": 1}), target=10_000), 10_000)["a"].plain) == [(0, 0, 1, HIGH)]
    assert lane.plain == ""  # two of ten thousand are less than a line of the drawing: the figure says it


def test_the_field_is_a_column_for_each_player_and_one_block_of_those_who_are_out():
    drawn = field(state(*PLAYED), 100, 2, ["d"])
    assert drawn.width == 40
    a, d, b = rects(drawn.before)
    assert (a, d, b) == ((0, 465, 8, 35), (10, 450, 8, 50), (20, 450, 8, 50))
    assert rects(drawn.now) == [(0, 450, 8, 15), (20, 350, 8, 100)]
    assert rects(drawn.out) == [(30, 0, 10, TALL)]
    assert drawn.mine == (9,) and len(drawn.pointers) == 1


# --- the page --------------------------------------------------------------------------------------------------------


def begun(players=8, **settings):
    made = cast.challenge(players, **settings)
    start(tournament=made, by=made.owner)
    return made


def play_hand(table, number, caught):
    """One hand of a table. caught: {name: points}; whoever is not named and still in has gone out with nothing."""
    book = ledger.read(table.round.tournament)
    seats = [seat for seat in table.seats.order_by("number") if seat.entry.public_id in book.race.state.still_in]
    points = [caught.get(seat.entry.player.name, 0) for seat in seats]
    lines = [
        SeatScore(seat.number, seat.entry, None, not made, None, made, 0 if made else sum(points), made, made)
        for seat, made in zip(seats, points, strict=True)
    ]
    with transaction.atomic():
        now = timezone.now()
        post_score(table=table, hand=ScoredHand(number, lines, "organiser", now, now))


def play_everywhere(tournament, number=1, big=()):
    """One hand at each table of the latest round. Those whose names are in `big` catch all they need to be out."""
    played = tournament.rounds.living().latest("number")
    for table in played.tables.order_by("number"):
        names = [seat.entry.player.name for seat in table.seats.order_by("number")]
        made = {name: 10 * seat + table.number for seat, name in enumerate(names) if seat}
        play_hand(table, number, made | {name: 600 for name in names if name in big})


def url(made, name="race"):
    return reverse(name, args=[made.slug])


def page(client, made, **query):
    answer = client.get(url(made), query)
    assert answer.status_code == 200
    return answer.content.decode()


def plain(text):
    """A page with “3=” where it writes that for the eye and “shared” for the ear."""
    return text.replace('<span aria-hidden="true">=</span><span class="sr"> shared</span>', "=")


def lanes_on(text):
    """[(rank, as "3=" where it is shared, name, total)] of the lanes of a page."""
    found = re.findall(
        r'<span class="place">(\d+=?)</span><span class="who">([^<]+)(?:<small>.*?</small>)?</span>'
        r'<span class="tot num">(\d+)</span><div class="lane"',
        plain(text),
    )
    return [(rank, name, int(total)) for rank, name, total in found]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("players", "shown", "narrow", "crowd"),
    [(3, 3, False, False), (8, 8, False, False), (24, 24, True, False), (100, 10, True, True)],
)
def test_few_have_a_lane_each_and_many_a_field_with_those_in_front(client, players, shown, narrow, crowd):
    made = begun(players)
    play_everywhere(made)
    text = page(client, made)
    assert ">Race to 500</h1>" in text
    found = lanes_on(text)
    assert len(found) == shown
    lines = ledger.read(made).standings()[:shown]
    assert found == [(f"{one.rank}{'=' if one.tied else ''}", one.entrant.name, one.total) for one in lines]
    assert any(one.tied for one in lines) is (players > 3)  # who went out at tables of their own, with nothing caught
    assert ("race-many" in text) is narrow and ('class="crowd"' in text) is crowd
    if crowd:
        assert len(lanes_on(page(client, made, all=1))) == players


@pytest.mark.django_db
def test_the_title_and_the_danger_zone_are_those_of_the_target(client):
    made = begun(target=300)
    play_everywhere(made, big=["Zoë"])
    text = page(client, made)
    assert ">Race to 300</h1>" in text and "<title>Race to 300" in text
    assert "danger 240" in text and "eliminated at 300" in text and "eliminated in round 1, hand 1, table " in text


@pytest.mark.django_db
def test_before_the_first_hand_the_page_says_what_will_be_there(client):
    for made in (cast.challenge(name="Planned"), begun(name="Begun")):
        assert "The race has not begun" in page(client, made)


@pytest.mark.django_db
def test_a_private_race_is_not_there_for_a_stranger(client):
    made = begun(visibility="private")
    play_everywhere(made)
    assert {client.get(url(made, name)).status_code for name in ("race", "race_csv", "print_race")} == {404}
    client.force_login(made.owner)
    assert {client.get(url(made, name)).status_code for name in ("race", "race_csv", "print_race")} == {200}


@pytest.mark.django_db
def test_pairs_have_no_race_and_no_tab_for_one(client):
    pairs, made = cast.play(cast.tournament(), 1), begun()
    play_everywhere(made)
    assert client.get(url(pairs)).status_code == client.get(url(pairs, "print_race")).status_code == 404
    assert client.get(url(pairs, "race_csv")).content.decode().count("\n") == 1
    for viewer in (None, made.owner):
        if viewer:
            client.force_login(viewer)
        assert url(made) in client.get(url(made, "standings")).content.decode()
        assert url(pairs) not in client.get(url(pairs, "standings")).content.decode()
    assert url(made, "print_race") in client.get(url(made, "prints")).content.decode()
    assert url(pairs, "print_race") not in client.get(url(pairs, "prints")).content.decode()


@pytest.mark.django_db
def test_the_last_two_stand_above_the_rest_until_one_has_won(client):
    made = begun(3, target=100)
    table = cast.table(made, 1, 1)
    play_hand(table, 1, {"Benoît": 20, "Chidi": 120})
    text = page(client, made)
    assert "<h2>Head to head</h2>" in text
    assert [name for _rank, name, _total in lanes_on(text)] == ["Ana Lucía", "Benoît", "Chidi"]
    cast.go_on(made)
    while not made.rounds.filter(number=2).exclude(state="draft").exists():
        cast.go_on(made)
    assert "<h2>Head to head, hand 1</h2>" in page(client, made)
    play_hand(cast.table(made, 2, 1), 1, {"Benoît": 30})
    assert "<h2>Head to head, hand 2</h2>" in page(client, made)
    play_hand(cast.table(made, 2, 1), 2, {"Benoît": 60})
    text = page(client, made)
    assert "<h2>Ana Lucía has won</h2>" in text and "eliminated in round 2, hand 2, table 1" in text
    assert lanes_on(text) == [("1", "Ana Lucía", 0), ("2", "Benoît", 110), ("3", "Chidi", 120)]
    assert "in danger" not in text


@pytest.mark.django_db
def test_in_a_large_event_a_name_finds_its_lane_and_the_lanes_beside_it(client):
    made = begun(40)
    play_everywhere(made)
    lines = [line.entrant.name for line in ledger.read(made).standings()]
    at = lines.index("Player 33")
    found = [name for _rank, name, _total in lanes_on(page(client, made, q="player 33"))]
    assert found == [*lines[at - 1 : at + 2], *lines[:10]]
    several = lanes_on(page(client, made, q="9 player"))
    assert {name for _rank, name, _total in several[:-10]} == {f"Player {number}" for number in (9, 19, 29, 39)}
    assert "No name here matches" in page(client, made, q="nobody")


@pytest.mark.django_db
@pytest.mark.parametrize("players", [8, 40])
def test_who_holds_a_players_link_sees_their_own_lane_marked(client, players):
    made = begun(players)
    play_everywhere(made)
    assert 'mine"' not in page(client, made)
    client.post(f"/me/{player_token(cast.entry(made, 'Zoë'))}/")
    text = page(client, made)
    marked = re.findall(r'<li class="mine"><span class="place">\d+=?</span><span class="who">([^<]+)', plain(text))
    assert set(marked) == {"Zoë"}
    assert ("Around you" in text) is (players == 40)


@pytest.mark.django_db
def test_in_a_large_event_who_is_out_is_listed_by_round_and_can_be_opened(client):
    made = begun(40)
    play_everywhere(made, big=["Zoë", "Chidi"])
    text = page(client, made)
    assert "38 still in, 2 eliminated" in text and "Eliminated in round 1" in text
    opened = lanes_on(page(client, made, out=1))
    assert {name for _rank, name, _total in opened[10:]} == {"Zoë", "Chidi"}
    assert client.get(url(made), {"out": "x"}).status_code == 404


@pytest.mark.django_db
def test_a_reader_has_the_same_as_a_table(client):
    made = begun(3)
    for hand, caught in enumerate(({"Benoît": 20, "Chidi": 5}, {"Chidi": 7, "Ana Lucía": 30}), 1):
        play_hand(cast.table(made, 1, 1), hand, caught)
    adjust(tournament=made, entry=cast.entry(made, "Chidi"), points=25, reason="Late", round_number=1, by=made.owner)
    rows = re.findall(r'<th class="l" scope="row">([^<]+)</th>(.*?)</tr>', page(client, made))
    cells = {name: re.findall(r"<td[^>]*>(.*?)</td>", rest) for name, rest in rows}
    assert cells == {
        "Benoît": ["20 + 0", "", "20", ""],
        "Ana Lucía": ["0 + 30", "", "30", ""],
        "Chidi": ["5 + 7", "+25", "37", ""],
    }


# --- CSV and print ---------------------------------------------------------------------------------------------------


def table_of(client, made, name, **query):
    return list(csv.DictReader(io.StringIO(client.get(url(made, f"{name}_csv"), query).content.decode())))


@pytest.mark.django_db
def test_the_rows_of_the_export_are_the_steps_of_the_race(client):
    made = begun(8)
    play_everywhere(made, big=["Zoë"])
    play_everywhere(made, 2, big=["Chidi"])
    now = ledger.read(made).race.state
    rows = table_of(client, made, "race")
    assert list(rows[0]) == list(EXPORTS["race"].header)
    assert [
        (
            row["player_id"],
            int(row["round"]),
            int(row["table"]),
            int(row["hand"]),
            int(row["caught"]),
            int(row["total"]),
        )
        for row in rows
    ] == [step[:6] for step in now.race]
    assert {row["player"]: row["place"] for row in rows if row["place"]} == {"Zoë": "8", "Chidi": "7"}
    assert [(row["player"], row["hand"]) for row in rows if row["out"] == "true"] == [("Zoë", "1"), ("Chidi", "2")]
    assert {row["out"] for row in rows} == {"true", "false"}


@pytest.mark.django_db
def test_events_say_who_left_in_which_hand_and_to_organisers_why(client):
    made = begun(8)
    play_everywhere(made)
    zoe = cast.entry(made, "Zoë")
    gone = EntryEvent.objects.create(
        entry=zoe, kind="drop", round=made.rounds.get(number=1), reason="Feels ill", by=made.owner
    )
    undone = EntryEvent.objects.create(entry=zoe, kind="late", at=gone.at, voided_at=timezone.now())
    [row] = table_of(client, made, "events", all=1)
    assert (row["kind"], row["round"], row["hand"], row["player"], row["reason"]) == ("drop", "1", "1", "Zoë", "")
    assert row["counted_at"] == f"{gone.at:%Y-%m-%dT%H:%M:%S.%f}Z" and row["recorded_at"] == f"{gone.at:%FT%T}Z"
    client.force_login(made.owner)
    assert [
        (one["kind"], one["reason"], bool(one["voided_at"])) for one in table_of(client, made, "events", all=1)
    ] == [
        ("drop", "Feels ill", False),
        ("late", "", True),
    ]
    assert len(table_of(client, made, "events")) == 1 and undone.pk


@pytest.mark.django_db
def test_what_orders_hands_and_adjustments_is_exported_to_the_microsecond():
    made = begun(3)
    play_hand(cast.table(made, 1, 1), 1, {"Benoît": 20, "Chidi": 5})
    adjust(tournament=made, entry=cast.entry(made, "Chidi"), points=25, reason="Late", round_number=1, by=made.owner)
    for table in ("hands", "adjustments"):
        rows = list(EXPORTS[table].rows(made, Wanted()))
        assert rows and all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", row["counted_at"]) for row in rows)


@pytest.mark.django_db
def test_the_race_is_printed_with_everybody_on_it(client):
    made = begun(60)
    assert client.get(url(made, "print_race")).status_code == 404
    play_everywhere(made, big=["Zoë"])
    printed = pdf_text.pages(client.get(url(made, "print_race")).content)
    assert len(printed) == 2
    words = "\n".join(one.text for one in printed)
    assert all(f"Player {number}" in words for number in range(9, 61))
    assert "Race to 500" in words and "eliminated in round 1, hand 1, table" in words and "danger 400" in words


@pytest.mark.django_db
def test_the_emergency_pack_has_the_race_once_there_is_one(client):
    made = begun(8)
    client.force_login(made.owner)
    for hand, expected in ((1, False), (2, True)):
        pack = pdf_text.pages(client.get(url(made, "print_pack")).content)
        assert any("Race to 500" in one.text for one in pack) is expected
        play_everywhere(made, hand)
