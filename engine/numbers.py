"""Which hands a file has: “1 to 7 and 9; 8 is not there; 3 stands twice”."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

MOST_SHOWN = 12  # of runs of numbers in one sentence


class Numbers:
    """The numbers of hands, in any order. `str()` says which there are, which between them are missing or doubled."""

    def __init__(self) -> None:
        self._times: Counter[int] = Counter()

    def add(self, number: int) -> None:
        self._times[number] += 1

    @property
    def count(self) -> int:
        return self._times.total()

    def __str__(self) -> str:
        present = _runs(sorted(self._times))
        gaps = [(before[1] + 1, after[0] - 1) for before, after in pairwise(present)]
        twice = _runs(sorted(number for number, times in self._times.items() if times == 2))
        more = _runs(sorted(number for number, times in self._times.items() if times > 2))
        parts = [_in_words(present)]
        parts += [f"{_in_words(gaps)} {_verb(gaps, 'is', 'are')} not there"] if gaps else []
        parts += [f"{_in_words(twice)} {_verb(twice, 'stands', 'stand')} twice"] if twice else []
        parts += [f"{_in_words(more)} {_verb(more, 'stands', 'stand')} more than twice"] if more else []
        return "; ".join(parts)


_Run = tuple[int, int]  # first and last


def _runs(numbers: Iterable[int]) -> list[_Run]:
    runs: list[_Run] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _verb(runs: Sequence[_Run], singular: str, plural: str) -> str:
    return singular if len(runs) == 1 and runs[0][0] == runs[0][1] else plural


def _in_words(runs: Sequence[_Run]) -> str:
    words = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:MOST_SHOWN]]
    if len(runs) > MOST_SHOWN:
        return f"{', '.join(words)} and so on"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
