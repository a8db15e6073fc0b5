"""What anybody may look at: seating, standings, bracket, hands, fairness, scorecards, and the CSV beside them."""

import csv
import io
import re

import pytest
from django.urls import reverse

from games.hands.correct import void_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.models import Round, Tournament
from league.public.scorecard import card_of
from league.rounds.adjustments import adjust
from league.rounds.draw import draw
from league.rounds.steps import close_tournament, start
from tests import cast
from tests.spreadsheets import cells_of

pytestmark = pytest.mark.django_db

PAGES = ("seating", "standings", "bracket", "hands", "fairness")
TABLES = ("standings", "seating", "rounds", "hands", "adjustments", "events", "race", "players", "fairness")
API_TABLES = ("standings", "seating", "hands", "adjustments", "events", "race")


@pytest.fixture(scope="module", autouse=True)
def played_once(module_world):
    """Two rounds closed, the third published, four still drafts."""
    return cast.play(cast.tournament(), 2)


@pytest.fixture
def played(played_once):
    return cast.again(played_once)


@pytest.fixture
def organiser_client(client):
    client.force_login(cast.organiser())
    return client


def page(client, name, tournament, *args, **query):
    return client.get(reverse(name, args=[tournament.slug, *args]), query)


def text_of(response):
    """The page's words, without markup and with single spaces."""
    assert response.status_code == 200
    main = re.search(r"<main.*</main>", response.content.decode(), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", main.group() if main else response.content.decode()).split())


def table_of(client, name, tournament, *args, **query):
    """The rows of a CSV."""
    response = page(client, name, tournament, *args, **query)
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode(), newline="")))


@pytest.mark.parametrize("name", PAGES)
def test_before_the_draw_each_page_says_what_will_be_there(client, name):
    response = page(client, name, cast.tournament())
    assert 'class="empty"' in response.content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_a_drawn_but_unpublished_seating_is_not_shown_to_the_public(client, name):
    tournament = cast.tournament()
    draw(tournament=tournament, by=tournament.owner)
    assert 'class="empty"' in page(client, name, tournament).content.decode()


@pytest.mark.parametrize("name", [*PAGES, *(f"{table}_csv" for table in TABLES)])
def test_a_private_tournament_does_not_exist_for_strangers(client, name):
    tournament = cast.tournament(visibility=Tournament.Visibility.PRIVATE)
    assert page(client, name, tournament).status_code == 404
    client.force_login(cast.someone_else())
    assert page(client, name, tournament).status_code == 404
    client.force_login(cast.organiser())
    assert page(client, name, tournament).status_code == 200


# Seating


def test_seating_opens_on_the_round_that_is_on(client, played):
    response = page(client, "seating", played)
    assert response.context["chosen"].number == 3
    assert "Round 3 by table" in text_of(response)


def test_when_all_is_played_seating_shows_the_last_round(client):
    tournament = cast.play(cast.tournament(rounds=3))
    assert page(client, "seating", tournament).context["chosen"].number == 3


def test_the_public_cannot_open_a_draft_and_the_organiser_sees_it_called_one(client, played):
    assert page(client, "seating", played, round=4).status_code == 404
    client.force_login(cast.organiser())
    words = text_of(page(client, "seating", played, round=4))
    assert "Draft" in words
    assert "Draft: only you can see it" in words


@pytest.mark.parametrize("number", ["99", "0", "x", "-1", "1.5", "٣", "9" * 30])
@pytest.mark.parametrize("name", ["seating", "hands"])
def test_a_round_that_is_none_is_not_found(client, played, name, number):
    assert page(client, name, played, round=number).status_code == 404


