"""The settings of formats as options of a command."""

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Sequence

from league.formats import Format, Setting, options_in_words

NONE = "all"
"""What is typed for no number, where that means something: all rounds, hands for as long as it lasts."""


def add_setting(parser: ArgumentParser, option: str, having: Sequence[tuple[Format, Setting]]) -> None:
    """Add the option of a setting, for all formats that have it; each checks its own limits."""
    names = dict.fromkeys([option, *(setting.alias for _plays, setting in having if setting.alias)])
    flags = [f"--{name.replace('_', '-')}" for name in names]
    # Where a number is usual, 0 means none too: `--hands 0`.
    none = (NONE, "0") if any(setting.empty and setting.default for _plays, setting in having) else (NONE,)

    def read(text: str) -> int | None:
        if text in none:
            return None
        try:
            return int(text)
        except ValueError:
            raise ArgumentTypeError(f"takes a whole number or “{NONE}”, not “{text[:40]}”") from None

    parser.add_argument(*flags, dest=option, type=read, default=SUPPRESS, help=options_in_words(having))
