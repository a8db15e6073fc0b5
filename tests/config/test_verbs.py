"""The command line of the package, the image and a clone."""

from pathlib import Path

import pytest

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
        (["serve", "--data"], "--data needs a folder, for example --data ~/wild-league."),
    ],
)
def test_a_command_that_cannot_be_understood_gets_a_sentence_and_runs_nothing(args, sentence, capsys):
    assert verbs.main(args) == 2
    assert capsys.readouterr().err == sentence + "\n"


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
