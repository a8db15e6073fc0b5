"""The check that nobody but a format's two halves names it (.ci/check_formats.py)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHECK = ROOT / ".ci" / "check_formats.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the formats and one module that asks them."""
    shutil.copytree(ROOT / "league" / "formats", tmp_path / "league" / "formats")
    for folder in ("config", "games", "league/format_pages", "templates"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "league" / "asks.py").write_text('def asks(stage):\n    return stage.plays.partners and "points"\n')
    return tmp_path


def check(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_project_passes() -> None:
    assert check(ROOT) == (0, "")


@pytest.mark.parametrize(
    "line",
    [
        'named = stage.format == "points"',
        'named = stage.format in ("challenge", "points")',
        'named = "pairs" != format',
        'named = row["format"] == "teams"',
        'named = make(format="pairs")',
        'named = FORMATS["teams"].partners',
        'named = {"format": "challenge"}',
    ],
)
def test_a_module_that_names_a_format_is_found(project: Path, line: str) -> None:
    assert check(project) == (0, "")
    (project / "games" / "names.py").write_text(f"{line}\n")
    code, said = check(project)
    assert code == 1 and said.startswith("games/names.py:1: ")


def test_a_template_that_names_a_format_is_found_and_its_own_pages_may(project: Path) -> None:
    (project / "league" / "format_pages" / "race.py").write_text('RACES = {"format": "points"}\n')
    assert check(project) == (0, "")
    (project / "templates" / "page.html").write_text('<p>\n{% if stage.format == "points" %}x{% endif %}</p>\n')
    assert "templates/page.html:2: " in check(project)[1]
