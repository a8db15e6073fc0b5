"""Split a stage into groups that play at the same time, independently."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TypeVar

from engine.sentences import Sentence, sentence
from league.formats.estimate import Evening, in_parallel
from league.formats.protocol import Format, Seating
from league.formats.setting import Chosen

MOST_GROUPS = 26
"""Named A to Z."""

Entry = TypeVar("Entry")


def name_of(group: int) -> str:
    """Return the name of a group, from 1: “A”."""
    return chr(ord("A") + group - 1)


def deal(entries: Sequence[Entry], groups: int) -> list[list[Entry]]:
    """Deal entries, best first, into groups in snake order; sizes differ by at most one."""
    dealt: list[list[Entry]] = [[] for _ in range(groups)]
    for at, entry in enumerate(entries):
        tier, place = divmod(at, groups)
        dealt[place if tier % 2 == 0 else groups - 1 - place].append(entry)
    return dealt


def by_place(entries: Sequence[Entry], groups: int) -> list[list[Entry]]:
    """Split entries, best first, into finals: the best play in A, the next in B."""
    firsts = list(accumulate(sizes(len(entries), groups), initial=0))
    return [list(entries[first:end]) for first, end in pairwise(firsts)]


def sizes(players: int, groups: int) -> list[int]:
    """Return the size of each group, largest first."""
    return sorted((players // groups + (group < players % groups) for group in range(groups)), reverse=True)


def problem(
    plays: Format, chosen: Chosen, players: int | None, groups: int = 1, *, by_place: bool = False
) -> Sentence | None:
    """Why so many (None, 0: not known) cannot play a format, in so many groups; None where they can. by_place: the
    groups are finals."""
    if groups == 1:
        return plays.wrong_number(players) if players and players not in plays.possible() else None
    words = {"format": Sentence(plays.name), "groups": groups, "most": MOST_GROUPS, "players": players}
    if not plays.has_groups and by_place:
        return sentence("%(format)s can’t be played as parallel finals. Choose one final, or another format.", **words)
    if not plays.has_groups:
        return sentence("%(format)s can’t be played in groups. Choose one group, or another format.", **words)
    if not 1 <= groups <= MOST_GROUPS:
        return sentence("Choose 1 to %(most)d groups, not %(groups)d.", **words)
    if not players:
        return None
    of_each = sizes(players, groups)
    if wrong := next((size for size in of_each if size not in plays.possible()), None):
        words |= {"size": wrong, "possible": plays.describe_possible()}
        if by_place:
            return sentence("%(players)d players in %(groups)d finals make a final of %(size)d. %(possible)s", **words)
        return sentence("%(players)d players in %(groups)d groups make a group of %(size)d. %(possible)s", **words)
    values = plays.complete(chosen)
    return next((why for size in set(of_each) for why in plays.misfits(values, size).values()), None)


def evening(plays: Format, players: int, groups: int, values: Chosen, edition: str, scoring: str) -> Evening:
    """Estimate a stage played in groups. Takes only possible numbers."""
    return in_parallel([plays.evening(size, values, edition, scoring) for size in sizes(players, groups)])


def schedule(plays: Format, of_each: Sequence[int], values: Chosen) -> list[Seating]:
    """Return all rounds of a format drawn ahead, for groups of these sizes with consecutive entries.

    A smaller group has equally many rounds or finishes earlier. Raises NotPossible.
    """
    return together([plays.schedule(size, values) for size in of_each], of_each)


def together(rounds: Sequence[Sequence[Seating]], of_each: Sequence[int]) -> list[Seating]:
    """Merge the rounds of all groups: tables and entries of each follow those of the previous group."""
    firsts = [sum(of_each[:group]) for group in range(len(of_each))]
    merged = []
    for number in range(max(map(len, rounds), default=0)):
        tables, byes = [], []
        for first, own in zip(firsts, rounds, strict=True):
            if number < len(own):
                tables += [[(first + entry, member) for entry, member in table] for table in own[number].tables]
                byes += [first + entry for entry in own[number].byes]
        merged.append(Seating(tables, byes))
    return merged
