"""Items of the inbox on *Now*: what needs a director or another helper.

Add a source:
1. Write `league/<package>/inbox.py` with `def items(tournament: Tournament, viewer: Access) -> list[InboxItem]`. Return
   only items that the viewer may handle, with one query, or none while the tournament can't have any.
2. Add the function to `SOURCES` in `league/setup/overview/inbox.py`. Packages of `games` add to `league/hooks.py`.
3. The address of each `Button` takes a plain POST. Its view calls `say_done(request, sentence, undo=…)` and redirects
   to `tournament`. The page then keeps the item in its place for five seconds, with that sentence and Undo.

An item's key must not change while it waits: it tells an open page which item is new.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from league.access import Access
from league.models import Tournament
from league.pages.links import Button, Link


@dataclass(frozen=True)
class InboxItem:
    """One thing to handle. All texts are translated.

    key: unique in the tournament, such as “call-12”; becomes an element's id. icon: a symbol of the sprite. title: at
    most six words. line: one sentence, or safe markup with a `<q>`. since: when it began to wait. actions: one or two.
    is_call: people sit and wait, so it comes before all others.
    """

    key: str
    icon: str
    title: str
    line: str
    since: datetime
    actions: tuple[Button | Link, ...]
    is_call: bool = False


Source = Callable[[Tournament, Access], Sequence[InboxItem]]
