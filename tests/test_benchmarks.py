"""The benchmarks run and count what they say they count. What they measure is in docs/performance.md."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = pytest.mark.slow


def smoke(name, tmp_path, python=sys.executable, more=()):
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    command = [str(python), "-m", f"benchmarks.{name}", "--smoke", *more]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment | {"TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_the_pages_are_measured_beside_their_floors(tmp_path):
    result = smoke("pages", tmp_path)
    assert result["benchmark"] == "pages"
    assert result["database"] == "sqlite"
    queries = result["queries"]
    assert set(result["cpu_ms"]) == set(queries)
    assert {"hello", "row", "rows", "cached", "write", "record_page", "record_hand"} <= set(queries)
    # The floors do what they are called: no query, one row, one list; lock, update and insert.
    assert (queries["hello"], queries["row"], queries["rows"], queries["write"] >= 3) == (0, 1, 1, True)
    # However many players there are.
    assert queries["standings_64_cold"] == queries["standings_256_cold"] <= 10
    assert queries["standings_64_warm"] == queries["standings_256_warm"] < queries["standings_64_cold"]
    assert queries["seating_64"] == queries["seating_256"]
    assert all(ratio["low"] > 0 for ratio in result["ratios"].values())
    assert result["ratios"]["standings_64_cold"]["goal"] == 3.0
    # Standings that were kept in memory showed every hand that was recorded between two looks.
    assert result["stale"] == {"checked": 3, "wrong": 0}


def test_streams_hear_of_every_hand(tmp_path):
    result = smoke("live", tmp_path, more=("--pages", "--proxied"))
    assert (result["benchmark"], result["streams"], result["hands"], result["missed"]) == ("live", 5, 2, 0)
    assert result["sent_to_page_ms"]["p50"] >= result["sent_to_event_ms"]["p50"]
    assert 0 < result["sent_to_event_ms"]["p50"] <= result["sent_to_event_ms"]["p99"]


def test_each_e_mail_is_delivered_once(tmp_path):
    result = smoke("mails", tmp_path)
    assert (result["benchmark"], result["shape"], result["mails"]) == ("mails", "serve", 10)
    assert (result["lost"], result["doubled"], result["not_marked_as_sent"]) == (0, 0, 0)
    assert result["connections"] < 10  # the e-mails of a call share one


def test_moves_at_online_tables_are_seen_by_the_others(tmp_path):
    result = smoke("tables", tmp_path)
    assert (result["benchmark"], result["shape"], result["tables"], result["streams"]) == ("tables", "serve", 2, 8)
    move = result["move"]
    # The floor locks, updates and inserts; what another player asks for after a move is no more than a look.
    assert move["queries"]["write"] >= 3
    assert move["queries"]["look"] <= 4
    assert move["queries"]["move"] <= 11
    assert move["to_write"]["goal"] == 3.0
    assert move["to_write"]["move"]["low"] > 0
    for load in (result["closed"], result["paced"]):
        assert load["moves_per_s"] > 0
        assert load["seen"] > 0, "three others see each move"
        assert 0 < load["sent_to_others_ms"]["p50"] <= load["sent_to_others_ms"]["p99"]
    assert result["paced"]["moves_per_s"] <= 1.5 * result["paced"]["asked_moves_per_s"]
    assert (result["paced"]["pages"], result["html"]["pages"] > 0) == (0, True)


def test_online_tables_are_measured_beside_boardgame_io(tmp_path):
    if not (shutil.which("node") and (settings.BASE_DIR / "var/boardgame/node_modules/boardgame.io").exists()):
        pytest.skip("boardgame.io is not installed: the first lines of benchmarks/beside.py tell how.")
    result = smoke("tables", tmp_path, more=("--beside-boardgame",))
    assert (result["benchmark"], result["tables"], result["streams"], result["rounds"]) == ("tables", 2, 8, 1)
    for side in ("ours", "boardgame.io"):
        for load in ("closed", "paced"):
            figures = result[side][load]
            assert figures["moves_per_s"]["low"] > 0
            assert 0 < figures["p50_ms"]["low"] <= figures["p99_ms"]["low"]
            assert figures["cpu_ms_a_move"]["low"] > 0
    assert result["closed_to_theirs"]["goal"] == 1.0


def test_without_node_the_benchmark_says_what_it_needs(tmp_path):
    command = [sys.executable, "-m", "benchmarks.tables", "--beside-boardgame", "--smoke"]
    without = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=without, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("boardgame.io needs Node.js 18 or later")
    assert "Traceback" not in done.stderr


def test_schedules_are_counted_beside_plain_annealing(tmp_path):
    result = smoke("schedules", tmp_path)
    assert (result["benchmark"], result["smoke"]) == ("schedules", True)
    repeats = {name: one["repeats"] for name, one in result["schedules"].items()}
    # Six tables of six have no formula for five rounds; for the others not even a search is needed, or a short one.
    assert set(repeats) == {"16/4/5", "24/4/6", "32/4/8", "40/4/8", "64/4/8", "100/5/6", "36/6/5"}
    assert {name for name, count in repeats.items() if count} == {"36/6/5"}
    assert all(repeats[name] <= one["annealed"] for name, one in result["schedules"].items() if name != "36/6/5")
    assert [one["rounds"] for one in result["trees"].values()] == [3, 5]
    assert {"8/4", "1000/4"} <= set(result["growth"])
    assert result["swiss"]["40/4"]["repeats"] == 0 and result["swiss"]["40/4"]["to_best"] >= 1


def test_a_hand_a_move_and_a_page_call_few_modules_and_the_page_of_a_table_enters_few_rooms(tmp_path):
    """So that who changes one of them has little to read: at most 15 or 16 each, but for a page that is made anew."""
    result = smoke("modules", tmp_path)
    assert 5 < result["record_hand"] <= 15 and 5 < result["online_move"] <= 16 and result["standings_page"] <= 15
    assert result["standings_page_made_anew"] <= 44
    assert 10 < result["table_page_rooms"] <= result["race_table_page_rooms"] <= 22
