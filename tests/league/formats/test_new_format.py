"""A format that only its class and its registration know: it is made, drawn, played, ranked, exported and shown."""

import csv
import io

import pytest
from django.core.management import call_command
from django.test import Client

from engine.rules import DEFAULT_TARGET
from league.formats import FORMATS, Chosen, Format, Setting
from league.formats.protocol import Draw, Hands
from league.formats.seating import golfers
from league.ledger.progress import COMPLETE, tables_now
from league.lib.errors import Conflict, Refused
from league.models import Table, Tournament
from league.standings import read as ledger
from tests import cast
from tests.test_stories import CREATE

pytestmark = pytest.mark.django_db


class Duels(Format):
    """Two by two, best of three: a duel is over when somebody has won two hands, and is worth a point."""

    key = "duels"
    name = "Best of three"
    about = "Two by two: whoever wins two hands has won the duel"
    settings = (Setting("rounds", "Rounds", 1, 9, 3), Setting("wins", "Wins needed", 1, 5, 2))
    fewest, most = 2, 100
    sums_points = False

    def possible(self) -> range:
        return range(self.fewest, self.most + 1, 2)

    def table_size(self, values: Chosen) -> int:
        return 2

    def hands(self, values: Chosen) -> int:
        return 2 * self._wins(values) - 1

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        tables = len(wanted.players) // 2
        return golfers.next_round(wanted.players, tables, wanted.past, seed=wanted.seed)

    def ends_early(self, values: Chosen) -> bool:
        return True

    def over_in(self, hands: Hands, values: Chosen) -> int | None:
        won: list[str] = []
        for number, scores in sorted(hands.items()):
            won += [player for player, score in scores.items() if score > 0]
            if any(won.count(player) == self._wins(values) for player in won):
                return number
        return None

    def worth(self, hands: Hands, values: Chosen) -> dict[str, int]:
        won = [player for scores in hands.values() for player, score in scores.items() if score > 0]
        return {player: 1 for player in won if won.count(player) >= self._wins(values)}

    def _wins(self, values: Chosen) -> int:
        return values["wins"] or 2


@pytest.fixture(autouse=True)
def duels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, Duels.key, Duels())


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


FOUR = "Ana\nBenoît\nChidi\nĐorđe"


def made_by_the_page(client: Client, **typed: str) -> Tournament:
    answer = client.post("/new/", CREATE | {"format": "duels", "players": FOUR, "rounds": "2", "wins": "2"} | typed)
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.get()


def press(client: Client, made: Tournament) -> None:
    step = client.get(f"/t/{made.slug}/").context["now"].step
    answer = client.post(f"/t/{made.slug}/advance/", {"step": step.token})
    assert answer.status_code == 302, answer.content.decode()


def won_by(table: Table, seat: int, number: int) -> None:
    cast.record(table, number, went_out=seat, points=(20, 30))


def test_it_is_a_card_on_the_page_with_its_own_fields(olga: Client) -> None:
    page = olga.get("/new/").content.decode()
    assert 'value="duels" data-plays="11"' in page and "whoever wins two hands has won the duel" in page
    assert 'name="wins"' in page and "Wins needed" in page
    assert "2 of 2" in olga.post("/new/evening/", CREATE | {"format": "duels", "players": FOUR}).content.decode()


def test_settings_out_of_limits_and_of_other_formats_are_refused(olga: Client) -> None:
    refused = olga.post("/new/", CREATE | {"format": "duels", "players": FOUR, "wins": "6"})
    assert refused.context["form"].errors["wins"] == ["Wins needed: choose 1 to 5, not 6."]
    with pytest.raises(Refused, match=r"has no setting “target”\. Choose from: rounds, wins"):
        cast.create(format="duels", target=DEFAULT_TARGET)
    with pytest.raises(Refused, match="has no setting “wins”"):
        cast.create(format="pairs", wins=2)
    with pytest.raises(Refused, match="is scored by winner-takes, not by “lowest-total”"):
        cast.create(format="duels", scoring="lowest-total")
    assert not Tournament.objects.exists()


