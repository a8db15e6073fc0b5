"""What seasons, phones, the hall screen, calendars, exports and commands make of an evening of several stages."""

import html
import re
from datetime import time
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.online.play.settings import change_online
from league.access import access_to, signed_links
from league.day.entrants import drop_out
from league.lib.errors import Conflict
from league.models import Season, Tournament, User
from league.rounds.pause import pause
from league.rounds.steps import end_early, start
from league.seasons.evenings import evenings
from league.seasons.member_evenings import evenings_of
from league.seasons.seasons import create_season, put_in_season
from league.seasons.table import season_table
from league.setup.api_shapes import tournament_detail
from league.setup.stages.way import NextStage
from league.standings import read as ledger
from tests import cast
from tests.api import Program
from tests.league.rounds.test_cut import play_to, press

pytestmark = pytest.mark.django_db

HAND = {"hands_per_round": 1}
ROUND = HAND | {"rounds": 1}
AT = "/api/v1/tournaments"


def points(players: int = 8, *then: NextStage, **more: object) -> Tournament:
    return cast.tournament(players, format="points", then=list(then), **ROUND | more)


def heats(takes: int | None = None) -> NextStage:
    return NextStage("heats", takes, settings=HAND)


def published(tournament: Tournament) -> None:
    """The first round after the cut is out."""
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)


def words(body: bytes) -> str:
    body_text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", body.decode(), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body_text)))


def phone(tournament: Tournament, name: str) -> str:
    client = Client()
    client.post(f"/me/{signed_links.player_token(cast.entry(tournament, name))}/")
    return words(client.get(f"/t/{tournament.slug}/me/").content)


def screen(tournament: Tournament) -> str:
    tournament.refresh_from_db()
    return words(Client().get(f"/screen/{signed_links.screen_token(tournament)}/").content)


# Seasons


def test_an_evening_of_two_stages_counts_once_in_its_season() -> None:
    club = cast.club(members=8)
    made = points(8, NextStage("knockout", 4, settings=HAND), club=club)
    play_to(made, "finish")
    press(made)
    season = create_season(club=club, name="Autumn", by=club.owner)
    put_in_season(tournament=made, season=season, by=club.owner)
    table = season_table(Season.objects.select_related("club").get(pk=season.pk))
    assert len(table.evenings) == 1


def test_who_wins_the_last_stage_without_a_hand_has_the_first_place_of_the_evening() -> None:
    made = points(8, NextStage("knockout", 2, settings=HAND))
    published(made)
    drop_out(tournament=made, entry=made.rounds.get(number=2).seats.first().entry, by=made.owner)
    press(made)
    press(made)
    [results] = evenings([Tournament.objects.select_related("log_head").get(pk=made.pk)]).values()
    assert [result.place for result in results].count(1) == 1 and len(results) == 8
    winner = ledger.read(made).standings()[0].entrant.name
    [evening] = evenings_of(cast.entry(made, winner).player, Tournament.objects.filter(pk=made.pk))
    assert evening.rank == 1, "also on their own page"


def test_nobody_ends_an_evening_in_a_stage_of_which_no_hand_was_played() -> None:
    made = points(12, heats(6))
    published(made)
    with pytest.raises(Conflict, match="Undo its round first"):
        end_early(tournament=made, reason="The hall closes", by=made.owner)


# Phones and the hall screen


def test_a_phone_does_not_speak_of_the_last_round_before_it_is() -> None:
    made = cast.tournament(16, format="heats", **HAND)
    start(tournament=made, by=made.owner)
    assert "Then round 2, if you go on" in phone(made, "Zoë")
    made = points(8, heats(6))
    start(tournament=made, by=made.owner)
    assert "This is the last round" not in phone(made, "Zoë")
    more = points(8, heats(6), rounds=2)
    start(tournament=more, by=more.owner)
    assert "Then round 2 Not published" in phone(more, "Zoë"), "which everybody plays"
    play_to(made, "cut")
    assert "If you go on, your next seat stands here" in phone(made, "Zoë")


def test_who_did_not_go_on_reads_that_they_have_played_all_their_rounds() -> None:
    made = points(8, heats(6))
    published(made)
    stayed = made.entries.exclude(stages__stage__number=2).first()
    assert "You have played all your rounds" in phone(made, stayed.player.name)


def test_a_final_place_is_one_of_all_who_played() -> None:
    made = points(9, NextStage("knockout", 4, settings=HAND))
    play_to(made, "finish")
    press(made)
    last = ledger.read(made).standings()[-1].entrant.name
    place, of = re.search(r"Final place: (\d+)(?: = shared)? of (\d+)", phone(made, last)).groups()
    assert int(place) <= int(of) == 9


def test_the_hall_screen_knows_that_another_stage_follows() -> None:
    made = cast.tournament(
        8, format="swiss", rounds=2, **HAND, then=[NextStage("points", 4, settings=HAND | {"rounds": 3})]
    )
    play_to(made, "cut")
    assert "All rounds are played" not in screen(made)
    press(made)
    press(made)
    assert "of 3" not in screen(made) and "of 5" in screen(made)


