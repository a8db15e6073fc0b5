"""What a casual table plays: two friends without bots, usual games, and bots of three strengths."""

import pytest
from django.test import Client

from games.online.casual.game import PRESETS, Game
from league.models import Entry
from league.standings import read as ledger
from tests.games.casual_table import deal_me_in, do, markup, names, open_table, play_to_the_end, quick
from tests.games.pages import said

pytestmark = pytest.mark.django_db


def _two_friends(preset: str):
    nora, emile = Client(), Client()
    table = open_table(nora, preset=preset)
    assert do(emile, table, "join", name="Émile").status_code == 303
    assert do(nora, table, "begin").status_code == 303
    return nora, table


@pytest.mark.parametrize("preset", PRESETS)
def test_two_friends_play_a_usual_game_to_its_end_and_again(preset):
    nora, table = _two_friends(preset)
    quick(table, 60)
    play_to_the_end(table)
    first, second = ledger.read(table).standings()
    assert (first.rank, second.rank) == (1, 2)
    assert {first.entrant.name, second.entrant.name} == {"Nora", "Émile"}
    most = max(first.total, second.total)
    assert most >= 60 and (most == first.total) == (preset != "challenge")
    assert nora.post(f"/play/{table.slug}/rematch/").status_code == 303


def test_the_first_to_the_target_wins_although_others_could_play_on():
    nora = Client()
    table = open_table(nora, preset="classic")
    do(nora, table, "fill")
    quick(table, 5)
    play_to_the_end(table)
    assert sum(line.total > 0 for line in ledger.read(table).standings()) == 1


def test_a_tap_on_a_usual_game_sets_its_rules_and_keeps_edition_and_bots():
    nora = Client()
    table = open_table(nora, preset="classic")
    rules = {"edition": "minecraft-2017", "format": "points", "target": "100", "bot": "easy"}
    do(nora, table, "add-bot", **rules)
    assert do(nora, table, "rules:party", **rules).status_code == 303
    stage = table.stages.get()
    assert (stage.format, stage.scoring, stage.values["target"]) == ("points", "winner-takes", 500)
    assert (stage.edition, stage.options) == ("minecraft-2017", ["draw_until_playable", "stacking"])
    assert do(nora, table, "rules:challenge", **rules).status_code == 303
    stage.refresh_from_db()
    assert (stage.format, stage.scoring, stage.options) == ("challenge", "challenge", [])
    assert table.entries.get(player__name="Bot Ada").bot == "easy"
    pressed = markup(nora.get(f"/play/{table.slug}/")).split('aria-pressed="true"')
    assert len(pressed) == 2 and pressed[1].partition("<b>")[2].startswith("Challenge")


def test_all_bots_of_a_table_play_at_the_chosen_level():
    deal_me_in(Client(), preset="classic", bot="sharp")
    assert set(Entry.objects.exclude(bot="").values_list("bot", flat=True)) == {"sharp"}
    nora = Client()
    table = open_table(nora)
    rules = {"edition": "classic", "format": "challenge", "target": "100"}
    do(nora, table, "add-bot", **rules, bot="careful")
    do(nora, table, "rules", **rules, bot="easy")
    do(nora, table, "add-bot", **rules, bot="easy")
    assert [entry.bot for entry in table.entries.order_by("number")] == ["", "easy", "easy"]


@pytest.mark.parametrize(
    "wrong", [{"bot": "random"}, {"format": "pairs"}, {"target": "7"}, {"bot": ""}, {"format": ""}]
)
def test_a_game_that_the_page_does_not_offer_changes_nothing(wrong):
    nora = Client()
    table = open_table(nora)
    before = Game.of(table.stage, table.online_settings)
    answer = do(
        nora, table, "rules", **{"edition": "classic", "format": "points", "target": "100", "bot": "easy"} | wrong
    )
    assert answer.status_code == 422 and said(answer)
    table.online_settings.refresh_from_db()
    assert Game.of(table.stages.get(), table.online_settings) == before
    assert names(table) == ["Nora"]