def test_everybody_is_drawn_at_a_table_and_the_first_seat_deals(client, played):
    response = page(client, "seating", played)
    seats = [(seat["place"], seat["player"]) for table in response.context["tables"] for seat in table["seats"]]
    assert sorted(name for _place, name in seats) == sorted(cast.CAST)
    assert [place for place, _name in seats] == list("nesw") * 2
    north = re.findall(r'<div class="seat n" aria-hidden="true">([^<]+)<small>deals first', response.content.decode())
    assert north == [name for place, name in seats if place == "n"]
    first, _east, _south, _west = (name for _place, name in seats[:4])
    [spoken] = re.findall(rf'<p class="sr">({first} and [^<]+)</p>', response.content.decode())
    assert re.fullmatch(rf"{first} and .+ against .+ and .+; {first} deals first\.", spoken)


def test_the_list_by_name_sorts_letters_with_accents_among_the_others(client, played):
    by_name = [row["player"] for row in page(client, "seating", played).context["by_name"]]
    assert by_name == list(cast.CAST)


@pytest.mark.parametrize("query", ["dorde", "ĐORĐE", "orđ"])
def test_i_find_my_name_without_its_accents(client, played, query):
    response = page(client, "seating", played, q=query)
    (answer,) = response.context["found"]
    at = answer["row"]
    assert at["player"] == "Đorđe"
    assert f"Đorđe, table {at['table']} With {at['partner']}, across the table." in text_of(response)
    assert response.content.decode().count("seat-me") == 1


def test_a_name_that_is_not_there_gets_an_answer_too(client, played):
    assert "No name in this round matches “Zebedee”." in text_of(page(client, "seating", played, q="Zebedee"))


def test_typing_gets_the_answer_alone(client, played):
    url = reverse("seating", args=[played.slug])
    response = client.get(url, {"q": "zoe"}, headers={"HX-Request": "true", "HX-Target": "answer"})
    body = response.content.decode()
    assert "Zoë, table" in body
    assert "<html" not in body
    assert "HX-Request" in response["Vary"]


def test_who_has_a_bye_is_listed_and_told_so(client):
    tournament = cast.tournament(9)
    start(tournament=tournament, by=tournament.owner)
    response = page(client, "seating", tournament)
    (resting,) = response.context["byes"]
    assert f"{resting} has a bye." in text_of(response)
    assert f"{resting}, no table in round 1" in text_of(page(client, "seating", tournament, q=resting))


# Standings


def test_standings_show_the_rows_of_their_csv(client, played):
    shown = [line.standing for line in page(client, "standings", played).context["parts"][0][1]]
    rows = table_of(client, "standings_csv", played)
    assert [(str(line.rank), line.entrant.name, str(line.total)) for line in shown] == [
        (row["rank"], row["player"], row["total"]) for row in rows
    ]


def test_standings_as_of_an_earlier_round_leave_out_the_later_ones(client, played):
    after_two = page(client, "standings", played)
    after_one = page(client, "standings", played, as_of_round=1)
    assert [line.standing.entrant for line in after_one.context["parts"][0][1]] != [
        line.standing.entrant for line in after_two.context["parts"][0][1]
    ]
    assert "standings.csv?as_of_round=1" in after_one.content.decode()
    assert all(line.moved is None for line in after_one.context["parts"][0][1])


def test_movement_is_the_difference_to_the_round_before(client, played):
    before = {
        line.standing.entrant.id: line.standing.rank
        for line in page(client, "standings", played, as_of_round=1).context["parts"][0][1]
    }
    for line in page(client, "standings", played).context["parts"][0][1]:
        assert line.moved == before[line.standing.entrant.id] - line.standing.rank


def test_the_value_that_decided_is_marked_and_explained(client):
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    # Seats 1 and 3 win twice 20 points, seats 0 and 2 of the other table once 40: the same points, more hands won.
    cast.record(cast.table(tournament, 1, 1), 1, 1, (10, 0, 10, 0))
    cast.record(cast.table(tournament, 1, 1), 2, 1, (10, 0, 10, 0))
    cast.record(cast.table(tournament, 1, 2), 1, 0, (0, 20, 0, 20))
    response = page(client, "standings", tournament)
    assert 'class="decides">2<' in response.content.decode()
    assert "all have 40 points. Deciding: hands won." in text_of(response)


