"""The tour of docs/api.md, run line by line against the service."""

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.served import Served

pytestmark = pytest.mark.slow

ROOT = Path(settings.BASE_DIR)
BLOCKS = re.findall(r"^```bash\n(.*?)^```$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def served(tmp_path):
    served = Served(tmp_path)
    yield served.start()
    served.stop()


def test_the_tour_of_the_api_can_be_walked_with_curl(served):
    assert shutil.which("bash") and shutil.which("curl"), "this test needs bash and curl"
    marked = "".join(f"echo; echo '== {number}'\n{block}" for number, block in enumerate(BLOCKS))
    environment = served.environment | {
        "SITE": f"http://127.0.0.1:{served.port}",
        "MANAGE": f"{sys.executable} manage.py",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", marked], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = dict(re.findall(r"^== (\d+)\n(.*?)(?=^== |\Z)", done.stdout, re.M | re.S))
    _start, made, seating, recorded, conflict, advanced, refused, standings = (said[str(n)] for n in range(8))

    assert made.strip() == "running"
    assert "Ana Lucía" in seating and '"byes":[]' in seating
    assert re.findall(r"HTTP/1.1 (\d+)", recorded) == ["201", "201"]
    assert recorded.lower().count("idempotency-replayed: true") == 1
    assert "HTTP/1.1 409" in conflict and "/api/problems/taken" in conflict and '"replaces"' in conflict
    assert "'step': 'close-2'" in advanced
    assert "/api/problems/missing" in refused and refused.rstrip().endswith("close-3")
    as_csv = standings.strip().partition("\n[")[0]
    rows = list(csv.DictReader(io.StringIO(as_csv)))
    assert [row["player"] for row in rows if row["rank"] == "1"]
    assert {row["hands_played"] for row in rows} == {"4"}
    assert '"as_of_round":1' in standings
