"""Prints: what stands on them, that it fits, who gets them. The PDFs are read back as a reader would see them."""

import csv
import io
import re
from datetime import date
from itertools import chain, pairwise

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from league.access import tournament_for
from league.entries.roster.rows import RosterRow
from league.models import ClubLogEntry, Role
from league.prints import documents
from league.prints.pdf import document as layouts
from league.prints.pdf import letters
from league.prints.pdf.bracket import FREE, Bracket
from league.prints.pdf.on_paper import scoring_in_words
from league.prints.pdf.sheet import MM, Head, Sheet, fit_text
from league.prints.pdf.slips import PAD, WIDE, Slip, Slips, spread
from league.public.pictures.bracket import Column, Person, Side, TableOfRound
from league.roles.scorer_links import make_scorer_links
from league.rounds.steps import start
from league.standings import read as ledger
from tests import cast, pdf_text

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

KINDS = tuple(kind for kind in documents.KINDS if kind != "race")  # pairs have none: test_race_page.py
LONGEST = "Maximiliane-Theodora von und zu Hohenfels-Brunnental-Wildenstein"
STRANGE = (LONGEST, "W" * 64, "Nguyễn Thị Minh Khai", "Ştefan Łukasz", "王小明", "Δημήτρης", "ᏣᎳᎩ", "مريم")


@pytest.fixture(scope="module", autouse=True)
def played_once(module_world):
    """Two rounds closed, the third published and half a table in, four still drafts."""
    tournament = cast.play(cast.tournament(place="Café Ludo"), 2)
    cast.record(cast.table(tournament, 3, 1), 1)
    return tournament


@pytest.fixture
def played(played_once):
    return cast.again(played_once)


@pytest.fixture(scope="module", autouse=True)
def strange_once(module_world):
    """Names that are as long as names may be, and in other scripts."""
    people = [RosterRow(line, name, "Café Ludo" if line % 2 else "") for line, name in enumerate(STRANGE, 1)]
    name = "The championship of those whose names are long, and of everybody else who comes along on Saturdays"
    return cast.play(cast.create(name=name, players=people), 1)


@pytest.fixture
def strange(strange_once):
    return cast.again(strange_once)


@pytest.fixture
def organiser_client(client):
    client.force_login(cast.organiser())
    return client


def drawn(tournament):
    """With round 1 published."""
    start(tournament=tournament, by=tournament.owner)
    return tournament


def finished(tournament):
    """All rounds closed and the standings final."""
    cast.play(tournament)
    cast.go_on(tournament)
    tournament.refresh_from_db()
    return tournament


def get(client, kind, tournament, **query):
    return client.get(reverse(f"print_{kind}", args=[tournament.slug]), query)


def pages(client, kind, tournament, **query):
    response = get(client, kind, tournament, **query)
    assert response.status_code == 200, response.content
    return pdf_text.pages(response.content)


def text(client, kind, tournament, **query):
    return "\n".join(page.text for page in pages(client, kind, tournament, **query))


def line_of(page, words):
    """Everything on the height of these words, from left to right."""
    at = next(one.y for one in page.words if one.text == words)
    return [one.text for one in sorted(page.words, key=lambda one: one.x) if abs(one.y - at) < 1.5]


# Seating


def test_the_seating_by_name_gives_everybody_their_table_and_partner(client, played):
    (page,) = pages(client, "by_name", played)
    rows = csv.DictReader(io.StringIO(client.get(f"/t/{played.slug}/seating.csv").content.decode(), newline=""))
    for row in rows:
        if row["round"] == "3":
            name = next(one for one in page.words if one.text == row["player"] and one.bold)
            table = min(
                (one for one in page.words if one.text.startswith("Table ")), key=lambda one: abs(one.y - name.y)
            )
            assert table.text == f"Table {row['table']}"
            assert f"with {row['partner']}" in page.text
    assert "Round 3 of 7" in page.text and "Autumn Pairs" in page.text and "Café Ludo" in page.text


