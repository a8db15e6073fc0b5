"""Evenings of Swiss and round robin through the services: what the formats are asked, and what the pages say."""

import csv
import io
from collections import Counter
from itertools import combinations

import pytest
from django.core.management import call_command
from django.test import Client

from games.hands.repairs import undo_round
from league.day.entrants import come_back, drop_out, enter_late
from league.day.wishes import keep_apart
from league.ledger.field import field_of, rounds_planned
from league.ledger.in_words import rounds_in_all
from league.lib.errors import Refused
from league.log.audit import verify
from league.models import Adjustment, Entry, Seat, Tournament
from league.rounds.adjustments import adjust, void_adjustment
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import advance, next_step, start
from league.standings import read as ledger
from tests import cast

pytestmark = pytest.mark.django_db


def swiss(players=8, **settings):
    return cast.tournament(players, **({"format": "swiss", "name": "Swiss Night", "table_size": 2} | settings))


def round_robin(players=8, **settings):
    return cast.tournament(players, **({"format": "round_robin", "name": "Round Table", "table_size": 2} | settings))


def close(made):
    """Bots play what is open, and the round is closed."""
    cast.play_challenge(made, rounds=1)
    step = next_step(made)
    assert step.kind == "close"
    advance(tournament=made, token=step.token, by=made.owner)
    made.refresh_from_db()


def tables_of(played):
    """Who sits together, by public id, table by table."""
    tables = {}
    for seat in Seat.objects.filter(round=played).exclude(table=None).select_related("entry", "table"):
        tables.setdefault(seat.table.number, set()).add(seat.entry.public_id)
    return [tables[number] for number in sorted(tables)]


def totals(made):
    return {line.entrant.id: line.total for line in ledger.read(made).standings()}


def pages(made, *more):
    client = Client()
    client.force_login(made.owner)
    shown = {}
    for path in ("", "standings/", "seating/", "hands/", "players/", "fairness/", "rounds/", "manage/", "prints/",
                 "settings/", "log/", "screen/", "bracket/", *more):  # fmt: skip
        answer = client.get(f"/t/{made.slug}/{path}")
        assert answer.status_code == 200, path
        shown[path] = answer.content.decode(errors="replace")
    return shown


@pytest.mark.parametrize("scoring", ["winner-takes", "lowest-total"])
def test_in_a_swiss_the_best_meet_in_round_2_and_nobody_meets_again(scoring):
    made = swiss(8, scoring=scoring, hands_per_round=2)
    start(tournament=made, by=made.owner)
    close(made)
    first, second = (tables_of(played) for played in made.rounds.order_by("number"))
    after = {line.entrant.id: line.by_round.get(1, 0) for line in ledger.read(made).standings()}
    shown = pages(made)["seating/"]
    assert "Reason for this seating" in shown
    in_second = sorted(after[player] for player in second[0])
    assert f"Before this round: {in_second[0]} to {in_second[1]} points; no earlier meetings." in shown
    leader = max(after, key=after.get) if scoring == "winner-takes" else min(after, key=after.get)
    assert leader in second[0]
    assert not any(set(pair) <= table for table in first for other in second for pair in combinations(other, 2))


def test_points_beside_the_hands_seat_people_too_and_tie_breaks_never_do():
    made = swiss(8, hands_per_round=1)
    start(tournament=made, by=made.owner)
    last = cast.entry(made, "Zoë")
    adjust(tournament=made, entry=last, points=900, reason="x", round_number=1, by=made.owner)
    close(made)
    assert last.public_id in tables_of(made.rounds.get(number=2))[0]


def test_an_odd_one_sits_out_with_the_points_of_a_bye_and_the_next_time_somebody_else():
    made = swiss(5, hands_per_round=1, bye_points=7, rounds=4)
    start(tournament=made, by=made.owner)
    for _round in range(3):
        close(made)
    sat_out = list(Seat.objects.filter(round__tournament=made, table=None).order_by("round__number"))
    assert len({seat.entry_id for seat in sat_out}) == 4
    paid = Adjustment.objects.filter(kind=Adjustment.Kind.BYE, voided_at=None)
    assert {(one.entry_id, one.points) for one in paid} == {(seat.entry_id, 7) for seat in sat_out}
    assert "bye" in pages(made)["seating/"].lower()


def test_who_comes_late_plays_on_with_0_and_who_leaves_makes_no_round_fewer():
    made = swiss(17, table_size=4, hands_per_round=1)
    start(tournament=made, by=made.owner)
    stage = made.stages.get()
    assert (rounds_planned(stage), rounds_in_all(stage, 1)) == (5, 5)
    late = enter_late(tournament=made, name="Late", by=made.owner)
    for name in ("Zoë", "Chidi"):
        drop_out(tournament=made, entry=cast.entry(made, name), by=made.owner)
    close(made)
    assert Seat.objects.filter(round__number=2).count() == 16
    assert totals(made)[cast.entry(made, "Late").public_id] == 0
    assert (rounds_planned(stage), field_of(made, stage).rounds) == (5, 5)
    assert "Round 2 of 5" in pages(made, "race/")[""]
    come_back(tournament=made, entry=cast.entry(made, "Zoë"), by=made.owner)
    close(made)
    assert Seat.objects.filter(round__number=3).count() == 17
    assert late.pk


