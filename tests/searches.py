"""Searches for a seating, each made once in a process: hundreds of tests draw the same rounds of the same cast.

A search is pure. Its chance comes from a seed and its effort is counted in steps, so the same arguments give the same
rounds (tests/league/formats/ holds that, and searches itself): what was found for one test is what the next would find.
"""

from copy import deepcopy
from functools import wraps
from typing import Any

import pytest

from league.formats import pairs, teams
from league.formats.seating.annealing import RoundSearch
from league.formats.seating.dice import Dice

_FOUND: dict[str, Any] = {}


def find_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RoundSearch, "anneal", _anneal)
    monkeypatch.setattr(pairs, "rounds_to_come", _rounds_to_come)
    monkeypatch.setattr(teams, "matches_to_come", _matches_to_come)


def _once(search: Any) -> Any:
    @wraps(search)
    def found(*given: Any, **named: Any) -> Any:
        asked = repr((search.__name__, given, named))
        if asked not in _FOUND:
            _FOUND[asked] = search(*given, **named)
        return deepcopy(_FOUND[asked])

    return found


_rounds_to_come = _once(pairs.rounds_to_come)
_matches_to_come = _once(teams.matches_to_come)
_search = RoundSearch.anneal


def _anneal(self: RoundSearch, steps: int, dice: Dice) -> list[list[int]]:
    """What it leaves behind counts too: the cost of the best, and dice that were thrown so often."""
    asked = repr((self.tables, self.costs, self.at_short, self.fixed, list(self.at), steps, dice.__dict__))
    if asked not in _FOUND:
        best = _search(self, steps, dice)
        _FOUND[asked] = best, self.best, dice.__dict__.copy()
    best, self.best, thrown = _FOUND[asked]
    dice.__dict__.update(thrown)
    return deepcopy(best)
