"""What people come for, told through HTTP from the first page to the last."""

import csv
import io
import random
import re
from collections import defaultdict
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from engine.rules import EDITIONS
from engine.state import Rules
from games.models import Hand
from games.service.bots_play import play_a_hand
from league.lib import csv as csvfile
from league.models import HandScore, LogEntry, Round, Table, Tournament
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROSTER = Path(__file__).parent / "players8.csv"
CREATE = {
    "name": "Autumn Pairs",
    "format": "pairs",
    "edition": "classic",
    "hands_per_round": "4",
    "rounds": "",
    "starts_on": "2026-11-24",
    "starts_at": "19:00",
    "time_zone": "Europe/Paris",
    "place": "Café Ludo",
    "visibility": "public",
    "order": "list",
    "players": "",
}


@pytest.fixture
def olga() -> Client:
    client = Client()
    client.force_login(cast.organiser())
    return client


def rows(client: Client, tournament: Tournament, table: str, query: str = "") -> list[dict[str, str]]:
    answer = client.get(f"/t/{tournament.slug}/{table}.csv{query}")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))


def create(client: Client, **changed: object) -> Tournament:
    before = set(Tournament.objects.values_list("pk", flat=True))
    answer = client.post("/new/", CREATE | changed)
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.exclude(pk__in=before).get()


def press(client: Client, tournament: Tournament) -> str:
    """The primary button, as the overview shows it; returns the step taken."""
    step = client.get(f"/t/{tournament.slug}/").context["now"].step
    answer = client.post(f"/t/{tournament.slug}/advance/", {"step": step.token})
    assert answer.status_code == 302, answer.context["now"].refusal
    return str(step.token)


