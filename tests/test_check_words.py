"""The count of odd words (.ci/check_words.py) on a small project."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci/check_words.py"
NUMBERS = """[tool.wild-league]
long-sentences = 0

[tool.wild-league.words]
kept = {messages = 1, prose = 1, names = 1}
lot = {prose = 0}
"by itself" = {messages = 0, prose = 1}
"""
MESSAGES = 'msgid ""\nmsgstr "Language: fr"\n\nmsgid "Hands are kept for %(days)d "\n"days."\nmsgstr "kept"\n'
MODULE = '''
def hands(kept):
    """Return a lot of them, kept by itself."""
    return _("Hands are kept for %(days)d days.")
'''


@pytest.fixture(scope="module")
def check_words():
    spec = importlib.util.spec_from_file_location("check_words", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def check(check_words, tmp_path, capsys):
    """Return a function that checks a small project with some more lines, and returns exit code and output."""

    def check(module="", message="", args=()):
        files = {
            "pyproject.toml": NUMBERS,
            "league/hands.py": MODULE + module,
            "league/migrations/0001_kept.py": "kept = kept",
            "league/locale/fr/LC_MESSAGES/django.po": MESSAGES + message,
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        code = check_words.main(list(args), tmp_path)
        return code, capsys.readouterr().out.splitlines()

    return check


def test_words_up_to_their_numbers_pass(check):
    assert check() == (
        0,
        ["Odd words: 1 in messages, 2 in prose, 1 in names. 1 messages with 6 words; 0 sentences over 20 words."],
    )


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        ({"module": "# Kept, with a '#'\n"}, "prose"),
        ({"module": 'x = f"kept {hands}"\n'}, "prose"),
        ({"module": "def hands_kept(): ...\n"}, "names"),
        ({"module": "class KeptHands: ...\n"}, "names"),
        ({"message": '\nmsgid "One is kept"\nmsgid_plural "More are"\nmsgstr[0] ""\n'}, "messages"),
    ],
)
def test_a_word_above_its_number_fails(check, planted, kind):
    code, output = check(**planted)
    assert code == 1
    assert output[0] == f"“kept”: 2 times in {kind}, allowed: 1. Use a plainer word."


def test_a_long_sentence_fails(check):
    code, output = check(message=f'\nmsgid "{"word " * 21}."\nmsgstr ""\n')
    assert (code, output[0]) == (1, "Sentences of messages over 20 words: 1, allowed: 0.")


def test_numbers_are_lowered_and_never_raised(check, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    code, output = check(module="# By lot\n", args=["--lower"])
    assert (code, output[0]) == (1, "“lot”: 1 times in prose, allowed: 0. Use a plainer word.")
    assert (tmp_path / "pyproject.toml").read_text() == NUMBERS


def test_what_can_be_lowered_is_reported(check, check_words, tmp_path, capsys):
    check()
    (tmp_path / "league/hands.py").write_text("kept = 1\n")
    assert check_words.main([], tmp_path) == 0
    note = "2 odd words fewer than allowed: 'python3 .ci/check_words.py --lower' lowers the numbers."
    assert capsys.readouterr().out.splitlines()[1] == note
    assert check_words.main(["--lower"], tmp_path) == 0
    assert (
        'kept = {messages = 1, prose = 0, names = 1}\nlot = {prose = 0}\n"by itself" = {messages = 0, prose = 0}\n'
        in (tmp_path / "pyproject.toml").read_text()
    )
