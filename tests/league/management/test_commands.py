"""The commands as a shell sees them: what is on stdout, what on stderr, and the exit code."""

import csv
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.db import connections

from league.lib.command import SentenceCommand
from league.lib.command_line import CommandLine
from league.management.commands.export import AS_PUBLISHED, TABLES
from league.models import Tournament
from league.public import snapshots
from league.public.tables import EXPORTS
from league.seasons.export_rows import COLUMNS as OF_A_SEASON
from tests import cast
from tests.served import migrated
from tests.spreadsheets import cells_of

pytestmark = pytest.mark.slow

Refusal = Callable[..., str]
ROOT = Path(__file__).resolve().parents[3]
ROSTER = ROOT / "tests" / "players8.csv"
CHALLENGE = ("--format", "challenge")


class Shell:
    """manage.py with a data directory of its own."""

    def __init__(self, data: Path) -> None:
        self.env = {**os.environ, "WILD_DATA": str(data), "DATABASE_URL": "", "PYTHONIOENCODING": "utf-8"}
        shutil.copy(migrated(), data)

    def __call__(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, str(ROOT / "manage.py"), *words]
        return subprocess.run(command, env=self.env, input=stdin, capture_output=True, check=False)

    def out(self, *words: str, stdin: bytes = b"") -> str:
        done = self(*words, stdin=stdin)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def refused(self, *words: str, stdin: bytes = b"") -> str:
        """What a refusal says: one sentence, on stderr."""
        done = self(*words, stdin=stdin)
        assert (done.returncode, done.stdout) == (2, b"")
        said = done.stderr.decode()
        assert said.count("\n") == 1 and "Traceback" not in said
        return said


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("data"))