def test_a_shared_rank_is_shown_as_one(client):
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    cast.record(cast.table(tournament, 1, 1), 1, 0, (0, 20, 0, 20))
    words = text_of(page(client, "standings", tournament))
    assert "1 = shared" in words
    assert "both have 40 points. No tie-break separates them: they share rank 1." in words


def test_standings_are_provisional_until_the_organiser_closes(client):
    tournament = cast.play(cast.tournament(rounds=2))
    assert "Provisional" in text_of(page(client, "standings", tournament))
    close_tournament(tournament=tournament, by=tournament.owner)
    words = text_of(page(client, "standings", tournament))
    assert "Final" in words
    assert "Provisional" not in words


def test_a_lot_names_its_seed(client):
    tournament = cast.tournament(tie_breaks=("hands-won", "lot"))
    cast.play(tournament, 1)
    assert "The seed “cast” makes the random tie-break repeatable." in text_of(page(client, "standings", tournament))


# Bracket


def test_the_bracket_shows_each_published_round_with_its_points(client, played):
    listed = page(client, "bracket", played).context["bracket"].rounds
    assert [listed_round.title for listed_round in listed] == ["Round 1", "Round 2", "Round 3"]
    points = {(row["round"], row["player"]): row["points_for"] for row in table_of(client, "rounds_csv", played)}
    for number, listed_round in enumerate(listed[:2], 1):
        sides = [side for table in listed_round.tables for side in table.sides]
        assert len(sides) == 4
        assert all(side.text == points[str(number), name] for side in sides for name, _is_lit in side.people)
    assert listed[2].tables[0].progress == "Scheduled"


def test_the_bracket_lights_the_way_of_one_player(client, played):
    zoe = cast.entry(played, "Zoë")
    response = page(client, "bracket", played, player=zoe.public_id)
    assert response.content.decode().count('class="mine"') == 2
    assert "path of Zoë" in text_of(response)


def test_the_organiser_sees_drafts_in_the_bracket_called_so(organiser_client, played):
    response = page(organiser_client, "bracket", played)
    titles = [listed_round.title for listed_round in response.context["bracket"].rounds]
    assert titles == ["Round 1", "Round 2", "Round 3", *(f"Round {number}, draft" for number in range(4, 8))]
    assert "Round 7, draft" in text_of(response)


def test_a_long_tournament_is_shown_some_rounds_at_a_time(client):
    tournament = cast.tournament(25, hands_per_round=1)
    start(tournament=tournament, by=tournament.owner)
    Round.objects.filter(tournament=tournament).update(state=Round.State.PUBLISHED)
    shown = page(client, "bracket", tournament, **{"from": "10"}).context["bracket"]
    assert [listed_round.title for listed_round in shown.rounds] == [f"Round {number}" for number in range(10, 19)]
    assert [window.label for window in shown.windows] == ["1 to 9", "10 to 18", "19 to 25"]


# Hands


def test_hands_open_on_the_current_round_and_list_who_went_out(client, played):
    table = cast.table(played, 3, 2)
    cast.record(table, 1, 2, (7, 11, 0, 13))
    response = page(client, "hands", played)
    assert response.context["chosen"].number == 3
    (hand,) = response.context["tables"][1]["hands"]
    seats = list(table.seats.order_by("number").select_related("entry__player"))
    assert (hand["winner"]["player"], hand["points"], hand["source"]) == (seats[2].entry.player.name, 24, "Organiser")


def test_a_blocked_hand_says_that_nobody_went_out(client, played):
    cast.record(cast.table(played, 3, 1), 1, None, (310, 310, 310, 310))
    assert "No one: the hand was blocked" in text_of(page(client, "hands", played))


