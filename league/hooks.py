"""Define what lower packages call in higher ones.

League knows results and imports nothing of `games`; `games/apps.py` sets `games` once all apps are loaded.
`league/apps.py` fills `after_closing` and sets `count_inbox`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from django.http import HttpRequest

from league.models import Entry, Round, Table, Tournament, User

if TYPE_CHECKING:
    from league.access import Access
    from league.log.chain import Fault
    from league.log.results import LoggedResults
    from league.pages.inbox import InboxItem

Clean = Callable[[str], str]
"""Removes a person's name from a text."""

DisputedHands = frozenset[tuple[int, int]]
"""(key of the table, number of the hand)"""


class Shown(NamedTuple):
    """An online table for one viewer: its version (league.live), and the part of the page, or JSON.

    own: contains a form token, so it belongs to one browser.
    """

    version: str
    text: str
    own: bool = False


@dataclass(frozen=True)
class Games:
    clean_texts: Callable[[Tournament, Clean], None]
    """Remove a person from texts about hands."""
    compare_hands: "Callable[[Tournament, LoggedResults], Iterator[Fault]]"
    """Compare reported hands with the log."""
    copy_settings: Callable[[Tournament, Tournament], None]
    """Copy the settings of online tables from the first tournament to the second, its copy."""
    disputed_hands: Callable[[Tournament], DisputedHands]
    inbox_items: "Callable[[Tournament, Access], Sequence[InboxItem]]"
    """Return what hands need from the viewer, for the inbox on *Now*."""
    tables_in_play: Callable[[Sequence[Table]], set[int]]
    """Return the keys of tables with a hand in play."""
    plays_online: Callable[[Entry], bool]
    """Return whether an entry is dealt in for an unfinished hand."""
    take_practice_away: Callable[[User], None]
    """Delete an account's practice event, if any."""
    show_table: Callable[[HttpRequest, int], Shown | None]
    """Return an online table (key) for a stream's request; None if only the page's own request can show it. Raises
    Http404 if the viewer may not look.
    """


games = cast("Games", None)  # until the apps are loaded

after_closing: list[Callable[[Tournament, Round], None]] = []
"""Called in the transaction that closes a round, before the next one is drawn or published."""

count_inbox: "Callable[[Access], int]" = cast("Callable[[Access], int]", None)
"""Return the number of items in the viewer's inbox on *Now*, at most 20 seconds old."""


def disputed_hands(tournament: Tournament) -> DisputedHands:
    """Return the hands with an open dispute; usually none, found with one query."""
    if not Table.objects.filter(round__tournament=tournament, state=Table.State.DISPUTED).exists():
        return frozenset()
    return games.disputed_hands(tournament)
