"""The golden logs: every rule in a few lines of play that a player can read and that a second referee agrees with.

`WILD_GOLDEN=write` writes them anew after a change of the engine, to be read in the diff. `golden_file.py` says how
they are written.
"""

import os
import re
from collections import Counter
from difflib import unified_diff
from pathlib import Path

import pytest

from engine.refused import REFUSALS
from engine.rules import EDITIONS, OPTIONS
from engine.state import Rules
from tests.engine.golden_file import Golden, rules_shown
from tests.engine.rigged import assert_second_referee_agrees, rigged

ROOT = Path(__file__).parents[2]
FILES = sorted(Path(__file__).with_name("golden").glob("*.txt"))
HANDS = [path for path in FILES if re.search("^(cards|seed) ", path.read_text(encoding="utf-8"), re.MULTILINE)]
NOT_IN_A_HAND = {"TOUR-1", "TOUR-2", "TOUR-3"}  # schedules and standings; their tests are in tests/league


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_what_happens_is_what_stands_in_the_golden_log(path: Path) -> None:
    golden = Golden(path)
    if os.environ.get("WILD_GOLDEN") == "write":
        path.write_text(golden.text, encoding="utf-8")
    elif golden.text != golden.written:
        should, does = golden.written.splitlines(), golden.text.splitlines()
        pytest.fail("\n".join(unified_diff(should, does, path.name, "engine", n=30, lineterm="")), pytrace=False)


@pytest.mark.parametrize("path", HANDS, ids=[path.stem for path in HANDS])
def test_the_second_referee_agrees(path: Path) -> None:
    golden = Golden(path)
    assert_second_referee_agrees(golden.hand, golden.fresh_hand() if golden.held else None)


def test_every_rule_has_a_golden_log() -> None:
    rules = set(re.findall(r"^- \*\*([A-Z0-9]+-\d)\*\*", (ROOT / "docs/rules.md").read_text(encoding="utf-8"), re.M))
    shown = {rule for path in FILES for rule in rules_shown(path)}
    assert shown == rules - NOT_IN_A_HAND


def test_every_option_has_a_golden_log() -> None:
    assert {option for line in found(r"^options (.+)") for option in line.split(", ")} == OPTIONS.keys()


def test_every_refusal_is_in_a_golden_log() -> None:
    assert found(r"^  refused (\S+)") == REFUSALS.keys()


def found(pattern: str) -> set[str]:
    """What a pattern finds in the golden logs."""
    return {what for path in FILES for what in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("rest", ["pile", "discard", "Chidi"])
def test_a_rigged_hand_is_one_whole_deck(rest: str) -> None:
    hand = rigged(Rules(EDITIONS["classic"]), {"Ana": ["R1"], "Chidi": []}, pile=["G1"], discard=["B1"], rest=rest)
    cards = Counter([*hand.pile, *hand.public.discard, *(card for held in hand.cards for card in held)])
    assert cards == Counter(EDITIONS["classic"].deck)
    assert hand.public.counts == [len(held) for held in hand.cards]
    assert hand.public.pile == len(hand.pile)


def test_a_hand_cannot_be_rigged_with_cards_that_the_deck_has_not() -> None:
    with pytest.raises(ValueError, match="not so many of R0"):
        rigged(Rules(EDITIONS["classic"]), {"Ana": ["R0", "R0"], "Benoît": []})