def test_a_swiss_is_not_seated_anew_by_a_search_that_knows_no_points():
    made = swiss(8)
    start(tournament=made, by=made.owner)
    with pytest.raises(Refused, match="The results decide the seats"):
        reseat_not_started(tournament=made, reason="x", by=made.owner)


def test_bots_play_both_from_a_shell_to_the_end(tmp_path):
    roster = tmp_path / "nine.txt"
    roster.write_text("\n".join(f"P{number}" for number in range(9)), encoding="utf-8")
    for key, more in (("swiss", ["--by-rank", "1"]), ("round_robin", ["--rounds", "3"])):
        out = io.StringIO()
        how = ["--name", key, "--format", key, "--players", str(roster), "--table-size", "3", "--hands", "1"]
        call_command("create_tournament", *how, *more, stdout=out)
        call_command("play", out.getvalue().strip(), "--seed", "3")
        made = Tournament.objects.get(slug=out.getvalue().strip())
        drawn = {"swiss": 4, "round_robin": 3}[key]
        assert made.rounds.living().count() == drawn
        rows = csv.DictReader(io.StringIO(Client().get(f"/t/{made.slug}/seating.csv").content.decode()))
        assert Counter(row["round"] for row in rows) == {str(number): 9 for number in range(1, drawn + 1)}


def test_a_round_robin_says_how_equally_everybody_meets_everybody():
    made = round_robin(5)
    start(tournament=made, by=made.owner)
    close(made)
    shown = pages(made, "odds/")
    assert "Of the whole schedule of 5 rounds: All pairs of players meet exactly once." in shown["fairness/"]
    assert "it is drawn by the seed" not in shown["fairness/"].lower()
    assert "Round 2 of 5" in shown[""]


def test_in_a_round_robin_a_stand_in_plays_for_who_leaves_until_a_late_entry_takes_the_seats():
    made = round_robin(9, table_size=3, hands_per_round=1)
    start(tournament=made, by=made.owner)
    drop_out(tournament=made, entry=cast.entry(made, "Zoë"), by=made.owner)
    assert Entry.objects.filter(tournament=made, status=Entry.Status.STANDIN).count() == 1
    enter_late(tournament=made, name="Late", by=made.owner)
    late = cast.entry(made, "Late")
    assert late.seats.count() == 4  # those of the stand-in, all rounds
    enter_late(tournament=made, name="Later", by=made.owner)  # with whom the drafts are drawn again
    later = cast.entry(made, "Later")
    assert later.seats.count() == 3
    assert [sorted(map(len, tables_of(played))) for played in made.rounds.order_by("number")[1:]] == [[3, 3, 4]] * 3
    close(made)
    pages(made, "prints/slips.pdf", "prints/by-table.pdf", f"players/{later.public_id}/")


def test_in_a_round_robin_nobody_can_be_kept_apart():
    made = round_robin(8)
    one, other = cast.entry(made, "Zoë"), cast.entry(made, "Chidi")
    with pytest.raises(Refused, match="All players meet in this format"):
        keep_apart(tournament=made, entry=one, other=other, by=made.owner)


def test_nobody_can_be_kept_apart_from_themselves():
    made = swiss(8)
    with pytest.raises(Refused, match="Choose two different players"):
        keep_apart(tournament=made, entry=cast.entry(made, "Zoë"), other=cast.entry(made, "Zoë"), by=made.owner)


def test_the_page_of_a_new_tournament_counts_meetings_along():
    client = Client()
    client.force_login(cast.organiser())
    typed = {"players": "\n".join(f"P{number}" for number in range(9)), "edition": "classic", "name": "x"}
    asked = typed | {"format": "round_robin", "table_size": "3", "hands_per_round": "4"}
    assert "All pairs of players meet exactly once." in client.post("/new/evening/", asked).content.decode()
    asked = typed | {"format": "swiss", "table_size": "3", "hands_per_round": "4", "rounds": "6"}
    assert "From round 5, some players meet again" in client.post("/new/evening/", asked).content.decode()


def test_a_draft_is_drawn_again_when_the_points_it_was_drawn_by_change():
    made = swiss(8, hands_per_round=1)
    start(tournament=made, by=made.owner)
    close(made)
    undo_round(tournament=made, round_number=2, reason="x", by=made.owner)
    last = ledger.read(made).standings()[-1].entrant.id
    assert last not in tables_of(made.rounds.living().get(number=2))[0]
    adjust(
        tournament=made, entry=made.entries.get(public_id=last), points=900, reason="x", round_number=1, by=made.owner
    )
    assert last in tables_of(made.rounds.living().get(number=2))[0]


def test_the_worth_of_a_bye_is_not_taken_back_as_points_are():
    made = swiss(5, hands_per_round=1, bye_points=7, rounds=4, table_size=2)
    start(tournament=made, by=made.owner)
    bye = Adjustment.objects.get(kind="bye", voided_at=None)
    with pytest.raises(Refused, match="points of a bye"):
        void_adjustment(tournament=made, adjustment_id=bye.pk, by=made.owner)
    assert verify(made).faults == []
