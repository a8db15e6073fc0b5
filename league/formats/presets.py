"""Tournaments as the leaflets have them, ready to start: a format with its places."""

from typing import NamedTuple

from engine.sentences import mark


class Preset(NamedTuple):
    """Its settings are the format's defaults: 4 hands a round, tables of four, eliminated at 500."""

    name: str
    format: str
    players: int


PRESETS = {
    "four": Preset(mark("Four players, one table"), "pairs", 4),
    "eight": Preset(mark("Challenge UNO, eight players"), "challenge", 8),
}
