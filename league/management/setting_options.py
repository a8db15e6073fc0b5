"""Turn settings of formats into command options."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Sequence

from league.formats import Format, Setting, options_in_words

NONE = "all"
"""Input for no number, if that has a meaning: all rounds, unlimited hands."""


def add_setting(parser: ArgumentParser, option: str, having: Sequence[tuple[Format, Setting]]) -> None:
    """Add the option of a setting, for all formats that have it; each checks its own limits."""
    names = dict.fromkeys([option, *(setting.alias for _plays, setting in having if setting.alias)])
    flags = [f"--{name.replace('_', '-')}" for name in names]
    # If a number is the default, 0 means none too: `--hands 0`.
    none = (NONE, "0") if any(setting.empty and setting.default for _plays, setting in having) else (NONE,)

    def read(text: str) -> int | None:
        if text in none:
            return None
        try:
            return int(text)
        except ValueError:
            raise ArgumentTypeError(f"takes a whole number or “{NONE}”, not “{text[:40]}”") from None

    parser.add_argument(*flags, dest=option, type=read, default=SUPPRESS, help=options_in_words(having))