def test_the_seating_by_name_is_in_the_order_of_the_alphabet_without_accents(client, played):
    (page,) = pages(client, "by_name", played)
    names = [one.text for one in sorted(page.words, key=lambda one: -one.y) if one.bold and one.text in cast.CAST]
    assert names == ["Ana Lucía", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë"]


def test_forty_three_players_stand_on_one_page_by_name_and_one_by_table(client):
    tournament = drawn(cast.tournament(players=43))
    (by_name,) = pages(client, "by_name", tournament)
    assert by_name.text.count("has a bye") == 3
    assert all(len([one for one in by_name.words if one.text == f"Player {n}" and one.bold]) == 1 for n in range(9, 44))
    (by_table,) = pages(client, "by_table", tournament)
    assert "Bye in this round" in by_table.text


def test_the_seating_by_table_has_partners_opposite(client, played):
    (page,) = pages(client, "by_table", played)
    for table in played.rounds.get(number=3).tables.all():
        at = {seat.number: seat.entry.player.name for seat in table.seats.select_related("entry__player")}
        at[0] += ", deals"
        place = {number: next(one for one in page.words if one.text == name) for number, name in at.items()}
        number = next(one for one in page.words if one.text == str(table.number))
        assert place[0].y < number.y < place[2].y
        assert place[1].x < number.x < place[3].x


def test_the_seating_by_table_says_below_each_table_who_plays_with_whom(client, played):
    (page,) = pages(client, "by_table", played)
    rows = list(csv.DictReader(io.StringIO(client.get(f"/t/{played.slug}/seating.csv").content.decode(), newline="")))
    together = {frozenset((row["player"], row["partner"])) for row in rows if row["round"] == "3"}
    lines = [one.text for one in page.words if one.text.count(" + ") == 2]
    assert {frozenset(side.split(" + ")) for line in lines for side in line.split(" · ")} == together


@pytest.mark.parametrize("kind", ["by_name", "by_table", "slips"])
def test_every_seating_list_and_slip_names_the_teams(organiser_client, kind):
    made = drawn(cast.teams(3))
    printed = text(organiser_client, kind, made)
    seated = {seat.entry.player.name for seat in made.rounds.get(number=1).seats.exclude(table=None)}
    assert len(seated) == 2 and all(team in printed for team in seated)


def test_a_list_by_name_has_team_and_partner_below_the_name(organiser_client):
    client, made = organiser_client, drawn(cast.teams(2))
    assert f"{cast.TEAMS[0]}: {cast.CAST[0]} + {cast.CAST[1]}" in text(client, "pack", made)
    assert f"{cast.TEAMS[0]}, with {cast.CAST[1]}" in text(client, "by_name", made)


def test_another_round_is_printed_when_it_is_asked_for(client, played):
    assert "Round 1 of 7" in text(client, "by_table", played, round=1)


@pytest.mark.parametrize("asked", ["4", "99", "0", "x", "-1", "1e3"])
def test_a_round_that_one_may_not_see_or_that_is_none_is_not_found(client, played, asked):
    assert get(client, "by_name", played, round=asked).status_code == 404


# Slips


def test_a_slip_has_its_table_round_names_hands_and_signatures(organiser_client, played):
    (page,) = pages(organiser_client, "slips", played)
    for words in ("Table 1", "Table 2", "Round 3 of 7", "Who went out", "cards", "points", *cast.CAST):
        assert words in page.text
    seats = cast.table(played, 3, 2).seats.order_by("number").select_related("entry__player")
    names = [seat.entry.player.name for seat in seats]
    assert f"{names[0]} or {names[2]}" in page.text and f"{names[1]} or {names[3]}" in page.text


def test_a_slip_says_who_deals_its_first_hand(organiser_client):
    tournament = drawn(cast.tournament(players=4, hands_per_round=6))
    names = [seat.entry.player.name for seat in cast.table(tournament, 1, 1).seats.order_by("number")]
    (page,) = pages(organiser_client, "slips", tournament)
    said = " ".join(page.text.split())
    assert f"{names[0]} deals hand 1" in said and f"{names[3]} deals hand 4" in said


def test_hands_that_are_in_are_marked_on_the_slip_of_their_table_alone(organiser_client, played):
    (page,) = pages(organiser_client, "slips", played)
    marked = [one for one in page.words if one.text == "1 in"]
    assert len(marked) == 1 and marked[0].x < 105  # table 1 is on the left
    assert "2 in" not in page.text


def test_the_code_on_a_slip_leads_to_the_page_of_its_table(played):
    access = tournament_for(played.owner, played.slug)
    third = played.rounds.get(number=3)
    of = documents.Source(access, third, None, lambda table_id: f"https://club.test/tables/{table_id}/")
    (slips,) = documents.slips(of)
    tables = third.tables.order_by("number")
    assert [slip.address for slip in slips.slips] == [f"https://club.test/tables/{table.pk}/" for table in tables]


def print_with_codes(client, tournament, **typed):
    """What the organiser's form leads to: the PDF."""
    answer = client.post(reverse("slips_to_print", args=[tournament.slug]) + "?round=3", typed)
    assert answer.status_code == 302
    return client.get(answer["Location"])


def slips_drawn(monkeypatch):
    """Every slip that is drawn from now on."""
    drawn_slips = []
    monkeypatch.setattr("league.prints.pdf.slips._slip", lambda _sheet, slip, _x, _y: drawn_slips.append(slip))
    return drawn_slips


def test_a_slip_carries_no_secret_unless_the_organiser_ticks_it(organiser_client, played, monkeypatch):
    make_scorer_links(tournament=played, tables=[1, 2], by=played.owner)
    made = slips_drawn(monkeypatch)
    assert get(organiser_client, "slips", played, round=3).status_code == 200
    assert print_with_codes(organiser_client, played).status_code == 200
    assert get(organiser_client, "pack", played).status_code == 200
    tables = [
        f"http://testserver/tables/{table.pk}/" for table in played.rounds.get(number=3).tables.order_by("number")
    ]
    assert [one.address for one in made[:4]] == tables * 2
    assert {one.code for one in made} == {""} and played.scorer_links.count() == 2


def test_ticked_each_slip_carries_the_code_of_its_own_table_which_lets_one_record_there(
    organiser_client, played, monkeypatch
):
    made = slips_drawn(monkeypatch)
    answer = print_with_codes(organiser_client, played, codes="1")
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    for slip in made:
        phone = Client()
        assert phone.post(slip.code.removeprefix("http://testserver")).status_code == 303
        assert b"Save hand" in phone.get(slip.address.removeprefix("http://testserver")).content
    assert sorted(played.scorer_links.values_list("table", flat=True)) == [1, 2]
    assert played.log.filter(action="make-scorer-link").count() == 2


def test_codes_are_printed_again_and_not_made_anew(organiser_client, played, monkeypatch):
    make_scorer_links(tournament=played, tables=[None], by=played.owner)
    make_scorer_links(tournament=played, tables=[1], by=played.owner, label="Zoë’s phone")
    made = slips_drawn(monkeypatch)
    for _time in range(2):
        print_with_codes(organiser_client, played, codes="1")
    first, again = made[:2], made[2:]
    assert [one.code for one in first] == [one.code for one in again]
    assert len({one.code for one in first}) == 2 and played.scorer_links.count() == 4
    # That of somebody's phone, and that for all tables, are on no slip.
    labelled = played.scorer_links.exclude(label="").get()
    assert all(f"/s/{labelled.pk}-" not in one.code for one in first)


def test_a_code_that_was_ended_is_on_no_slip_and_looking_makes_none(organiser_client, played, monkeypatch):
    made = slips_drawn(monkeypatch)
    assert get(organiser_client, "slips", played, round=3, codes=1).status_code == 200
    assert {one.code for one in made} == {""} and not played.scorer_links.exists()


@pytest.mark.parametrize("kind", [Role.Kind.DIRECTOR, Role.Kind.SCORER])
def test_who_may_make_no_links_for_scorers_may_not_tick_it(client, played, kind):
    helper = cast.someone_else()
    Role.objects.create(tournament=played, user=helper, kind=kind)
    client.force_login(helper)
    assert get(client, "slips", played, round=3).status_code == 200
    assert get(client, "slips", played, round=3, codes=1).status_code == 404
    assert client.post(reverse("slips_to_print", args=[played.slug]), {"codes": "1"}).status_code == 404
    page = client.get(reverse("prints", args=[played.slug])).content.decode()
    assert "Let anyone with the slip" not in page and not played.scorer_links.exists()


def test_the_prints_page_asks_whether_slips_carry_the_code_and_says_what_that_means(organiser_client, played):
    page = organiser_client.get(reverse("prints", args=[played.slug])).content.decode()
    assert '<input type="checkbox" name="codes" value="1" aria-describedby="codes-hint">' in page
    assert "Let anyone with the slip enter scores" in page


def test_what_each_code_of_a_slip_opens_stands_below_it(organiser_client, played):
    answer = print_with_codes(organiser_client, played, codes="1")
    (page,) = pdf_text.pages(answer.content)
    assert page.text.count("Scorer’s code") == page.text.count("This table") == 2
    assert "Scorer’s code" not in text(organiser_client, "slips", played)


def test_many_hands_are_spread_over_several_slips():
    assert spread(4, players=4) == [[1, 2, 3, 4]]
    assert spread(8, players=6) == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert spread(11, players=4) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]
    assert spread(4, players=7) == [[1, 2], [3, 4]]