def record_a_hand(client: Client, table: Table, number: int, rng: random.Random) -> None:
    page = client.get(f"/tables/{table.pk}/").content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(hand|seating_version|key)" value="([^"]*)"', page))
    assert hidden["hand"] == str(number)
    rules = Rules(EDITIONS["classic"], teams=True)
    went_out, reports = play_a_hand(rules, players=4, dealer=(number - 1) % 4, rng=rng)
    fields = {**hidden, "went_out": went_out}
    for report in reports:
        fields[f"cards_{report.seat}"] = " ".join(report.cards or ())
    answer = client.post(f"/tables/{table.pk}/", fields)
    assert answer.status_code in (302, 303), answer.content.decode()


def test_eight_players_two_tables_from_a_csv_of_names_to_a_csv_of_standings(olga: Client) -> None:
    evening = create(olga, players_file=SimpleUploadedFile("players8.csv", ROSTER.read_bytes()))
    assert evening.entries.count() == 8
    assert press(olga, evening) == "draw"
    assert press(olga, evening) == "publish-1"
    rng = random.Random(8)
    for number in range(1, 8):
        for table in Round.objects.get(tournament=evening, number=number).tables.all():
            for hand in range(1, 5):
                record_a_hand(olga, table, hand, rng)
        assert press(olga, evening) == f"close-{number}"
    assert press(olga, evening) == "finish"
    evening.refresh_from_db()
    assert evening.is_final

    hands = rows(Client(), evening, "hands")
    assert len(hands) == 224
    assert len({(row["round"], row["table"], row["hand"]) for row in hands}) == 56
    played = defaultdict(int)
    for row in hands:
        played[row["player"]] += 1
    assert set(played.values()) == {28}
    agree_with(hands, rows(Client(), evening, "standings"))
    assert len(rows(Client(), evening, "seating")) == 56
    assert sum(int(row["total"]) for row in rows(Client(), evening, "rounds")) == sum(
        int(row["score"]) for row in hands
    )


def agree_with(hands: list[dict[str, str]], standings: list[dict[str, str]]) -> None:
    """Recompute the standings from the hands alone, in a few lines that share nothing with the project."""
    total, wins, conceded = defaultdict(int), defaultdict(int), defaultdict(int)
    by_round, against, met = defaultdict(lambda: defaultdict(int)), defaultdict(int), set()
    at_table = defaultdict(list)
    for row in hands:
        at_table[row["round"], row["table"], row["hand"]].append(row)
    for (number, _table, _hand), seats in at_table.items():
        out = next((row for row in seats if row["went_out"] == "true"), None)
        for row in seats:
            me = row["player_id"]
            won = out is not None and out["player_id"] in (me, row["partner_id"])
            points = sum(
                int(other["points_left"]) for other in seats if other["player_id"] not in (me, row["partner_id"])
            )
            assert int(row["score"]) == (points if won else 0)
            total[me] += int(row["score"])
            wins[me] += won
            by_round[me][number] += int(row["score"])
            for other in seats:
                if other["player_id"] not in (me, row["partner_id"]):
                    against[me, other["player_id"]] += int(row["score"])
                    met.add((me, other["player_id"]))
            if out is not None and not won:
                mine = [other for other in seats if other["player_id"] in (me, row["partner_id"])]
                conceded[me] += sum(int(other["points_left"]) for other in mine)
    assert [row["player_id"] for row in standings] == [
        row["player_id"] for row in sorted(standings, key=lambda row: int(row["rank"]))
    ]
    for row in standings:
        me = row["player_id"]
        assert int(row["total"]) == int(row["points_for"]) == total[me]
        assert int(row["hands_won"]) == int(row["tb1"]) == wins[me]
        assert int(row["points_against"]) == int(row["tb3"]) == conceded[me]
        assert int(row["tb4"]) == max(by_round[me].values())
        better = sum((total[other], wins[other]) > (total[me], wins[me]) for other in total)
        equal = sum((total[other], wins[other]) == (total[me], wins[me]) for other in total)
        assert better < int(row["rank"]) <= better + equal


def test_standings_as_of_a_round_count_that_round_and_those_before(olga: Client) -> None:
    evening = cast.play(cast.tournament(), rounds=3)
    hands = [row for row in rows(olga, evening, "hands") if int(row["round"]) <= 2]
    agree_with(hands, rows(olga, evening, "standings", "?as_of_round=2"))
    assert {row["as_of_round"] for row in rows(olga, evening, "standings", "?as_of_round=2")} == {"2"}
    answer = olga.get(f"/t/{evening.slug}/standings.csv?as_of_round=2")
    assert 'filename="autumn-pairs_standings_r2.csv"' in answer.headers["Content-Disposition"]


def test_closing_a_round_with_hands_missing_names_the_tables_and_changes_nothing(olga: Client) -> None:
    evening = cast.play(cast.tournament(), rounds=1)
    cast.record(cast.table(evening, 2, 1), hand=1)
    answer = olga.post(f"/t/{evening.slug}/advance/", {"step": "close-2"})
    assert answer.status_code == 409
    assert "Tables 1, 2 still have hands to play in round 2." in answer.content.decode()
    assert evening.rounds.get(number=2).state == Round.State.RUNNING
    assert evening.rounds.get(number=3).state == Round.State.DRAFT


def test_a_step_pressed_twice_is_taken_once(olga: Client) -> None:
    evening = cast.tournament()
    for _press in range(2):
        assert olga.post(f"/t/{evening.slug}/advance/", {"step": "draw"}).status_code == 302
    assert evening.rounds.count() == 7
    for _press in range(3):
        assert olga.post(f"/t/{evening.slug}/advance/", {"step": "publish-1"}).status_code == 302
    assert LogEntry.objects.filter(tournament=evening, action="publish").count() == 1
    assert evening.rounds.get(number=2).state == Round.State.DRAFT


def test_a_step_that_is_no_longer_the_next_one_is_not_said_to_be_done(olga: Client) -> None:
    evening = cast.tournament()
    for step in ("finish", "publish-1", "publish-99", "close-1", "nonsense"):
        page = olga.post(f"/t/{evening.slug}/advance/", {"step": step}, follow=True).content.decode()
        assert "Nothing was done" in page, step
    assert LogEntry.objects.filter(tournament=evening).count() == 1


def test_reopening_is_logged_with_its_reason(olga: Client) -> None:
    evening = cast.play(cast.tournament(rounds=1))
    press(olga, evening)
    olga.post(f"/t/{evening.slug}/reopen/", {"reason": "Hand 2 was counted wrong"})
    evening.refresh_from_db()
    assert not evening.is_final
    assert LogEntry.objects.get(tournament=evening, action="reopen").reason == "Hand 2 was counted wrong"
    assert "Provisional" in Client().get(f"/t/{evening.slug}/standings/").content.decode()


def test_rules_and_roster_stand_once_round_1_is_published(olga: Client) -> None:
    evening = cast.play(cast.tournament(), rounds=1)
    rules = {"form": "rules", "edition": "minecraft-2017", "hands_per_round": "4", "rounds": "", "order-tb1": "lot"}
    assert olga.post(f"/t/{evening.slug}/settings/", rules).status_code == 409
    assert olga.post(f"/t/{evening.slug}/players/", {"players": "Ingrid"}).status_code == 409
    olga.post(f"/t/{evening.slug}/players/{cast.entry(evening, 'Zoë').public_id}/remove/")
    stage = evening.stages.get()
    assert (stage.edition, evening.entries.count()) == ("classic", 8)


def test_before_the_start_a_change_of_the_roster_takes_the_draft_back(olga: Client) -> None:
    evening = cast.tournament()
    press(olga, evening)
    olga.post(f"/t/{evening.slug}/players/", {"players": "Ingrid"})
    assert evening.rounds.count() == 0
    assert evening.entries.count() == 9


def test_again_next_week_brings_the_same_people_and_no_results(olga: Client) -> None:
    evening = cast.play(cast.tournament(hands_per_round=2), rounds=2)
    assert olga.post(f"/t/{evening.slug}/again/").status_code == 302
    copy = Tournament.objects.exclude(pk=evening.pk).get()
    assert (copy.starts_on - evening.starts_on).days == 7
    assert [one.player_id for one in copy.entries.all()] == [one.player_id for one in evening.entries.all()]
    assert copy.stages.get().hands_per_round == 2
    assert not HandScore.objects.filter(table__round__tournament=copy).exists()
    assert copy.state == Tournament.State.PLANNED


def test_a_penalty_shows_in_the_standings_and_can_be_taken_back(olga: Client) -> None:
    evening = cast.play(cast.tournament(), rounds=2)
    zoe = cast.entry(evening, "Zoë").public_id

    def total(query: str = "") -> int:
        return next(int(row["total"]) for row in rows(olga, evening, "standings", query) if row["player_id"] == zoe)

    before = total()
    fields = {"do": "adjust", "points": "-20", "round": "2", "reason": "Showed a card"}
    url = f"/t/{evening.slug}/people/{zoe}/"
    preview = olga.post(url, fields).context["step"].preview
    assert [move.player for move in preview.moves.moved if move.was.total != move.will.total] == ["Zoë"]
    assert total() == before
    assert olga.post(url, fields | {"shown": preview.shown}).status_code == 302
    assert total() == before - 20
    assert total("?as_of_round=1") == total("?as_of_round=2") - sum(
        int(row["total"]) for row in rows(olga, evening, "rounds") if (row["player_id"], row["round"]) == (zoe, "2")
    )
    [line] = rows(Client(), evening, "adjustments")
    assert (line["player"], line["kind"], line["points"], line["reason"]) == ("Zoë", "penalty", "-20", "Showed a card")
    undo = f"/t/{evening.slug}/adjustments/{evening.entries.get(public_id=zoe).adjustments.get().pk}/void/"
    assert olga.post(undo).status_code == 302
    assert total() == before
    assert rows(Client(), evening, "adjustments") == []


def test_the_exports_round_trip_what_spreadsheets_take_for_formulas(olga: Client) -> None:
    names = ["=1+1", "+41", "-2", "@sum", "'=x", 'Ana, “quoted” "twice"', "O'Brien", "=HYPERLINK(A1)"]
    roster = csvfile.text(("name", "club"), [{"name": name, "club": name} for name in names])
    evening = create(olga, players_file=SimpleUploadedFile("p.csv", roster.encode()), name="=cmd", place="@here")
    assert [one.player.name for one in evening.entries.all()] == names
    cast.play(evening, rounds=1)
    for table in ("standings", "seating", "rounds", "hands", "players"):
        for row in rows(olga, evening, table):
            for text in row.values():
                assert not text or text[0] not in "=+-@\t\r" or text.lstrip("-").isdigit(), (table, text)
    again = create(olga, players_file=SimpleUploadedFile("p.csv", olga.get(f"/t/{evening.slug}/players.csv").content))
    assert [one.player.name for one in again.entries.all()] == names


def test_an_evening_entered_by_guests_with_a_code_on_each_table(olga: Client) -> None:
    rng = random.Random(5)
    evening = create(olga, players_file=SimpleUploadedFile("players8.csv", ROSTER.read_bytes()))
    sheet = olga.post(f"/t/{evening.slug}/scorers/", {"table": "each"}).content.decode()
    codes = re.findall(r'value="http://testserver(/s/[^"]+/)"', sheet)
    phones = [Client() for _code in codes]
    for phone, code in zip(phones, codes, strict=True):
        assert phone.get(code).status_code == 200
        waits = phone.post(code, follow=True).content.decode()
        assert "No round is open now" in waits
    for _step in ("draw", "publish-1"):
        press(olga, evening)
    tables = list(Round.objects.get(tournament=evening, number=1).tables.order_by("number"))
    for hand in range(1, 5):
        for phone, table in zip(phones, tables, strict=True):
            record_a_hand(phone, table, hand, rng)
    # At table 2 the last hand was wrong: its phone takes it back and enters it anew.
    last = Hand.objects.living().get(table=tables[1], number=4)
    version = Table.objects.get(pk=tables[1].pk).version
    assert phones[0].post(f"/hands/{last.pk}/void/", {"version": version}).status_code == 403
    assert phones[1].post(f"/hands/{last.pk}/void/", {"version": version}).status_code == 303
    record_a_hand(phones[1], tables[1], 4, rng)
    for table in tables:
        table.refresh_from_db()
        assert table.state == Table.State.REPORTED
        assert olga.post(f"/tables/{table.pk}/confirm/", {"version": table.version}).status_code == 303
    done = [(row.action, row.table, row.who) for row in evening.log.filter(scorer_link__isnull=False).order_by("id")]
    assert len(done) == 10 and done[-2:] == [
        ("void", 2, "Scorer link, table 2"),
        ("record", 2, "Scorer link, table 2"),
    ]
    assert press(olga, evening) == "close-1"
    agree_with(rows(Client(), evening, "hands"), rows(Client(), evening, "standings"))
    # The same codes are good for the next round; one that the organiser ends is not.
    second = Round.objects.get(tournament=evening, number=2).tables.order_by("number")
    record_a_hand(phones[0], second[0], 1, rng)
    ended = evening.scorer_links.get(table=2)
    olga.post(f"/t/{evening.slug}/scorers/{ended.pk}/revoke/")
    assert 'name="key"' not in phones[1].get(f"/tables/{second[1].pk}/").content.decode()
    assert phones[1].post(f"/tables/{second[1].pk}/", {"hand": 1}).status_code == 410
    assert phones[0].get(f"/tables/{second[0].pk}/").status_code == 200
