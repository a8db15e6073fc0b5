"""The commands as a shell sees them: what is on stdout, what on stderr, and the exit code."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROSTER = ROOT / "tests" / "players8.csv"


class Shell:
    """manage.py with a data directory of its own."""

    def __init__(self, data: Path) -> None:
        self.env = {**os.environ, "WILD_DATA": str(data), "DATABASE_URL": "", "PYTHONIOENCODING": "utf-8"}
        self("migrate", "--verbosity=0")

    def __call__(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, str(ROOT / "manage.py"), *words]
        return subprocess.run(command, env=self.env, input=stdin, capture_output=True, check=False)

    def out(self, *words: str, stdin: bytes = b"") -> str:
        done = self(*words, stdin=stdin)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def refused(self, *words: str, stdin: bytes = b"") -> str:
        """The one sentence of a refusal."""
        done = self(*words, stdin=stdin)
        assert (done.returncode, done.stdout) == (2, b"")
        said = done.stderr.decode()
        assert said.count("\n") == 1 and "Traceback" not in said
        return said


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("data"))


def rows(text: str) -> list[dict[str, str]]:
    assert "\r\n" in text
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_tournament_is_made_played_and_exported_from_the_shell(shell: Shell) -> None:
    slug = shell.out(
        "create_tournament", "--name", "Shell Pairs", "--format", "pairs", "--players", str(ROSTER)
    ).strip()
    assert slug == "shell-pairs"
    shell.out("play", slug, "--seed", "3", "--rounds", "2")
    assert len(rows(shell.out("export", slug, "hands"))) == 64
    shell.out("play", slug, "--seed", "3")
    assert len(rows(shell.out("export", slug, "hands"))) == 224
    assert len(rows(shell.out("export", slug, "standings"))) == 8
    assert {row["as_of_round"] for row in rows(shell.out("export", slug, "standings", "--as-of-round", "3"))} == {"3"}
    assert len(rows(shell.out("export", slug, "seating"))) == 56
    assert len(rows(shell.out("export", slug, "rounds"))) == 56
    assert shell.out("export", slug, "adjustments") == "round,player_id,player,kind,points,reason,recorded_at\r\n"
    assert "voided_at" in shell.out("export", slug, "hands", "--all").splitlines()[0]
    assert "every round" in shell.refused("play", slug).lower()


def test_the_same_seed_plays_the_same_results(shell: Shell) -> None:
    scores = []
    for name in ("Twin one", "Twin two"):
        slug = shell.out("create_tournament", "--name", name, "--players", str(ROSTER), "--rounds", "1").strip()
        shell.out("play", slug, "--seed", "5")
        scores.append(
            [(row["player"], row["cards_left"], row["score"]) for row in rows(shell.out("export", slug, "hands"))]
        )
    assert scores[0] == scores[1]


def test_names_can_come_from_standard_input(shell: Shell) -> None:
    slug = shell.out(
        "create_tournament", "--name", "Piped", "--players", "-", stdin="Ana\nBenoît\nChidi\nĐorđe".encode()
    ).strip()
    shell.out("play", slug)
    assert len(rows(shell.out("export", slug, "hands"))) == 48


@pytest.mark.parametrize(
    ("words", "stdin", "sentence"),
    [
        (("--players", "-"), "a\nb\nc", "Individual pairs can be played by 4 to 43"),
        (("--players", "-"), "\n".join(f"p{number}" for number in range(1000)), "not by 1000."),
        (("--players", "-"), "name,email\nAna,ana@\n,b@example.org", "Line 2, email"),
        (("--players", "-"), "", "There are no names here."),
        (("--players", "/nowhere/at/all.csv"), "", "cannot be read"),
        (("--players", "-", "--edition", "snap"), "a\nb\nc\nd", "There is no edition called “snap”."),
        (("--players", "-", "--format", "chess"), "a\nb\nc\nd", "There is no format called “chess”."),
        (("--players", "-", "--rounds", "9"), "a\nb\nc\nd", "1 to 3 rounds"),
        (("--players", "-", "--rounds", "some"), "a\nb\nc\nd", "--rounds takes a number"),
        (("--players", "-", "--hands", "0"), "a\nb\nc\nd", "Choose 1 to 20 hands a round."),
        (("--players", "-", "--owner", "olga"), "a\nb\nc\nd", "is no e-mail address"),
        (("--players", "-", "--time-zone", "Mars"), "a\nb\nc\nd", "Choose a time zone"),
    ],
)
def test_every_refusal_is_one_sentence(shell: Shell, words: tuple[str, ...], stdin: str, sentence: str) -> None:
    assert sentence in shell.refused("create_tournament", "--name", "Refused", *words, stdin=stdin.encode())
    assert "There is no tournament “refused”." in shell.refused("export", "refused", "hands")


@pytest.mark.parametrize(
    "words",
    [
        ("export", "nowhere", "standings"),
        ("export", "piped", "jokes"),
        ("play", "nowhere"),
        ("export", "nowhere"),
        ("schedule", "--format", "pairs", "--players", "3"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence_too(shell: Shell, words: tuple[str, ...]) -> None:
    shell.refused(*words)
