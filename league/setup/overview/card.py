"""The parts of a card that offers a step: forms behind a summary, extra hands, the bar above. All are translated."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.pages.links import Button, Link
from league.setup.stages.cut_page import Station

Group = tuple[str, Sequence[tuple[str, str]]]
"""A place or table, and who is tied there as (player_id, name)."""


@dataclass(frozen=True)
class Fold:
    """A form behind its summary, for what needs a reason or a second look.

    summary_class: CSS class of the summary. hidden: (name, value) of fields that are sent along.
    """

    summary: str
    summary_class: str
    button: Button
    text: str = ""
    asks_reason: bool = False
    hidden: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ExtraHand:
    """An extra hand that tied players may play."""

    summary: str
    groups: Sequence[Group]
    text: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class Path:
    """The bar above the step: where the round or the tournament is."""

    label: str
    stations: tuple[Station, ...]


@dataclass(frozen=True)
class NextStepCard:
    """The next step, ready to show."""

    title: str
    text: tuple[str, ...] = ()
    actions: tuple[Button | Link, ...] = ()
    folds: tuple[Fold, ...] = ()
    extra_hands: tuple[ExtraHand, ...] = ()
    path: Path | None = None
