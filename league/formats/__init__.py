"""The formats a stage can be played in, one pure module each. `Format` in protocol.py says what is asked of one."""

from collections.abc import Sequence

from league.formats.challenge import Challenge
from league.formats.gone import Gone
from league.formats.heats import Heats
from league.formats.knockout import Knockout, TeamKnockout
from league.formats.pairs import Pairs
from league.formats.points import PointsRace
from league.formats.protocol import STAY, Chosen, Format, Setting
from league.formats.round_robin import RoundRobin
from league.formats.seating.not_possible import NotPossible
from league.formats.swiss import Swiss, TeamSwiss
from league.formats.teams import Teams

FORMATS: dict[str, Format] = {
    plays.key: plays
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
}
USUAL = next(iter(FORMATS))
"""What is played where nobody chooses."""


def format_of(key: str) -> Format:
    """The format of a stage; of one that is not there any more, what was played can still be seen."""
    return FORMATS.get(key) or Gone(key)


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
    "format_of",
    "nearest",
    "options_in_words",
    "settings_by_option",
]
