"""Several stages in a row: rounds are numbered on, each stage has its own standings, and exports say which is which."""

import csv
import io

import pytest
from django.core.management import call_command
from django.test import Client

from league.ledger.progress import tables_now
from league.lib.errors import Refused
from league.models import Round, Tournament
from league.odds.position import outlook_of
from league.public import snapshots
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import next_step, start
from league.setup.stages.stage_plan import PlannedStage, set_stages
from league.standings import read as ledger
from league.standings.read_many import read_many
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Tournament:
    """Four players: pairs over two rounds of a hand, then a points race of two rounds of a hand, then a challenge."""
    then = [
        PlannedStage("points", settings={"rounds": 2, "hands_per_round": 1}),
        PlannedStage("challenge", settings={"target": 30}),
    ]
    return cast.tournament(4, rounds=2, hands_per_round=1, then=then)


def press(tournament: Tournament) -> None:
    cast.go_on(tournament)
    tournament.refresh_from_db()


def play_round(tournament: Tournament, number: int, went_out: int, points: tuple[int, ...]) -> None:
    for table in tournament.rounds.living().get(number=number).tables.all():
        cast.record(table, 1, went_out, points)


def pairs_played(tournament: Tournament) -> None:
    start(tournament=tournament, by=tournament.owner)
    for number in (1, 2):
        play_round(tournament, number, 0, (0, 10, 20, 30))
        press(tournament)


def all_played(tournament: Tournament) -> None:
    pairs_played(tournament)
    press(tournament)  # draw
    press(tournament)  # publish
    for number in (3, 4):
        play_round(tournament, number, 1, (5, 0, 5, 5))
        press(tournament)
    press(tournament)
    press(tournament)
    play_round(tournament, 5, 0, (0, 40, 40, 40))
    press(tournament)


def rows(tournament: Tournament, table: str, stage: int | None = None) -> list:
    return list(EXPORTS[table].rows(tournament, Wanted(stage=stage)))


def test_the_next_stage_is_drawn_when_one_is_over_and_its_rounds_are_numbered_on(made: Tournament) -> None:
    assert made.stage.number == 1
    pairs_played(made)
    assert next_step(made).token == "draw-3" and made.stage.number == 1
    press(made)
    assert made.stage.format == "points" and made.rounds.get(number=3).stage == made.stage
    assert list(made.stages.values_list("ended_at", flat=True))[1:] == [None, None]
    press(made)
    play_round(made, 3, 1, (5, 0, 5, 5))
    press(made)
    assert made.rounds.get(number=4).state == Round.State.PUBLISHED
    assert [stage.state for stage in made.stages.all()] == ["closed", "running", "planned"]


def test_each_stage_is_ranked_by_what_was_played_in_it(made: Tournament) -> None:
    pairs_played(made)
    first = {line.entrant.id: line.total for line in ledger.read(made).standings()}
    assert sum(first.values()) == 2 * 2 * 40 and all(line.hands_played == 2 for line in ledger.read(made).standings())
    press(made)
    press(made)
    assert all(line.total == 0 for line in ledger.read(made).standings())
    play_round(made, 3, 1, (5, 0, 5, 5))
    now = ledger.read(made)
    assert sorted(line.total for line in now.standings()) == [0, 0, 0, 15]
    assert (now.last_round, now.planned, [played.number for played in now.rounds]) == (3, 3, [3])
    of_first = ledger.read(made, stage=made.stages.get(number=1))
    assert {line.entrant.id: line.total for line in of_first.standings()} == first


def test_pages_and_exports_and_a_request_say_which_stage(made: Tournament) -> None:
    all_played(made)
    assert next_step(made).token == "finish"
    client = Client()
    client.force_login(made.owner)
    for table in ("seating", "rounds", "hands"):
        assert {(row["round"], row["stage"]) for row in rows(made, table)} == {(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)}
    assert {row["stage"] for row in rows(made, "race")} == {3}
    assert {(row["round"], row["stage"]) for row in rows(made, "log") if row["round"]} >= {(1, 1), (3, 2), (5, 3)}
    totals = {stage: sorted(row["total"] for row in rows(made, "standings", stage)) for stage in (1, 2, 3, None)}
    assert (sum(totals[1]), sum(totals[2]), totals[3]) == (160, 30, [0, 40, 40, 40]) and totals[None] == totals[3]
    told = client.get(f"/api/v1/tournaments/{made.slug}/").json()["stages"]
    assert [(stage["number"], stage["format"], stage["state"]) for stage in told] == [
        (1, "pairs", "closed"), (2, "points", "closed"), (3, "challenge", "running"),
    ]  # fmt: skip
    assert told[1]["settings"] == {"hands": 1, "target": None, "rounds": 2, "table_size": 4}
    asked = client.get(f"/api/v1/tournaments/{made.slug}/standings/?stage=2").json()
    assert sorted(row["total"] for row in asked) == totals[2]
    assert client.get(f"/api/v1/tournaments/{made.slug}/standings/?stage=4").status_code == 400
    out = io.StringIO()
    call_command("export", made.slug, "standings", "--stage", "2", stdout=out)
    assert sorted(int(row["total"]) for row in csv.DictReader(io.StringIO(out.getvalue()))) == totals[2]
    assert client.get(f"/t/{made.slug}/standings/?stage=1").status_code == 200
    assert client.get(f"/t/{made.slug}/standings/?stage=9").status_code == 404
    assert client.get(f"/t/{made.slug}/standings.csv?stage=nine").status_code == 400
    for page in ("", "seating/", "hands/", "bracket/", "players/", "fairness/", "rounds/", "race/", "odds/", "prints/"):
        assert client.get(f"/t/{made.slug}/{page}").status_code == 200, page


def test_the_record_of_a_closed_round_is_its_stages_and_the_last_stage_counts_elsewhere(made: Tournament) -> None:
    all_played(made)
    record = snapshots.freeze(made.rounds.get(number=2))
    assert record is not None and record.rules["format"] == "pairs"
    assert sum(row["total"] for row in record.rows) == 160
    [(book, _people)] = read_many([made])
    assert (book.stage.number, [played.number for played in book.rounds], book.planned) == (3, [5], 5)
    assert [line.total for line in book.standings()] == [line.total for line in ledger.read(made).standings()]


def test_an_open_round_and_the_odds_know_their_stage(made: Tournament) -> None:
    pairs_played(made)
    press(made)
    press(made)
    [now] = tables_now(made.rounds.get(number=3))
    assert (now.hands_wanted, now.played) == (1, 0)
    before = outlook_of(made)
    assert before.position is None and "A later stage decides the winner" in str(before.why_not)
    set_stages(tournament=made, then=[], by=made.owner)
    outlook = outlook_of(made)
    assert outlook.position is not None and outlook.position.to_draw is not None
    assert (outlook.position.to_draw.first, outlook.position.to_draw.rounds) == (4, 1)


def test_what_cannot_follow_changes_nothing(made: Tournament) -> None:
    with pytest.raises(Refused, match="All stages must be for players"):
        set_stages(tournament=made, then=[PlannedStage("teams")], by=made.owner)
    with pytest.raises(Refused, match="has no setting “target”"):
        set_stages(tournament=made, then=[PlannedStage("pairs", settings={"target": 500})], by=made.owner)
    assert [stage.format for stage in made.stages.all()] == ["pairs", "points", "challenge"]
