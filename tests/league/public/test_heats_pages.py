"""An evening of heats as its organiser and its players see it, from the card on the page to the final."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from league.day.entrants import drop_out
from league.entries.list_order import remove_entry
from league.ledger.progression import read_progression
from league.lib.errors import Refused
from league.models import Role, Table, Tournament
from league.rounds.steps import advance, next_step
from league.rounds.tables import swap_seats
from league.standings import read as ledger
from tests import cast, pdf_text
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db

NAMES = "\n".join(f"Player {number}" for number in range(1, 10))


@pytest.fixture
def olga():
    client = Client()
    client.force_login(cast.organiser())
    return client


def press(olga, made):
    answer = olga.post(f"/t/{made.slug}/advance/", {"step": olga.get(f"/t/{made.slug}/").context["now"].step.token})
    assert answer.status_code == 302, answer.content.decode()
    made.refresh_from_db()


def look(client, made, page=""):
    answer = client.get(f"/t/{made.slug}/{page}")
    assert answer.status_code == 200, page
    return " ".join(answer.content.decode().split())


def play(made, number):
    """Whoever has the first seat goes out twice, the second seat once, the third once, and nobody else."""
    for table in made.rounds.get(number=number).tables.order_by("number"):
        seats = table.seats.count()
        for hand, out in enumerate((0, 0, 1, 2), 1):
            cast.record(table, hand, out, tuple(10 for _seat in range(seats)))


@pytest.fixture
def made(olga):
    answer = olga.post("/new/", CREATE | {"format": "heats", "players": NAMES, "table_size": "4"})
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.get()


def test_the_way_to_the_final_is_drawn_before_it_is_made(olga):
    page = olga.post(
        "/new/evening/", CREATE | {"format": "heats", "players": NAMES, "ending": "final"}
    ).content.decode()
    assert "9 players. The best of each table and the next-best 1 advance" in page
    assert "Final of 4" in page and "8 to the final" in " ".join(page.split())


def test_before_the_first_round_the_page_of_the_rounds_has_the_way_to_the_final(olga, made):
    page = re.sub(r"<[^>]+>", " ", look(Client(), made, "bracket/"))
    assert "Round 1: 3 tables. The best of each table and the next-best 1 advance." in page
    assert "Round 2: 1 table. Final of 4." in page
    assert "Path to the final" not in look(Client(), cast.tournament(8), "bracket/")


def test_from_the_list_to_the_final(olga, made):
    press(olga, made)
    press(olga, made)
    assert [table.seats.count() for table in made.rounds.get(number=1).tables.order_by("number")] == [3, 3, 3]
    assert "No results yet" in look(Client(), made, "standings/")
    assert "Closing the round first shows you who advances" in look(olga, made)
    play(made, 1)
    assert "Closing the round first shows you who advances" in look(olga, made)
    assert "place 1 at table 2" in look(Client(), made, "standings/")
    press(olga, made)
    draft = made.rounds.get(number=2)
    assert (draft.state, draft.tables.count(), draft.seats.count()) == ("draft", 1, 4)
    assert next_step(made).token == "publish-2"
    now = look(olga, made)
    assert "Publish round 2" in now and "Qualified as next best:" in now
    assert "random tie-break decided:" in now and "If a player is missing, Player" in now
    assert "Qualified as next best" not in look(Client(), made)
    said = look(Client(), made, "standings/")
    assert said.count("qualified as next best") == 1
    assert "qualified as next best, by random tie-break" in said  # all tables were alike
    assert said.count("eliminated in round 1, place 2 at table") + said.count("place 3 at table") == 5
    assert "The best of each table and the next-best 1 advance." in said
    press(olga, made)
    play(made, 2)
    press(olga, made)
    press(olga, made)
    assert made.is_final
    winner = cast.table(made, 2, 1).seats.get(number=0).entry
    first = look(Client(), made, "standings/").partition("<tbody>")[2].partition("</tr>")[0]
    assert winner.player.name in first and "60" in first
    picture = look(Client(), made, "bracket/")
    assert "The final" in picture and "Eliminated players are grey" in picture
    assert f"<span>{winner.player.name}</span><small>winner</small>" in picture
    papers = {
        paper: pdf_text.text(olga.get(f"/t/{made.slug}/prints/{paper}.pdf").content)
        for paper in ("bracket", "standings", "crosstable")
    }
    assert "Cross: eliminated." in papers["bracket"] and "The final" in papers["bracket"]
    assert all(winner.player.name in text for text in papers.values())


@pytest.mark.parametrize(
    "page",
    ["", "standings/", "bracket/", "seating/", "hands/", "players/", "fairness/", "odds/", "rounds/", "manage/",
     "prints/", "settings/", "log/", "screen/", "standings.csv", "rounds.csv", "standings/?as_of_round=1"],
)  # fmt: skip
def test_every_page_shows_it_between_two_rounds(olga, made, page):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    press(olga, made)
    assert "Player 1" in look(olga, made, page) or page in (
        "odds/",
        "prints/",
        "settings/",
        "screen/",
        "fairness/",
        "rounds/",
    )


def test_a_player_reads_on_their_page_whether_they_are_through(olga, made):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    first = cast.table(made, 1, 1).seats.get(number=0).entry
    press(olga, made)
    last = made.entries.exclude(seats__round__number=2).first()
    assert "Qualified" in look(Client(), made, f"players/{first.public_id}/")
    assert "Eliminated in round 1, place" in look(Client(), made, f"players/{last.public_id}/")


# The picture


def rows_of(client, made, page="bracket/"):
    """The tables of the picture: (round and table, [(classes, name, note)])."""
    columns = look(client, made, page).split('<section class="bk-col" id="')[1:]
    found = {}
    for column in columns:
        column = column.partition("</section>")[0]
        for table in column.split('<article class="bk-table')[1:]:
            number = int(re.search(r"<h4>Table (\d+)</h4>", table)[1])
            rows = re.findall(
                r'<li class="([^"]*)">.*?<span class="bk-who"[^>]*><span>([^<]*)</span>(?:<small>([^<]*)</small>)?',
                table,
            )
            found[column.partition('"')[0], number] = [(set(of.split()), name, note) for of, name, note in rows]
    return found


def at(made, round_number, number, seat):
    return cast.table(made, round_number, number).seats.get(number=seat).entry.player.name


def test_the_final_is_drawn_before_anybody_is_in_it(olga, made):
    for _step in range(2):
        press(olga, made)
    picture = rows_of(Client(), made)
    assert [row[1:] for row in picture["round-2", 1]] == [
        ("Winner of table 1", ""), ("Winner of table 2", ""), ("Winner of table 3", ""), ("Next-best player", "")
    ]  # fmt: skip
    assert all(row[0] == {"pos"} for row in picture["round-2", 1])
    assert {of for rows in picture.values() for classes, *_row in rows for of in classes} == {"pos"}


def test_who_leads_stands_beside_a_place_and_who_is_through_is_in_it_while_the_round_goes_on(olga, made):
    for _step in range(2):
        press(olga, made)
    for hand, out in enumerate((0, 0, 1, 2), 1):
        cast.record(cast.table(made, 1, 1), hand, out, (10, 10, 10))
    cast.record(cast.table(made, 1, 2), 1, 1, (10, 10, 10))
    picture = rows_of(Client(), made)
    winner, leader = at(made, 1, 1, 0), at(made, 1, 2, 1)
    assert picture["round-1", 1][0] == ({"on"}, winner, "qualified")
    assert not any("on" in classes for classes, *_row in picture["round-1", 1][1:] + picture["round-1", 2])
    final = picture["round-2", 1]
    assert final[0] == ({"on"}, winner, "")
    assert final[1] == ({"pos"}, "Winner of table 2", f"{leader} leads")
    assert final[2] == ({"pos"}, "Winner of table 3", "")
    assert final[3][1] == "Next-best player" and final[3][2].startswith("now ")
    cuts = look(Client(), made, "bracket/").partition("cutlist")[2].partition("</table>")[0]
    assert cuts.count("<tr") == 3, "the head, and who is second where hands are in"


def test_a_disputed_table_sends_nobody_on_yet(olga, made):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    assert rows_of(Client(), made)["round-1", 1][0][2] == "qualified"
    made.rounds.get(number=1).tables.filter(number=1).update(state=Table.State.DISPUTED)
    assert rows_of(Client(), made)["round-1", 1][0][0] == set()


def test_between_the_rounds_everybody_sees_who_goes_on_and_by_what_the_others_were_parted(olga, made):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    press(olga, made)
    picture = rows_of(Client(), made)
    first = [row for (key, _table), rows in picture.items() if key == "round-1" for row in rows]
    on, lucky = [name for of, name, _note in first if "on" in of], [name for _of, name, note in first if note]
    assert len(on) == 4 and len(lucky) == 1 and set(lucky) < set(on)
    assert sorted(name for _of, name, _note in picture["round-2", 1]) == sorted(on)
    assert {"off"} in [of for of, *_row in picture["round-1", 1]]
    assert "A random tie-break, fixed before the start" in look(Client(), made, "bracket/"), "all tables were alike"


def test_the_way_of_one_player_is_lit_and_said(olga, made):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    for _step in range(2):
        press(olga, made)
    entry = cast.table(made, 1, 1).seats.get(number=0).entry
    picture = rows_of(Client(), made, f"bracket/?player={entry.public_id}")
    mine = [(key, name) for (key, _table), rows in picture.items() for of, name, _note in rows if "me" in of]
    assert mine == [("round-1", entry.player.name), ("round-2", entry.player.name)]
    page = look(Client(), made, f"bracket/?player={entry.public_id}")
    assert page.count('class="mine"') == 1 and f"bracket.svg?player={entry.public_id}" in page
    assert 'class="mine"' not in look(Client(), made, "bracket/")


def test_an_account_that_plays_sees_its_own_way_unless_it_asks_for_another(olga, made):
    for _step in range(2):
        press(olga, made)
    entry, other = made.entries.order_by("number")[:2]
    sven = cast.someone_else()
    made.roles.create(user=sven, kind=Role.Kind.PLAYER, entry=entry)
    client = Client()
    client.force_login(sven)

    def lit(page):
        return [name for rows in rows_of(client, made, page).values() for of, name, _note in rows if "me" in of]

    assert lit("bracket/") == [entry.player.name]
    assert lit(f"bracket/?player={other.public_id}") == [other.player.name]
    assert lit("bracket/?player=") == []


def test_a_second_ladder_is_a_picture_of_its_own_on_the_page_and_on_paper(olga):
    wanted = CREATE | {"format": "heats", "players": "\n".join(cast.CAST), "table_size": "4", "after_round_1": "2"}
    assert olga.post("/new/", wanted).status_code == 302
    made = Tournament.objects.get()
    for _step in range(2):
        press(olga, made)
    assert [row[1] for row in rows_of(Client(), made)["round-2-2", 2]] == ["4 places"]
    play(made, 1)
    for _step in range(2):
        press(olga, made)
    picture = rows_of(Client(), made)
    first = {name for _of, name, _note in picture["round-2", 1]}
    second = {name for _of, name, _note in picture["round-2-2", 2]}
    assert len(first) == len(second) == 4 and first | second == set(cast.CAST)
    paper = pdf_text.pages(olga.get(f"/t/{made.slug}/prints/bracket.pdf").content)
    assert [("Second ladder" in page.text) for page in paper] == [False, True]
    assert all(name in paper[1].text for name in second) and "Round 1" not in paper[1].text


NAMESPACE = "{http://www.w3.org/2000/svg}"


def svg_of(client, made, query=""):
    answer = client.get(f"/t/{made.slug}/bracket.svg{query}")
    assert answer.status_code == 200 and answer["Content-Type"] == "image/svg+xml"
    return ElementTree.fromstring(answer.content.decode())


def texts(svg):
    return ["".join(text for text in one.itertext()) for one in svg.iter(f"{NAMESPACE}text")]


def test_the_picture_as_a_file_needs_nothing_else(olga, made):
    for _step in range(2):
        press(olga, made)
    play(made, 1)
    long = made.entries.order_by("number").first()
    long.player.name = "Maximiliane-Theodora von und zu Hohenfels & Söhne <Wildenstein>"
    long.player.save()
    svg = svg_of(Client(), made, f"?player={long.public_id}")
    elements = {one.tag.removeprefix(NAMESPACE) for one in svg.iter()}
    assert elements == {"svg", "rect", "path", "text", "tspan", "title"}
    assert not [name for one in svg.iter() for name in one.attrib if "href" in name or name in ("style", "class")]
    assert long.player.name in [one.text.partition(", ")[0] for one in svg.iter(f"{NAMESPACE}title")]
    shown = texts(svg)
    assert "Round 1" in shown and "The final" in shown and sum("qualified" in text for text in shown) == 4
    inside = [float(one.get("x")) < float(svg.get("width")) for one in svg.iter(f"{NAMESPACE}text")]
    assert all(inside) and svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"


def test_numbers_of_the_file_are_the_same_in_every_language(olga, made):
    for _step in range(2):
        press(olga, made)
    client = Client(headers={"accept-language": "fr"})
    svg = svg_of(client, made)
    numbers = [value for one in svg.iter() for name, value in one.attrib.items() if name in ("x", "y", "stroke-width")]
    assert numbers and all(float(number) >= 0 for number in numbers)
    assert "La finale" in texts(svg), "and not the word for standings that are final"


def test_the_seating_says_by_which_places_people_came_to_a_table(olga):
    many = "\n".join(row.name for row in cast.people(16))
    assert olga.post("/new/", CREATE | {"format": "heats", "players": many, "table_size": "4"}).status_code == 302
    made = Tournament.objects.get()
    press(olga, made)
    press(olga, made)
    play(made, 1)
    press(olga, made)
    press(olga, made)
    told = dict(olga.get(f"/t/{made.slug}/seating/?round=2").context["reasons"])
    order = read_progression(made, made.stage).state_at(1).still_in
    tables = list(made.rounds.get(number=2).tables.all())
    assert len(tables) == 2 and len(order) == 8
    for table in tables:
        seats = table.seats.values_list("entry__public_id", flat=True)
        *first, last = sorted(order.index(entry) + 1 for entry in seats)
        assert told[table.number].startswith(f"Seeds {', '.join(map(str, first))} and {last} of 8, by current")


def test_where_nobody_can_come_in_the_page_says_so_and_has_no_form(olga, made):
    press(olga, made)
    press(olga, made)
    seen = look(olga, made, "day/late/")
    assert "Results decide who advances, so late entries aren’t possible" in seen and 'name="total"' not in seen


def typed(players, **more):
    """What the page of a new tournament is sent for heats of so many at tables of four."""
    names = "\n".join(f"Player {number}" for number in range(1, players + 1))
    return CREATE | {"format": "heats", "players": names, "table_size": "4", "hands_per_round": "4"} | more


def begun(olga, players, **more):
    """Made on the page, and round 1 published."""
    assert olga.post("/new/", typed(players, **more)).status_code == 302
    made = Tournament.objects.get()
    press(olga, made)
    press(olga, made)
    return made


@pytest.fixture
def with_byes(olga):
    """Eleven, of whom the first on the list sits out round 1: four with the winners of three tables."""
    way = olga.post("/new/evening/", typed(11, byes="1", ending="final")).content.decode()
    assert "The best of each table advances, with 1 bye" in way
    return begun(olga, 11, byes="1")


def test_who_sits_out_so_that_the_final_is_full_goes_on(olga, with_byes):
    first = cast.entry(with_byes, "Player 1")
    assert [seat.table for seat in first.seats.all()] == [None]
    bracket = look(Client(), with_byes, "bracket/")
    final = re.sub(r"<[^>]+>", " ", bracket.partition("The final")[2])
    assert "with 1 bye. Byes: Player 1." in bracket and "Player 1 " in final
    assert "a bye in round 1" not in look(Client(), with_byes, "standings/")  # nobody has played yet
    play(with_byes, 1)
    assert "a bye in round 1" in look(Client(), with_byes, "standings/")
    press(olga, with_byes)
    assert re.search(r"<p>Qualified: [^<]*\bPlayer 1(,| and)[^<]*\.</p>", look(olga, with_byes))
    press(olga, with_byes)
    final = with_byes.rounds.get(number=2).seats.values_list("entry__player__name", flat=True)
    assert "Player 1" in final and len(final) == 4
    paper = pdf_text.text(olga.get(f"/t/{with_byes.slug}/prints/bracket.pdf").content)
    assert "Bye\nPlayer 1" in paper


def test_for_who_sat_out_and_does_not_come_the_best_of_the_others_moves_up(olga, with_byes):
    play(with_byes, 1)
    press(olga, with_byes)
    drop_out(tournament=with_byes, entry=cast.entry(with_byes, "Player 1"), by=with_byes.owner)
    seats = with_byes.rounds.living().get(number=2).seats
    assert seats.count() == 4 and not seats.filter(entry__player__name="Player 1").exists()
    line = read_progression(with_byes, with_byes.stage).state.lines[cast.entry(with_byes, "Player 1").public_id]
    assert (line.status, line.round, line.table) == ("dropped", 1, None)
    assert "withdrew in round 1" in look(Client(), with_byes, "standings/")


@pytest.fixture
def with_repechage(olga):
    """Eight at two tables: their winners wait for the final, the others play round 2 at two tables of three."""
    way = " ".join(olga.post("/new/evening/", typed(8, after_round_1="1", ending="final")).content.decode().split())
    assert "The best of each table has a bye next round; all others play again" in way
    return begun(olga, 8, after_round_1="1")


def test_who_wins_in_round_1_waits_and_who_does_not_plays_once_more(olga, with_repechage):
    made = with_repechage
    to_come = look(Client(), made, "bracket/")
    assert "Round 2, repechage" in to_come and "All except the winners of tables 1 to 2, who have a bye." in to_come
    play(made, 1)
    winners = [cast.table(made, 1, number).seats.get(number=0).entry.player.name for number in (1, 2)]
    assert "through</span>" not in look(Client(), made, "standings/")
    press(olga, made)
    now = look(olga, made)
    assert re.search(rf"Bye in the next round: ({winners[0]} and {winners[1]}|{winners[1]} and {winners[0]})\.", now)
    assert "Play again:" in now and "Qualified as next best" not in now
    standings = look(Client(), made, "standings/")
    assert standings.count("plays again") == 6 and "eliminated in round" not in standings.partition("<tfoot>")[0]
    press(olga, made)
    seated = made.rounds.get(number=2).seats
    assert set(seated.filter(table=None).values_list("entry__player__name", flat=True)) == set(winners)
    assert seated.exclude(table=None).count() == 6
    picture = look(Client(), made, "bracket/")
    assert "Byes: " in picture and picture.count("<small>plays again</small>") == 6
    lines = ledger.read(made).standings()
    waiting = [line for line in lines if line.entrant.name in winners]
    assert [line.rank for line in waiting] == [1, 2] and all(line.total for line in waiting), "as round 1 left them"
    top = olga.get(f"/t/{made.slug}/").context["now"].top_five
    assert all(row.points != "0" for row in top), "of round 2 there is no hand yet, so these are of round 1"

    for table in made.rounds.get(number=2).tables.all():
        for hand in range(1, 5):
            cast.record(table, hand, 1, (10, 10, 10))
    press(olga, made)
    assert look(Client(), made, "standings/").count("eliminated in round 2") == 4
    press(olga, made)
    last = made.rounds.get(number=3)
    assert (last.tables.count(), last.seats.count()) == (1, 4)
    assert set(winners) < set(last.seats.values_list("entry__player__name", flat=True))
    paper = pdf_text.text(olga.get(f"/t/{made.slug}/prints/bracket.pdf").content)
    assert "Round 2, repechage" in paper and "The final" in paper


def test_for_a_winner_who_does_not_come_the_next_one_waits(olga, with_repechage):
    made = with_repechage
    play(made, 1)
    press(olga, made)
    gone, other = (cast.table(made, 1, number).seats.get(number=0).entry for number in (1, 2))
    drop_out(tournament=made, entry=gone, by=made.owner)
    draft = made.rounds.living().get(number=2).seats
    waiting = draft.filter(table=None).values_list("entry_id", flat=True)
    next_best = set(made.rounds.get(number=1).seats.filter(number__in=(1, 2)).values_list("entry_id", flat=True))
    assert len(waiting) == 2 and other.pk in waiting and next_best & set(waiting)
    assert draft.exclude(table=None).count() == 5


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"byes": "1"}, "A repechage has no byes in round 1"),
        ({"table_size": "9"}, "9 players at tables of 9 can’t play a repechage"),
        ({"rounds": "3"}, "9 players at tables of 4 need"),
    ],
)
def test_what_does_not_go_with_a_repechage_is_said_and_nothing_is_made(olga, more, why):
    answer = olga.post("/new/", typed(9, after_round_1="1") | more)
    assert answer.status_code == 422 and why in " ".join(answer.content.decode().split())
    assert not Tournament.objects.exists()


def test_where_one_of_eight_stays_away_five_play_the_repechage(olga):
    assert olga.post("/new/", typed(8, after_round_1="1")).status_code == 302
    made = Tournament.objects.get()
    remove_entry(tournament=made, entry=cast.entry(made, "Player 8"), by=made.owner)
    press(olga, made)
    press(olga, made)
    assert "has a bye next round; all others play again" in look(Client(), made, "bracket/")
    play(made, 1)
    press(olga, made)
    drawn = made.rounds.get(number=2)
    assert (drawn.seats.filter(table=None).count(), [table.seats.count() for table in drawn.tables.all()]) == (2, [5])
    press(olga, made)
    assert "1 table. The best 2 advance, with 2 byes." in look(Client(), made, "bracket/")


def test_where_those_who_would_wait_have_left_all_play_the_final_and_the_picture_has_one(olga):
    made = begun(olga, 6, after_round_1="1")
    play(made, 1)
    press(olga, made)
    for number in (1, 2):
        drop_out(tournament=made, entry=cast.table(made, 1, number).seats.get(number=0).entry, by=made.owner)
    for viewer in (olga, Client()):
        picture = look(viewer, made, "bracket/").partition("Show as a list")[0]
        assert picture.count("<h3>") == 2 and "The final" in picture and "repechage" not in picture
    press(olga, made)
    assert "2 tables. Everyone advances." in look(Client(), made, "bracket/")
    assert made.rounds.get(number=2).seats.exclude(table=None).count() == 4


def test_nobody_is_swapped_from_one_ladder_into_the_other(olga):
    made = begun(olga, 8, after_round_1="2")
    play(made, 1)
    press(olga, made)
    draft = made.rounds.living().get(number=2)
    one = draft.seats.filter(table__ladder=1).first().entry
    other = draft.seats.filter(table__ladder=2).first().entry
    with pytest.raises(Refused, match=r"One of them plays the second ladder. Choose two of one ladder"):
        swap_seats(tournament=made, round_number=2, one=one, other=other, reason="Chairs", by=made.owner)


def test_who_waits_is_not_swapped_with_somebody_who_plays(olga, with_repechage):
    made = with_repechage
    play(made, 1)
    press(olga, made)
    drawn = made.rounds.get(number=2)
    waits, plays = drawn.seats.filter(table=None)[0].entry, drawn.seats.exclude(table=None)[0].entry
    with pytest.raises(Refused, match=r"A bye was won in the round before. Choose two players with seats"):
        swap_seats(tournament=made, round_number=2, one=waits, other=plays, reason="Chairs", by=made.owner)


def leave_tables_short(made, table, stay):
    """Let all but `stay` players of a table of round 1 leave."""
    seats = cast.table(made, 1, table).seats.order_by("number").select_related("entry__player")
    left = [seat.entry for seat in seats]
    for entry in left[stay:]:
        drop_out(tournament=made, entry=entry, came=False, by=made.owner)
    return [entry.player.name for entry in left[:stay]]


def test_now_names_a_table_of_heats_whose_players_advance_unplayed_and_offers_to_draw_again(olga):
    made = cast.tournament(16, format="heats", table_size=4)
    cast.go_on(made)
    cast.go_on(made)
    assert "even if they don’t play" not in look(olga, made)
    one, other = leave_tables_short(made, 3, 2)
    page = look(olga, made)
    assert f"Table 3 has only 2 players: {one} and {other}. They advance even if they don’t play." in page
    assert f'action="/t/{made.slug}/day/redraw/"' in page and "Re-draw tables" in page
    assert "They advance even" not in look(Client(), made)
    preview = olga.post(f"/t/{made.slug}/day/redraw/", {})
    assert preview.status_code == 200
    digest = preview.context["moves"].digest
    olga.post(f"/t/{made.slug}/day/redraw/", {"shown": digest})
    assert "They advance even" not in look(olga, made)


def test_where_other_tables_have_begun_now_leads_to_undoing_the_round(olga):
    made = cast.tournament(16, format="heats", table_size=4)
    cast.go_on(made)
    cast.go_on(made)
    for number in (1, 2, 4):
        cast.record(cast.table(made, 1, number), 1, 0, (0, 10, 20, 30))
    [one] = leave_tables_short(made, 3, 1)
    page = look(olga, made)
    assert f"Table 3 has only one player: {one}, who advances without playing." in page
    assert "Re-draw tables" not in page
    assert f'href="/t/{made.slug}/manage/#undo-round"' in page


def test_before_the_next_round_is_published_now_still_names_who_advanced_unplayed(olga):
    made = cast.tournament(16, format="heats", table_size=4)
    cast.go_on(made)
    cast.go_on(made)
    one, other = leave_tables_short(made, 3, 2)
    for number in (1, 2, 4):
        for hand, out in enumerate((0, 0, 1, 2), 1):
            cast.record(cast.table(made, 1, number), hand, out, (10,) * 4)
    advance(
        tournament=made, token="close-1", by=made.owner, without=[cast.table(made, 1, 3).pk], reason="Two are missing"
    )
    page = look(olga, made)
    assert next_step(made).token == "publish-2"
    assert f"No one else came to table 3: {one} and {other} advance without having played." in page


def test_a_table_of_heats_that_has_played_a_hand_and_a_final_are_not_named(olga):
    made = cast.tournament(16, format="heats", table_size=4)
    cast.go_on(made)
    cast.go_on(made)
    cast.record(cast.table(made, 1, 3), 1, 0, (0, 10, 20, 30))
    for entry in [seat.entry for seat in cast.table(made, 1, 3).seats.order_by("number")][2:]:
        drop_out(tournament=made, entry=entry, by=made.owner)
    assert "They advance even" not in look(olga, made)
