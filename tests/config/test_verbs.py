"""The command line of the package, the image and a clone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config import verbs
from config.version import VERSION


@pytest.mark.parametrize(
    ("args", "words", "folder"),
    [
        (["serve", "--data", "here"], ["serve"], Path("here")),
        (["--data=here", "serve", "--port", "0"], ["serve", "--port", "0"], Path("here")),
        (["backup", "file.zip", "--data", "~/wild"], ["backup", "file.zip"], Path.home() / "wild"),
        (["manage", "export", "--data", "here"], ["manage", "export", "--data", "here"], None),
        ([], [], None),
    ],
)
def test_the_data_folder_may_follow_any_verb_but_manage(args, words, folder):
    assert verbs.split_data(args) == (words, folder)


@pytest.mark.parametrize(
    ("words", "verb", "rest"),
    [
        ([], "serve", []),
        (["--port", "8001"], "serve", ["--port", "8001"]),
        (["worker", "--concurrency", "4"], "worker", ["--concurrency", "4"]),
        (["-h"], "-h", []),
    ],
)
def test_options_without_a_verb_belong_to_serve(words, verb, rest):
    assert verbs.split_verb(words) == (verb, rest)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["sevre"], "There is no verb “sevre”; did you mean “serve”?"),
        (["frobnicate"], "There is no verb “frobnicate”; “wild-league --help” lists the verbs."),
        (["build-engine", "--fast"], "build-engine takes no options but --data DIR."),
        (["serve", "--data"], "--data needs a folder, for example --data ~/wild-league."),
    ],
)
def test_a_command_that_cannot_be_understood_gets_a_sentence_and_runs_nothing(args, sentence, capsys):
    assert verbs.main(args) == 2
    assert capsys.readouterr().err == sentence + "\n"


@pytest.mark.parametrize("args", [["build-engine", "--data", "/there"], ["build-engine"]])
def test_the_engine_is_compiled_into_the_data_folder(args, monkeypatch):
    compiled_into = []
    monkeypatch.setattr("engine.compiled.make.main", lambda target: compiled_into.append(target) or 0)
    monkeypatch.setenv("WILD_DATA", "/elsewhere")
    assert verbs.main(args) == 0
    assert compiled_into == [Path("/there/engine" if "--data" in args else "/elsewhere/engine")]


def test_the_version_is_printed(capsys):
    assert verbs.main(["--version"]) == 0
    assert capsys.readouterr().out == f"wild-league {VERSION}\n"


def test_the_help_names_every_verb(capsys):
    assert verbs.main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert [
        verb for verb in verbs.VERBS if verb.isalpha() and verb != "help" and f"wild-league {verb}" not in printed
    ] == [
        "serve"  # it may be left out
    ]


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        (
            "WILD_DATA",
            "/proc/nowhere",
            "The settings cannot be used: the data folder /proc/nowhere cannot be used: No such file or directory. "
            "Make it writable for the user who runs this, or name another one in WILD_DATA.",
        ),
        (
            "DATABASE_URL_FILE",
            "/proc/nowhere",
            "The settings cannot be used: DATABASE_URL_FILE names /proc/nowhere, which cannot be read: "
            "No such file or directory.",
        ),
        (
            "DATABASE_URL",
            "postgress://u:secret@host/name",
            "The settings cannot be used: DATABASE_URL is not an address of PostgreSQL or SQLite: write "
            "postgres://user:password@host/name.",
        ),
        ("WILD_STREAMS", "many", "The settings cannot be used: WILD_STREAMS takes a whole number, not “many”."),
    ],
)
@pytest.mark.parametrize("verb", ["migrate", "serve"])
def test_a_wrong_setting_is_a_sentence_that_names_it(verb, variable, value, sentence):
    environment = os.environ | {variable: value}
    command = [sys.executable, "-m", "config.verbs", verb]
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence + "\n")


@pytest.mark.parametrize("verb", ["serve", "web", "worker"])
def test_a_wrong_line_of_wild_toml_stops_every_verb_and_changes_nothing(verb, tmp_path):
    (tmp_path / "wild.toml").write_text("WILD_STREEMS = 5\n")
    command = [sys.executable, "-m", "config.verbs", verb, "--data", tmp_path]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    sentence = f"{tmp_path}/wild.toml, line 1: WILD_STREEMS is not a setting; the nearest is WILD_STREAMS."
    assert done.stderr == f"The settings cannot be used: {sentence}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["wild.toml"]


def test_a_command_before_the_first_migration_names_the_verb_that_is_missing(tmp_path):
    command = [sys.executable, "-m", "config.verbs", "--data", tmp_path, "manage", "changepassword", "olga@example.org"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "Update the database first: wild-league migrate."
    assert "Traceback" not in done.stderr
