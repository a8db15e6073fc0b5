"""A tournament of the viewer as a list row: the current seat, and a link."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access.session_links import MyTable
from league.ledger.state_marks import StateMark, state_mark
from league.lib.translate import label_text
from league.lib.wall_time import when
from league.models import Seat, Table, Tournament


@dataclass(frozen=True)
class MyTableRow:
    """A row of the list.

    token: table number; “–” without one, empty at a casual table. is_bye: no table. text: the player's seat.
    """

    token: str
    is_bye: bool
    title: str
    text: str
    url: str
    mark: StateMark


def my_table_row(mine: MyTable) -> MyTableRow:
    tournament, table = mine.entry.tournament, mine.seat.table if mine.seat else None
    if is_online(mine.seat) and not tournament.is_called_off:
        mark = StateMark("i-play", _("Play"), "live")
    else:
        mark = state_mark(tournament)
    return MyTableRow(
        token=token_of(mine),
        is_bye=table is None,
        title=label_text(tournament.name, mine.entry.name),
        text=seat_in_words(mine),
        url=_url_of(mine),
        mark=mark,
    )


def is_online(seat: Seat | None) -> bool:
    return seat is not None and seat.table is not None and seat.table.mode == Table.Mode.ONLINE


def token_of(mine: MyTable) -> str:
    if mine.entry.tournament.kind == Tournament.Kind.CASUAL:
        return ""
    return str(mine.seat.table.number) if mine.seat and mine.seat.table else "–"


def seat_in_words(mine: MyTable) -> str:
    """Return “Round 3, table 2, online” or “Round 3: bye”; between rounds the day."""
    tournament, seat = mine.entry.tournament, mine.seat
    if tournament.kind == Tournament.Kind.CASUAL:
        if seat is not None and seat.table is not None:
            return _("Your casual table: game running")
        return _("Your casual table: waiting for players")
    if tournament.is_called_off:
        return _("Cancelled")
    if seat is None:
        return when(tournament)
    if seat.table is None:
        return _("Round %(number)s: bye") % {"number": seat.round.number}
    text = _("Round %(number)s, table %(table)s") % {"number": seat.round.number, "table": seat.table.number}
    online = _("online")
    return f"{text}, {online}" if is_online(seat) else text


def _url_of(mine: MyTable) -> str:
    """Return the link to the table; for teams, to the page where the players choose who they are."""
    seat = mine.seat
    if seat is not None and is_online(seat) and not seat.round.stage.has_teams:
        return f"{reverse('play', args=[seat.table_id])}?as={mine.entry.public_id}"
    return own_page(mine)


def own_page(mine: MyTable) -> str:
    slug = mine.entry.tournament.slug
    if mine.entry.tournament.kind == Tournament.Kind.CASUAL:
        return reverse("lobby", args=[slug])
    return f"{reverse('my_table', args=[slug])}?player={mine.entry.public_id}"