@given(st.integers(1, 20), st.integers(2, 10))
def test_every_hand_is_on_one_slip(hands, players):
    assert list(chain.from_iterable(spread(hands, players))) == list(range(1, hands + 1))


@pytest.mark.parametrize("players", range(2, 11))
def test_a_biro_fits_into_every_box_of_a_slip(players, monkeypatch):
    lines = []
    monkeypatch.setattr(Sheet, "line", lambda sheet, x1, y1, x2, y2, *rest, **more: lines.append((x1, y1, x2, y2)))
    for hands in spread(8, players):
        lines.clear()
        slip = Slip("Cup", 1, "Round 1", ["Ana"] * players, [], hands, "", totals=[120] * players)
        layouts.pdf(Head("", "", ""), [Slips([slip])])
        upright = sorted({x1 for x1, y1, x2, y2 in lines if x1 == x2 and 33 <= y1 < 120 and x1 > 39})
        level = sorted({y1 for x1, y1, x2, y2 in lines if y1 == y2 and x2 > 90 and 40 < y1 < 120})
        assert min(b - a for a, b in pairwise([*upright, WIDE - PAD])) >= 6.9, hands
        assert min(b - a for a, b in pairwise(level)) >= 5, hands


def test_slips_are_four_to_a_page(organiser_client):
    tournament = drawn(cast.tournament(players=20, hands_per_round=8))
    assert len(pages(organiser_client, "slips", tournament)) == 3  # five tables, two slips each
    assert len(pages(organiser_client, "empty_slips", tournament)) == 1


