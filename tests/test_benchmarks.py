"""The benchmarks run and count what they say they count. What they measure is in docs/performance.md."""

import json
import os
import subprocess
import sys

from django.conf import settings


def smoke(name, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    command = [sys.executable, "-m", f"benchmarks.{name}", "--smoke"]
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
    assert queries["standings_64_cold"] == queries["standings_256_cold"] <= 6
    assert queries["standings_64_warm"] == queries["standings_256_warm"] < queries["standings_64_cold"]
    assert queries["seating_64"] == queries["seating_256"]
    assert all(ratio["low"] > 0 for ratio in result["ratios"].values())
    assert result["ratios"]["standings_64_cold"]["goal"] == 3.0
    # Standings that were kept in memory showed every hand that was recorded between two looks.
    assert result["stale"] == {"checked": 3, "wrong": 0}
