"""What can be done about tables and rounds now, for the page of the day: reads; the services decide."""

from typing import Any

from league.formats import FORMATS
from league.ledger.progress import PLAYING, closed_early, race_of, tables_now
from league.lib.errors import Refused
from league.models import LogEntry, Round, Seat, Table, Tournament
from league.rounds.reseat import Fresh, fresh_tables
from league.rounds.steps import next_step
from league.rounds.tables import swappable

MOST_UNDONE = 5  # swaps and moves that the page offers to undo


def offers(tournament: Tournament) -> dict[str, Any]:
    """For templates/league/day/_day_tables.html."""
    stage = tournament.stages.get()
    played = round_now(tournament)
    last = tournament.rounds.shown().order_by("-number").first()
    context: dict[str, Any] = {
        "stage": stage,
        "played": played,
        "to_undo": None if tournament.is_final else last,
        "step": next_step(tournament),
        "is_running": tournament.state == Tournament.State.RUNNING,
    }
    if played is not None and not tournament.is_final and stage.started_at is not None:
        context |= _of_round(played)
    if not FORMATS[stage.format].DRAWN_AHEAD:
        context |= _to_seat_anew(tournament)
    return context


def round_now(tournament: Tournament) -> Round | None:
    """The round that is played, else the one that comes next; None where none is drawn."""
    rounds = tournament.rounds.living().exclude(state=Round.State.CLOSED)
    return rounds.select_related("stage", "tournament").order_by("number").first()


def _of_round(played: Round) -> dict[str, Any]:
    now = tables_now(played, race_of(played))
    for one in now:
        one.table.round = played
    return {
        "seats": [{"entry": seat.entry, "table": seat.table} for seat in swappable(played)],
        "tables": [one.table for one in now],
        "playing": [one.table for one in now if one.state == PLAYING] if played.is_open else [],
        "closed": [one for one in now if closed_early(one.table)],
        "swaps": _latest(played, "swap-seats"),
        "moves": _latest(played, "move-table"),
    }


def _latest(played: Round, action: str) -> list[LogEntry]:
    """The latest rows of an action in a round, as long as it was not undone since."""
    rows = LogEntry.objects.filter(tournament=played.tournament, round=played.number)
    undone = rows.filter(action="undo-round").order_by("-number").values_list("number", flat=True).first() or 0
    return list(rows.filter(action=action, number__gt=undone).order_by("-number")[:MOST_UNDONE])


def _to_seat_anew(tournament: Tournament) -> dict[str, Any]:
    """The tables that have not started, or why none can be seated anew."""
    try:
        fresh = fresh_tables(tournament)
    except Refused as refused:
        return {"not_fresh": str(refused)}
    return {"fresh": fresh, "without_seat": _without_seat(fresh)}


def _without_seat(fresh: Fresh) -> list[str]:
    seated = set(Seat.objects.filter(round=fresh.played).values_list("entry__public_id", flat=True))
    new = [player for player in fresh.players if player not in seated]
    entries = fresh.played.tournament.entries.filter(public_id__in=new).order_by("number")
    return list(entries.values_list("player__name", flat=True))


def table_lines(played: Round) -> list[tuple[Table, list[str]]]:
    """Who sits at each table of a round, by seat."""
    seats = Seat.objects.filter(table__round=played).select_related("table", "entry__player")
    lines: dict[int, tuple[Table, list[str]]] = {}
    for seat in seats.order_by("table__number", "number"):
        if seat.table is not None:
            names = lines.setdefault(seat.table.pk, (seat.table, []))[1]
            if seat.member == 0:  # a team is named once
                names.append(seat.entry.player.name)
    return list(lines.values())
