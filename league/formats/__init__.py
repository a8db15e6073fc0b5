"""The formats a stage can be played in, one pure module each. `Format` in protocol.py says what is asked of one, and
`Setting` in setting.py what can be chosen."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.sentences import Sentence, sentence
from league.formats.challenge import Challenge
from league.formats.heats import Heats
from league.formats.knockout import Knockout, TeamKnockout
from league.formats.pairs import Pairs
from league.formats.points import PointsRace
from league.formats.protocol import STAY, Draw, Format
from league.formats.round_robin import RoundRobin
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import Chosen, Setting
from league.formats.swiss import Swiss, TeamSwiss
from league.formats.teams import Teams


class Gone(Format):
    """A format that is not there any more, in data of a server that had it.

    Its hands count as points, and nothing is drawn any more.
    """

    def __init__(self, key: str) -> None:
        self.key = self.name = key

    def complete(self, chosen: Chosen) -> dict[str, int | None]:
        return dict(chosen)

    def problems(self, chosen: Chosen, players: int | None) -> dict[str, Sentence]:
        return {"format": self._gone()}

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        raise NotPossible(self._gone())

    def _gone(self) -> Sentence:
        return sentence(
            "This server has no format “%(name)s” any more, so nothing can be drawn or changed in it. What was played "
            "counts; end the tournament, or copy its players into a new one.",
            name=self.key,
        )


class Registry(dict[str, Format]):
    """Formats by key. Of one that is not there any more, what was played can still be seen."""

    def __missing__(self, key: str) -> Format:
        return Gone(key)


FORMATS = Registry(
    (plays.key, plays)
    for plays in (
        Pairs(),
        Teams(),
        Challenge(),
        PointsRace(),
        Heats(),
        Knockout(),
        TeamKnockout(),
        Swiss(),
        TeamSwiss(),
        RoundRobin(),
    )
)
USUAL = next(iter(FORMATS))
"""What is played where nobody chooses."""


def nearest(partnering: str = "", ending: str = "", *, people: int = 0, entries: int = 0) -> list[Format]:
    """All formats, first what can be played and fits the answers best; empty answers fit everything.

    people: how many are expected, 0 for unknown; entries: how many entered already, which is more certain.
    """

    def misfit(plays: Format) -> tuple[bool, int]:
        number = entries or (plays.entries_of(people) if people else 0)
        # Who plays with whom decides what an evening is; how it ends is the smaller wish. Without partners and with
        # changing ones everybody plays for themselves: these two are nearer to each other than to teams.
        wrong = int(ending not in ("", plays.ending))
        if partnering not in ("", plays.partnering):
            wrong += 3 if STAY in (partnering, plays.partnering) else 2
        return bool(number) and number not in plays.possible(), wrong

    return sorted(FORMATS.values(), key=misfit)  # stable: the order of the formats where they fit alike


def settings_by_option() -> dict[str, list[tuple[Format, Setting]]]:
    """The settings of all formats by their names in requests and commands, each with the formats that have it."""
    by_option: dict[str, list[tuple[Format, Setting]]] = {}
    for plays in FORMATS.values():
        for setting in plays.settings:
            by_option.setdefault(setting.option, []).append((plays, setting))
    return by_option


def settings_in(named: Mapping[str, Any]) -> dict[str, Any]:
    """The settings among what a request or a command says, under the names that the services use."""
    return {having[0][1].name: named[option] for option, having in settings_by_option().items() if option in named}


def options_in_words(having: Sequence[tuple[Format, Setting]]) -> str:
    """What a setting is in each of its formats, in English: “pairs, teams: 0 to 1000, 0 unless given”."""
    formats: dict[str, list[str]] = {}
    for plays, setting in having:
        usual = f", {setting.default} unless given" if setting.default is not None else ""
        empty = f", none or null: {setting.empty}" if setting.empty else ""
        words = f"{setting.label.lower()}, {setting.least} to {setting.most}{usual}{empty}"
        formats.setdefault(words, []).append(plays.key)
    return "; ".join(f"{', '.join(keys)}: {words}" for words, keys in formats.items())


__all__ = [
    "FORMATS",
    "USUAL",
    "Chosen",
    "Format",
    "NotPossible",
    "Setting",
    "nearest",
    "options_in_words",
    "settings_by_option",
    "settings_in",
]
