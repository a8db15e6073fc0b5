"""Where settings come from, and the sentences about wrong ones."""

import re

import pytest
from django.conf import settings

from config.variables import declared
from config.variables.read import Machine, SettingFault

NAMES = re.compile(r"\bWILD_[A-Z]+(?:_[A-Z]+)*\b")
NO_VARIABLES = {"WILD_DRAW"}  # a constant of the engine
TREES = (".ci", "benchmarks", "docker", "package", "tests", "engine", "games", "config")
ABOUT_SETTINGS = {"declared.py", "test_variables.py", "test_check.py", "test_verbs.py"}  # the others name real ones


def machine(tmp_path, toml="", **environ):
    if toml:
        (tmp_path / "wild.toml").write_text(toml, encoding="utf-8")
        (tmp_path / "wild.toml").chmod(0o600)
    return Machine({"WILD_DATA": str(tmp_path)} | environ)


def faults(of):
    return [str(fault) for fault in of.faults()]


def warnings(of):
    return [str(warning) for warning in of.warnings()]


def test_the_environment_counts_before_a_secrets_file_and_that_before_wild_toml(tmp_path):
    (tmp_path / "token").write_text("of a file\n")
    toml, file = 'WILD_METRICS_TOKEN = "of wild.toml"\n', {"WILD_METRICS_TOKEN_FILE": str(tmp_path / "token")}
    everywhere = machine(tmp_path, toml, WILD_METRICS_TOKEN="of the environment", **file)
    assert everywhere.text("WILD_METRICS_TOKEN") == "of the environment"
    assert machine(tmp_path, toml, **file).text("WILD_METRICS_TOKEN") == "of a file"
    assert machine(tmp_path, toml, WILD_METRICS_TOKEN="").text("WILD_METRICS_TOKEN") == "of wild.toml"
    assert machine(tmp_path, "# nothing").text("WILD_METRICS_TOKEN") == ""


def test_wild_toml_has_texts_numbers_and_flags(tmp_path):
    given = machine(tmp_path, 'WILD_STREAMS = 20\nWILD_SIGNUP = false\nWILD_ALLOWED_HOSTS = "a.example, b.example"\n')
    assert given.number("WILD_STREAMS") == 20
    assert given.flag("WILD_SIGNUP") is False
    assert given.hosts("WILD_ALLOWED_HOSTS") == ["a.example", "b.example"]
    assert faults(given) == []
    assert given.names_given() == {"WILD_DATA", "WILD_STREAMS", "WILD_SIGNUP", "WILD_ALLOWED_HOSTS"}


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("WILD_LOG = 'json'\nWILD_SINGUP = true", "line 2: WILD_SINGUP is not a setting; the nearest is WILD_SIGNUP"),
        ("[streams]\nmost = 5", "line 1: streams is not a setting; the nearest is WILD_STREAMS"),
        ("[xyz]", "line 1: xyz is not a setting; docs/operations.md lists them"),
        ("\nWILD_STREAMS = 1.5", "line 2: WILD_STREAMS takes text in quotes, a whole number, true or false"),
        ("WILD_STREAMS = 'many'", "line 1: WILD_STREAMS takes a whole number, not “many”"),
        ("WILD_STREAMS = true", "line 1: WILD_STREAMS takes a whole number, not “True”"),
        ("WILD_EMAIL_URL = 25", "line 1: WILD_EMAIL_URL takes text in quotes"),
        ("WILD_HTTPS = 'maybe'", "line 1: WILD_HTTPS takes 1 or 0, not “maybe”"),
        ("WILD_WEB_PROCESSES = 0", "line 1: WILD_WEB_PROCESSES takes a whole number from 1, not “0”"),
        ("WILD_TIME_ZONE = 'Europe/Pris'", "line 1: WILD_TIME_ZONE takes a time zone such as Europe/Paris, not "
         "“Europe/Pris”; the nearest is Europe/Paris"),
        ("WILD_LOG = 'xml'", "line 1: WILD_LOG takes json / plain, not “xml”"),
        ("WILD_ALLOWED_HOSTS = 'https://a.example'", "line 1: WILD_ALLOWED_HOSTS takes host names separated by commas, "
         "without https:// and paths, not “https://a.example”"),
        ("WILD_DATA = '/srv'", "line 1: WILD_DATA cannot be set in this file, which it leads to; set the variable "
         "WILD_DATA"),
    ],
)  # fmt: skip
def test_a_wrong_line_of_wild_toml_is_a_sentence_with_file_line_and_name(toml, sentence, tmp_path):
    faulty = machine(tmp_path, toml)
    assert faults(faulty) == [f"{tmp_path}/wild.toml, {sentence}"]
    with pytest.raises(SettingFault, match=re.escape(sentence)):
        faulty.refuse_faults()