def test_what_cards_are_worth_is_that_of_the_edition(organiser_client):
    tournament = drawn(cast.tournament(edition="harry-potter-2018"))
    assert "Sorting Hat" in text(organiser_client, "slips", tournament)
    assert "Sorting Hat" not in text(organiser_client, "slips", drawn(cast.tournament()))


# Results


def test_the_standings_are_those_of_the_csv(client, played):
    (page,) = pages(client, "standings", played)
    rows = csv.DictReader(io.StringIO(client.get(f"/t/{played.slug}/standings.csv").content.decode(), newline=""))
    for row in rows:
        line = line_of(page, row["player"])
        place = row["rank"] + ("=" if row["tied"] == "true" else "")
        assert line[:2] == [place, row["player"]] and line[-1] == row["total"]
    assert "Standings after round 3" in page.text and "Provisional" in page.text


def test_the_standings_of_an_earlier_round_can_be_printed(client, played):
    assert "Standings after round 1" in text(client, "standings", played, as_of_round=1)
    assert get(client, "standings", played, as_of_round=4).status_code == 404


def test_the_standings_are_final_when_the_tournament_is(client):
    assert "Final" in text(client, "standings", finished(cast.tournament(players=4)))


def test_whoever_stands_before_any_result_is_on_the_standings_too(client):
    (page,) = pages(client, "standings", cast.tournament())
    assert set(cast.CAST) <= {one.text for one in page.words}


def test_the_crosstable_says_what_everybody_made_with_whom_and_against_whom(client, played):
    (page,) = pages(client, "crosstable", played)
    rows = list(csv.DictReader(io.StringIO(client.get(f"/t/{played.slug}/rounds.csv").content.decode(), newline="")))
    standings = csv.DictReader(io.StringIO(client.get(f"/t/{played.slug}/standings.csv").content.decode(), newline=""))
    numbers = {row["player"]: str(at) for at, row in enumerate(standings, 1)}
    for row in rows:
        if row["round"] != "1":
            continue
        at = next(one.y for one in page.words if one.text == row["player"])
        first = next(one.x for one in page.words if one.text == "Round 1")
        cell = [one.text for one in page.words if abs(one.y - at) < 4.5 and -3 < one.x - first < 8]
        together = [one["player"] for one in rows if (one["round"], one["table"]) == ("1", row["table"])]
        against = [numbers[name] for name in together if name not in (row["player"], row["partner"])]
        assert cell == [row["total"], f"+{numbers[row['partner']]} – {' '.join(against)}"]


