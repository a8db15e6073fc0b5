"""What seasons, phones, the hall screen, calendars, exports and commands make of an evening of several stages."""

import html
import re
from datetime import time
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.hands.repairs import undo_round
from games.online.play.settings import change_online
from league.access import access_to, signed_links
from league.day.entrants import drop_out, enter_late
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.log.export_rows import log_rows
from league.log.search import EVERY_ROW
from league.models import HandScore, Season, Tournament, User
from league.roles.scorer_links import make_scorer_links, tables_of
from league.rounds.pause import pause
from league.rounds.steps import end_early, next_step, start
from league.screen.panels import panels_for
from league.seasons.evenings import evenings
from league.seasons.member_evenings import evenings_of, summary_of
from league.seasons.seasons import create_season, put_in_season
from league.seasons.table import season_table
from league.setup.amend import amend_rules
from league.setup.api_shapes import tournament_detail
from league.setup.stages.stage_plan import PlannedStage
from league.standings import read as ledger
from tests import cast, pdf_text
from tests.api import Program
from tests.league.rounds.test_cut import play_to, press
from tests.league.rounds.test_stages_in_a_row import play_hands

pytestmark = pytest.mark.django_db

HAND = {"hands_per_round": 1}
ROUND = HAND | {"rounds": 1}
AT = "/api/v1/tournaments"


def points(players: int = 8, *then: PlannedStage, **more: object) -> Tournament:
    return cast.tournament(players, format="points", then=list(then), **ROUND | more)


def heats(takes: int | None = None) -> PlannedStage:
    return PlannedStage("heats", takes, settings=HAND)


def published(tournament: Tournament) -> None:
    """The first round after the cut is out."""
    play_to(tournament, "cut")
    press(tournament)
    press(tournament)


def play_on(tournament: Tournament, token: str) -> None:
    """As `play_to`, with those who are dealt in, up to the step of this name."""
    while (step := next_step(tournament)).token != token and step.kind != token:
        if step.kind == "close":
            play_hands(step.round)
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
    made = points(8, PlannedStage("knockout", 4, settings=HAND), club=club)
    play_to(made, "finish")
    press(made)
    season = create_season(club=club, name="Autumn", by=club.owner)
    put_in_season(tournament=made, season=season, by=club.owner)
    table = season_table(Season.objects.select_related("club").get(pk=season.pk))
    assert len(table.evenings) == 1


def test_who_wins_the_last_stage_without_a_hand_has_the_first_place_of_the_evening() -> None:
    made = points(8, PlannedStage("knockout", 2, settings=HAND))
    published(made)
    drop_out(tournament=made, entry=made.rounds.get(number=2).seats.first().entry, by=made.owner)
    press(made)
    press(made)
    [results] = evenings([Tournament.objects.select_related("log_head").get(pk=made.pk)]).values()
    assert [result.place for result in results].count(1) == 1 and len(results) == 8
    winner = ledger.read(made).standings()[0].entrant.name
    [evening] = evenings_of(cast.entry(made, winner).player, Tournament.objects.filter(pk=made.pk))
    assert evening.rank == 1, "also on their own page"


def of_the_season(made: Tournament) -> dict[str, int]:
    """The places that count, by name; on the pages of the members they are the same."""
    club, players = made.club, {entry.player_id: entry.player for entry in made.entries.select_related("player")}
    [results] = evenings([Tournament.objects.select_related("log_head").get(pk=made.pk)]).values()
    places = {players[result.player].name: result.place for result in results}
    for player in players.values():
        [evening] = evenings_of(player, Tournament.objects.filter(club=club))
        assert evening.rank == places.get(player.name), player
    return places


def test_who_did_not_come_has_no_place_where_everybody_goes_on() -> None:
    made = points(8, PlannedStage("points", settings=ROUND), club=cast.club(members=8))
    start(tournament=made, by=made.owner)
    drop_out(tournament=made, entry=cast.entry(made, "Zoë"), came=False, by=made.owner)
    play_on(made, "finish")
    press(made)
    assert of_the_season(made).keys() == {entry.player.name for entry in made.entries.all()} - {"Zoë"}


def test_who_leaves_before_their_final_has_its_last_place_everywhere() -> None:
    finals = PlannedStage("points", 8, groups=2, by_place=True, settings=ROUND)
    made = points(8, finals, groups=2, club=cast.club(members=8))
    published(made)
    drop_out(tournament=made, entry=cast.entry(made, "Zoë"), by=made.owner)
    play_on(made, "finish")
    press(made)
    assert of_the_season(made)["Zoë"] in (4, 8)


