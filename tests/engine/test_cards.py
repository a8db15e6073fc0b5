import ast
import sys
from collections import Counter
from pathlib import Path

import pytest

import engine
from engine import cards
from engine.rules import EDITIONS

ENGINE = Path(engine.__file__).parent


@pytest.mark.parametrize(
    ("key", "size", "specials", "draw_size"),
    [
        ("harry-potter-2018", 112, {"WH": 4}, 2),
        ("harry-potter-unorules", 112, {"WH": 4}, 2),
        ("minecraft-2017", 112, {"WC": 4}, 2),
        ("harry-potter-fr", 110, {"WL": 1, "WI": 1}, 3),
        ("classic", 108, {}, 2),
    ],
)
def test_every_edition_has_its_deck(key, size, specials, draw_size):
    edition = EDITIONS[key]
    copies = Counter(edition.deck)
    assert edition.key == key
    assert len(edition.deck) == size
    assert edition.draw_size == draw_size
    assert edition.specials == tuple(specials)
    assert {card: copies[card] for card in specials} == specials
    for color in "RYGB":
        assert copies[f"{color}0"] == 1
        assert all(copies[f"{color}{face}"] == 2 for face in "123456789SRD")
    assert copies["W"] == copies["WD"] == 4


def test_there_are_five_editions_with_names_of_their_own():
    assert len(EDITIONS) == 5
    assert len({edition.name for edition in EDITIONS.values()}) == 5


def test_the_deck_lies_in_the_order_that_shuffles_start_from():
    deck = EDITIONS["harry-potter-fr"].deck
    assert "".join(card[1] for card in deck[:25]) == "0112233445566778899SSRRDD"
    assert [card[0] for card in deck[:100:25]] == ["R", "Y", "G", "B"]
    assert list(deck[100:]) == ["W"] * 4 + ["WD"] * 4 + ["WL", "WI"]


@pytest.mark.parametrize(
    ("card", "points", "name"),
    [
        ("B7", 7, "Blue 7"),
        ("Y0", 0, "Yellow 0"),
        ("RD", 20, "Red Draw Two"),
        ("GS", 20, "Green Skip"),
        ("RR", 20, "Red Reverse"),
        ("W", 50, "Wild"),
        ("WD", 50, "Wild Draw Four"),
        ("WH", 50, "Sorting Hat"),
        ("WC", 50, "Creeper"),
        ("WL", 50, "Howler"),
        ("WI", 50, "Invisibility"),
    ],
)
def test_a_card_has_points_and_a_name(card, points, name):
    """SCORE-1."""
    assert cards.points(card) == points
    assert cards.name(card) == name
    assert cards.is_wild(card) == (points == 50)


def test_the_draw_card_is_called_by_what_it_draws():
    assert EDITIONS["harry-potter-fr"].card_name("RD") == "Red Draw Three"
    assert EDITIONS["classic"].card_name("RD") == "Red Draw Two"


@pytest.mark.parametrize("code", ["", "R", "R10", "X5", "7B", "b7", "WX", "W ", "R²"])
def test_other_texts_are_no_cards(code):
    assert not cards.is_card(code)
    with pytest.raises(cards.UnknownCard):
        cards.points(code)
    with pytest.raises(cards.UnknownCard):
        cards.name(code)


def test_the_rules_that_differ_are_flags():
    flags = {
        key: (edition.hat_target, edition.uno_window, edition.dealer_birthday, edition.invisibility)
        for key, edition in EDITIONS.items()
    }
    assert flags == {
        "harry-potter-2018": ("any", "turn-begins", None, False),  # HAT-1
        "harry-potter-unorules": ("next", "turn-played", None, False),  # HAT-2, UNO-5
        "minecraft-2017": (None, "turn-begins", None, False),
        "harry-potter-fr": (None, "turn-begins", (7, 31), True),  # DEAL-2, INV-4
        "classic": (None, "turn-begins", None, False),
    }
    for edition in EDITIONS.values():  # HAT-3
        assert edition.gryffindor == ({1, 2, 3, 4} if "WH" in edition.deck else set())


def test_the_engine_imports_only_the_standard_library():
    files = sorted(set(ENGINE.rglob("*.py")) - {ENGINE / "compiled" / "make.py"})
    assert len(files) > 20
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file.name} imports relatively"
                modules = [node.module or ""]
            else:
                continue
            for module in modules:
                top = module.partition(".")[0]
                assert top == "engine" or top in sys.stdlib_module_names, f"{file.name} imports {module}"
