"""A knockout that forgives one loss, with what happens on an evening: second finals, people who leave, corrections."""

import re

import pytest

from games.hands.repair_preview import diff_of, save
from games.hands.repairs import KEEP, UNDO
from league.day.entrants import come_back, drop_out
from league.day.people import leaving_a_duel
from league.models import Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import next_step, start
from league.rounds.tables import close_table
from league.standings import read as ledger
from tests import cast
from tests.games.hands.test_knockout_people import EVEN, correction_of, places

pytestmark = pytest.mark.django_db


def made_of(players, losses=2) -> Tournament:
    made = cast.tournament(players, format="knockout", hands_per_round=1, losses=losses)
    start(tournament=made, by=made.owner)
    return cast.again(made)


@pytest.fixture
def made() -> Tournament:
    return made_of(4)


def sides(made, number):
    """{name: (number of the table, None for a free round; whether they have lost once)}"""
    seats = made.rounds.living().get(number=number).seats.all()
    return {
        name: (table, lost)
        for name, table, lost in seats.values_list("entry__player__name", "table__number", "has_lost")
    }


def play(made, number, *upsets):
    """The first seat wins at each table, but at those that are named, and the next round is published."""
    for table in made.rounds.living().get(number=number).tables.order_by("number"):
        cast.record(table, 1, int(table.number in upsets), EVEN)
    cast.go_on(made)
    if next_step(made).kind == "publish":
        cast.go_on(made)


def test_who_loses_once_plays_on_and_may_still_win(made):
    assert sides(made, 1) == {"Ana Lucía": (1, False), "Đorđe": (1, False), "Benoît": (2, False), "Chidi": (2, False)}
    play(made, 1, 1)  # Đorđe beats Ana Lucía
    assert sides(made, 2) == {"Benoît": (1, False), "Đorđe": (1, False), "Ana Lucía": (2, True), "Chidi": (2, True)}
    assert list(made.rounds.get(number=2).tables.order_by("number").values_list("ladder", flat=True)) == [1, 2]
    play(made, 2)
    assert sides(made, 3) == {"Benoît": (None, False), "Ana Lucía": (1, True), "Đorđe": (1, True)}
    play(made, 3)
    assert sides(made, 4) == {"Benoît": (1, False), "Ana Lucía": (1, True)}
    play(made, 4, 1)
    assert sides(made, 5) == {"Benoît": (1, True), "Ana Lucía": (1, True)}  # once more: it was the first loss of both
    play(made, 5)
    assert next_step(made).kind == "finish"
    assert places(made) == {"Ana Lucía": 1, "Benoît": 2, "Đorđe": 3, "Chidi": 4}
    rows = list(EXPORTS["standings"].rows(made, Wanted()))
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]


def test_there_is_no_second_final_where_the_winners_side_wins_the_first_or_one_was_agreed_on(made):
    for number in (1, 2, 3, 4):
        play(made, number)
    assert next_step(made).kind == "finish" and places(made)["Ana Lucía"] == 1
    other = made_of(4, losses=3)
    for number in (1, 2, 3):
        play(other, number)
    play(other, 4, 1)
    assert next_step(other).kind == "finish"
    assert places(other) == {"Benoît": 1, "Ana Lucía": 2, "Chidi": 3, "Đorđe": 4}


def test_a_second_final_is_there_no_more_when_a_correction_makes_it_needless(made):
    for number in (1, 2, 3):
        play(made, number)
    for table in made.rounds.get(number=4).tables.all():
        cast.record(table, 1, 1, EVEN)
    cast.go_on(made)
    assert next_step(made).token == "publish-5"
    table, correction = correction_of(cast.table(made, 4, 1), 0)
    diff = diff_of(made, table, correction)
    assert "The draft of round 5 is deleted." in diff.keeps.sentence
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert next_step(made).kind == "finish" and not made.rounds.living().filter(number=5).exists()
    assert places(made)["Ana Lucía"] == 1


def test_a_correction_of_a_round_that_is_over_keeps_who_sits_where_or_undoes(made):
    play(made, 1)
    table, correction = correction_of(cast.table(made, 1, 1), 1)
    diff = diff_of(made, table, correction)
    assert [choice.repair for choice in diff.choices] == [KEEP, UNDO]
    save(made, correction, KEEP, diff.keeps.moves.digest)
    assert sides(made, 2)["Ana Lucía"] == (1, False) and sides(made, 2)["Đorđe"] == (2, True)
    play(made, 2)
    assert sides(made, 3) == {"Ana Lucía": (None, False), "Benoît": (1, True), "Chidi": (1, True)}


def test_a_draft_follows_a_correction_to_the_other_side():
    made = made_of(3)  # Ana Lucía sits out; the loser of the only duel has a free round then
    cast.record(cast.table(made, 1, 1), 1, 0, EVEN)
    cast.go_on(made)
    assert sides(made, 2) == {"Ana Lucía": (1, False), "Benoît": (1, False), "Chidi": (None, True)}
    _table, correction = correction_of(cast.table(made, 1, 1), 1)
    correction.save(KEEP)
    assert sides(made, 2) == {"Ana Lucía": (1, False), "Chidi": (1, False), "Benoît": (None, True)}


