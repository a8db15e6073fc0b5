"""The check of style sheets (.ci/check_css.py) on a small project."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci/check_css.py"
TOKENS = ":root { --ink: #1e1721; }\nbody { color: var(--ink); }\n"
LINK = """<link rel="stylesheet" href="{% static 'league/wild.css' %}">"""


@pytest.fixture(scope="module")
def check_css():
    spec = importlib.util.spec_from_file_location("check_css", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def faults(check_css, tmp_path):
    """Return a function that says what is wrong with a project of one sheet, of what is given and of no more."""

    def faults(css="", template="", script="", module="", drawing="", link=LINK):
        files = {
            "league/static/league/wild.css": TOKENS + css,
            "league/static/league/wild.js": script,
            "league/static/league/cards.svg": drawing,
            "league/views.py": module,
            "templates/league/home.html": link + template,
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return check_css.faults(tmp_path)

    return faults


def test_a_class_on_no_page_is_named_with_its_place_and_selector(faults):
    assert faults("\n.note, .gone > b { margin: 0 }", '<p class="note">') == [
        "league/static/league/wild.css:4: no page has .gone, which stands in “.note, .gone > b”."
    ]


def test_an_id_on_no_page_is_named(faults):
    assert faults("#seal { margin: 0 }", '<p id="menu">') == [
        "league/static/league/wild.css:3: no page has #seal, which stands in “#seal”."
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"template": '<p class="next felt{% if mine %} note{% endif %}">'},
        {"template": "{% include 'league/line.html' with css='felt note' %}"},
        {"template": '<p class="{{ mine|yesno:"note,other" }}">'},
        {"script": 'box.className = text ? "felt note" : "";'},
        {"script": "part.innerHTML = `<p class='note'>`; // and not more"},
        {"module": 'widget = Input(attrs={"class": "felt note"})'},
        {"module": """html = '<p class="felt note">One word</p>'"""},
    ],
    ids=lambda files: next(iter(files.values())),
)
def test_a_class_of_a_template_script_or_module_lives(faults, files):
    assert faults(".note { margin: 0 }", **files) == []


@pytest.mark.parametrize(
    "files",
    [
        {"template": "<p>A note {% translate 'note' %}</p>"},
        {"script": "// a note"},
        {"module": '"""note"""\n# note\nsaid = _("A note to all.")'},
    ],
    ids=lambda files: next(iter(files)),
)
def test_a_word_of_a_text_or_comment_is_no_class(faults, files):
    assert len(faults(".note { margin: 0 }", **files)) == 1


@pytest.mark.parametrize(
    ("selector", "files"),
    [
        (".seats-4", {"template": '<p class="around seats-{{ others|length }}">'}),
        (".n12", {"template": '<ul class="fan n{{ cards|length }}">'}),
        (".game-watch", {"template": '<p class="game game-{% if x %}director{% else %}watch{% endif %}">'}),
        (".state-bad", {"script": "item.className = `state state-${tint}`;"}),
        (".state-bad", {"script": 'item.className = "state-" + tint;'}),
        (".rows-3", {"module": 'rows = f"rows-{count}"'}),
    ],
)
def test_a_class_that_is_put_together_is_known_by_its_beginning(faults, selector, files):
    assert faults(f"{selector} {{ margin: 0 }}", **files) == []


@pytest.mark.parametrize(
    ("selector", "files"),
    [
        (".note", {"template": '<ul class="fan n{{ cards|length }}">'}),
        (".game-top", {"template": '<p class="game game-{% if x %}director{% else %}watch{% endif %}">'}),
    ],
)
def test_a_beginning_allows_no_more_than_what_can_follow(faults, selector, files):
    assert len(faults(f"{selector} {{ margin: 0 }}", **files)) == 1


def test_names_in_not_and_in_values_are_not_looked_at(faults):
    css = '.note:not(.gone):has([data-of~=".out"]) { background: url("a.svg#b") }'
    assert faults(css, '<p class="note">') == []


def test_rules_within_at_rules_are_looked_at_and_comments_are_not(faults):
    css = (
        "/* .gone { --gone: #fff } */\n@media print {\n  .lost { margin: 0 }\n}\n@keyframes lit { from { opacity: 0 } }"
    )
    assert faults(css) == ["league/static/league/wild.css:5: no page has .lost, which stands in “.lost”."]


def test_a_token_that_is_not_defined_is_named_even_where_it_has_a_fallback(faults):
    assert faults("b { margin: var(--s9, 4px) }") == ["league/static/league/wild.css:3: --s9 is used and not defined."]


def test_a_token_that_is_not_used_is_named(faults):
    assert faults("b { --s9: 4px }") == ["league/static/league/wild.css:3: --s9 is defined and not used."]


def test_a_token_that_a_script_sets_or_a_drawing_uses_is_none_too_many(faults):
    css = "b { --s9: 4px; left: var(--dx) }"
    assert faults(css, script='card.style.setProperty("--dx", "4px");', drawing='<path fill="var(--s9)"/>') == []


def test_a_colour_stands_in_a_token_of_the_sheet_that_has_them(faults, tmp_path):
    (tmp_path / "games/static/games").mkdir(parents=True)
    (tmp_path / "games/static/games/play.css").write_text("b { --edge: rgb(0 0 0); top: var(--edge); color: #fff }")
    assert faults("i { color: #abc }", link=LINK + "{% static 'games/play.css' %}") == [
        "games/static/games/play.css:1: --edge has a colour that is no token, rgb(0 0 0).",
        "games/static/games/play.css:1: color has a colour that is no token, #fff.",
        "league/static/league/wild.css:3: color has a colour that is no token, #abc.",
    ]


def test_a_sheet_that_no_template_links_is_named(faults):
    assert faults(link="{% static 'league/other.css' %}") == ["league/static/league/wild.css: no template links it."]


def test_it_says_what_it_found_and_how_it_ended(check_css, faults, tmp_path, capsys):
    faults(".note { margin: 0 }", '<p class="note">')
    assert check_css.main(tmp_path) == 0
    assert capsys.readouterr().out.startswith("Every class, id and token")
    faults(".note { margin: 0 }")
    assert check_css.main(tmp_path) == 1
    assert "no page has .note" in capsys.readouterr().out
