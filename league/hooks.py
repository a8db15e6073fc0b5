"""What league asks of the app in which hands are played: league knows results, and imports nothing of `games`.

`games/apps.py` answers with one `Games` as soon as all apps are there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from django.http import HttpRequest

from league.models import Entry, Table, Tournament

if TYPE_CHECKING:
    from league.log.chain import Fault
    from league.log.results import Told

Clean = Callable[[str], str]
"""Takes a person's name out of a text."""

DisputedHands = frozenset[tuple[int, int]]
"""(key of the table, number of the hand)"""


class Shown(NamedTuple):
    """An online table as one viewer may see it: the version that it shows (league.live), and the page's part or JSON.

    own: it holds a form's token, which is one browser's alone.
    """

    version: str
    text: str
    own: bool = False


@dataclass(frozen=True)
class Games:
    clean_texts: Callable[[Tournament, Clean], None]
    """Take a person out of what was typed about hands."""
    compare_hands: "Callable[[Tournament, Told], Iterator[Fault]]"
    """Hold the hands as they were reported against what the log tells."""
    copy_settings: Callable[[Tournament, Tournament], None]
    """Give the second, which is made like the first, what was set about its online tables."""
    disputed_hands: Callable[[Tournament], DisputedHands]
    tables_in_play: Callable[[Sequence[Table]], set[int]]
    """The keys of those where a hand is being played."""
    plays_online: Callable[[Entry], bool]
    """Whether they were dealt in for a hand that is not over."""
    show_table: Callable[[HttpRequest, int], Shown | None]
    """An online table (key) as a stream's request may see it; None where only a request of the page's own will do.
    Raises Http404 for who may not look."""


games = cast("Games", None)  # from before the apps are there


def disputed_hands(tournament: Tournament) -> DisputedHands:
    """The hands with an open dispute; while there is none, which is nearly always, that is one query."""
    if not Table.objects.filter(round__tournament=tournament, state=Table.State.DISPUTED).exists():
        return frozenset()
    return games.disputed_hands(tournament)