def test_hands_taken_back_are_for_the_organiser_who_asks(client, played):
    table = cast.table(played, 3, 1)
    cast.record(table, 1)
    hand = Hand.objects.get(table=table)
    hand.table.refresh_from_db()
    void_hand(hand_id=hand.pk, version=hand.table.version, reason="Wrong table", by=Attribution(played.owner))
    assert "taken back" not in text_of(page(client, "hands", played, all=1))
    assert len(table_of(client, "hands_csv", played, all=1)) == 2 * 2 * 4 * 4
    client.force_login(cast.organiser())
    assert "taken back" in text_of(page(client, "hands", played, all=1))
    rows = table_of(client, "hands_csv", played, all=1)
    assert len([row for row in rows if row["voided_at"]]) == 4


def test_only_organisers_get_a_link_to_correct(client, played):
    assert "Enter" not in text_of(page(client, "hands", played))
    client.force_login(cast.organiser())
    assert "Enter scores" in text_of(page(client, "hands", played, round=1))


# Fairness


def test_fairness_says_what_is_so_and_what_will_be(client, played):
    words = text_of(page(client, "fairness", played))
    assert "No repeated partners in 3 rounds." in words
    assert "By round 7, everyone will have played with each other player once and against them twice." in words
    assert "Organiser 16 hands" in words


def test_fairness_counts_published_rounds_only_even_for_the_organiser(organiser_client, played):
    for line in page(organiser_client, "fairness", played).context["fairness"].met.matrix.lines:
        cells = [cell.picture.split("-") for cell in line.cells if cell]
        assert (sum(int(partnered) for _met, partnered, _ in cells), sum(int(cell[2]) for cell in cells)) == (3, 6)


# Scorecard


def test_a_scorecard_adds_up_to_the_standings(client, played):
    adjust(
        tournament=played,
        entry=cast.entry(played, "Farah"),
        points=-25,
        reason="Showed cards",
        round_number=1,
        by=played.owner,
    )
    for line in page(client, "standings", played).context["parts"][0][1]:
        card = card_of(played, played.entries.get(public_id=line.standing.entrant.id))
        assert card.hands.total + card.standing.adjustments == line.standing.total
    words = text_of(page(client, "scorecard", played, cast.entry(played, "Farah").public_id))
    assert words.startswith("Farah Autumn Pairs")
    assert "Showed cards Round 1 −25" in words


def test_a_scorecard_rings_what_the_player_did_and_says_which_hand_is_next(client, played):
    table = cast.table(played, 3, 1)
    first = table.seats.get(number=0).entry
    cast.record(table, 1, 0, (0, 20, 5, 20))
    response = page(client, "scorecard", played, first.public_id)
    line = response.context["card"].hands.lines[2]
    assert [(cell.points, cell.went_out, cell.now) for cell in line.cells[:2]] == [
        (40, True, False),
        (None, False, True),
    ]
    assert "Next: hand 2 of 4." in text_of(response)
    assert '<b class="ringed">40</b>' in response.content.decode()


def test_a_scorecard_does_not_tell_of_drafts(played):
    lines = card_of(played, cast.entry(played, "Zoë")).hands.lines
    assert [line.seat.round for line in lines] == [1, 2, 3]


def test_partners_are_listed_by_points_made_together(client, played):
    zoe = cast.entry(played, "Zoë")
    partners = card_of(played, zoe).partners
    rows = [
        row
        for row in table_of(client, "rounds_csv", played)
        if row["player_id"] == zoe.public_id and row["round"] != "3"
    ]
    assert {(one.name, one.points) for one in partners} == {(row["partner"], int(row["points_for"])) for row in rows}
    assert [one.points for one in partners] == sorted((one.points for one in partners), reverse=True)


def test_a_player_of_another_tournament_is_not_found_here(client, played):
    other = cast.tournament(name="Another")
    stranger = cast.entry(other, "Zoë")
    assert page(client, "scorecard", played, stranger.public_id).status_code == 404
    assert page(client, "scorecard_csv", played, stranger.public_id).status_code == 404


