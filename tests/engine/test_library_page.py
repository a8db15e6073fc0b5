"""docs/library.md runs as it stands, with the standard library alone, and prints what it says it prints."""

import re
import subprocess
import sys
from pathlib import Path

from engine.log import read
from engine.replay import verify

ROOT = Path(__file__).parents[2]
# A block of Python, and the block of text after it that says what it prints.
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")


def test_the_page_prints_what_it_says(tmp_path: Path) -> None:
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == PAGE.count("```python") > 4
    script = "".join(f"print('== {number}')\n{code}" for number, (code, _said) in enumerate(blocks))
    command = [sys.executable, "-S", "-X", "utf8", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == "".join(f"== {number}\n{said}" for number, (_code, said) in enumerate(blocks))
    with (tmp_path / "hand.jsonl").open(encoding="utf-8") as log:
        assert [verify(logged).over for logged in read(log)] == [True]


def test_the_engine_needs_nothing_but_the_standard_library() -> None:
    """As the page says: what every module imports, found without Django's environment."""
    modules = sorted(f"engine.{path.stem}" for path in (ROOT / "engine").glob("*.py") if not path.stem.startswith("__"))
    command = [sys.executable, "-S", "-c", f"import {', '.join(modules)}"]
    assert subprocess.run(command, cwd=ROOT, env={}, timeout=60).returncode == 0
