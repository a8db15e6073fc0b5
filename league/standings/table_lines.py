"""Build one line for each table of a round, for the overview and the table's own page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.ledger.progress import ENDED, PLAYING, STOPPED, tables_now, values_of_round
from league.ledger.state_marks import StateMark, state_mark
from league.lib.translate import names, with_markup
from league.lib.wall_time import moment
from league.models import Deadline, Entry, HandScore, LogEntry, Round, Seat, Stage, Table, seats_by_table
from league.standings.read import Ledger


@dataclass(frozen=True)
class TableLine:
    """State of a table.

    people: names. entries: their public ids. sides: names of each side if partners play, else empty. hands: recorded.
    wanted: None if the number is open. ended: fewer than two players at the table are still in. stopped: two players
    are left in the event. unplayed: closed without a hand. confirms_at: when reported hands count automatically.
    """

    table: Table
    people: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    sides: tuple[tuple[str, ...], ...] = ()
    hands: int = 0
    wanted: int | None = None
    unfinished: bool = False
    ended: bool = False
    stopped: bool = False
    unplayed: bool = False
    online: bool = False
    confirms_at: datetime | None = None
    reported_by: str = ""

    @property
    def disputed(self) -> bool:
        return self.table.state == Table.State.DISPUTED

    @property
    def who(self) -> str:
        """Return “Ana and Benoît against Chidi and Dana”, or all names in one list."""
        if not self.sides:
            return names(self.people)
        one, other = (names(side) for side in self.sides)
        return _("%(one)s against %(other)s") % {"one": one, "other": other}

    @property
    def hands_in(self) -> SafeString:
        """Return text such as “3 of 4 hands recorded. Reported by Ana”, with the reason if no more hands follow."""
        sentences: list[str] = [self._hands_in()]
        if self.ended:
            sentences.append(_("Fewer than two players remain at the table."))
        elif self.stopped:
            sentences.append(_("Two players remain in the tournament."))
        if self.reported_by:
            sentences.append(_("Reported by %(name)s") % {"name": self.reported_by})
        if self.confirms_at:
            at = moment(self.confirms_at, self.table.round.tournament.zone)
            sentences.append(with_markup(_("Counts automatically at %(at)s unless a player objects."), at=at))
        return format_html_join(". ", "{}", ((sentence,) for sentence in sentences))

    def _hands_in(self) -> str:
        if self.unplayed:
            return _("No hands were played here.")
        if self.wanted is None:
            return ngettext("%(hands)s hand recorded", "%(hands)s hands recorded", self.hands) % {"hands": self.hands}
        return _("%(hands)s of %(of)s hands recorded") % {"hands": self.hands, "of": self.wanted}

    @property
    def mark(self) -> StateMark:
        """Return the state in a word. A dispute comes first."""
        if self.disputed:
            return state_mark(self.table)
        if self.unplayed:
            return StateMark("i-cross", _("Closed"))
        if self.ended:
            return StateMark("i-check", _("Ended"), "ok")
        if self.stopped:
            return StateMark("i-cross", _("Stopped"))
        if self.online:
            return StateMark("i-play", _("Online"), "live")
        return state_mark(self.table)


def lines_of(played: Round, book: Ledger) -> list[TableLine]:
    """Return the tables of a round with people and recorded hands: disputed first, then unfinished.

    The round's tournament and stage are loaded.
    """
    seats = seats_by_table(Seat.objects.filter(round=played).select_related("entry__player", "substitute"))
    sat = set(HandScore.objects.living().filter(table__round=played).values_list("table_id", "entry_id"))
    lines = []
    tables = list(tables_now(played, book.race))
    usual = values_of_round(played).get("hands_per_round")  # a duel may need more
    confirmed_at = _confirmed_at([now.table for now in tables])
    for now in tables:
        now.table.round = played
        # Leave out players who dropped out before their first hand at this table.
        occupied = [
            seat
            for seat in seats.get(now.table.pk, [])
            if seat.entry.status != Entry.Status.DROPPED or (now.table.pk, seat.entry_id) in sat
        ]
        wanted = usual if now.hands_wanted is None and now.played <= (usual or 0) else now.hands_wanted
        is_playing = now.state == PLAYING and played.is_open
        lines.append(
            TableLine(
                table=now.table,
                people=tuple(_name_at(seat, book.stage) for seat in occupied),
                entries=tuple(seat.entry.public_id for seat in occupied),
                sides=_sides(occupied, book.stage),
                hands=now.played,
                wanted=wanted,
                unfinished=is_playing,
                ended=now.state == ENDED,
                stopped=now.state == STOPPED,
                unplayed=not played.is_open and not now.played,
                online=now.table.mode == Table.Mode.ONLINE and is_playing,
                confirms_at=confirmed_at.get(now.table.pk),
            )
        )
    return sorted(lines, key=lambda line: (not line.disputed, not line.unfinished))


def _sides(seats: Sequence[Seat], stage: Stage) -> tuple[tuple[str, ...], ...]:
    """Return the names of each side, a team's name once; empty unless partners play and both sides are present."""
    if not stage.has_partners:
        return ()
    sides = [[_name_at(seat, stage) for seat in seats if (seat.number or 0) % 2 == side] for side in (0, 1)]
    return tuple(tuple(dict.fromkeys(side)) for side in sides) if all(sides) else ()


def _confirmed_at(tables: Sequence[Table]) -> dict[int, datetime]:
    """Return when reported tables count automatically; no query if none is reported."""
    reported = [table.pk for table in tables if table.state == Table.State.REPORTED]
    if not reported:
        return {}
    clocks = Deadline.objects.pending().filter(table__in=reported, kind=Deadline.Kind.CONFIRM)
    return dict(clocks.values_list("table_id", "due_at"))


def with_reporters(played: Round, lines: Sequence[TableLine]) -> list[TableLine]:
    """Return the lines with the player who reported: the author of the table's newest hand.

    For viewers of the log. No query if no table is reported.
    """
    waiting = [line.table.number for line in lines if line.table.state == Table.State.REPORTED]
    if not waiting:
        return list(lines)
    rows = LogEntry.objects.filter(tournament=played.tournament_id, round=played.number, table__in=waiting)
    rows = rows.filter(action__in=("record", "correct"), at__gte=played.published_at or played.tournament.created_at)
    players = dict(rows.order_by("number").values_list("table", "player"))  # newest of each table
    entries = Entry.objects.filter(public_id__in=filter(None, players.values())).select_related("player")
    name_of = {entry.public_id: str(entry) for entry in entries}
    return [replace(line, reported_by=name_of.get(players.get(line.table.number, ""), "")) for line in lines]


def _name_at(seat: Seat, stage: Stage) -> str:
    """Return the name at a seat: “Ana”, “Sven for Ana”, or the team's name."""
    if seat.substitute is None or stage.has_teams:
        return str(seat.entry)
    return _("%(substitute)s for %(name)s") % {"substitute": seat.substitute.name, "name": seat.entry}