def test_a_long_crosstable_goes_on_over_pages(client):
    tournament = drawn(cast.tournament(players=29))
    assert len(pages(client, "crosstable", tournament)) == 2


def test_the_bracket_has_who_sat_where_with_what_they_made(client, played):
    (page,) = pages(client, "bracket", played)
    assert (round(page.width), round(page.height)) == (297, 210)
    rows = list(csv.DictReader(io.StringIO(client.get(f"/t/{played.slug}/rounds.csv").content.decode(), newline="")))
    for row in rows:
        if row["round"] in "12":
            left = next(one.x for one in page.words if one.text == f"Round {row['round']}")
            at = next(one for one in page.words if one.text == row["player"] and 0 <= one.x - left < 5)
            side = [one for one in page.words if 0 <= one.x - left < 66 and abs(one.y - at.y) < 9]
            assert row["total"] in [one.text for one in side]
    assert "1 of 4 hands" in page.text and "After round 3" in page.text and "Round 4" not in page.text
    (page,) = pages(client, "bracket", played, as_of_round=1)
    assert "Round 1" in page.text and "Round 2" not in page.text


def test_the_bracket_of_a_challenge_has_totals_who_is_out_and_who_has_won(client):
    tournament = cast.play_challenge(cast.challenge(target=200))
    race = ledger.read(tournament).race.state
    (page,) = pages(client, "bracket", tournament)
    for line in race.lines.values():
        assert str(line.total) in page.text
    assert page.text.count("eliminated") == 1, "whoever is, has a cross, which one sentence explains"
    winner = tournament.entries.get(public_id=race.winner).player.name
    assert f"{winner} has won" in page.text
    [final] = [one for one in page.words if one.text == "Head to head"]
    last_two = {one.text for one in page.words if 0 <= one.x - final.x < 5 and one.text in cast.CAST}
    assert winner in last_two and len(last_two) == 2
    [bold] = {one.text for one in page.words if one.bold and one.text in cast.CAST}
    assert bold == winner