def test_a_scorecard_csv_has_the_hands_of_that_player(client, played):
    zoe = cast.entry(played, "Zoë")
    rows = table_of(client, "scorecard_csv", played, zoe.public_id)
    assert rows == [row for row in table_of(client, "hands_csv", played) if row["player_id"] == zoe.public_id]
    assert len(rows) == 2 * 4


# Downloads


@pytest.mark.parametrize("table", TABLES)
def test_a_download_is_a_file_with_a_name(client, played, table):
    response = page(client, f"{table}_csv", played)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{played.slug}_{table}.csv"'
    with_mark = page(client, f"{table}_csv", played, bom=1)
    assert with_mark.content == b"\xef\xbb\xbf" + response.content


def test_the_form_of_the_last_download_is_remembered_for_links_and_the_plain_address_stays_csv(client, played):
    plain = page(client, "standings_csv", played)
    more, standings = reverse("more", args=[played.slug]), reverse("standings", args=[played.slug])
    for form, label in (("xlsx", b"Excel"), ("csv", b"CSV"), ("semicolons", b"CSV"), ("xlsx", b"Excel")):
        page(client, "hands_csv", played, format=form)
        for address in (more, standings):
            link = client.get(address).content.split(b'<span class="files">')[1].split(b"</a>")[0]
            assert f"format={form}".encode() in link and link.split(b">")[-1].strip() == label
        assert page(client, "standings_csv", played).content == plain.content
    client.get(reverse("api_standings", args=[played.slug]), {"format": "csv"})
    assert client.cookies["table_form"].value == "xlsx"


def test_an_unknown_form_of_file_is_refused_with_the_known_ones(client, played):
    refused = client.get(reverse("standings_csv", args=[played.slug]), {"format": "xls"})
    assert refused.status_code == 400
    assert refused.content.decode() == "format can be one of these: xlsx, csv, semicolons.\n"
    assert "table_form" not in client.cookies


@pytest.mark.parametrize("table", TABLES)
def test_every_form_of_a_table_has_the_same_cells(client, played, table):
    """Workbooks have numbers and days as such; written as text, they are the cells of the CSV."""
    lines = list(csv.reader(io.StringIO(page(client, f"{table}_csv", played).content.decode(), newline="")))
    semicolons = page(client, f"{table}_csv", played, format="semicolons")
    assert semicolons["Content-Disposition"] == f'attachment; filename="{played.slug}_{table}.csv"'
    text = semicolons.content.decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text, newline=""), delimiter=";")) == lines
    for response in (
        page(client, f"{table}_csv", played, format="xlsx"),
        client.get(reverse(f"api_{table}", args=[played.slug]), {"format": "xlsx"}) if table in API_TABLES else None,
    ):
        if response is not None:
            assert response["Content-Disposition"] == f'attachment; filename="{played.slug}_{table}.xlsx"'
            assert cells_of(response.content) == lines


def test_a_download_as_of_a_round_says_so_in_its_name(client, played):
    response = page(client, "standings_csv", played, as_of_round=1)
    assert f'filename="{played.slug}_standings_r1.csv"' in response["Content-Disposition"]
    assert {row["as_of_round"] for row in table_of(client, "standings_csv", played, as_of_round=1)} == {"1"}


@pytest.mark.parametrize("number", ["0", "4", "99", "x", "-1", "²", "9" * 30])
def test_as_of_a_round_that_is_none_is_refused_in_a_sentence(client, played, number):
    response = page(client, "standings_csv", played, as_of_round=number)
    assert response.status_code == 400
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == "as_of_round must be a round number from 1 to 3.\n"


def test_a_whole_evening_has_224_rows_of_hands(client):
    tournament = cast.play(cast.tournament())
    assert len(table_of(client, "hands_csv", tournament)) == 224


