"""Which tables are played online and how: the organiser's pages, the commands, and what follows at the tables."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import Deal, Hand, Move, OnlineSettings
from games.online.play.deals import open_deal
from games.online.play.settings import put_online as put_tables_online
from league.lib.errors import Refused
from league.log.in_words import in_words
from league.models import HandScore, Role, Stage, Table, Tournament
from league.rounds.draw import draw
from league.rounds.steps import start
from league.setup.create import clone_tournament
from league.setup.online import tables_online
from tests import cast
from tests.games.online_table import everybody_ready

pytestmark = pytest.mark.django_db

FORM = {
    "which": "all",
    "numbers": "",
    "move_seconds": "20",
    "bank_seconds": "0",
    "absent": "bot",
    "misses": "3",
    "no_show_seconds": "60",
    "no_show": "wait",
    "between_seconds": "30",
    "bot": "sharp",
    "spectator_delay": "4",
}


@pytest.fixture
def drawn():
    made = cast.tournament()
    draw(tournament=made, by=made.owner)
    return made


def save(client, tournament, **typed):
    return client.post(f"/t/{tournament.slug}/settings/online/", FORM | typed)


def modes(tournament, number):
    tables = Table.objects.filter(round__tournament=tournament, round__number=number).order_by("number")
    return list(tables.values_list("mode", flat=True))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("", ""), (" ALL ", "all"), ("3", "3"), ("1-3, 5", "1,2,3,5"), ("5 1;3,3", "1,3,5"), ("2 – 4", "2,3,4")],
)
def test_tables_are_named_as_people_type_them(typed, kept):
    assert tables_online(typed) == kept


@pytest.mark.parametrize("typed", ["one", "0", "1-", "-3", "3-1", "1000", "²", "1,2-x", "1-400"])
def test_what_names_no_tables_is_refused(typed):
    with pytest.raises(Refused) as refused:
        tables_online(typed)
    assert "online" in refused.value.fields


def test_settings_hold_for_the_tournament_and_drafts_follow(olga, drawn):
    assert modes(drawn, 2) == ["offline"] * 2
    assert save(olga, drawn, options=["stacking", "must_play"]).status_code == 302
    kept = OnlineSettings.objects.get(tournament=drawn)
    assert {name: str(getattr(kept, name)) for name in FORM if hasattr(kept, name)} == {
        name: value for name, value in FORM.items() if hasattr(kept, name)
    }
    drawn.refresh_from_db()
    assert (drawn.online, drawn.stages.get().options) == ("all", ["must_play", "stacking"])
    assert modes(drawn, 2) == ["online"] * 2


def test_the_deck_is_sealed_for_the_house_rules_that_were_ticked(olga, drawn, clock):
    save(olga, drawn, options=["stacking"])
    start(tournament=drawn, by=drawn.owner)
    clock.run(1)
    assert open_deal(cast.table(drawn, 1, 1)).rules["options"] == ["stacking"]


def test_house_rules_stand_from_the_start_and_clocks_do_not(olga, drawn):
    save(olga, drawn, options=["stacking"])
    start(tournament=drawn, by=drawn.owner)
    assert save(olga, drawn, options=["must_play"], move_seconds="45").status_code == 302
    assert Stage.objects.get(tournament=drawn).options == ["stacking"]
    assert OnlineSettings.objects.get(tournament=drawn).move_seconds == 45
    page = olga.get(f"/t/{drawn.slug}/settings/online/").content.decode()
    assert "Locked since round 1 was published." in page


def test_what_was_changed_stands_in_the_log(olga, drawn):
    save(olga, drawn, which="some", numbers="2")
    row = drawn.log.first()
    assert (row.action, row.new["online"], row.old["online"]) == ("online-settings", "2", "")
    assert in_words(row) == "Settings of online tables changed"
    save(olga, drawn, which="some", numbers="2")
    assert drawn.log.first() == row  # nothing changed


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"which": "some", "numbers": ""}, "Type table numbers"),
        ({"which": "some", "numbers": "one"}, "Type table numbers, for example 1-4, 7."),
        ({"move_seconds": "1"}, "greater than or equal to 5"),
        ({"bot": "clever"}, "Select a valid choice"),
        ({"options": ["cheating"]}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_changes(olga, drawn, typed, said):
    answer = save(olga, drawn, **typed)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not OnlineSettings.objects.exists()


def test_final_standings_keep_their_settings(olga):
    made = cast.play(cast.tournament(4))
    Tournament.objects.filter(pk=made.pk).update(state=Tournament.State.CLOSED)
    assert save(olga, made).status_code == 409


def test_tables_of_the_open_round_are_switched_one_by_one(olga, table, clock):
    tournament = table.round.tournament
    assert olga.post(f"/t/{tournament.slug}/day/online/", {"round": 1, "online": ["1"]}).status_code == 302
    assert modes(tournament, 1) == ["online", "offline"]
    assert in_words(tournament.log.first()) == "Round 1: online tables: 1"
    clock.run(1)
    deal = open_deal(table)
    olga.post(f"/t/{tournament.slug}/day/online/", {"round": 1, "paper": ["1"]})
    deal.refresh_from_db()
    assert (deal.state, modes(tournament, 1)) == (Deal.State.ABANDONED, ["offline"] * 2)
    assert in_words(tournament.log.first()) == "Round 1: online tables: none"


def test_a_table_stays_online_while_a_hand_is_in_play_there(olga, table, clock):
    tournament = table.round.tournament
    put_tables_online(tournament=tournament, round_number=1, online=[1, 2], by=None)
    clock.run(1)
    everybody_ready(open_deal(table))
    page = olga.get(f"/t/{tournament.slug}/day/online/").content.decode()
    assert page.count("A hand is in play.") == 1
    answer = olga.post(f"/t/{tournament.slug}/day/online/", {"round": 1, "paper": ["1", "2"]})
    assert answer.status_code == 409
    assert "A hand is in play at table 1." in answer.content.decode()
    assert modes(tournament, 1) == ["online"] * 2


def test_a_table_of_a_draft_is_switched_by_the_button_under_it(olga, drawn):
    page = olga.get(f"/t/{drawn.slug}/seating/?round=2").content.decode()
    assert page.count("Change to online") == 2 and "Change to real cards" not in page
    answer = olga.post(f"/t/{drawn.slug}/day/online/", {"round": 2, "online": "2", "back": "seating"})
    assert answer.headers["Location"] == f"/t/{drawn.slug}/seating/?round=2#table-2"
    assert [modes(drawn, number) for number in (1, 2)] == [["offline"] * 2, ["offline", "online"]]
    page = olga.get(f"/t/{drawn.slug}/seating/?round=2").content.decode()
    assert page.count("Change to online") == page.count("Change to real cards") == 1
    drawn.refresh_from_db()
    assert drawn.online == ""  # the rounds beside it are as they were


def test_the_rounds_page_marks_online_tables_and_switches_those_of_the_next_draft(olga, drawn):
    put_tables_online(tournament=drawn, round_number=2, online=[1], by=None)
    page = olga.get(f"/t/{drawn.slug}/rounds/").content.decode()
    assert page.count('aria-pressed="false"') == 2 and 'form="where-1"' in page and 'form="where-2"' not in page
    assert page.count("</svg>online") == 1
    answer = olga.post(f"/t/{drawn.slug}/day/online/", {"round": 1, "online": "1", "back": "rounds"})
    assert answer.headers["Location"] == f"/t/{drawn.slug}/rounds/"
    assert 'aria-pressed="true"' in olga.get(f"/t/{drawn.slug}/rounds/").content.decode()


def test_once_a_table_has_started_only_the_day_switches_it_and_spectators_have_no_button(olga, table):
    tournament = table.round.tournament
    seating = f"/t/{tournament.slug}/seating/"
    put_tables_online(tournament=tournament, round_number=1, online=[1, 2], by=None)
    assert olga.get(seating).content.decode().count("Change to real cards") == 2
    cast.record(table, 1)
    page = olga.get(seating).content.decode()
    assert page.count("Change to real cards") == 1 and page.count("Online: open table") == 2
    assert olga.get(f"/t/{tournament.slug}/day/online/").content.decode().count("Change to real cards") == 2
    page = Client().get(seating).content.decode()
    assert "Change to" not in page and page.count("Online: open table") == 2


@pytest.mark.parametrize("typed", [{"round": 9, "online": ["1"]}, {"round": 1, "online": ["9"]}, {"round": 1}, {}])
def test_tables_that_there_are_not_are_refused(olga, table, typed):
    tournament = table.round.tournament
    assert olga.post(f"/t/{tournament.slug}/day/online/", typed).status_code in (409, 422)
    assert "online" not in modes(tournament, 1)


def test_a_director_switches_tables_and_does_not_see_the_settings(client, table):
    tournament, director = table.round.tournament, cast.someone_else()
    Role.objects.create(tournament=tournament, user=director, kind=Role.Kind.DIRECTOR, created_by=tournament.owner)
    client.force_login(director)
    page = client.get(f"/t/{tournament.slug}/day/online/")
    assert page.status_code == 200 and "settings/online" not in page.content.decode()
    assert client.get(f"/t/{tournament.slug}/settings/online/").status_code == 404


def test_tables_of_a_closed_round_stay_as_they_were_played(olga):
    made = cast.play(cast.tournament(), rounds=1)
    assert olga.post(f"/t/{made.slug}/day/online/", {"round": 1, "online": ["1"]}).status_code == 409
    assert modes(made, 1) == ["offline"] * 2


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [({"which": "all"}, "all"), ({"which": "some", "numbers": "2, 1"}, "1,2"), ({"numbers": "2"}, "")],
)
def test_a_tournament_can_be_made_to_be_played_online(olga, chosen, kept):
    typed = {"format": "pairs", "edition": "classic", "hands_per_round": 1, "cycles": 1, "bye_points": 0}
    typed |= {"players": "\n".join(cast.CAST), "starts_on": "2026-11-24", "time_zone": "UTC", "visibility": "public"}
    assert olga.post("/new/", typed | chosen).status_code == 302
    assert Tournament.objects.get().online == kept


def test_the_form_asks_for_the_numbers_of_the_tables(olga):
    answer = olga.post("/new/", {"format": "pairs", "which": "some", "numbers": "one"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["numbers"] == ["Type table numbers, for example 1-4, 7."]


def test_a_copy_is_played_where_the_original_was(drawn):
    Tournament.objects.filter(pk=drawn.pk).update(online="1")
    Stage.objects.filter(tournament=drawn).update(options=["stacking"])
    OnlineSettings.objects.create(tournament=drawn, move_seconds=12)
    drawn.refresh_from_db()
    copy = clone_tournament(tournament=drawn, by=drawn.owner)
    assert (copy.online, copy.stages.get().options) == ("1", ["stacking"])
    assert copy.online_settings.move_seconds == 12


def make(tmp_path, *more):
    names = tmp_path / "names.txt"
    names.write_text("\n".join(cast.CAST))
    out = io.StringIO()
    call_command("create_tournament", "--name", "Online", "--players", str(names), "--hands", "1", *more, stdout=out)
    return Tournament.objects.get(slug=out.getvalue().strip())


def test_the_command_plays_online_tables_move_by_move_and_paper_tables_as_before(tmp_path):
    made = make(tmp_path, "--online", "1")
    call_command("play", made.slug, "--rounds", "1", stderr=io.StringIO())
    sources = dict(Hand.objects.values_list("table__number", "source"))
    assert sources == {1: HandScore.Source.ENGINE, 2: HandScore.Source.ORGANISER}
    deal = Deal.objects.get(state=Deal.State.OVER)
    assert Move.objects.filter(deal=deal).count() == deal.moves_made > 0


def test_the_same_seed_gives_the_same_results_at_online_tables(tmp_path):
    scores = []
    for _time in range(2):
        made = make(tmp_path, "--online", "all")
        call_command("play", made.slug, "--rounds", "1", "--seed", "5", stderr=io.StringIO())
        rows = HandScore.objects.filter(table__round__tournament=made).order_by("table__number", "seat")
        scores.append(list(rows.values_list("score", flat=True)))
    assert scores[0] == scores[1]


def test_the_command_says_which_tables_it_cannot_read(tmp_path):
    with pytest.raises((CommandError, Refused), match="table numbers"):
        make(tmp_path, "--online", "one")
