"""The parts of a next-step card: folded forms, extra hands, the progress bar. All text is translated."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.pages.links import Button, Link
from league.setup.stages.cut_page import Station

Group = tuple[str, Sequence[tuple[str, str]]]


@dataclass(frozen=True)
class Fold:
    """A folded form, for steps that need a reason or a second look.

    summary_class: CSS class of the summary. hidden: (name, value) of hidden fields.
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
    """The stages of the tournament, above the step that ends one."""

    label: str
    stations: tuple[Station, ...]


@dataclass(frozen=True)
class NextStepCard:
    """The next step, ready to render."""

    title: str
    text: tuple[str, ...] = ()
    actions: tuple[Button | Link, ...] = ()
    folds: tuple[Fold, ...] = ()
    extra_hands: tuple[ExtraHand, ...] = ()
    path: Path | None = None