def test_the_figures_of_a_member_have_the_hands_of_all_stages() -> None:
    made = points(8, PlannedStage("points", 5, settings=ROUND), rounds=2, club=cast.club(members=8))
    published(made)
    one, other = (seat.entry.player for seat in made.rounds.get(number=3).seats.select_related("entry__player")[:2])
    drop_out(tournament=made, entry=cast.entry(made, other.name), by=made.owner)
    play_on(made, "finish")
    press(made)
    for player, in_last in ((one, 1), (other, 0)):
        rows = HandScore.objects.living().filter(entry__player=player)
        assert rows.filter(table__round__stage__number=2).count() == in_last
        figures = summary_of(evenings_of(player, Tournament.objects.all()))
        won = rows.filter(went_out=True).count()
        assert (figures["played"], figures["hands"], figures["hands_won"]) == (1, 2 + in_last, won)


def test_an_evening_in_which_points_once_count_against_who_has_them_adds_none() -> None:
    club = cast.club(members=8)
    made = points(8, PlannedStage("pairs", 4, settings=ROUND), club=club, scoring="lowest-total")
    play_to(made, "finish")
    press(made)
    season = create_season(club=club, name="Autumn", by=club.owner, counts="points", place_points=[])
    put_in_season(tournament=made, season=season, by=club.owner)
    table = season_table(Season.objects.select_related("club").get(pk=season.pk))
    assert table.evenings[0].gives_nothing
    assert {line.total for division in table.divisions for line in division.lines} == {0}


def test_nobody_ends_an_evening_in_a_stage_of_which_no_hand_was_played() -> None:
    made = points(12, heats(6))
    published(made)
    with pytest.raises(Conflict, match="Undo its round first"):
        end_early(tournament=made, reason="The hall closes", by=made.owner)


# Phones and the hall screen


def test_a_phone_does_not_speak_of_the_last_round_before_it_is() -> None:
    made = cast.tournament(16, format="heats", **HAND)
    start(tournament=made, by=made.owner)
    assert "Then round 2, if you qualify" in phone(made, "Zoë")
    made = points(8, heats(6))
    start(tournament=made, by=made.owner)
    assert "Last round" not in phone(made, "Zoë")
    more = points(8, heats(6), rounds=2)
    start(tournament=more, by=more.owner)
    assert "Then round 2 Not published" in phone(more, "Zoë"), "which everybody plays"
    play_to(made, "cut")
    assert "If you qualify, your seat will appear" in phone(made, "Zoë")


def test_at_a_cut_that_is_drafted_nobody_is_promised_a_seat() -> None:
    made = points(8, PlannedStage("knockout", 4, settings=HAND))
    play_to(made, "cut")
    before = phone(made, "Zoë"), words(Client().get(f"/t/{made.slug}/").content)
    press(made)
    assert before == (phone(made, "Zoë"), words(Client().get(f"/t/{made.slug}/").content))
    everybody = points(8, PlannedStage("points", settings=ROUND))
    play_on(everybody, "draw-2")
    assert "Your seat will appear" in phone(everybody, "Zoë"), "all go on"
    press(everybody)
    assert "Your seat will appear" in phone(everybody, "Zoë")


def test_a_scorer_whose_table_is_not_used_is_told_so() -> None:
    made = cast.tournament(8, format="heats", **HAND)
    start(tournament=made, by=made.owner)
    [(_link, token)] = make_scorer_links(tournament=made, tables=[2], by=made.owner)
    client = Client()
    client.post(f"/s/{token}/")
    play_to(made, "publish")
    assert "No round is open now" in words(client.get(f"/t/{made.slug}/scoring/").content)
    press(made)
    assert "This table isn’t used in this round" in words(client.get(f"/t/{made.slug}/scoring/").content)


@pytest.mark.parametrize(
    ("plays", "count", "tables"), [("knockout", 8, 4), ("heats", 6, 2), ("swiss", 10, 3), ("pairs", 9, 2)]
)
def test_before_the_draw_there_is_a_link_for_every_table(plays: str, count: int, tables: int) -> None:
    made = cast.tournament(count, format=plays, **HAND)
    before = tables_of(made)
    start(tournament=made, by=made.owner)
    assert before == tables_of(made) == tables


