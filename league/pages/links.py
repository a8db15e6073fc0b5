"""Links, buttons and choices of a page as values, with translated labels."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Button:
    """A form with one button, sent to `url`. hidden: (name, value) of hidden fields."""

    label: str
    url: str
    name: str = ""
    value: str = ""
    is_main: bool = False
    hidden: tuple[tuple[str, str], ...] = ()
    is_link: ClassVar = False


@dataclass(frozen=True)
class Link:
    label: str
    url: str
    is_main: bool = False
    icon: str = ""
    is_link: ClassVar = True


@dataclass(frozen=True)
class Choice:
    """An option, as a link or in a list. value: as in the address, or the address itself."""

    value: str
    label: str
    is_chosen: bool