def test_the_hall_screen_compares_with_no_round_of_another_stage() -> None:
    made = points(12, NextStage("points", 8, settings=HAND | {"rounds": 2}))
    published(made)
    play_to(made, "close")
    table = made.rounds.get(number=2).tables.first()
    cast.record(table, 1, 0)
    assert " down " not in screen(made).partition("Standings,")[2]


def test_nobody_is_told_eliminated_who_only_did_not_go_on() -> None:
    after = NextStage("challenge", 6, settings={"hands_per_round": 2, "target": 60})
    made = cast.tournament(9, format="pairs", rounds=2, **HAND, then=[after])
    published(made)
    table = made.rounds.get(number=3).tables.first()
    cast.record(table, 1, 0, (0, 10, 20, 30)[: table.seats.count()])
    stayed = made.entries.exclude(stages__stage__number=2)
    assert not [one for one in stayed if f"{one.player.name} eliminated" in screen(made)]


# Calendars, exports, programs


def test_a_calendar_has_the_time_of_all_stages_and_does_not_change_with_them() -> None:
    made = points(8, heats(6), starts_at=time(19, 0))

    def entry() -> list[str]:
        lines = Client().get(f"/t/{made.slug}/calendar.ics").content.decode().replace("\r\n ", "").split("\r\n")
        return [line for line in lines if line.startswith(("DESCRIPTION", "DURATION"))]

    play_to(made, "cut")
    before = entry()
    assert before[-1].endswith("8 players: Points race\\, Heats and a final.")
    press(made)
    press(made)
    assert entry() == before


def test_the_standings_as_of_a_round_stay_what_they_were_in_its_stage() -> None:
    made, program = points(8, NextStage("points", 4, settings=ROUND)), Program()
    play_to(made, "cut")
    at = f"{AT}/{made.slug}/standings/?as_of_round=1"
    before = program.get(at)
    press(made)
    press(made)
    columns = ("rank", "player", "total", "stage")
    assert [[row[name] for name in columns] for row in program.get(at)] == [
        [row[name] for name in columns] for row in before
    ]


def test_a_program_of_a_stranger_sees_no_cut_that_nobody_has_seen() -> None:
    made, program = points(8, heats(6)), Program()
    play_to(made, "cut")
    before = program.get(f"{AT}/{made.slug}/")
    press(made)
    assert program.get(f"{AT}/{made.slug}/") == before
    own = tournament_detail(access_to(made.owner, made))
    assert [stage["state"] for stage in own["stages"]] == ["closed", "planned"], "whoever runs it sees the draft"


def test_the_hand_with_which_somebody_left_a_race_is_told_in_later_stages_too() -> None:
    made = cast.challenge(8, target=60, table_size=4, hands_per_round=2, then=[NextStage("points", 4, settings=ROUND)])
    start(tournament=made, by=made.owner)
    table = cast.table(made, 1, 1)
    cast.record(table, 1, 0)
    drop_out(tournament=made, entry=table.seats.get(number=1).entry, by=made.owner)
    program = Program()
    assert [event["hand"] for event in program.get(f"{AT}/{made.slug}/events/")] == [1]
    cast.play_challenge(made, seed=5)
    press(made)
    press(made)
    assert program.get(f"{AT}/{made.slug}/events/")[0]["hand"] == 1


def test_a_program_tells_the_tables_of_the_second_ladder_apart() -> None:
    made, program = points(12, NextStage("heats", 8, others_play=True, settings=HAND)), Program()
    published(made)
    rounds = program.get(f"{AT}/{made.slug}/rounds/")
    assert [played["stage"] for played in rounds] == [1, 2]
    assert [[table["ladder"] for table in played["tables"]] for played in rounds] == [[1, 1, 1], [1, 1, 2]]


# Rules and commands


def test_house_rules_are_those_of_all_stages_and_fixed_with_the_first_round() -> None:
    made = points(8, heats(6), online="all")
    change_online(tournament=made, by=made.owner, options=["stacking"])
    assert [stage.options for stage in made.stages.all()] == [["stacking"]] * 2
    play_to(made, "cut")
    press(made)
    with pytest.raises(Conflict, match="fixed when round 1 was published"):
        change_online(tournament=made, by=made.owner, options=[])


def test_a_paused_evening_is_not_played_by_the_command_and_it_says_why() -> None:
    made = cast.tournament(8, format="heats", online="all", **HAND)
    start(tournament=made, by=made.owner)
    made.refresh_from_db()
    pause(tournament=made, reason="Tea", by=made.owner)
    with pytest.raises(CommandError, match="Play is paused"):
        call_command("play", made.slug, stdout=StringIO())


def test_a_tournament_that_is_refused_leaves_no_account_behind(tmp_path) -> None:
    names, before = tmp_path / "names.txt", User.objects.count()
    names.write_text("A\nB\nC\nD")
    wanted = ["--name", "X", "--players", str(names), "--owner", "fresh@example.org", "--format", "points"]
    with pytest.raises(CommandError):
        call_command("create_tournament", *wanted, "--then", "heats:0", stdout=StringIO())
    assert User.objects.count() == before