def test_who_comes_between_two_stages_plays_the_next_where_everybody_does() -> None:
    made = points(8, PlannedStage("points", settings=ROUND))
    play_on(made, "draw-2")
    enter_late(tournament=made, name="Ines", by=made.owner)
    play_on(made, "finish")
    assert made.rounds.get(number=2).seats.filter(entry=cast.entry(made, "Ines")).exists()
    cut = points(8, PlannedStage("points", 4, settings=ROUND))
    play_to(cut, "cut")
    with pytest.raises(Refused, match="late entries aren’t possible"):
        enter_late(tournament=cut, name="Ines", by=cut.owner)


def test_who_did_not_go_on_reads_that_they_have_played_all_their_rounds() -> None:
    made = points(8, heats(6))
    published(made)
    stayed = made.entries.exclude(stages__stage__number=2).first()
    assert "You have played all your rounds" in phone(made, stayed.player.name)


def test_a_final_place_is_one_of_all_who_played() -> None:
    made = points(9, PlannedStage("knockout", 4, settings=HAND))
    play_to(made, "finish")
    press(made)
    last = ledger.read(made).standings()[-1].entrant.name
    place, of = re.search(r"Final place: (\d+)(?: = shared)? of (\d+)", phone(made, last)).groups()
    assert int(place) <= int(of) == 9


def test_the_hall_screen_knows_that_another_stage_follows() -> None:
    made = cast.tournament(
        8, format="swiss", rounds=2, **HAND, then=[PlannedStage("points", 4, settings=HAND | {"rounds": 3})]
    )
    play_to(made, "cut")
    assert "All rounds are played" not in screen(made)
    press(made)
    press(made)
    assert "of 3" not in screen(made) and "of 5" in screen(made)


def test_the_hall_screen_compares_with_no_round_of_another_stage() -> None:
    made = points(12, PlannedStage("points", 8, settings=HAND | {"rounds": 2}))
    published(made)
    play_to(made, "close")
    table = made.rounds.get(number=2).tables.first()
    cast.record(table, 1, 0)
    assert " down " not in screen(made).partition("Standings,")[2]


def test_nobody_is_told_eliminated_who_only_did_not_go_on() -> None:
    after = PlannedStage("challenge", 6, settings={"hands_per_round": 2, "target": 60})
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
    made, program = points(8, PlannedStage("points", 4, settings=ROUND)), Program()
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
    made = cast.challenge(
        8, target=60, table_size=4, hands_per_round=2, then=[PlannedStage("points", 4, settings=ROUND)]
    )
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
    made, program = points(12, PlannedStage("heats", 8, others_play=True, settings=HAND)), Program()
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
    with pytest.raises(Conflict, match="Locked since round 1 was published"):
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


def test_rounds_are_counted_to_the_end_of_their_stage() -> None:
    made = cast.tournament(8, format="pairs", then=[PlannedStage("points", 4, settings=HAND | {"rounds": 3})], **ROUND)
    play_to(made, "cut")
    press(made)  # the first of three is drafted
    assert "Individual pairs, 8 players, 1 round." in words(Client().get(f"/t/{made.slug}/").content)
    assert panels_for(made)["in_all"] is None
    olga = Client()
    olga.force_login(made.owner)
    plan = pdf_text.text(olga.get(f"/t/{made.slug}/prints/pack.pdf").content)
    assert "Round 1 of 1" in plan and "Round 2 of 4" in plan


def test_a_number_that_was_played_in_two_stages_is_judged_by_the_rules_of_each() -> None:
    made = points(8, PlannedStage("pairs", 4, settings=HAND))
    published(made)
    play_on(made, "close-2")
    play_hands(made.rounds.get(number=2))
    undo_round(tournament=made, round_number=2, reason="Oops", by=made.owner)
    amend_rules(tournament=made, by=made.owner, reason="One more", hands_per_round=1, rounds=2)
    made.refresh_from_db()
    while made.rounds.shown().count() < 2:
        press(made)
    play_hands(made.rounds.living().get(number=2))
    assert verify(made).faults == []
    of_second = [row for row in log_rows(made, EVERY_ROW) if row["round"] == 2]
    stages = [row["stage"] for row in reversed(of_second)]
    at = [row["action"] for row in reversed(of_second)].index("undo-round")
    assert (set(stages[: at + 1]), set(stages[at + 1 :])) == ({2}, {1})
