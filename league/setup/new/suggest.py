"""Suggestions for a new tournament: a picture of the rounds, and other formats."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.rules import EDITIONS
from engine.sentences import Sentence, sentence
from league.formats import FORMATS, Format
from league.formats.estimate import Evening
from league.formats.protocol import ALONE, CHANGE, FINAL, ONE_LEFT, POINTS, STAY
from league.formats.race import HEAD_TO_HEAD
from league.lib.translate import translate

MOST_COLUMNS = 4
MOST_DRAWN = 6  # tables drawn in a column
LONG = 5 * 60  # minutes; a longer event gets a warning
AROUND = 13.5  # distance of the seats from the centre of a table's picture, which is 34 wide


@dataclass(frozen=True)
class Column:
    """A round, or several similar ones, in the picture. tables: seats of each drawn table as (x, y); more: number of
    other tables."""

    begins: str
    title: str
    tables: Sequence[Sequence[tuple[str, str]]]
    more: int
    text: str


def partnerings() -> list[tuple[str, str]]:
    """Return the answers to “Partners?” that at least one format offers."""
    words = {STAY: _("Fixed partners"), CHANGE: _("Changing partners"), ALONE: _("No partners")}
    given = {plays.partnering for plays in FORMATS.values()}
    return [(answer, text) for answer, text in words.items() if answer in given]


def endings() -> list[tuple[str, str]]:
    """Return the answers to how the winner is found that at least one format offers."""
    words = {POINTS: _("Most points"), ONE_LEFT: _("Last one standing"), FINAL: _("A final")}
    given = {plays.ending for plays in FORMATS.values()}
    return [(answer, text) for answer, text in words.items() if answer in given]


def why_not_as_asked(plays: Format, partnering: str, ending: str, number: int) -> Sentence | None:
    """Return why the suggested format differs from the answers; None if it fits."""

    def fits(candidate: Format) -> bool:
        return partnering in ("", candidate.partnering) and ending in ("", candidate.ending)

    if fits(plays):
        return None
    asked_for = next(filter(fits, FORMATS.values()), None)
    if asked_for is None:
        return sentence("No format offers both. This one is closest.")
    return asked_for.wrong_number(asked_for.entries_of(number))


def clock_after(starts_at: time | None, minutes: int) -> str:
    """Return the time `minutes` after the start; empty without a start time."""
    if starts_at is None:
        return ""
    return f"{_later(starts_at, minutes):%H:%M}"


def _later(at: time | None, minutes: int) -> time | None:
    if at is None:
        return None
    hours, minutes = divmod((at.hour * 60 + at.minute + minutes) % 1440, 60)
    return time(hours, minutes)


def length_in_words(minutes: int) -> str:
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": minutes}
    return _("%(hours)d h %(minutes)02d") % {"hours": hours, "minutes": minutes}


def shorter(plays: Format, evening: Evening) -> Sentence | None:
    """Suggest fewer rounds if the event takes too long; otherwise None."""
    if evening.minutes <= LONG or plays.setting("rounds") is None:
        return None
    a_round = evening.minutes / evening.rounds
    rounds = max(1, int(LONG * 0.7 // a_round))
    words = {"rounds": rounds, "length": length_in_words(round(rounds * a_round))}
    return sentence("That’s a long tournament. With %(rounds)d rounds it takes %(length)s.", **words)


def columns_of_stages(
    stages: Sequence[tuple[Format, Evening]], cuts: Sequence[str], starts_at: time | None
) -> list[Column]:
    """Return the rounds of all stages from left to right. cuts: who advances from each; empty for the last."""
    shown: list[Column] = []
    rounds = minutes = 0
    for at, (plays, evening) in enumerate(stages):
        of_stage = columns(plays, evening, _later(starts_at, minutes), rounds)
        if cuts[at]:
            of_stage[-1] = replace(of_stage[-1], text=cuts[at])
        shown += of_stage
        rounds, minutes = rounds + evening.rounds, minutes + evening.minutes
    return shown


def columns(plays: Format, evening: Evening, starts_at: time | None, before: int = 0) -> list[Column]:
    """Return the rounds from left to right; many middle rounds share one column.

    before: number of rounds in earlier stages.
    """
    if evening.plan:
        return _planned(evening, starts_at, before)
    sizes = [size for count, size in evening.tables for _table in range(count)]
    first_words = ngettext("%(players)d at %(count)d table", "%(players)d at %(count)d tables", len(sizes))
    seated = sum(sizes)
    first = first_words % {"players": seated, "count": len(sizes)}
    if evening.rounds == 1 and not plays.eliminates:
        return [_column(clock_after(starts_at, 0), _rounds(before + 1, before + 1), sizes, first)]
    between, last = _(plays.on_the_way), _(plays.at_the_end)
    if evening.groups == len(sizes) > 1 and not plays.partners:
        between = _("Same people: each table is a group")
    if plays.eliminates:  # start times and numbers of players are unknown
        shown = [_column(clock_after(starts_at, 0), _rounds(before + 1, before + 1), sizes, first)]
        if seated > HEAD_TO_HEAD:
            shown.append(_column("", _("Until two are left"), sizes[: math.ceil(len(sizes) / 2)], between))
        return [*shown, _column("", _("Head to head"), [HEAD_TO_HEAD], last)]
    rounds = evening.rounds
    groups = [(number, number) for number in range(1, rounds + 1)]
    if rounds > MOST_COLUMNS:
        groups = [(1, 1), (2, rounds - 1), (rounds, rounds)]
    texts = [first, *[between] * (len(groups) - 2), last]
    return [
        _column(
            clock_after(starts_at, evening.minutes * (begin - 1) // rounds),
            _rounds(before + begin, before + end),
            sizes,
            text,
        )
        for (begin, end), text in zip(groups, texts, strict=True)
    ]


def _planned(evening: Evening, starts_at: time | None, rounds_before: int) -> list[Column]:
    """Return one column a round, since each round has other tables."""
    columns = []
    for before, (sizes, after) in enumerate(evening.plan):
        begins = clock_after(starts_at, evening.minutes * before // len(evening.plan))
        text = _("%(players)d players. %(what)s") % {"players": sum(sizes), "what": translate(after)}
        if len(sizes) == 1:
            columns.append(_column(begins, pgettext("match", "Final"), sizes, translate(after)))
        else:
            number = rounds_before + before + 1
            columns.append(_column(begins, _rounds(number, number), sizes, text))
    return columns


def _rounds(first: int, last: int) -> str:
    if first == last:
        return _("Round %(number)d") % {"number": first}
    return _("Rounds %(first)d to %(last)d") % {"first": first, "last": last}


def _column(begins: str, title: str, sizes: Sequence[int], text: str) -> Column:
    return Column(begins, title, [_places(size) for size in sizes[:MOST_DRAWN]], len(sizes[MOST_DRAWN:]), text)


def _places(size: int) -> list[tuple[str, str]]:
    """Return the seats in the picture of a table, clockwise from the bottom, as locale-independent numbers."""
    turns = [math.tau * seat / size for seat in range(size)]
    return [(f"{17 - AROUND * math.sin(turn):.1f}", f"{17 + AROUND * math.cos(turn):.1f}") for turn in turns]


def rules_in_words(plays: Format, values: Mapping[str, Any], edition: str, evening: Evening | None) -> str:
    """“Classic, 4 hands a round, 7 rounds”"""
    parts = [_(EDITIONS[edition].name) if edition in EDITIONS else edition]
    hands, target = values.get("hands_per_round"), values.get("target")
    if hands and not plays.game_target(values):
        parts.append(ngettext("%(count)d hand a round", "%(count)d hands a round", hands) % {"count": hands})
    if evening is not None and not plays.eliminates:
        parts.append(ngettext("%(count)d round", "%(count)d rounds", evening.rounds) % {"count": evening.rounds})
    if target:
        parts.append(_("to %(target)d points") % {"target": target})
    return ", ".join(parts)