def test_a_large_bracket_goes_on_over_pages_and_keeps_a_round_together():
    people = [Person(str(number), f"Player {number}") for number in range(100)]

    def column(number, count):
        seated = [Side((person,), 10, "out" if number == 3 else "") for person in people[:count]]
        return Column(number, tuple(TableOfRound(at // 4 + 1, tuple(seated[at : at + 4])) for at in range(0, count, 4)))

    made = Bracket([column(number, count) for number, count in enumerate((100, 80, 60, 40, 20, 8, 4), 1)], "")
    size, laid = made._layout
    assert made.pages == len(laid) == 4
    assert all(len(page) <= size.across for page in laid)
    assert max(box.top + box.high for page in laid for strip in page for box in strip.boxes) <= FREE
    of_rounds = [{strip.column.number for strip in page} for page in laid]
    assert sum(map(len, of_rounds)) == 7  # none on two pages
    boxes = [box for strip in laid[0] if strip.column.number == 1 for box in strip.boxes]
    assert [line.id for box in boxes for line in box.lines] == [person.id for person in people]


# Name cards and the pack


def test_a_place_card_has_its_name_on_both_faces(organiser_client, played):
    two = pages(organiser_client, "place_cards", played)
    assert len(two) == 2
    for name in cast.CAST:
        assert sum(one.text == name for page in two for one in page.words) == 2


def test_the_pack_has_everything_to_go_on_with(organiser_client, played):
    everything = text(organiser_client, "pack", played)
    for words in (
        "Finish on paper", "How to score: Classic", "Draw Two", "50 points", "Standings after round 3",
        "Running totals", "Seating", "Round 7 of 7 · Draft", "Table 2", "1 in", "Round ____",
    ):  # fmt: skip
        assert words in everything, words


def test_the_pack_numbers_its_pages_through(organiser_client, played):
    found = pages(organiser_client, "pack", played)
    numbers = [re.search(r"Page (\d+) of (\d+)", page.text) for page in found]
    assert [(int(one[1]), int(one[2])) for one in numbers if one] == [(at, len(found)) for at in range(1, 6)]


def test_a_pack_can_be_printed_before_anything_is_drawn(organiser_client):
    everything = text(organiser_client, "pack", cast.tournament())
    assert "How to score" in everything and "Seating" not in everything


def test_the_pack_of_a_finished_tournament_has_no_totals_to_go_on_with(organiser_client):
    assert "Running totals" not in text(organiser_client, "pack", finished(cast.tournament(players=4)))


def test_the_seating_of_a_whole_evening_has_every_round_once():
    plain = drawn(cast.tournament(players=43))
    of = documents.Source(tournament_for(plain.owner, plain.slug), None, None, str)
    rounds = next(one for one in documents.pack(of) if hasattr(one, "seatings"))
    assert [one.number for one in rounds.seatings] == list(range(1, 44))
    assert sum(len(seating.tables) for seating in rounds.seatings) == 430


@pytest.mark.parametrize("scoring", ["winner-takes", "lowest-total", "challenge"])
def test_every_scoring_is_put_into_words_for_single_players_and_partners(scoring):
    assert all(scoring_in_words(scoring, partners) for partners in (False, True))
    assert scoring_in_words(scoring, True) != scoring_in_words(scoring, False)


# What fits


@pytest.mark.parametrize(("paper", "sides"), [("a4", {210, 297}), ("letter", {216, 279})])
def test_nothing_runs_over_the_edge_of_the_paper(organiser_client, strange, paper, sides):
    for kind in KINDS:
        for page in pages(organiser_client, kind, strange, paper=paper):
            assert {round(page.width), round(page.height)} == sides
            for one in page.words:
                assert one.x >= 5 and one.x + letters.width(one.text, one.size * MM, one.bold) <= page.width - 5, one
                assert 4 <= one.y <= page.height - 4, one


def timeless(page):
    """The words of a page without the minute at which it was printed."""
    return re.sub(r"\d\d:\d\d(?=\nPage)", "", page.text)


def test_letter_has_the_words_of_a4_and_halves_the_paper_where_slips_are_cut(organiser_client, played):
    for kind in KINDS:
        on_a4, on_letter = (pages(organiser_client, kind, played, paper=paper) for paper in ("a4", "letter"))
        assert [timeless(page) for page in on_letter] == [timeless(page) for page in on_a4], kind
    data = get(organiser_client, "slips", played, paper="letter").content
    [page] = pdf_text.pages(data)
    halves = {"left": [], "right": []}
    for one in page.words:
        halves["left" if one.x < page.width / 2 else "right"].append(one.x)
    assert max(halves["left"]) < page.width / 2 - 2 and min(halves["right"]) > page.width / 2 + 2


def test_a_club_remembers_its_paper_and_the_address_goes_before_it(client):
    club = cast.club()
    made = drawn(cast.tournament(club=club))
    client.force_login(club.owner)
    assert client.post(reverse("choose_paper", args=[made.slug]), {"paper": "letter"}).status_code == 302
    club.refresh_from_db()
    assert club.paper == "letter"
    [row] = ClubLogEntry.objects.filter(club=club, action="club-settings")
    assert (row.old, row.new) == ({"paper": "a4"}, {"paper": "letter"})
    sides = {paper: round(pages(Client(), "by_name", made, **query)[0].width) for paper, query in ASKED.items()}
    assert sides == {"": 216, "a4": 210, "tabloid": 216}
    assert "paper of prints" in client.get(reverse("club_log", args=[club.slug])).content.decode().lower()


ASKED = {"": {}, "a4": {"paper": "a4"}, "tabloid": {"paper": "tabloid"}}


def test_a_scorer_of_a_club_and_an_event_without_a_club_keep_their_own_choice(client):
    club = cast.club()
    made, alone = drawn(cast.tournament(club=club)), drawn(cast.tournament())
    sven = cast.someone_else()
    Role.objects.create(tournament=made, user=sven, kind=Role.Kind.SCORER)
    client.force_login(sven)
    client.post(reverse("choose_paper", args=[made.slug]), {"paper": "letter"})
    club.refresh_from_db()
    assert club.paper == "a4" and round(pages(client, "by_name", made)[0].width) == 216
    assert round(pages(client, "by_name", alone)[0].width) == 210
    client.force_login(alone.owner)
    client.post(reverse("choose_paper", args=[alone.slug]), {"paper": "letter"})
    assert round(pages(client, "by_name", alone)[0].width) == 216
    wrong = client.post(reverse("choose_paper", args=[alone.slug]), {"paper": "legal"}, follow=True)
    assert "Choose A4 or US Letter." in wrong.content.decode()


def test_names_are_printed_whole_and_by_number_where_the_font_lacks_their_letters(organiser_client, strange):
    for kind in KINDS:
        if kind == "empty_slips":
            continue
        found = re.sub(r"\s", "", text(organiser_client, kind, strange))
        for name in (LONGEST, "W" * 64, "Nguyễn Thị Minh Khai", "Ştefan Łukasz", "王小明", "Δημήτρης", "مريم"[::-1]):
            assert re.sub(r"\s", "", name) in found, (kind, name)
        assert "Player7" in found, kind
        assert "…" not in found and letters.UNKNOWN not in found, kind


def test_the_page_says_whose_name_is_printed_by_number(organiser_client, strange):
    said = organiser_client.get(reverse("prints", args=[strange.slug])).content.decode()
    assert "ᏣᎳᎩ: Player 7" in said and "王小明" not in said and "مريم" not in said


def test_a_tournament_whose_name_cannot_be_printed_stands_by_its_address(client):
    tournament = drawn(cast.tournament(name="ᏣᎳᎩ"))
    assert tournament.slug in text(client, "by_name", tournament)


@pytest.mark.parametrize(
    "name",
    ["田中さくら", "김민수", "שרה כהן", "علی\u200cرضا", "नरेंद्र", "ศิริพร", "தமிழ்", "გიორგი", "አበበ", "Նարեկ", "សុខា", "ଓଡ଼ିଆ"],
)
def test_a_name_in_the_letters_of_any_script_in_use_is_printed(name):
    sheet = Sheet(Head("", "", ""), pages=1)
    sheet.blank()
    sheet.text(20, 20, f"Ana and {name}", size=12)
    sheet.text(20, 40, name, size=12, bold=True)
    assert letters.is_legible(name)
    found = re.findall(r"\S+", pdf_text.text(sheet.as_bytes()).replace("\u200c", ""))
    assert sorted("".join(found)) == sorted(f"Anaand{name}{name}".replace(" ", "").replace("\u200c", ""))


@pytest.mark.parametrize(
    ("name", "from_left"),
    [
        ('ד"ר כהן', ["ר כהן", '"', "ד"]),
        ("כהן (לוי)", ["(", "לוי", ") ", "כהן"]),
        ("כהן, Ana 7", ["Ana 7", " ,", "כהן"]),
        ("Ana (כהן)", ["Ana (", "כהן", ")"]),
    ],
)
def test_the_parts_of_a_text_that_runs_to_the_left_stand_from_right_to_left(name, from_left):
    assert [part for _font, part in letters.in_fonts(name)] == from_left


@settings(max_examples=200)
@given(st.text(st.sampled_from('aÄ7 ("\u200c\u200d\ufdf2\ufefb王مכ🎲ᏣନÅ\u0301'), max_size=12))
def test_any_text_is_brought_into_letters_that_have_a_width(words):
    printed = letters.printable(words)
    assert letters.width(printed, 10) >= 0
    brackets = str.maketrans("()", "((")  # they are turned where the text runs to the left
    parts = "".join(part for _font, part in letters.in_fonts(printed))
    assert sorted(parts.translate(brackets)) == sorted(printed.translate(brackets))


def test_letters_that_join_take_less_room_than_apart():
    assert letters.width("مريم", 10) < sum(letters.width(letter, 10) for letter in "مريم")


def test_words_in_letters_that_run_to_the_left_stay_in_their_order():
    parts = list(letters.in_fonts("Ana مريم الزهراء 7"))
    assert parts == [("NotoSans", "Ana "), ("NotoSansArabic", "مريم الزهراء"), ("NotoSans", " 7")]


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("Đorđe", "Đorđe"),
        ("E\u0301milie", "Émilie"),
        ("Ａｎａ", "Ana"),
        ("Zoë 🎲", "Zoë"),
        ("Ana\u202e\u200b Lucía\t\n", "Ana Lucía"),
        ("Chidi 王", "Chidi 王"),
        ("Chidi ᏣᎳ", "Chidi ??"),
        ("Ana\u200d", "Ana"),
        ("Sauf\u00a0: \u2009 «\u202fUno\u202f»", "Sauf\u00a0: «\u00a0Uno\u00a0»"),
        ("\u00a0Ana\u202f", "Ana"),
        ("", ""),
    ],
)
def test_text_is_brought_into_letters_that_can_be_printed(given, printed):
    assert letters.printable(given) == printed


@pytest.mark.parametrize(
    ("name", "legible"), [("Zoë 🎲", True), ("Who?", True), ("王小明", True), ("Ana Ꮳ", False), ("🎲", False)]
)
def test_a_name_is_legible_when_all_its_letters_can_be_printed(name, legible):
    assert letters.is_legible(name) is legible


@settings(max_examples=60)
@given(st.text(max_size=64), st.floats(15, 90), st.floats(5, 30), st.booleans())
@example("0 000000000IN©Ð00", 15.0, 5.0, False)
def test_text_that_is_fitted_into_a_box_is_never_wider_or_higher_than_it(words, w, h, bold):
    size, lines = fit_text(letters.printable(words), w, h, 14, 5, bold)
    assert all(letters.width(line, size * MM, bold) <= w + 0.01 for line in lines)
    assert not lines or len(lines) * size * MM <= h + size * MM


@pytest.mark.parametrize("space", ["\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_no_line_begins_with_what_a_space_that_does_not_break_stands_before(space):
    words = letters.printable(f"Carte{space}: Joueur suivant, «{space}Uno{space}» et plus")
    for w in range(18, 60):
        _size, lines = fit_text(words, w, 60, 11, 11, False)
        assert not [line for line in lines if line[0] in ":»" or line[-1] in "«"], lines
        assert " ".join(lines) == words


# Who gets what, and how


def test_a_print_is_a_pdf_with_a_name_that_no_cache_keeps(organiser_client, played):
    answer = get(organiser_client, "slips", played)
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'inline; filename="autumn-pairs_slips_r3.pdf"'
    assert answer["Cache-Control"] == "private, no-store"
    assert answer.content.startswith(b"%PDF-")


def test_the_organiser_prints_a_draft_which_says_that_it_is_one(organiser_client, played):
    assert "By name · Draft" in text(organiser_client, "by_name", played, round=5)


def test_a_scorer_gets_slips_and_pack_without_what_is_not_published(client, played):
    scorer = cast.organiser("scorer@example.org", "Sam")
    Role.objects.create(tournament=played, user=scorer, kind=Role.Kind.SCORER)
    client.force_login(scorer)
    everything = text(client, "pack", played)
    assert "Round 3 of 7" in everything and "Round 4 of 7" not in everything and "Draft" not in everything
    assert get(client, "slips", played, round=4).status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_before_the_draw_a_print_of_the_seating_says_what_is_missing(organiser_client, kind):
    answer = get(organiser_client, kind, cast.tournament())
    if kind in ("by_name", "by_table", "slips", "crosstable", "bracket"):
        assert answer.status_code == 404 and "before you print" in answer.content.decode()
    else:
        assert answer.status_code == 200


def test_the_page_says_how_many_pages_each_print_has(organiser_client, strange):
    said = organiser_client.get(reverse("prints", args=[strange.slug])).content.decode()
    for kind in KINDS:
        about = documents.KINDS[kind]
        count = len(pages(organiser_client, kind, strange))
        line = re.search(rf"<span>{about.title}</span>.*?</li>", said, re.DOTALL)
        assert line and f">{count} page" in line.group(), kind


def test_the_page_warns_of_codes_that_phones_cannot_follow(organiser_client, played):
    page = reverse("prints", args=[played.slug])
    warning = "this computer’s network address instead"
    assert warning in organiser_client.get(page, headers={"host": "localhost:8000"}).content.decode()
    assert warning not in organiser_client.get(page).content.decode()


def test_the_pages_link_to_their_prints(organiser_client, played):
    for page, kind in (
        ("seating", "by_name"),
        ("seating", "by_table"),
        ("standings", "standings"),
        ("rounds", "slips"),
        ("bracket", "bracket"),
    ):
        said = organiser_client.get(reverse(page, args=[played.slug])).content.decode()
        assert reverse(f"print_{kind}", args=[played.slug]) in said, page


def test_a_tournament_in_the_past_has_its_day_on_the_print(client):
    tournament = cast.play(cast.tournament(starts_on=date(2026, 3, 7)), 0)
    assert "Saturday 7 March 2026" in text(client, "by_table", tournament)