@pytest.mark.parametrize(
    ("toml", "start"),
    [
        ("# ours\nWILD_STREAMS = many", "line 2, is not TOML: Invalid value"),
        ("WILD_STREAMS 5\n", "line 1, is not TOML: Expected '='"),
        ('WILD_EMAIL_URL = "smtp://u:secret@host', "line 1, is not TOML: "),
    ],
)
def test_a_line_that_is_no_toml_is_a_sentence_with_its_number(toml, start, tmp_path):
    [sentence] = faults(machine(tmp_path, toml))
    assert sentence.startswith(f"{tmp_path}/wild.toml, {start}")
    assert "secret" not in sentence


def test_no_fault_repeats_a_secret(tmp_path):
    faulty = machine(
        tmp_path, "REDIS_URL = 'hidden'", DATABASE_URL="postgress://u:hidden@host/name", WILD_EMAIL_URL="hidden"
    )
    assert len(faults(faulty)) == 3
    assert not [sentence for sentence in faults(faulty) if "hidden" in sentence]


def test_an_unknown_variable_is_a_warning_with_the_nearest_name(tmp_path):
    odd = machine(tmp_path, WILD_SINGUP="0", WILD_STREAM="5", WILD_DATA_FILE="/x", WILD_FUZZ="9", OTHER="x")
    assert faults(odd) == []
    assert warnings(odd) == [
        "WILD_DATA_FILE is not a setting, so it has no effect; the nearest is WILD_DATA",
        "WILD_SINGUP is not a setting, so it has no effect; the nearest is WILD_SIGNUP",
        "WILD_STREAM is not a setting, so it has no effect; the nearest is WILD_STREAMS",
    ]


def test_a_secret_that_every_user_can_read_is_a_warning(tmp_path):
    exposed = machine(tmp_path, "WILD_SECRET_KEY = 'of wild.toml'")
    assert warnings(exposed) == []
    exposed.file.chmod(0o644)
    assert warnings(exposed) == [
        f"Every user of this machine can read {exposed.file}, which has WILD_SECRET_KEY: run chmod 600 {exposed.file}"
    ]
    assert warnings(machine(tmp_path, WILD_SECRET_KEY="of the environment")) == []


def test_a_file_whose_variable_is_set_too_is_a_warning(tmp_path):
    twice = machine(tmp_path, REDIS_URL="redis://host/", REDIS_URL_FILE="/nowhere")
    assert warnings(twice) == ["REDIS_URL is set, so REDIS_URL_FILE has no effect: remove one of them"]


def test_the_documentation_has_the_table_of_the_declarations():
    page = (settings.BASE_DIR / "docs" / "operations.md").read_text(encoding="utf-8")
    assert f"\n\n{declared.table()}\n" in page


def test_every_variable_that_anything_reads_is_known():
    files = [settings.BASE_DIR / "dev.py", *(f for tree in TREES for f in (settings.BASE_DIR / tree).rglob("*"))]
    files = [f for f in files if f.is_file() and "__pycache__" not in f.parts and f.name not in ABOUT_SETTINGS]
    found = {name for file in files for name in NAMES.findall(file.read_text("utf-8", "ignore"))}
    known = {name for setting in declared.SETTINGS for name in (setting.name, f"{setting.name}_FILE")}
    assert found - known - declared.OTHER_NAMES - NO_VARIABLES == set()
    assert declared.OTHER_NAMES - found == set()


def test_every_setting_has_a_meaning_and_what_counts_without_it():
    assert [s.name for s in declared.SETTINGS if not (s.meaning.endswith(".") and s.without)] == []


def test_https_that_contradicts_the_public_address_is_a_fault(tmp_path):
    sentence = "WILD_HTTPS contradicts WILD_URL, which begins with http://: remove WILD_HTTPS"
    assert faults(machine(tmp_path, WILD_URL="http://a.example", WILD_HTTPS="1")) == [sentence]
    assert faults(machine(tmp_path, WILD_URL="https://a.example", WILD_HTTPS="1")) == []
