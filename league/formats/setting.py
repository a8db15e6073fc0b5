"""Define the options of a format: numbers with limits, and options that several formats share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.sentences import Sentence, mark, sentence

# When a change after the start takes effect: for unpublished rounds, or for all rounds at once.
TO_COME, AT_ONCE = "to-come", "at-once"

Chosen = Mapping[str, int | None]
"""Values of settings by name."""


@dataclass(frozen=True)
class Setting:
    """A number chosen by an organiser; forms, requests and command options are built from it.

    `empty`: meaning of no number; if "", no number means the default, or is refused if `needed`. `short`: its name in
    requests and commands; `alias`: a second name. `amended`: when a change after the start takes effect; empty: not
    allowed. `one_of`: exactly one of these settings has a number; the text labels the choice; `usual`: the form's
    suggestion. `named`: names of the numbers from `least` on, if a form offers names.
    """

    name: str
    label: str
    least: int
    most: int
    default: int | None = None
    empty: str = ""
    help: str = ""
    short: str = ""
    alias: str = ""
    amended: str = ""
    amend_help: str = ""
    one_of: str = ""
    usual: int | None = None
    needed: bool = False
    named: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        return self.short or self.name

    def in_words(self, value: int | None) -> Sentence:
        if value is None:
            return Sentence(self.empty)
        return Sentence(self.named[value - self.least] if self.named else str(value))

    def problem(self, value: int | None) -> Sentence | None:
        words = {"label": Sentence(self.label), "least": self.least, "most": self.most, "value": value}
        if value is None:
            is_missing = self.needed and not self.one_of
            return sentence("%(label)s: choose %(least)d to %(most)d.", **words) if is_missing else None
        if self.least <= value <= self.most:
            return None
        if self.empty:
            words["none"] = Sentence(self.empty)
            return sentence(
                "%(label)s: choose %(least)d to %(most)d, or leave it empty (%(none)s), not %(value)d.", **words
            )
        return sentence("%(label)s: choose %(least)d to %(most)d, not %(value)d.", **words)


def hands_setting(
    default: int = 4, *, empty: str = "", help: str = mark("With 4, each player deals once"), **more: Any
) -> Setting:
    """Return the common setting for hands a round."""
    label = mark("Hands a round")
    return Setting(
        "hands_per_round",
        label,
        1,
        20,
        default,
        empty=empty,
        help=help,
        short="hands",
        amended=TO_COME,
        needed=not empty,
        **more,
    )


def schedule_settings(
    most_cycles: int,
    *,
    most_rounds: int = 200,
    rounds_help: str = mark("Empty: until all players have met"),
    cycles: str = mark("Meetings of each pair of players"),
    cycles_help: str = mark("1: all players meet once"),
) -> tuple[Setting, Setting]:
    """Return how much of a schedule drawn ahead is played: a number of rounds, or repetitions of the whole."""
    return (
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            most_rounds,
            empty=mark("all rounds of the schedule"),
            help=rounds_help,
            amended=TO_COME,
            amend_help=mark("Of the whole tournament. Published rounds stay"),
        ),
        Setting("cycles", cycles, 1, most_cycles, 1, help=cycles_help, alias="legs"),
    )


def table_size_setting(least: int, most: int, default: int, help: str, *, amended: str = TO_COME) -> Setting:
    """Return the setting for the largest table."""
    label = mark("Most players at a table")
    return Setting("table_size", label, least, most, default, help=help, amended=amended)


MOST_BYE_POINTS = 1000


def bye_points_setting() -> Setting:
    """Return the setting for the worth of a bye."""
    label, help = mark("Points for a bye"), mark("Points for a round without a table")
    return Setting("bye_points", label, 0, MOST_BYE_POINTS, 0, help=help, amended=TO_COME)