def test_addresses_and_birthdays_are_for_organisers(client, played):
    assert "ana@example.org" not in page(client, "players_csv", played, all=1).content.decode()
    client.force_login(cast.organiser())
    first = table_of(client, "players_csv", played)[0]
    assert (first["name"], first["email"], first["birthday"]) == ("Ana Lucía", "ana@example.org", "05-17")


def test_drafts_are_in_the_organisers_csv_when_they_ask(client, played):
    assert {row["round"] for row in table_of(client, "seating_csv", played, all=1)} == {"1", "2", "3"}
    client.force_login(cast.organiser())
    assert {row["round"] for row in table_of(client, "seating_csv", played, all=1)} == {
        str(number) for number in range(1, 8)
    }
    assert {row["round"] for row in table_of(client, "seating_csv", played)} == {"1", "2", "3"}


def test_the_log_is_for_organisers(client, played):
    assert page(client, "log_csv", played).status_code == 404
    client.force_login(cast.someone_else())
    assert page(client, "log_csv", played).status_code == 404
    client.force_login(cast.organiser())
    rows = table_of(client, "log_csv", played)
    assert list(rows[0]) == [
        "at",
        "by",
        "action",
        "round",
        "table",
        "hand",
        "old",
        "new",
        "reason",
        "number",
        "hash",
        "stage",
    ]
    assert {"create", "draw", "publish", "record", "close-round"} <= {row["action"] for row in rows}
    assert rows[-1]["by"] == "Olga"


def test_a_name_that_looks_like_a_formula_is_guarded_in_every_download(client, played):
    person = cast.entry(played, "Zoë").player
    person.name = "=1+1"
    person.save()
    assert "'=1+1" in [row["player"] for row in table_of(client, "standings_csv", played)]


# Any size


def test_markup_in_a_name_stays_text(client, played):
    person = cast.entry(played, "Zoë").player
    person.name = "<script>alert(1)</script>"
    person.save()
    urls = [reverse(name, args=[played.slug]) for name in PAGES]
    urls.append(reverse("scorecard", args=[played.slug, cast.entry(played, person.name).public_id]))
    for url in [*urls, reverse("seating", args=[played.slug]) + "?q=<script>alert(2)"]:
        assert "<script>alert" not in client.get(url).content.decode()


def test_more_players_and_rounds_do_not_mean_more_queries(client, django_assert_max_num_queries):
    small = cast.play(cast.tournament(name="Small"), 1)
    large = cast.play(cast.tournament(12, name="Large"), 3)

    def opens(name, made):
        page(client, name, made, *([cast.entry(made, "Zoë").public_id] if name == "scorecard" else []))

    for name in (*PAGES, "scorecard"):
        with django_assert_max_num_queries(100) as counted:
            opens(name, small)
        with django_assert_max_num_queries(len(counted), info=name):
            opens(name, large)


def test_the_standings_have_the_hands_played_as_soon_as_their_numbers_differ(client):
    made = cast.play(cast.tournament(9), rounds=1)
    column = '<th scope="col">Hands</th>'
    page = client.get(f"/t/{made.slug}/standings/").content.decode()
    assert column in page and page.count("<td>4</td>") == 8 and page.count("<td>0</td>") == 1
    even = cast.play(cast.tournament(8), rounds=1)
    assert column not in client.get(f"/t/{even.slug}/standings/").content.decode()


def test_a_scorecard_explains_no_figures_before_the_first_hand(client):
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    card = ("scorecard", made, cast.entry(made, "Farah").public_id)
    assert "the opponents won" not in text_of(page(client, *card))
    cast.record(cast.table(made, 1, 1), 1)
    cast.record(cast.table(made, 1, 2), 1)
    assert "the opponents won" in text_of(page(client, *card))


def test_a_final_event_is_not_live(client):
    made = cast.tournament(rounds=1)
    cast.play(made)
    assert "live-final" not in page(client, "standings", made).content.decode()
    close_tournament(tournament=made, by=made.owner)
    assert 'class="live live-final"' in page(client, "standings", made).content.decode()
