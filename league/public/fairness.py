"""Measure how even a seating is: count meetings and seats from its rows.

Rows come from `exports.seating_rows`: one for each player and round; `table` is "bye" for a player without a table.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.pairs import Properties, RoundSeating
from league.formats.protocol import Seating

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Meetings:
    """Counts by player_id, or by team. Each meeting counts once a round, under both orders of the pair."""

    partnered: Counter[tuple[str, str]] = field(default_factory=Counter)
    opposed: Counter[tuple[str, str]] = field(default_factory=Counter)
    in_seat: Counter[tuple[str, int]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)


def count_meetings(rows: Iterable[Row]) -> Meetings:
    met = Meetings()
    tables: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows:
        if row["table"] == "bye":
            met.byes[row["player_id"]] += 1
        else:
            met.in_seat[row["player_id"], row["seat"]] += 1
            tables[row["round"], row["table"]].append(row)
    for together in tables.values():
        once = list({row["player_id"]: row for row in reversed(together)}.values())  # merge a team's two rows
        for row in once:
            for other in once:
                if other is not row:
                    counter = met.partnered if other["player_id"] == row["partner_id"] else met.opposed
                    counter[row["player_id"], other["player_id"]] += 1
    return met


def seatings(rows: Iterable[Row], player_ids: Sequence[str]) -> list[RoundSeating]:
    """Convert rows to the schedule form of `formats.pairs`. Players are numbered as in `player_ids`."""
    number_of = {player_id: number for number, player_id in enumerate(player_ids)}
    tables: dict[int, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    byes: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        player = number_of[row["player_id"]]
        if row["table"] == "bye":
            byes[row["round"]].append(player)
        else:
            tables[row["round"]][row["table"]][row["seat"]] = player
    return [
        RoundSeating(
            tables=tuple(
                (seats[0], seats[1], seats[2], seats[3]) for _number, seats in sorted(tables[round_number].items())
            ),
            byes=tuple(byes[round_number]),
        )
        for round_number in sorted({*tables, *byes})
    ]


def verdict(so_far: Properties, plan: Properties) -> list[str]:
    """Return sentences about the seating after the published rounds, and after the last round."""
    sentences = []
    finished = so_far.rounds == plan.rounds
    if so_far.rounds and not finished:
        sentences.append(_sentence_so_far(so_far))
    sentences += [_meetings_sentence(plan, finished), _seats_sentence(plan), *_byes_sentences(plan)]
    return sentences


def times(number: int) -> str:
    """Return "once", "twice" or "3 times"."""
    if number in (1, 2):
        return _("once") if number == 1 else _("twice")
    return ngettext("%(count)d time", "%(count)d times", number) % {"count": number}


def _range(fewest: int, most: int) -> str:
    if fewest == most:
        return times(most)
    if (fewest, most) == (1, 2):
        return _("once or twice")
    if most == 1:
        return _("at most once")
    return _("%(fewest)d to %(most)d times") % {"fewest": fewest, "most": most}


def _sentence_so_far(so_far: Properties) -> str:
    if so_far.partnered[1] <= 1:
        sentence = ngettext(
            "No repeated partners in %(count)d round.",
            "No repeated partners in %(count)d rounds.",
            so_far.rounds,
        )
    else:
        sentence = ngettext(
            "In %(count)d round, some players had the same partner %(times)s.",
            "In %(count)d rounds, some players had the same partner %(times)s.",
            so_far.rounds,
        )
    return sentence % {"count": so_far.rounds, "times": times(so_far.partnered[1])}


def _meetings_sentence(plan: Properties, finished: bool) -> str:
    words = {"last": plan.rounds, "partnered": _range(*plan.partnered), "opposed": _range(*plan.opposed)}
    if finished:
        return (
            _("In %(last)d rounds, everyone plays with each other player %(partnered)s and against them %(opposed)s.")
            % words
        )
    return (
        _(
            "By round %(last)d, everyone will have played with each other player %(partnered)s and "
            "against them %(opposed)s."
        )
        % words
    )


def _seats_sentence(plan: Properties) -> str:
    if plan.seat_spread == 0:
        return _("Each player sits in each seat equally often.")
    return ngettext(
        "Each player sits in each seat equally often, give or take one round.",
        "Each player sits in each seat equally often, give or take %(count)d rounds.",
        plan.seat_spread,
    ) % {"count": plan.seat_spread}


def _byes_sentences(plan: Properties) -> list[str]:
    return _sitting_out_sentences(*plan.byes)


def _sitting_out_sentences(fewest: int, most: int) -> list[str]:
    if not most:
        return []
    if fewest == most:
        return [ngettext("Each player has %(count)d bye.", "Each player has %(count)d byes.", most) % {"count": most}]
    return [_("Each player has %(fewest)d or %(most)d byes.") % {"fewest": fewest, "most": most}]


def verdict_of_teams(rounds: int, so_far: int, met: Meetings, ids: Sequence[str]) -> list[str]:
    """Return the sentences for teams. `met` counts all rounds; `so_far` is the number of published rounds."""
    pairs = [met.opposed[team, other] for index, team in enumerate(ids) for other in ids[index + 1 :]]
    if not rounds or not pairs:
        return []
    words = {"last": rounds, "times": _range(min(pairs), max(pairs))}
    if so_far == rounds:
        sentences = [_("Over %(last)d rounds, teams meet each other %(times)s.") % words]
    else:
        sentences = [_("After round %(last)d, teams will have met each other %(times)s.") % words]
    spread = max(abs(met.in_seat[team, 0] - met.in_seat[team, 1]) for team in ids)
    if spread == 0:
        sentences.append(_("Each team deals first in half of its rounds."))
    else:
        sentences.append(
            ngettext(
                "Each team deals first in half of its rounds, give or take one.",
                "Each team deals first in half of its rounds, give or take %(count)d.",
                spread,
            )
            % {"count": spread}
        )
    byes = [met.byes[team] for team in ids]
    return sentences + _sitting_out_sentences(min(byes), max(byes))


def verdict_of_singles(rounds: int, met: Meetings, sizes: Iterable[int]) -> list[str]:
    """Return the sentences for tables without partners. sizes: table sizes, except a head-to-head final."""
    if not rounds:
        return []
    met_often = Counter(times_met for pair, times_met in met.opposed.items() if pair[0] < pair[1])
    most = max(met_often, default=0)
    if most <= 1:
        sentence = ngettext(
            "No repeated meetings in %(count)d round.",
            "No repeated meetings in %(count)d rounds.",
            rounds,
        )
    else:
        sentence = ngettext(
            "In %(count)d round, some players met %(times)s at most.",
            "In %(count)d rounds, some players met %(times)s at most.",
            rounds,
        )
    sentences = [sentence % {"count": rounds, "times": times(most)}]
    fewest, largest = min(sizes, default=0), max(sizes, default=0)
    if largest and fewest == largest:
        words = ngettext("Every table has %(count)d player.", "Every table has %(count)d players.", largest)
        sentences.append(words % {"count": largest})
    elif largest:
        sentences.append(_("Tables have %(fewest)d to %(most)d players.") % {"fewest": fewest, "most": largest})
    return sentences


def seatings_of_singles(rows: Iterable[Row], player_ids: Sequence[str]) -> list[Seating]:
    """Convert rows to rounds of players, numbered as in `player_ids`."""
    number_of = {player_id: number for number, player_id in enumerate(player_ids)}
    tables: dict[int, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    byes: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        if row["table"] == "bye":
            byes[row["round"]].append(number_of[row["player_id"]])
        else:
            tables[row["round"]][row["table"]].append((number_of[row["player_id"]], 0))
    return [Seating(list(tables[number].values()), byes[number]) for number in sorted({*tables, *byes})]


def verdict_of_schedule(rounds: int, how_even: str) -> list[str]:
    """Return a sentence about meetings over all drawn rounds; empty if the format doesn't aim for even meetings."""
    if not rounds or not how_even:
        return []
    words = {"rounds": rounds, "how_even": how_even}
    return [
        ngettext(
            "Of the whole schedule of %(rounds)d round: %(how_even)s",
            "Of the whole schedule of %(rounds)d rounds: %(how_even)s",
            rounds,
        )
        % words
    ]
