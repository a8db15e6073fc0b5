"""What an organiser can choose of a format: a number with its limits, and those that several formats have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.sentences import Sentence, mark, sentence

# When a change after the start holds: for rounds that are not published yet, or for everything at once.
TO_COME, AT_ONCE = "to-come", "at-once"

Chosen = Mapping[str, int | None]
"""Values of settings by name."""


@dataclass(frozen=True)
class Setting:
    """A number that an organiser chooses. Forms, requests and options of commands are made of it.

    `empty` says what no number means; where it is empty, no number is the default, or refused if one is `needed`.
    `short`: its name in requests and commands, and `alias` another one there. `amended`: when a change after the start
    holds; empty: it is fixed then. `one_of`: exactly one of such settings has a number, and the text names it in the
    choice between them; `usual` is what a form then suggests. `named`: what each number from `least` on is called,
    where a form offers names.
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
            return sentence("%(label)s: choose %(least)d to %(most)d, or none (%(none)s), not %(value)d.", **words)
        return sentence("%(label)s: choose %(least)d to %(most)d, not %(value)d.", **words)


def hands_setting(
    default: int = 4, *, empty: str = "", help: str = mark("With 4, everybody deals once"), **more: Any
) -> Setting:
    """Hands a round, as most formats have them."""
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
    rounds_help: str = mark("Empty: until everybody has met everybody"),
    cycles: str = mark("Times everybody meets"),
    cycles_help: str = mark("How often everybody meets everybody"),
) -> tuple[Setting, Setting]:
    """How much of a schedule is played that is drawn ahead: so many rounds, or the whole of it so many times."""
    return (
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            most_rounds,
            empty=mark("the whole schedule"),
            help=rounds_help,
            amended=TO_COME,
            amend_help=mark("Of the whole event. Those that were published stay"),
        ),
        Setting("cycles", cycles, 1, most_cycles, 1, help=cycles_help, alias="legs"),
    )


def table_size_setting(least: int, most: int, default: int, help: str, *, amended: str = TO_COME) -> Setting:
    """The most at a table, where it can be chosen."""
    label = mark("Most players at a table")
    return Setting("table_size", label, least, most, default, help=help, amended=amended)


MOST_BYE_POINTS = 1000


def bye_points_setting() -> Setting:
    """What a round is worth to whoever sits it out."""
    label, help = mark("What a bye is worth"), mark("Points for a round that somebody sits out")
    return Setting("bye_points", label, 0, MOST_BYE_POINTS, 0, help=help, amended=TO_COME)
