"""The tool that plants bugs: what it can change, and that a change is one change."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
MODULE = '''
def room(seats, most=4):
    """Free seats."""
    note("asked")
    if not seats or len(seats) > most:
        return 0
    return most - len(seats)
'''


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("plant_bugs", ROOT / ".ci/plant_bugs.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["plant_bugs"] = module  # its dataclasses ask for it
    spec.loader.exec_module(module)
    return module


def test_every_place_of_a_function_is_changed_once(tool):
    changed = [tool.planted(MODULE, number) for number in range(6)]
    assert "note('asked')" not in changed[0]
    assert "if not seats and len(seats) > most" in changed[1]
    assert "if +bool(seats) or" in changed[2]
    assert "len(seats) >= most" in changed[3]
    assert "return 1" in changed[4]
    assert "most + len(seats)" in changed[5]
    with pytest.raises(IndexError):
        tool.planted(MODULE, 6)


def test_the_same_seed_draws_the_same_bugs(tool):
    first, again = tool.drawn(3, 20), tool.drawn(3, 20)
    assert first == again != tool.drawn(4, 20)
    assert len(set(first)) == 20
    for bug in first:
        text = (ROOT / bug.path).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(tool.planted(text, bug.number))) != ast.dump(ast.parse(text))
