"""What league asks the app in which hands are played: league knows results and imports nothing of `games`.

`games/apps.py` sets `games` as soon as all apps are loaded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from django.http import HttpRequest

from league.models import Entry, Table, Tournament, User

if TYPE_CHECKING:
    from league.log.chain import Fault
    from league.log.results import Told

Clean = Callable[[str], str]
"""Removes a person's name from a text."""

DisputedHands = frozenset[tuple[int, int]]
"""(key of the table, number of the hand)"""


class Shown(NamedTuple):
    """An online table as one viewer may see it: its version (league.live), and the part of the page, or JSON.

    own: it has a form's token, which belongs to one browser.
    """

    version: str
    text: str
    own: bool = False


@dataclass(frozen=True)
class Games:
    clean_texts: Callable[[Tournament, Clean], None]
    """Remove a person from texts that were typed about hands."""
    compare_hands: "Callable[[Tournament, Told], Iterator[Fault]]"
    """Compare the hands as they were reported with what the log tells."""
    copy_settings: Callable[[Tournament, Tournament], None]
    """Copy the settings of online tables from the first tournament to the second, which is made like it."""
    disputed_hands: Callable[[Tournament], DisputedHands]
    tables_in_play: Callable[[Sequence[Table]], set[int]]
    """The keys of the tables at which a hand is being played."""
    plays_online: Callable[[Entry], bool]
    """Whether an entry was dealt in for a hand that is not over."""
    take_practice_away: Callable[[User], None]
    """Delete the practice evening of an account, if it has one."""
    show_table: Callable[[HttpRequest, int], Shown | None]
    """An online table (key) as a stream's request may see it; None where only the page's own request will do. Raises
    Http404 for those who may not look."""


games = cast("Games", None)  # until the apps are loaded


def disputed_hands(tournament: Tournament) -> DisputedHands:
    """The hands with an open dispute; one query while there is none, which is nearly always so."""
    if not Table.objects.filter(round__tournament=tournament, state=Table.State.DISPUTED).exists():
        return frozenset()
    return games.disputed_hands(tournament)
