"""What an organiser chooses for a stage, whatever its format."""

from typing import NamedTuple


class Wanted(NamedTuple):
    """hands: in a round; None: as long as the round lasts. rounds: None for the whole schedule, or the usual number.

    A format reads only its own fields; the others keep their defaults.
    """

    hands: int | None = 4
    rounds: int | None = None
    cycles: int = 1
    table_size: int = 4
    target: int | None = None
    bye_points: int = 0
    scoring: str = ""  # empty: the format's own