def test_a_duel_is_over_with_the_second_win_and_the_last_round_ends_the_event(olga: Client) -> None:
    made = made_by_the_page(olga)
    press(olga, made)
    [first, second] = made.rounds.get().tables.order_by("number")
    press(olga, made)
    won_by(first, 0, 1)
    with pytest.raises(Refused, match="Enter hand 2 first"):
        won_by(first, 0, 3)
    won_by(first, 0, 2)
    with pytest.raises(Conflict, match="decided"):
        won_by(first, 1, 3)
    for number, seat in enumerate((1, 0, 1), 1):
        won_by(second, seat, number)
    assert [now.state for now in tables_now(made.rounds.get())] == [COMPLETE, COMPLETE]
    press(olga, made)
    assert list(made.rounds.values_list("number", "state")) == [(1, "closed"), (2, "published")]
    for table in made.rounds.get(number=2).tables.all():
        won_by(table, 0, 1)
        won_by(table, 0, 2)
    press(olga, made)
    press(olga, made)
    made.refresh_from_db()
    assert made.is_final


def test_it_is_ranked_by_its_own_worth_everywhere(olga: Client) -> None:
    made = made_by_the_page(olga, rounds="1")
    press(olga, made)
    press(olga, made)
    [first, second] = made.rounds.get().tables.order_by("number")
    for number, seat in enumerate((0, 1, 0), 1):
        won_by(first, seat, number)
    won_by(second, 1, 1)
    won_by(second, 1, 2)
    winners = {
        first.seats.get(number=0).entry.public_id,
        second.seats.get(number=1).entry.public_id,
    }
    lines = ledger.read(made).standings()
    assert {line.entrant.id for line in lines if line.rank == 1 or (line.rank == 2 and line.total)} == winners
    assert [line.total for line in lines] == [1, 1, 0, 0]
    exported = list(csv.DictReader(io.StringIO(olga.get(f"/t/{made.slug}/standings.csv").content.decode("utf-8-sig"))))
    assert [row["total"] for row in exported] == ["1", "1", "0", "0"]
    assert (
        len(list(csv.DictReader(io.StringIO(olga.get(f"/t/{made.slug}/hands.csv").content.decode("utf-8-sig"))))) == 10
    )


@pytest.mark.parametrize(
    "path",
    ["", "standings/", "bracket/", "seating/", "hands/", "players/", "fairness/", "odds/", "rounds/", "manage/",
     "prints/", "settings/", "log/", "screen/"],
)  # fmt: skip
def test_every_page_shows_it(olga: Client, path: str) -> None:
    made = made_by_the_page(olga)
    press(olga, made)
    press(olga, made)
    [first, _second] = made.rounds.get().tables.order_by("number")
    won_by(first, 0, 1)
    won_by(first, 0, 2)
    answer = olga.get(f"/t/{made.slug}/{path}")
    assert answer.status_code == 200 and "Best of three" in answer.content.decode()


def test_a_shell_makes_it_draws_it_and_bots_play_it_to_its_end(tmp_path) -> None:
    roster = tmp_path / "four.txt"
    roster.write_text(FOUR, encoding="utf-8")
    out = io.StringIO()
    how = ["--name", "Duels", "--format", "duels", "--players", str(roster), "--wins", "2", "--rounds", "2"]
    call_command("create_tournament", *how, stdout=out)
    call_command("play", out.getvalue().strip(), "--seed", "3")
    made = Tournament.objects.get()
    assert made.rounds.filter(number=2).exists() and made.stages.get().settings == {"rounds": 2, "wins": 2}
    assert sum(line.total for line in ledger.read(made).standings()) == 4
    shown = io.StringIO()
    call_command("schedule", "--format", "duels", "--players", "4", "--csv", "-", stdout=shown, stderr=io.StringIO())
    assert len(shown.getvalue().splitlines()) == 1 + 3 * 4


def test_a_request_makes_it_and_is_told_of_its_settings(olga: Client) -> None:
    body = {"name": "Duels", "format": "duels", "players": [{"name": name} for name in FOUR.split()], "wins": 3}
    answer = olga.post("/api/v1/tournaments/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert (answer.json()["wins"], answer.json()["rounds"], answer.json()["target"]) == (3, 3, None)
    refused = olga.post("/api/v1/tournaments/", body | {"wins": 9}, content_type="application/json")
    assert refused.status_code == 422 and "choose 1 to 5, not 9" in refused.content.decode()


def test_what_was_played_in_a_format_that_is_gone_can_be_seen_and_nothing_be_drawn(
    olga: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = made_by_the_page(olga, rounds="3")
    press(olga, made)
    press(olga, made)
    for table in made.rounds.get().tables.all():
        won_by(table, 0, 1)
        won_by(table, 0, 2)
    monkeypatch.delitem(FORMATS, Duels.key)
    page = olga.get(f"/t/{made.slug}/standings/").content.decode()
    assert "duels" in page and "Ana" in page
    assert olga.get(f"/t/{made.slug}/").status_code == 200
    assert olga.get(f"/t/{made.slug}/settings/").status_code == 200