def test_who_leaves_strands_nobody_on_either_side(made):
    play(made, 1)
    drop_out(tournament=made, entry=cast.entry(made, "Benoît"), by=made.owner)  # in the winners' final
    cast.record(cast.table(made, 2, 2), 1, 0, EVEN)
    cast.go_on(made)
    assert sides(made, 3) == {"Ana Lucía": (1, False), "Chidi": (1, True)}
    cast.go_on(made)
    play(made, 3)
    assert next_step(made).kind == "finish"
    assert places(made) == {"Ana Lucía": 1, "Chidi": 2, "Benoît": 3, "Đorđe": 4}
    assert "dropped" in {line.entrant.status for line in ledger.read(made).standings()}


def test_what_a_correction_would_have_changed_is_what_undoing_changes():
    made = made_of(8)
    play(made, 1)
    play(made, 2)
    table, correction = correction_of(cast.table(made, 2, 1), 1)
    diff = diff_of(made, table, correction)
    assert {(person.player, person.was, person.will) for person in diff.elsewhere} == {
        ("Ana Lucía", None, 2),
        ("Đorđe", 2, None),
    }
    assert {person.why for person in diff.elsewhere} == {"Had a bye", "Table 2 has not started"}
    moved = {seat.player for seat in diff.choices[1].moves.reseated if seat.was is not None or seat.will is not None}
    assert {"Ana Lucía", "Đorđe"} <= moved


def test_a_lot_that_decides_is_said(made, olga):
    close_table(tournament=made, round_number=1, number=1, reason="The hall closes", by=made.owner)
    cast.record(cast.table(made, 1, 2), 1, 0, EVEN)
    cast.go_on(made)
    said = olga.get(f"/t/{made.slug}/").content.decode()
    assert re.search(r"a random tie-break decided: (Đorđe and Ana Lucía|Ana Lucía and Đorđe)\.", said)


def finals(client, made):
    """{title of a column with a final: [(classes, words) of the two]}"""
    page = " ".join(client.get(f"/t/{made.slug}/bracket/").content.decode().split())
    found = {}
    for column in page.split('<section class="bk-col"')[1:]:
        title = re.sub(r"<[^>]+>", "", re.search(r"<h3>(.*?)</h3>", column)[1]).strip()
        rows = re.findall(r'<li class="(.*?)" *>(.*?)</li>', column)
        if title in ("Final", "Second final"):
            found[title] = [(" ".join(one.split()), re.sub(r"<[^>]+>", " ", body).split()) for one, body in rows]
    return found


def test_whether_a_second_final_follows_is_said_and_it_goes_when_one_of_the_two_leaves(made, olga):
    for number in (1, 2, 3):
        play(made, number)
    assert "Closing the round shows whether a second final follows" in olga.get(f"/t/{made.slug}/").content.decode()
    assert list(finals(olga, made)) == ["Final", "Second final"]
    cast.record(cast.table(made, 4, 1), 1, 1, EVEN)
    assert "Closing the round shows whether a second final follows." in olga.get(f"/t/{made.slug}/").content.decode()
    cast.go_on(made)
    assert leaving_a_duel(cast.entry(made, "Benoît")) == ["Ana Lucía wins."]
    drop_out(tournament=made, entry=cast.entry(made, "Benoît"), by=made.owner)  # who has won the first one
    assert next_step(made).kind == "finish"
    [(title, rows)] = finals(olga, made).items()
    assert title == "Final" and [classes for classes, _words in rows] == ["won", "off"]
    assert "Ana Lucía winner" in " ".join(rows[0][1]) and "left" in rows[1][1]


def test_who_has_not_lost_and_leaves_during_the_final_has_lost_it_all(made, olga):
    for number in (1, 2, 3):
        play(made, number)
    drop_out(tournament=made, entry=cast.entry(made, "Ana Lucía"), by=made.owner)
    cast.go_on(made)
    assert next_step(made).kind == "finish" and places(made)["Benoît"] == 1
    [(_title, rows)] = finals(olga, made).items()
    assert [classes for classes, _words in rows] == ["off", "won"]


def test_who_has_won_and_left_is_shown_so_and_no_setting_speaks_of_what_is_not_played(made, olga):
    for table in made.rounds.get(number=1).tables.all():
        cast.record(table, 1, 0, EVEN)
    cast.go_on(made)
    drop_out(tournament=made, entry=cast.entry(made, "Ana Lucía"), by=made.owner)
    cast.go_on(made)
    page = " ".join(olga.get(f"/t/{made.slug}/bracket/").content.decode().split())
    first = page.split('<article class="bk-table')[1]
    assert "Ana Lucía" in first and "<small>left</small>" in first
    assert "Third place" not in olga.get(f"/t/{made.slug}/settings/").content.decode()


def test_a_free_round_is_no_table_of_one(made, olga):
    for number in (1, 2):
        play(made, number)
    assert "1 to 2 players" not in olga.get(f"/t/{made.slug}/fairness/").content.decode()


def test_of_two_finalists_who_have_left_the_first_to_return_has_won(made):
    for number in (1, 2):
        play(made, number)
    cast.record(cast.table(made, 3, 1), 1, 0, EVEN)
    cast.go_on(made)
    for name in ("Ana Lucía", "Benoît"):
        drop_out(tournament=made, entry=cast.entry(made, name), by=made.owner)
    come_back(tournament=made, entry=cast.entry(made, "Benoît"), by=made.owner)
    assert next_step(made).kind == "finish" and places(made)["Benoît"] == 1
    come_back(tournament=made, entry=cast.entry(made, "Ana Lucía"), by=made.owner)
    assert next_step(made).token == "draw-4"  # the final is to be played after all
    cast.go_on(made)
    assert sides(made, 4) == {"Ana Lucía": (1, False), "Benoît": (1, True)}
