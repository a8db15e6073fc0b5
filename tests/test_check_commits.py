"""The check of commit subjects (.ci/check_commits.py): it warns, and never fails."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def check_commits():
    spec = importlib.util.spec_from_file_location("check_commits", ROOT / ".ci/check_commits.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(folder, *args):
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *args], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init")
    for subject in ("Mend the clock", "Speed up standings", "Fixed a typo", "Add " + "a" * 69):
        git(tmp_path, "commit", "--allow-empty", "-m", subject)
    return tmp_path


def test_it_names_subjects_without_a_verb_or_too_long(check_commits, repository, capsys):
    assert check_commits.main(repository) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Commit “Add {'a' * 69}”: at most 72 characters.",
        "Commit “Fixed a typo”: begin with a verb of CONTRIBUTING.md.",
        "Commit “Mend the clock”: begin with a verb of CONTRIBUTING.md.",
    ]


def test_a_shallow_clone_has_fewer_commits(check_commits, repository, tmp_path, capsys):
    git(tmp_path, "clone", "--depth", "1", f"file://{repository}", str(tmp_path / "shallow"))
    assert check_commits.main(tmp_path / "shallow") == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_without_a_repository_or_git_it_prints_nothing(check_commits, repository, tmp_path, capsys, monkeypatch):
    (tmp_path / "archive").mkdir()
    assert check_commits.main(tmp_path / "archive") == 0  # within a repository of something else
    monkeypatch.setenv("PATH", "")
    assert check_commits.main(repository) == 0
    assert capsys.readouterr().out == ""


def test_contributing_names_the_verbs(check_commits):
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert ", ".join(check_commits.VERBS) in " ".join(page.split())
