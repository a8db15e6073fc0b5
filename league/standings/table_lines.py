"""Where the tables of a round stand, one line for each: for the overview and for a table's own page."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from league.ledger.progress import ENDED, PLAYING, STOPPED, tables_now, values_of_round
from league.models import Deadline, Entry, HandScore, LogEntry, Round, Seat, Stage, Table, seats_by_table
from league.standings.read import Ledger


def lines_of(played: Round, book: Ledger) -> list[dict[str, Any]]:
    """The tables of a round, the disputed first, then the unfinished, each with its people and how many hands are in.

    The round's tournament and stage are loaded.
    """
    seats = seats_by_table(Seat.objects.filter(round=played).select_related("entry__player", "substitute"))
    sat = set(HandScore.objects.living().filter(table__round=played).values_list("table_id", "entry_id"))
    lines = []
    tables = list(tables_now(played, book.race))
    usual = values_of_round(played).get("hands_per_round")  # of a duel, which may need more
    confirmed_at = _confirmed_at([now.table for now in tables])
    for now in tables:
        now.table.round = played
        # Those who dropped out before they played a hand at this table do not sit there.
        occupied = [
            seat
            for seat in seats.get(now.table.pk, [])
            if seat.entry.status != Entry.Status.DROPPED or (now.table.pk, seat.entry_id) in sat
        ]
        people = [_name_at(seat, book.stage) for seat in occupied]
        sides = [[_name_at(seat, book.stage) for seat in occupied if (seat.number or 0) % 2 == side] for side in (0, 1)]
        lines.append(
            {
                "table": now.table,
                "people": people,
                "sides": [list(dict.fromkeys(side)) for side in sides]
                if book.stage.has_partners and all(sides)
                else [],
                "hands": now.played,
                "wanted": usual if now.hands_wanted is None and now.played <= (usual or 0) else now.hands_wanted,
                "unfinished": now.state == PLAYING and played.is_open,
                "ended": now.state == ENDED,
                "stopped": now.state == STOPPED,
                "unplayed": not played.is_open and not now.played,
                "confirms_at": confirmed_at.get(now.table.pk),
                "disputed": now.table.state == Table.State.DISPUTED,
                "online": now.table.mode == Table.Mode.ONLINE and now.state == PLAYING and played.is_open,
            }
        )
    return sorted(lines, key=lambda line: (not line["disputed"], not line["unfinished"]))


def _confirmed_at(tables: Sequence[Table]) -> dict[int, datetime]:
    """When reported tables confirm themselves if nobody objects; no query while none is reported."""
    reported = [table.pk for table in tables if table.state == Table.State.REPORTED]
    if not reported:
        return {}
    clocks = Deadline.objects.pending().filter(table__in=reported, kind=Deadline.Kind.CONFIRM)
    return dict(clocks.values_list("table_id", "due_at"))


def name_reporters(played: Round, lines: Sequence[dict[str, Any]]) -> None:
    """Add to the line of each reported table who did: `reported_by`, by the newest hand of a player there.

    For those who see the log. No query while no table is reported.
    """
    waiting = {line["table"].number: line for line in lines if line["table"].state == Table.State.REPORTED}
    if not waiting:
        return
    rows = LogEntry.objects.filter(tournament=played.tournament_id, round=played.number, table__in=waiting)
    rows = rows.filter(action__in=("record", "correct"), at__gte=played.published_at or played.tournament.created_at)
    players = dict(rows.order_by("number").values_list("table", "player"))  # of each table the newest
    entries = Entry.objects.filter(public_id__in=filter(None, players.values())).select_related("player")
    names = {entry.public_id: str(entry) for entry in entries}
    for number, player in players.items():
        waiting[number]["reported_by"] = names.get(player, "")


def _name_at(seat: Seat, stage: Stage) -> str:
    """The name of whoever is at the seat: “Ana”, “Sven for Ana”; for a team its own name."""
    if seat.substitute is None or stage.has_teams:
        return str(seat.entry)
    return _("%(substitute)s for %(name)s") % {"substitute": seat.substitute.name, "name": seat.entry}
