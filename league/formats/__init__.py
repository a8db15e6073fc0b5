"""Define the formats of a stage, one pure module each. See `Format` in protocol.py for the interface, and `Setting` in
setting.py for its options.
"""

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
    """A format missing from this server, found in stored data.

    Its hands count as points; no rounds are drawn.
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
            "This server no longer has the format “%(name)s”, so rounds can’t be drawn or changed. "
            "Recorded results count. End the tournament, or copy its players to a new one.",
            name=self.key,
        )


class Registry(dict[str, Format]):
    """Formats by key. A missing format still shows its recorded rounds."""

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
"""The default format."""


def nearest(partnering: str = "", ending: str = "", *, people: int = 0, entries: int = 0) -> list[Format]:
    """Return all formats, the best fit to the answers first; empty answers fit every format.

    people: expected number, 0 for unknown; entries: current number, which is more reliable.
    """

    def misfit(plays: Format) -> tuple[bool, int]:
        number = entries or (plays.entries_of(people) if people else 0)
        # Partnering defines an event; its ending matters less. Formats without partners and with changing partners both
        # rank single players, so they are closer to each other than to teams.
        wrong = int(ending not in ("", plays.ending))
        if partnering not in ("", plays.partnering):
            wrong += 3 if STAY in (partnering, plays.partnering) else 2
        return bool(number) and number not in plays.possible(), wrong

    return sorted(FORMATS.values(), key=misfit)  # stable: equal fits keep the order of the formats


def settings_by_option() -> dict[str, list[tuple[Format, Setting]]]:
    """Return the settings of all formats by their names in requests and commands, with the formats that have each."""
    by_option: dict[str, list[tuple[Format, Setting]]] = {}
    for plays in FORMATS.values():
        for setting in plays.settings:
            by_option.setdefault(setting.option, []).append((plays, setting))
    return by_option


def settings_in(named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in a request or a command, under the names that the services use."""
    return {having[0][1].name: named[option] for option, having in settings_by_option().items() if option in named}


def options_in_words(having: Sequence[tuple[Format, Setting]]) -> str:
    """Describe a setting in each of its formats, in English: “pairs, teams: 0 to 1000, 0 unless given”."""
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