class Here(Shell):
    """The same in this process, on the test's database: starting one takes seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[bytes]) -> None:
        self.monkeypatch, self.captured = monkeypatch, captured
        monkeypatch.setattr(connections, "close_all", lambda: None)  # the last thing that a command does

    def __call__(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            CommandLine(["manage.py", *words]).execute()
        except SystemExit as ended:
            code = int(ended.code or 0)
        return subprocess.CompletedProcess(words, code, *self.captured.readouterr())


@pytest.fixture
def here(db: None, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Here:
    return Here(monkeypatch, capsysbinary)


@pytest.fixture
def refused(here: Here) -> Refusal:
    return here.refused


def rows(text: str) -> list[dict[str, str]]:
    assert "\r\n" in text
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_tournament_is_made_played_and_exported_from_the_shell(shell: Shell) -> None:
    slug = shell.out(
        "create_tournament", "--name", "Shell Pairs", "--format", "pairs", "--players", str(ROSTER)
    ).strip()
    assert slug == "shell-pairs"
    shell.out("play", slug, "--seed", "3")
    assert len(rows(shell.out("export", slug, "hands"))) == 224
    assert "every round" in shell.refused("play", slug).lower()


def test_an_evening_is_played_in_parts_and_exported_as_of_any_round(here: Here, tmp_path: Path) -> None:
    slug = here.out("create_tournament", "--name", "Here Pairs", "--players", str(ROSTER)).strip()
    here.out("play", slug, "--seed", "3", "--rounds", "2")
    assert len(rows(here.out("export", slug, "hands"))) == 64
    here.out("play", slug, "--seed", "3", "--rounds", "2")
    assert len(rows(here.out("export", slug, "standings"))) == 8
    assert {row["as_of_round"] for row in rows(here.out("export", slug, "standings", "--as-of-round", "3"))} == {"3"}
    assert len(rows(here.out("export", slug, "seating"))) == 32
    file = tmp_path / "seating.xlsx"
    assert here.out("export", slug, "seating", "--out", str(file)) == ""
    written = here.out("export", slug, "seating")
    assert cells_of(file.read_bytes()) == list(csv.reader(io.StringIO(written, newline="")))
    semicolons = here.out("export", slug, "seating", "--format", "semicolons")
    assert semicolons == "\ufeff" + written.replace(",", ";")
    assert len(rows(here.out("export", slug, "rounds"))) == 32
    no_adjustments = "round,player_id,player,kind,points,reason,recorded_at,counted_at,stage\r\n"
    assert here.out("export", slug, "adjustments") == no_adjustments
    assert "voided_at" in here.out("export", slug, "hands", "--all").splitlines()[0]


def test_a_challenge_is_made_and_played_to_the_end(here: Here) -> None:
    words = ("--table-size", "4", "--hands", "4", "--target", "200", "--edition", "minecraft-2017")
    slug = here.out("create_tournament", "--name", "Shell UNO", *CHALLENGE, *words, "--players", str(ROSTER)).strip()
    here.out("play", slug, "--seed", "3")
    table = rows(here.out("export", slug, "standings"))
    assert [row["rank"] for row in table][:2] == ["1", "2"] and len(table) == 8
    assert [row["status"] for row in table] == ["active"] + ["out"] * 7
    assert all((int(row["total"]) >= 200) == (row["status"] == "out") for row in table)
    assert "every round" in here.refused("play", slug).lower()


KNOCKOUT = ("create_tournament", "--format", "knockout", "--players", str(ROSTER))


def test_play_says_what_remains_and_the_decided_final_is_in_the_standings(here: Here) -> None:
    slug = here.out(*KNOCKOUT, "--name", "Shell Cup").strip()
    done = here("play", slug, "--seed", "3")
    assert done.returncode == 0 and "Close the tournament to make the standings final" in done.stderr.decode()
    table = rows(here.out("export", slug, "standings"))
    assert [(row["rank"], row["tied"]) for row in table[:4]] == [(str(place), "false") for place in range(1, 5)]
    assert [row["rank"] for row in table[4:]] == ["5"] * 4
    refused = here.refused("play", slug)
    assert "Every round" in refused and "--close" in refused
    assert not Tournament.objects.get(slug=slug).is_final
    done = here("play", slug, "--close")
    assert done.returncode == 0 and "The standings are final." in done.stderr.decode()
    assert Tournament.objects.get(slug=slug).is_final
    assert rows(here.out("export", slug, "standings")) == table


@pytest.mark.parametrize("players", (2, 7))
def test_play_can_close_what_it_has_played(here: Here, players: int) -> None:
    names = "\n".join(cast.CAST[:players]).encode()
    slug = here.out(*KNOCKOUT[:-1], "-", "--name", "Closed Cup", stdin=names).strip()
    here.out("play", slug, "--close")
    assert Tournament.objects.get(slug=slug).is_final
    assert "its standings are final" in here.refused("play", slug, "--close")


def test_play_closes_nothing_before_the_last_round(here: Here) -> None:
    slug = here.out(*KNOCKOUT, "--name", "Open Cup").strip()
    done = here("play", slug, "--rounds", "1", "--close")
    assert done.returncode == 0 and "Close the tournament" not in done.stderr.decode()
    assert not Tournament.objects.get(slug=slug).is_final
    here.out("play", slug, "--rounds", "2", "--close")
    assert Tournament.objects.get(slug=slug).is_final


def test_hands_0_are_rounds_that_last_until_they_are_closed(here: Here) -> None:
    made = ("create_tournament", "--name", "Open UNO", *CHALLENGE, "--hands", "0", "--target", "120", "--players", "-")
    slug = here.out(*made, stdin=b"Ana\nBen\nChidi\nEmma\nFarah\nGoran\nHana").strip()
    here.out("play", slug)
    assert [row["status"] for row in rows(here.out("export", slug, "standings"))].count("active") == 1


def test_the_same_seed_plays_the_same_results(here: Here) -> None:
    scores = []
    for name in ("Twin one", "Twin two"):
        slug = here.out("create_tournament", "--name", name, "--players", str(ROSTER), "--rounds", "1").strip()
        here.out("play", slug, "--seed", "5")
        scores.append(
            [(row["player"], row["cards_left"], row["score"]) for row in rows(here.out("export", slug, "hands"))]
        )
    assert scores[0] == scores[1]


def test_names_can_come_from_standard_input(here: Here) -> None:
    slug = here.out(
        "create_tournament", "--name", "Piped", "--players", "-", stdin="Ana\nBenoît\nChidi\nĐorđe".encode()
    ).strip()
    here.out("play", slug)
    assert len(rows(here.out("export", slug, "hands"))) == 48


@pytest.mark.parametrize(
    ("words", "stdin", "sentence"),
    [
        (("--players", "-"), "a\nb\nc", "Individual pairs need 4 to 43"),
        (("--players", "-"), "\n".join(f"p{number}" for number in range(1000)), "not 1000."),
        (("--players", "-"), "name,club\nAna,a\x07b\nBen,", "Line 2, club"),
        (("--players", "-"), "", "No names found."),
        (("--players", "/nowhere/at/all.csv"), "", "cannot be read"),
        (("--players", "-", "--edition", "snap"), "a\nb\nc\nd", "There is no edition called “snap”."),
        (("--players", "-", "--format", "chess"), "a\nb\nc\nd", "There is no format called “chess”."),
        (("--players", "-", "--rounds", "9"), "a\nb\nc\nd", "1 to 3 rounds"),
        (("--players", "-", "--rounds", "some"), "a\nb\nc\nd", "--rounds takes a whole number or “all”, not “some”."),
        (
            ("--players", "-", "--rounds", "0"),
            "a\nb\nc\nd",
            "Rounds: choose 1 to 200, or leave it empty (all rounds of the schedule), not 0.",
        ),
        (("--players", "-", "--rounds", "9" * 5000), "a\nb\nc\nd", "--rounds takes a whole number or “all”, not “9999"),
        (("--players", "-", "--hands", "0"), "a\nb\nc\nd", "Hands a round: choose 1 to 20."),
        (("--players", "-", "--owner", "olga"), "a\nb\nc\nd", "is no e-mail address"),
        (("--players", "-", "--time-zone", "Mars"), "a\nb\nc\nd", "Choose a time zone"),
        (
            ("--players", "-", "--cycles", "11"),
            "a\nb\nc\nd",
            "How often the schedule is played: choose 1 to 10, not 11.",
        ),
        (("--players", "-", "--cycles", "2", "--rounds", "2"), "a\nb\nc\nd", "Only a whole schedule"),
        (
            ("--players", "-", "--bye-points", "-1"),
            "a\nb\nc\nd",
            "Points for a bye: choose 0 to 1000, not -1.",
        ),
        (("--players", "-", "--table-size", "-1"), "a\nb\nc\nd", "Individual pairs has no setting “table_size”."),
        (("--players", "-", "--hands", "four"), "a\nb\nc\nd", "--hands takes a whole number or “all”, not “four”."),
        ((*CHALLENGE, "--players", "-"), "a\nb", "Challenge UNO needs 3 to 1000 players, not 2."),
        ((*CHALLENGE, "--players", "-"), "\n".join(f"p{number}" for number in range(1001)), "1000"),
        (
            (*CHALLENGE, "--players", "-", "--table-size", "2"),
            "a\nb\nc",
            "Most players at a table: choose 3 to 10, not 2.",
        ),
        (
            (*CHALLENGE, "--players", "-", "--target", "0"),
            "a\nb\nc",
            "Eliminated at: choose 1 to 10000, not 0.",
        ),
        (
            (*CHALLENGE, "--players", "-", "--hands", "21"),
            "a\nb\nc",
            "leave it empty (until you close the round), not 21.",
        ),
        (
            (*CHALLENGE, "--players", "-", "--hands", "-1"),
            "a\nb\nc",
            "leave it empty (until you close the round), not -1.",
        ),
    ],
)
def test_every_refusal_is_one_sentence(refused: Refusal, words: tuple[str, ...], stdin: str, sentence: str) -> None:
    assert sentence in refused("create_tournament", "--name", "Refused", *words, stdin=stdin.encode())
    assert "There is no tournament “refused”." in refused("export", "refused", "hands")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("export", "nowhere", "standings"), "There is no tournament “nowhere”."),
        (("export", "piped", "jokes"), "(choose from 'standings', "),
        (("export", "nowhere"), "required: table."),
        (("export", "nowhere", "standings", "--all=1"), "--all"),
        (("play", "nowhere"), "There is no tournament “nowhere”."),
        (("play", "nowhere", "--rounds", "0"), "--rounds takes a number from 1, not “0”."),
        (("play", "nowhere", "--seed", "x"), "--seed takes a whole number, not “x”."),
        (("schedule", "--format", "pairs", "--players", "3"), "4 to 43"),
        (("schedule", "--format", "teams", "--players", "3", "--cycles", "0"), "players: choose 1 to 10, not 0."),
        (("create_token", "ana@example.org", "--days", "-1"), "A token can be valid for 1 to 730 days."),
        (("serve", "--port", "x"), "--port takes a whole number, not “x”."),
        (("serve", "--port", "70000"), "choose one from 1024 to 65535 with --port."),
        (("roles", "nope"), "Unrecognized arguments: nope; “manage.py roles --help” says what there is."),
        (("roles", "--no-color", "--force-color"), "can't be used together."),
    ],
)  # fmt: skip
def test_wrong_words_are_refused_in_one_sentence_too(refused: Refusal, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(*words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nonsense",), "There is no command “nonsense”; “manage.py help” lists them."),
        (("help", "nonsense"), "There is no command “nonsense”; “manage.py help” lists them."),
        (("exprt", "spring", "hands"), "There is no command “exprt”; did you mean export?"),
        (("migrat",), "There is no command “migrat”; did you mean migrate or "),
    ],
)
def test_an_unknown_command_is_one_sentence_that_names_near_ones(
    refused: Refusal, words: tuple[str, ...], sentence: str
) -> None:
    assert refused(*words).startswith(sentence)


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if app in ("league", "games")))
def test_every_command_of_ours_refuses_an_unknown_option_in_one_sentence(refused: Refusal, name: str) -> None:
    assert isinstance(load_command_class(get_commands()[name], name), SentenceCommand)
    assert refused(name, "--no-such-option")


def test_a_refusal_in_a_shell_is_one_sentence_and_exit_code_2(shell: Shell) -> None:
    assert "No names found." in shell.refused("create_tournament", "--name", "Refused", "--players", "-")
    assert "No module named 'nowhere'." in shell.refused("roles", "--settings", "nowhere")


# The tables


TABLE = re.compile(r"^\| `(\w+)`( \(.+?\))? \| (`\w+`|web only) \| (.+) \|$", re.MULTILINE)
LISTED = [match.groups() for match in TABLE.finditer((ROOT / "docs/formats.md").read_text(encoding="utf-8"))]


def test_the_commands_write_every_table_that_formats_md_says_they_write() -> None:
    def by(command: str) -> list[str]:
        return sorted(name for name, _of, via, _columns in LISTED if via == command)

    assert by("`export`") == sorted(TABLES)
    assert by("`export_season`") == sorted(OF_A_SEASON)


def test_formats_md_names_the_columns_of_every_table() -> None:
    known = {("`export`", name): export.header for name, export in EXPORTS.items()}
    known |= {("`export_season`", name): columns for name, columns in OF_A_SEASON.items()}
    for name, _of, via, told in LISTED:
        if (via, name) in known:
            assert told.startswith(f"`{','.join(known[via, name])}`"), name
            private = EXPORTS[name].private if via == "`export`" and name in EXPORTS else ()
            assert not private or f"`{','.join(private)}`" in told, name


def test_every_table_of_a_tournament_comes_out_of_the_shell(here: Here) -> None:
    slug = here.out("create_tournament", "--name", "All tables", "--players", str(ROSTER)).strip()
    here.out("play", slug, "--seed", "3", "--rounds", "1")
    for table in EXPORTS:
        read = rows(here.out("export", slug, table))
        assert read or table in ("adjustments", "events", "members", "race"), table
    assert not rows(here.out("export", slug, "players"))[0]["email"]
    assert rows(here.out("export", slug, "players", "--all"))[0]["email"]
    assert "no record of a closed round yet" in here.refused("export", slug, AS_PUBLISHED)
    assert "no record of round 1 yet" in here.refused("export", slug, AS_PUBLISHED, "--as-of-round", "1")


def test_the_record_of_a_closed_round_comes_out_of_the_shell(db: None) -> None:
    made = cast.play(cast.tournament(), 1)
    snapshots.freeze(made.rounds.get(number=1))
    call_command("export", made.slug, AS_PUBLISHED, stdout=(out := io.StringIO(newline="")))
    assert [row["revision"] for row in rows(out.getvalue())] == ["1"] * 8
    assert tuple(rows(out.getvalue())[0]) == snapshots.COLUMNS
